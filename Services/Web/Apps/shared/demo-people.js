// A demo's accounts to sign in as, and the exchange of hand-over codes with simulated people.

import { escaped, withQuery } from './api.js';

/** Interval between two requests during a hand-over, in ms. */
const PACE = 1_500;

/** Phone number and password of the demo's account for an app. */
export async function personOf(api) {
  const { accounts } = await api.call('GET', '/v1/demo', { anonymous: true });
  return accounts.find(({ app }) => app === api.app);
}

/** Passes on the code of a hand-over. */
export const readOut = (api, order, leg) =>
  api.call('PUT', escaped`/v1/demo/orders/${order.id}/code`, {
    body: { leg, code: order.handoverCode },
    anonymous: true,
  });

/** Calls `found` with each code received for a hand-over, until `isOver()`. */
export async function listen(api, order, leg, isOver, found) {
  const path = withQuery(escaped`/v1/demo/orders/${order.id}/code`, { leg });
  let last;
  while (!isOver()) {
    const spoken = await api.call('GET', path, { anonymous: true }).catch(() => null);
    if (spoken && spoken.code !== last) found((last = spoken.code));
    await new Promise((done) => setTimeout(done, PACE));
  }
}
