// What an app remembers on this device. A browser that refuses storage still gets a working app.

import { createEvents } from './state.js';

/** What the browser would not keep, as JSON: known until the page goes. */
const memory = new Map();
/** Emits `refused` when the browser keeps nothing, or nothing more. */
export const storageEvents = createEvents();

function read(key) {
  try {
    return memory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

function names() {
  try {
    return [...memory.keys(), ...Object.keys(localStorage)];
  } catch {
    return [...memory.keys()];
  }
}

/** Reads a JSON value; undefined when there is none. */
export function recall(key) {
  try {
    return JSON.parse(read(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a JSON value; undefined removes it. */
export function remember(key, value) {
  memory.delete(key);
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (value === undefined) return;
    memory.set(key, JSON.stringify(value));
    storageEvents.emit('refused');
  }
}

/** What somebody has begun in this tab, whoever they turn out to be: kept until it is closed. */
export const begun = {
  recall(key) {
    try {
      return JSON.parse(sessionStorage.getItem(key)) ?? undefined;
    } catch {
      return undefined;
    }
  },
  remember(key, value) {
    try {
      sessionStorage.setItem(key, JSON.stringify(value ?? null));
    } catch {
      // Then it is known until the page goes.
    }
  },
};

/** Removes what an app remembers, but for the keys that are to be kept, as at signing out. */
export function forget(prefix, isKept = () => false) {
  for (const key of names()) if (key.startsWith(prefix) && !isKept(key)) remember(key, undefined);
}

/** Runs one task at a time among all tabs where the browser can, else in this one. */
const chains = new Map();
export function alone(name, task) {
  if (navigator.locks) return navigator.locks.request(name, task);
  const run = (chains.get(name) ?? Promise.resolve()).then(task, task);
  chains.set(name, run.catch(() => {}));
  return run;
}
