// This device's position: watched, shown, and sent to the server. Only real fixes are sent, once and with
// their times; unsent ones follow later.

import { serverNow, serverTime, timeLearnt } from './clock.js';
import { createEvents } from './state.js';
import { Offline, Problem } from './api.js';

/** Ms between two reports, at rest and during a job. */
const PACE_AT_REST = 10_000;
const PACE_ON_JOB = 4_000;
/** The most points per request. */
const MOST_POINTS = 200;
const OPTIONS = { enableHighAccuracy: true, maximumAge: 5_000, timeout: 20_000 };

/** Sends what `position` finds at a pace, and asks it for more. */
function createReports(api, position) {
  let timer = null;
  let pace = PACE_AT_REST;
  let reported = null;
  let unsent = [];
  let isSending = false;

  /** A phone at rest reports nothing by itself, so it is asked. */
  function tick() {
    if (!position.last || Date.now() - position.foundAt >= pace) position.ask();
    report();
  }

  async function report() {
    const { failure, foundAt, last } = position;
    if (!last || timer === null || foundAt === reported || failure === 'denied' || !api.isSignedIn || isSending) return;
    isSending = true;
    await timeLearnt;
    const point = { ...position.last, recordedAt: new Date(serverTime(position.foundAt)).toISOString() };
    reported = position.foundAt;
    try {
      if (unsent.length) {
        await api.post('/v1/me/locations', { points: [...unsent, point].slice(-MOST_POINTS) });
        unsent = [];
      } else {
        await api.put('/v1/me/location', point);
      }
      position.sentAt = serverNow();
      position.events.emit('sent', position.sentAt);
    } catch (error) {
      const mayPass = error instanceof Offline || (error instanceof Problem && error.isPassing);
      unsent = mayPass ? [...unsent, point].slice(-MOST_POINTS + 1) : [];
    } finally {
      isSending = false;
    }
  }

  function schedule() {
    clearInterval(timer);
    timer = setInterval(tick, pace);
  }
  document.addEventListener('visibilitychange', () => document.hidden || timer === null || tick());

  return {
    report,
    begin() {
      if (timer === null) schedule();
      tick();
    },
    end() {
      clearInterval(timer);
      timer = null;
      position.sentAt = null;
      unsent = [];
    },
    /** More frequent during a job. */
    setOnJob(isOnJob) {
      const wanted = isOnJob ? PACE_ON_JOB : PACE_AT_REST;
      if (wanted === pace) return;
      pace = wanted;
      if (timer !== null) schedule();
    },
  };
}

/**
 * Emits `change` with `{ latitude, longitude, accuracyMeters, … }`, `error` with `denied` or `unavailable`, and
 * `sent` when the server has a report. `source` finds the position, like `navigator.geolocation`.
 */
export function createPosition(api, source = navigator.geolocation) {
  const position = {
    events: createEvents(),
    last: null,
    /** Time of the fix on the device's clock. */
    foundAt: null,
    /** When the server last received a fix, by its clock; null before the first since reports began. */
    sentAt: null,
    failure: null,
    /** Requests a new fix, and sends it while reports are on. */
    ask() {
      const found = (fix) => {
        hear(fix);
        reports.report();
      };
      source?.getCurrentPosition(found, fail, { ...OPTIONS, maximumAge: 0 });
    },
    /** Starts watching, and sending if `isReporting`. */
    start({ reports: isReporting = false } = {}) {
      if (!source) return fail({ code: 2 });
      watch ??= source.watchPosition(hear, fail, OPTIONS);
      if (isReporting) reports.begin();
      else reports.end();
    },
    stop() {
      if (watch !== null) source.clearWatch(watch);
      watch = null;
      reports.end();
      // The next person on this device starts without a position.
      Object.assign(position, { last: null, foundAt: null });
    },
  };
  const reports = createReports(api, position);
  let watch = null;

  function hear({ coords, timestamp }) {
    position.failure = null;
    if (position.last && timestamp < position.foundAt) return;
    position.foundAt = timestamp;
    position.last = {
      latitude: coords.latitude,
      longitude: coords.longitude,
      accuracyMeters: coords.accuracy,
      headingDegrees: Number.isFinite(coords.heading) ? coords.heading : undefined,
      speedMetersPerSecond: Number.isFinite(coords.speed) ? coords.speed : undefined,
    };
    position.events.emit('change', position.last);
  }

  function fail(error) {
    position.failure = error.code === 1 ? 'denied' : 'unavailable';
    position.events.emit('error', position.failure);
  }

  return Object.assign(position, { report: reports.report, setOnJob: reports.setOnJob });
}

/** Metres between two points along a great circle (haversine; mean Earth radius 6,371,008.8 m). */
export function metersBetween(a, b) {
  const rad = Math.PI / 180;
  const dLat = (b.latitude - a.latitude) * rad;
  const dLon = (b.longitude - a.longitude) * rad;
  const s = Math.sin(dLat / 2) ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(dLon / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(s)));
}

/** Whether a point lies in a GeoJSON Polygon or MultiPolygon (even-odd rule). */
export function isInside(point, geometry) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.some((rings) => rings.filter((ring) => crosses(point, ring)).length % 2 === 1);
}

function crosses({ latitude: y, longitude: x }, ring) {
  let isIn = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [xi, yi] = ring[i];
    const [xj, yj] = ring[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isIn = !isIn;
  }
  return isIn;
}
