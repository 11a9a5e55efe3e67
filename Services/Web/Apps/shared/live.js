// The live stream (Server-Sent Events) over fetch, since EventSource can't send a token.

import { createEvents } from './state.js';

/** The server sends a comment every 15 s; after this silence the connection counts as dead, in ms. */
const SILENCE = 20_000;
/** After this time in the background, a connection may be dead and the page outdated, in ms. */
const SLEEP = 10_000;
const SHORTEST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/**
 * Emits `open`, `closed`, `position`, `notification` and a name for each kind of thing that changes (`order`); missed
 * events follow by themselves. `woken` means a long time in the background: fetch everything again.
 */
export function createLive(api) {
  const events = createEvents();
  let lastID = null;
  let stopper = null;
  let wake = () => {};
  let cut = () => {};
  let hiddenAt = null;
  let isOpen = false;

  const setOpen = (value) => {
    if (isOpen === value) return;
    isOpen = value;
    events.emit(value ? 'open' : 'closed');
  };

  /** Returns whether the stream was open, however it ended. */
  async function read(signal) {
    const line = new AbortController();
    cut = () => line.abort();
    signal.addEventListener('abort', cut, { signal: line.signal });
    let wasOpen = false;
    let watchdog = null;
    try {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${await api.token()}` };
      if (lastID !== null) headers['last-event-id'] = lastID;
      watchdog = setTimeout(cut, SILENCE);
      const response = await fetch('/v1/stream', { headers, signal: line.signal, cache: 'no-store' });
      if (response.status === 401) await api.renew();
      if (!response.ok) return false;
      wasOpen = true;
      setOpen(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return wasOpen;
        clearTimeout(watchdog);
        watchdog = setTimeout(cut, SILENCE);
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) hear(block);
      }
    } catch {
      // Interrupted, or never open.
      return wasOpen;
    } finally {
      clearTimeout(watchdog);
      line.abort();
      setOpen(false);
    }
  }

  function hear(block) {
    let name = 'message';
    const data = [];
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon < 1) continue;
      const field = line.slice(0, colon);
      const value = line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') name = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id') lastID = value;
    }
    if (data.length) events.emit(name, JSON.parse(data.join('\n')));
  }

  async function run(signal) {
    let wait = SHORTEST_WAIT;
    while (!signal.aborted) {
      const wasOpen = await read(signal);
      if (signal.aborted || !api.isSignedIn) return;
      wait = wasOpen ? SHORTEST_WAIT : Math.min(wait * 2, LONGEST_WAIT);
      await new Promise((resolve) => {
        wake = resolve;
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

  return {
    events,
    get isOpen() {
      return isOpen;
    },
    start() {
      if (stopper) return;
      stopper = new AbortController();
      run(stopper.signal);
    },
    stop() {
      stopper?.abort();
      stopper = null;
      lastID = null;
      wake();
    },
  };
}
