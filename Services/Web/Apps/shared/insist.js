// Has a newer version of the app put in charge, when the person has said so and the browser does not.

import { begun } from './storage.js';

/** How long it may take, in ms. */
const PATIENCE = 3_000;

/**
 * Loads the page anew, once. Chromium asks the older worker to stop, and no more once a request has woken that again; a
 * page that loads lets it ask anew.
 */
export function insist(isWanted) {
  setTimeout(() => {
    if (!isWanted()) return;
    begun.remember('wanted', true);
    location.reload();
  }, PATIENCE);
}
