// A small observable: views are drawn from it, and drawn again when it changes.

/**
 * Holds an object; `set` merges changes and calls the listeners once for all changes of a turn.
 * @type {Ui.CreateState}
 */
export function createState(initial) {
  let value = initial;
  let isPending = false;
  const listeners = new Set();
  return {
    get value() {
      return value;
    },
    set(change) {
      value = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      if (isPending) return;
      isPending = true;
      queueMicrotask(() => {
        isPending = false;
        for (const listener of [...listeners]) listener(value);
      });
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Named events without a DOM node. */
export function createEvents() {
  const listeners = new Map();
  return {
    on(name, listener) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name).add(listener);
      return () => listeners.get(name).delete(listener);
    },
    emit(name, value) {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(value);
    },
  };
}
