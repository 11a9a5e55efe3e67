// The person's present position, for checks by the server.

import { serverTime } from '/apps/shared/clock.js';

/** In ms. */
const PATIENCE = 15_000;

/** A new fix with its time by the server's clock; rejects if there is none. */
export const freshFix = () => new Promise((found, failed) => {
  if (!navigator.geolocation) return failed();
  return navigator.geolocation.getCurrentPosition(
    ({ coords, timestamp }) => found({ latitude: coords.latitude, longitude: coords.longitude, accuracyMeters: coords.accuracy, recordedAt: new Date(serverTime(timestamp)).toISOString() }),
    failed, { enableHighAccuracy: true, maximumAge: 0, timeout: PATIENCE },
  );
});
