// Demo only: a simulated city that may be far from the viewer. Accounts and codes are in demo-people.js.

import { meta } from './dom.js';
import { areaWithStreets, ownMaps } from './map.js';
import { isInside } from './position.js';

export const isDemo = meta('demo') === 'yes';

/** The server's own maps; null until known. */
let maps = null;
/** Resolves when the city can be found; never outside a demo. */
export const ready = isDemo ? ownMaps().then((own) => (maps = own.maps)) : new Promise(() => {});

/** The simulation's service area, chosen as it does; null if unknown, or outside a demo. */
export function cityOf(areas) {
  return maps && areas?.length ? areaWithStreets(areas, maps) : null;
}

/** Whether this point, or none, is outside the simulated city; false outside a demo. */
export function isElsewhere(point, areas) {
  const city = cityOf(areas);
  return Boolean(city) && !(point && isInside(point, city.geometry));
}
