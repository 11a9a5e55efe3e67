// What an app knows of the server, in parts that are loaded again as time passes and things change.

import { Ended } from './api.js';
import { remember } from './storage.js';

/** Time between two looks for parts that are due, and until a failed one is retried; in ms. */
const LOOK = 1_000;
const RETRY = 10_000;

/**
 * @type {Ui.CreateParts}
 *
 * Of a part, `load` stores the answer in the app's state; `every` is the time between two loads in ms, or a function
 * for it: 0 while the part isn't needed, so that it stays due; `on` are events of the live stream that change it; and
 * `inBackground` keeps the time in a hidden page. Each part gets `isDue`, its last load's `error`, and `running`.
 */
export function createParts({ api, live, parts, settled = () => {} }) {
  const names = Object.keys(parts);
  const paceOf = (/** @type {Ui.Part} */ { every }) => (typeof every === 'function' ? every() : (every ?? Infinity));

  async function run(name, part) {
    // One load for all calls of a turn.
    await null;
    while (part.isDue && api.isSignedIn && paceOf(part)) {
      Object.assign(part, { isDue: false, startedAt: Date.now() });
      try {
        await part.load();
        part.error = null;
      } catch (error) {
        // Another session may have begun.
        if (error instanceof Ended) continue;
        part.error = error;
      }
      settled(name, part.error);
    }
    part.running = null;
  }

  /** Loads parts now; resolves with answers that are newer than this call. */
  const ask = (...asked) =>
    Promise.all(
      asked.map((name) => {
        const part = parts[name];
        part.isDue = true;
        return (part.running ??= run(name, part));
      }),
    );

  function look() {
    for (const name of names) {
      const part = parts[name];
      const pace = paceOf(part);
      if (!pace || part.running || (document.hidden && !part.inBackground)) continue;
      // A clock may be set back.
      const age = Math.abs(Date.now() - part.startedAt);
      if (part.isDue || age >= pace || (part.error && age >= RETRY)) ask(name);
    }
  }

  const start = () => ask(...names);
  const forget = () => names.forEach((name) => Object.assign(parts[name], { isDue: true, error: null, startedAt: 0 }));
  forget();
  api.events.on('signed-out', forget);
  for (const name of names) for (const event of parts[name].on ?? []) live.events.on(event, () => ask(name));
  live.events.on('woken', start);
  document.addEventListener('visibilitychange', look);
  setInterval(look, LOOK);

  return {
    ask,
    start,
    /** The first error of parts whose last load failed, or null. */
    get error() {
      return names.map((name) => parts[name].error).find(Boolean) ?? null;
    },
  };
}

/** Keeps what `pick` selects of a state on this device: at each change, or every `pace` ms and when the page closes. */
export function keepOnDevice({ api, state, key, pick, pace = 0 }) {
  let last = {};
  function save() {
    const next = pick(state.value);
    if (!api.isSignedIn || Object.keys(next).every((name) => next[name] === last[name])) return;
    remember(key, (last = next));
  }
  if (pace) setInterval(save, pace);
  else state.listen(save);
  addEventListener('pagehide', save);
}
