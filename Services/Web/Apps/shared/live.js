// The live stream (Server-Sent Events) over fetch, since EventSource can't send a token.

import { createEvents } from './state.js';

/** The server sends a comment every 15 s; after this silence the connection counts as dead, in ms. */
const SILENCE = 20_000;
/** After this time in the background, a connection may be dead and the page outdated, in ms. */
const SLEEP = 10_000;
const SHORTEST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** Gives the blocks of each piece of an answer to `take`, as soon as they are whole. */
async function read(answer, take) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    take(blocks);
  }
}

/** The fields of a block. */
function parsed(block) {
  const fields = { event: 'message' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    fields[name] = name === 'data' && fields.data ? `${fields.data}\n${value}` : value;
  }
  return fields;
}

/**
 * Emits `open`, `closed`, `position`, `notification` and a name for each kind of thing that changes (`order`); missed
 * events follow by themselves. `woken` means a long time in the background: fetch everything again.
 */
export function createLive(api) {
  const events = createEvents();
  const live = { events, isOpen: false, start, stop };
  let lastID = null;
  let stopper = null;
  let wake = () => {};
  let cut = () => {};
  let hiddenAt = null;

  const setOpen = (isOpen) => {
    if (live.isOpen === isOpen) return;
    live.isOpen = isOpen;
    events.emit(isOpen ? 'open' : 'closed');
  };

  /** Returns whether the stream was open, however it ended. */
  async function listen(signal) {
    const line = new AbortController();
    cut = () => line.abort();
    signal.addEventListener('abort', cut, { signal: line.signal });
    let watchdog = null;
    try {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${await api.token()}` };
      if (lastID !== null) headers['last-event-id'] = lastID;
      watchdog = setTimeout(cut, SILENCE);
      const answer = await fetch('/v1/stream', { headers, signal: line.signal, cache: 'no-store' });
      if (answer.status === 401) await api.renew();
      setOpen(answer.ok);
      const take = (blocks) => {
        clearTimeout(watchdog);
        watchdog = setTimeout(cut, SILENCE);
        for (const { event, data, id = lastID } of blocks.map(parsed)) {
          lastID = id;
          if (data) events.emit(event, JSON.parse(data));
        }
      };
      if (answer.ok) await read(answer, take);
    } catch {
      // Interrupted, or never open.
    }
    clearTimeout(watchdog);
    line.abort();
    const wasOpen = live.isOpen;
    setOpen(false);
    return wasOpen;
  }

  async function run(signal) {
    let wait = SHORTEST_WAIT;
    while (!signal.aborted) {
      const wasOpen = await listen(signal);
      if (signal.aborted || !api.isSignedIn) return;
      wait = wasOpen ? SHORTEST_WAIT : Math.min(wait * 2, LONGEST_WAIT);
      await new Promise((resolve) => {
        wake = () => resolve();
        setTimeout(resolve, wait * (0.5 + Math.random() / 2));
      });
    }
  }

  addEventListener('online', () => wake());
  document.addEventListener('visibilitychange', () => {
    const slept = hiddenAt !== null && Date.now() - hiddenAt >= SLEEP;
    hiddenAt = document.hidden ? Date.now() : null;
    if (document.hidden || !stopper) return;
    if (slept) {
      cut();
      events.emit('woken');
    }
    wake();
  });

  function start() {
    if (stopper) return;
    stopper = new AbortController();
    run(stopper.signal);
  }

  function stop() {
    stopper?.abort();
    [stopper, lastID] = [null, null];
    wake();
  }

  return live;
}
