// What an app knows of the server, in parts. A part is loaded at the start and after sleep, at its interval, when the
// live stream tells of a change, and a while after it failed. A change during a load leads to one more.

import { Ended } from './api.js';
import { remember } from './storage.js';

/** Time between two looks for parts that are due, in ms. */
const LOOK = 1_000;
/** Time until a failed load is retried, in ms. */
const RETRY = 10_000;
const unknown = { isDue: true, error: null, startedAt: 0 };

/**
 * Parts by name: `load` stores the answer in the app's state; `every` is the time between two loads in ms, or a function
 * that returns it: `Infinity` (the default) if only events and failures lead to another load, and 0 while the part isn't
 * needed, so that it stays due; `on` lists events of the live stream; `inBackground` is for intervals of a hidden page.
 * `settled(name, error)` is called after each load.
 */
export function createParts({ api, live, parts, settled }) {
  const known = new Map(Object.entries(parts).map(([name, part]) => [name, { every: Infinity, ...part, ...unknown }]));
  const all = [...known.values()];
  const paceOf = ({ every }) => (typeof every === 'function' ? every() : every);

  async function run(name, part) {
    // Several requests of one turn lead to one load.
    await null;
    while (part.isDue && api.isSignedIn && paceOf(part)) {
      Object.assign(part, { isDue: false, startedAt: Date.now() });
      try {
        await part.load();
        part.error = null;
      } catch (error) {
        // The session of this request is over, but another one may have begun.
        if (error instanceof Ended) continue;
        part.error = error;
      }
      settled(name, part.error);
    }
    part.running = null;
  }

  /** Loads parts now; resolves with answers that are newer than this call. */
  const ask = (...names) =>
    Promise.all(
      names.map((name) => {
        const part = known.get(name);
        part.isDue = true;
        return (part.running ??= run(name, part));
      }),
    );

  function look() {
    if (!api.isSignedIn) return;
    for (const [name, part] of known) {
      const pace = paceOf(part);
      if (!pace || part.running || (document.hidden && !part.inBackground)) continue;
      const wait = part.isDue ? 0 : part.error ? Math.min(pace, RETRY) : pace;
      // A device's clock may be set back.
      if (Math.abs(Date.now() - part.startedAt) >= wait) ask(name);
    }
  }

  const start = () => ask(...known.keys());
  for (const [name, { on = [] }] of known) for (const event of on) live.events.on(event, () => ask(name));
  live.events.on('woken', start);
  document.addEventListener('visibilitychange', look);
  setInterval(look, LOOK);

  return {
    ask,
    /** Loads everything; for a person who has signed in. */
    start,
    /** Forgets what the last person's requests have led to. */
    stop: () => all.forEach((part) => Object.assign(part, unknown)),
    /** Loads parts at the next look at which they are needed. */
    expire: (...names) => names.forEach((name) => (known.get(name).isDue = true)),
    isLoading: (name) => Boolean(known.get(name).running),
    /** The first error of parts whose last load failed, or null. */
    get error() {
      return all.find(({ error }) => error)?.error ?? null;
    },
  };
}

/** Keeps what `pick` selects of a state on this device: at each change, or every `pace` ms and when the page closes. */
export function keepOnDevice({ api, state, key, pick, pace }) {
  let last = {};
  function save() {
    const next = pick(state.value);
    // Nothing is stored after the end of a session.
    if (!api.isSignedIn || Object.keys(next).every((name) => next[name] === last[name])) return;
    remember(key, next);
    last = next;
  }
  if (pace) setInterval(save, pace);
  else state.listen(save);
  addEventListener('pagehide', save);
}
