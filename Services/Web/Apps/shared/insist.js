// Activates a newer version of the app when the person wants it and the browser doesn't act.

/** How long the browser has, in ms; and the interval of retries. */
const PATIENCE = 3_000;
const ASKS = 20;

/**
 * Asks again while nothing happens: the newer version by `ask`, and Chromium by loading a worker. Chromium asks the
 * older version to stop, but not again once a request has woken it, until a page or a worker is loaded. As a worker,
 * this file does nothing.
 */
export function insist(isWanted, ask) {
  let asks = 0;
  const timer = setInterval(() => {
    if (!isWanted() || asks++ === ASKS) return clearInterval(timer);
    ask();
    const worker = new Worker(import.meta.url, { type: 'module' });
    setTimeout(() => worker.terminate(), PATIENCE);
  }, PATIENCE);
}
