// What only a demo has: a simulated city that may be far from whoever looks at it. People and codes are in demo-people.js.

import { meta } from './dom.js';
import { areaWithStreets, ownMaps } from './map.js';
import { isInside } from './position.js';

export const isDemo = meta('demo') === 'yes';

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
