// Calls that are never made twice: payments, bookings, offers.

import { Offline } from '/apps/shared/api.js';
import { uuid } from '/apps/shared/dom.js';

/** Repeats a call whose answer was lost with the same key. */
export function createOnce(api) {
  let wish = {};
  return async (path, body) => {
    const text = JSON.stringify([path, body]);
    if (wish.text !== text) wish = { text, key: uuid() };
    try {
      const answer = await api.post(path, body, { key: wish.key, timeout: 40_000 });
      wish = {};
      return answer;
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) wish = {};
      throw error;
    }
  };
}
