// What an app remembers on this device. A browser that refuses storage still gets a working app.

/** Reads a JSON value; undefined when there is none. */
export function recall(key) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a JSON value; undefined removes it. */
export function remember(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the app goes on without.
  }
}

/** Removes what an app remembers, but for the keys that are to be kept, as at signing out. */
export function forget(prefix, isKept = () => false) {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix) && !isKept(key)) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

/** Runs one task at a time among all tabs where the browser can, else in this one. */
const chains = new Map();
export function alone(name, task) {
  if (navigator.locks) return navigator.locks.request(name, task);
  const run = (chains.get(name) ?? Promise.resolve()).then(task, task);
  chains.set(name, run.catch(() => {}));
  return run;
}
