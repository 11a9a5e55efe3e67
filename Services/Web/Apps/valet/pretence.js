// The position of a demo's valet, who may sit anywhere in the world: on the map they stand in the simulated city, and
// are driven along the way of each job. In place of `navigator.geolocation`.

import { metersBetween } from '/apps/shared/position.js';
import { recall, remember } from '/apps/shared/storage.js';

/** With the city's id. Not forgotten when somebody signs out: a server believes nobody who jumps through the city. */
const KEPT = 'openvalet.demo.position';
const PACE = 1_000;
const METERS_PER_SECOND = 25;
const ACCURACY = 5;

/** `city()` is the area, once it is known; `way()` is `{ step, points }`, another step for another way. */
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
    // A valet who is already in the city stays where they are, even outside the area: routes within it lead
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
