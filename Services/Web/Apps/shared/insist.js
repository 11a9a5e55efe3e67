// Has a newer version of the app put in charge, when the person has said so and the browser does not.

/** How long the browser is given, in ms; and how often it is asked. */
const PATIENCE = 3_000;
const ASKS = 20;

/**
 * Asks again while nothing happens. Chromium asks the older version to stop, and no more once a request has woken that
 * again, until a page or a worker is loaded. This file is one that does nothing.
 */
export function insist(isWanted) {
  let asks = 0;
  const timer = setInterval(() => {
    if (!isWanted() || asks++ === ASKS) return clearInterval(timer);
    const worker = new Worker(import.meta.url, { type: 'module' });
    setTimeout(() => worker.terminate(), PATIENCE);
  }, PATIENCE);
}
