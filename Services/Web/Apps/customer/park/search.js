// The search for car parks and spots: what the person wants, around which point, and what was found.

import { withQuery } from '/apps/shared/api.js';
import { wallTime } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { cityOf, isElsewhere } from '/apps/shared/demo.js';
import { metersBetween } from '/apps/shared/position.js';

/** In metres: the first search radius, the next one if nothing is found, and the least movement that counts. */
const NEAR = 5_000;
export const FAR = 50_000;
const FARTHEST_SPOT = 10_000;
const STEP = 200;
const STAY = 2 * 3_600_000;
const AREAS = '/v1/service-areas';

/** `running` aborts the request of an older search; `origin` is the point to search around until the map is moved. */
export const newSearch = () => ({
  wanted: {
    q: '',
    from: '',
    until: '',
    kind: 'general',
    openNow: false,
    height: '',
    sort: 'distance',
    radiusMeters: NEAR,
    center: null,
    what: 'all',
  },
  found: { path: null, items: null, next: null, at: null, error: null, isLoading: false },
  running: null,
  origin: null,
});

// MARK: Where

const areasOf = ({ resources, store }) =>
  store.value.areas ?? resources.get(AREAS, { anonymous: true }).value?.features ?? null;

/** The person's position; null in another city than a demo's. */
export const hereOf = (find) => (isElsewhere(find.position.last, areasOf(find)) ? null : find.position.last);

/** The place to which the map was moved, or the person's position, or the area's centre. */
export function centerOf(find) {
  if (find.wanted.center) return find.wanted.center;
  const here = hereOf(find);
  if (here && (!find.origin || metersBetween(find.origin, here) > STEP))
    find.origin = { latitude: here.latitude, longitude: here.longitude };
  const areas = areasOf(find);
  return find.origin ?? (cityOf(areas) ?? areas?.[0])?.properties.servicePoint ?? null;
}

// MARK: What

export function want(find, change) {
  Object.assign(find.wanted, change);
  find.redraw();
}

/** The period from a new start; its end moves along if it would be before that, or is not set yet. */
export const periodFrom = (from, until) => ({
  from,
  until: from && until <= from ? wallTime(Date.parse(from) + STAY) : until,
});

export const isPeriodWrong = ({ from, until }) => Boolean(from && until && from >= until);

const periodOf = ({ from, until }) =>
  from && until && from < until ? { from: new Date(from).toISOString(), until: new Date(until).toISOString() } : {};

/** The request for car parks around a point. */
export function searchPath(wanted, point) {
  const { kind, openNow, height, sort, radiusMeters } = wanted;
  const q = wanted.q.trim();
  return withQuery('/v1/car-parks', {
    ...(point ? { latitude: point.latitude, longitude: point.longitude, radiusMeters: q ? FAR : radiusMeters } : {}),
    ...periodOf(wanted),
    class: kind,
    openNow: openNow || null,
    maxHeightMeters: Number(height) || null,
    q,
    sort: sort === 'distance' ? null : sort,
    limit: 30,
  });
}

/** Spots offered by drivers around the same point; only for people who are signed in. */
export function spotsAround(find) {
  const { api, resources, wanted } = find;
  const point = centerOf(find);
  if (!api.isSignedIn || !point || wanted.what === 'parks' || wanted.q.trim()) return null;
  return resources.get(
    withQuery('/v1/spots', {
      latitude: point.latitude,
      longitude: point.longitude,
      radiusMeters: Math.min(wanted.radiusMeters, FARTHEST_SPOT),
      limit: 50,
    }),
  );
}
export const spotsOfOthers = (find) => spotsAround(find)?.value?.items.filter(({ isMine }) => !isMine) ?? [];

// MARK: Searching

async function load(find, path) {
  const { api, found, redraw } = find;
  find.running?.abort();
  const { signal } = (find.running = new AbortController());
  const isOther = path !== found.path;
  Object.assign(found, { path, isLoading: true });
  try {
    const { items, next } = await api.get(path, { signal });
    Object.assign(found, { items, next, at: serverNow(), error: null, isLoading: false });
    if (isOther) find.fitted = null;
  } catch (error) {
    if (signal.aborted) return;
    Object.assign(found, { error, isLoading: false, ...(isOther ? { items: null, next: null } : {}) });
  }
  redraw();
}

export async function loadMore({ api, found, redraw }) {
  found.isLoading = true;
  redraw();
  try {
    const page = await api.get(withQuery(found.path, { after: found.next }));
    Object.assign(found, { items: [...found.items, ...page.items], next: page.next });
  } catch (error) {
    found.error = error;
  }
  found.isLoading = false;
  redraw();
}

/** Searches if the conditions have changed; waits for a point to search around. */
export function search(find) {
  const { found, position, resources, wanted } = find;
  const point = centerOf(find);
  if (!point && !position.failure && !resources.get(AREAS, { anonymous: true }).error && !areasOf(find)) return;
  const path = searchPath(wanted, point);
  if (path !== found.path) load(find, path);
}

export function searchAgain(find) {
  const { found, resources } = find;
  resources.reload('/v1/spots?');
  if (found.path && !found.isLoading) load(find, found.path);
}

/** Searches around the point to which the person has moved the map. */
export function searchHere(find) {
  want(find, { center: find.hand, radiusMeters: NEAR });
  find.hand = null;
}

/** Searches around the person. */
export function locate(find) {
  Object.assign(find, { hand: null, fitted: null });
  find.position.start();
  want(find, { center: null });
}
