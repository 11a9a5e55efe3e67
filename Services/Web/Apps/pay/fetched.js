// Answers of the API that are read once.

/**
 * `get(path)` returns `{ value, error }` at once, and draws the page again when the answer is there; `reload(path)`
 * asks again.
 */
export function createFetched(api, redraw) {
  const known = new Map();
  function load(path) {
    const entry = { value: undefined, error: null };
    known.set(path, entry);
    api
      .get(path, { anonymous: true })
      .then(
        (value) => Object.assign(entry, { value }),
        (error) => Object.assign(entry, { error }),
      )
      .finally(redraw);
    return entry;
  }
  return {
    get: (path) => known.get(path) ?? load(path),
    reload(path) {
      load(path);
      redraw();
    },
  };
}
