// Calls that are never made twice: payments, bookings, offers.

import { Offline } from '/apps/shared/api.js';
import { uuid } from '/apps/shared/dom.js';

/** The payment of an answer that waits for the person's confirmation; null if none does. */
export function waitingPayment(answer) {
  // A bid's answer has it in its request.
  const payment = answer?.payment ?? answer?.request?.payment;
  return payment?.status === 'requiresAction' ? payment : null;
}

/**
 * Repeats a call with the same key if its answer was lost, and while its payment waits to be confirmed: however that
 * has ended meanwhile, the repeat begins no other payment.
 */
export function createOnce(api) {
  let wish = {};
  return async (path, body) => {
    const text = JSON.stringify([path, body]);
    if (wish.text !== text) wish = { text, key: uuid() };
    try {
      const answer = await api.post(path, body, { key: wish.key, timeout: 40_000 });
      if (!waitingPayment(answer)) wish = {};
      return answer;
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) wish = {};
      throw error;
    }
  };
}
