// Answers of the API that are read once.

/** `get(path)` returns `{ value, error }` at once, and draws the page again when the answer is there. */
export function createFetched(api, redraw) {
  const known = new Map();
  return {
    get(path) {
      if (!known.has(path)) {
        const entry = { value: undefined, error: null };
        known.set(path, entry);
        api
          .get(path, { anonymous: true })
          .then(
            (value) => Object.assign(entry, { value }),
            (error) => Object.assign(entry, { error }),
          )
          .finally(redraw);
      }
      return known.get(path);
    },
  };
}
