// People whom one can be in a demo, and the street on which codes are read out and heard.

import { escaped, withQuery } from './api.js';

/** How often one listens at a hand-over, in ms. */
const PACE = 1_500;

/** Phone number and password of the demo's person of an app. */
export async function personOf(api) {
  const { accounts } = await api.call('GET', '/v1/demo', { anonymous: true });
  return accounts.find(({ app }) => app === api.app);
}

/** Reads out the code of a hand-over: whoever is there hears it. */
export const readOut = (api, order, leg) =>
  api.call('PUT', escaped`/v1/demo/orders/${order.id}/code`, { body: { leg, code: order.handoverCode }, anonymous: true });

/** Tells `found` each code that is read out at a hand-over, until `isOver()`. */
export async function listen(api, order, leg, isOver, found) {
  const path = withQuery(escaped`/v1/demo/orders/${order.id}/code`, { leg });
  let last;
  while (!isOver()) {
    const spoken = await api.call('GET', path, { anonymous: true }).catch(() => null);
    if (spoken && spoken.code !== last) found((last = spoken.code));
    await new Promise((done) => setTimeout(done, PACE));
  }
}
