// The person's present position, for checks by the server.

import { serverTime } from '/apps/shared/clock.js';

/** How long to wait for a fix, and how old a fix may be that the device has already, in ms. */
const PATIENCE = 15_000;
const RECENT = 30_000;
/** The server refuses older ones, in ms. */
const OLDEST = 60_000;

/** `error` is the browser's: by the code 1 the person has forbidden it. */
const failure = (error) =>
  Object.assign(new Error('position'), { code: error?.code === 1 ? 'spot.not_there' : 'position.none' });

/** A recent fix with its time by the server's clock; rejects with a problem when there is none. */
export const freshFix = () =>
  new Promise((found, failed) => {
    const fail = (error) => failed(failure(error));
    const take = ({ coords, timestamp }) =>
      Date.now() - timestamp > OLDEST
        ? fail()
        : found({
            latitude: coords.latitude,
            longitude: coords.longitude,
            accuracyMeters: coords.accuracy,
            recordedAt: new Date(serverTime(timestamp)).toISOString(),
          });
    if (!navigator.geolocation) return fail();
    return navigator.geolocation.getCurrentPosition(take, fail, {
      enableHighAccuracy: true,
      maximumAge: RECENT,
      timeout: PATIENCE,
    });
  });
