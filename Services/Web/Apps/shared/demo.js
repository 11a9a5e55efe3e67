// What only a demo has: people whom one can be, a street on which codes are read out and heard, and a simulated city
// that may be far from whoever looks at it.

import { escaped, withQuery } from './api.js';
import { meta } from './dom.js';
import { areaWithStreets, ownMaps } from './map.js';
import { isInside } from './position.js';

export const isDemo = meta('demo') === 'yes';

/** How often one listens at a hand-over, in ms. */
const PACE = 1_500;

/** The house's own maps; null while they are not known. */
let maps = null;
/** Resolves when the city can be found; never where this is no demo. */
export const ready = isDemo ? ownMaps().then((own) => (maps = own.maps)) : new Promise(() => {});

/** The service area that the simulation plays in, chosen as it does; null while it is not known, or where this is no demo. */
export function cityOf(areas) {
  return maps && areas?.length ? areaWithStreets(areas, maps) : null;
}

/** Whether somebody at this point, or at none, is not in the simulated city; false where this is no demo. */
export function isElsewhere(point, areas) {
  const city = cityOf(areas);
  return Boolean(city) && !(point && isInside(point, city.geometry));
}

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
