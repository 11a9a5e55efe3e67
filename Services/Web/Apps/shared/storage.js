// An app's data on this device. If the browser refuses storage, the app still works.

import { createEvents } from './state.js';

/** JSON that the browser refused to store: kept until the page closes. */
const memory = new Map();
/** Emits `refused` when the browser can't store anything, or no more. */
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

/** Reads a JSON value; undefined if there is none. */
export function recall(key) {
  try {
    return JSON.parse(read(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a JSON value; undefined removes it. */
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

/** Values of this tab, kept until it is closed, even through a sign-in. */
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
      // Then it is kept until the page closes.
    }
  },
};

/** Removes an app's data except for some keys, for example at sign-out. */
export function forget(prefix, isKept = null) {
  for (const key of names()) if (key.startsWith(prefix) && !isKept?.(key)) remember(key, undefined);
}

/** Runs one task at a time among all tabs if the browser can, else in this one. */
const chains = new Map();
export function alone(name, task) {
  if (navigator.locks) return navigator.locks.request(name, task);
  const run = (chains.get(name) ?? Promise.resolve()).then(task, task);
  chains.set(
    name,
    run.catch(() => {}),
  );
  return run;
}
