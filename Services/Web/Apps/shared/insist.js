// Puts a newer version of the app in charge, when the person has said so.

import { begun } from './storage.js';

/** How long it may take, in ms. */
const PATIENCE = 3_000;

/**
 * Asks its worker, and loads the page anew where that leads to nothing: Chromium asks the older worker to stop, and no
 * more once a request has woken that again; a page that loads lets it ask anew.
 */
export function insist(worker, isWanted) {
  worker.postMessage({ type: 'update' });
  setTimeout(() => {
    if (!isWanted()) return;
    begun.remember('wanted', true);
    location.reload();
  }, PATIENCE);
}
