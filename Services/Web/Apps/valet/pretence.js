// The position of a demo's valet, who may be anywhere in the world: the map shows them in the simulated city,
// moving along the route of each job. Replaces `navigator.geolocation`.

import { metersBetween } from '/apps/shared/position.js';
import { recall, remember } from '/apps/shared/storage.js';

/** Stored with the city's id, also after a sign-out: the server rejects a position that jumps. */
const KEPT = 'openvalet.demo.position';
const PACE = 1_000;
const METERS_PER_SECOND = 25;
const ACCURACY = 5;

/** `city()` is the area, once it is known; `way()` is `{ step, points }`, with another step for another route. */
export function createPretence({ city, way }) {
  let here = recall(KEPT) ?? null;
  let hear = null;
  let timer = null;
  let step = null;
  let ahead = [];
  let movedAt = 0;

  function drive() {
    const wanted = way();
    if (wanted && wanted.step !== step) [step, ahead] = [wanted.step, wanted.points];
    let left = ((Date.now() - movedAt) / 1_000) * METERS_PER_SECOND;
    movedAt = Date.now();
    while (ahead.length && left > 0) {
      const [next] = ahead;
      const far = metersBetween(here, next);
      const share = far > left ? left / far : 1;
      here = {
        ...here,
        latitude: here.latitude + (next.latitude - here.latitude) * share,
        longitude: here.longitude + (next.longitude - here.longitude) * share,
      };
      if (share === 1) ahead = ahead.slice(1);
      left -= far;
    }
  }

  function tick() {
    const area = city()?.properties;
    if (!area) return;
    // A valet who is already in the city keeps their position, even outside the area: routes within it lead
    // through streets there.
    if (here?.area !== area.id) here = { ...area.servicePoint, area: area.id };
    drive();
    remember(KEPT, here);
    hear(fix());
  }

  const fix = () => ({ coords: { ...here, accuracy: ACCURACY }, timestamp: Date.now() });

  return {
    watchPosition(found) {
      hear = found;
      movedAt = Date.now();
      timer = setInterval(tick, PACE);
      queueMicrotask(tick);
      return timer;
    },
    clearWatch: () => clearInterval(timer),
    getCurrentPosition: (found) => here && found(fix()),
  };
}
