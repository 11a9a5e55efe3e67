// Searching places: around the person, the map's centre or home; each with the route and its time.

import { cityOf, isElsewhere } from '/apps/shared/demo.js';
import { withQuery } from '/apps/shared/api.js';
import { metersBetween } from '/apps/shared/position.js';
import { begun } from '/apps/shared/storage.js';
import { createLatest } from './latest.js';
import { isToCome } from './when.js';
import { routePath, vendorPath } from './words.js';

const WANTED = 'openvalet.places.wanted';
const AREAS = '/v1/service-areas';
/** A person who has moved less than this counts as not moved; in metres. */
const STEP = 200;
/** Pause between typing and searching, in ms. */
const PAUSE = 300;
const fresh = () => ({
  around: 'me',
  center: null,
  q: '',
  kinds: [],
  isOpenNow: false,
  takesStamps: null,
  isAccessible: false,
  sort: 'time',
  limits: {},
  hasArea: false,
  departAt: null,
});

/** `app` is that of places, with `middle` and `mobility`. */
export const createFind = (app) => ({
  app,
  wanted: { ...fresh(), ...begun.recall(WANTED) },
  found: createLatest(app.api, app.redraw, { keeps: true }),
  area: createLatest(app.api, app.redraw),
  timer: null,
  /** The text of the field before it is searched. */
  typed: null,
  /** The person's position, as it was when they had last moved. */
  origin: null,
});

// MARK: Where and when

export const areasOf = ({ app: { resources, store } }) =>
  store.value.areas ?? resources.get(AREAS, { anonymous: true }).value?.features ?? null;
export const here = (find) => {
  const { last } = find.app.position;
  return isElsewhere(last, areasOf(find)) ? null : last;
};

/** The person's position or the area's centre; the map's centre after a move; home. */
export function center(find) {
  const { app, wanted } = find;
  if (wanted.around === 'map') return wanted.center;
  if (wanted.around === 'home') return app.mobility()?.home ?? null;
  const at = here(find);
  if (at && (!find.origin || metersBetween(find.origin, at) > STEP))
    find.origin = { latitude: at.latitude, longitude: at.longitude };
  const areas = areasOf(find);
  return find.origin ?? (cityOf(areas) ?? areas?.[0])?.properties.servicePoint ?? null;
}

export const leaving = ({ departAt }) => (departAt && isToCome(departAt) ? departAt : null);
/** The time zone of the first result. */
export const zone = ({ app, wanted, found }) =>
  wanted.departAt && found.value?.items.length
    ? app.resources.get(vendorPath(found.value.items[0].id), { anonymous: true }).value?.timeZone
    : undefined;

// MARK: Results

/** The place as it was found, with the route. */
export const known = ({ found }, id) => found.value?.items.find((one) => one.id === id) ?? null;
export const routeTo = ({ wanted }, { id, reach }) => routePath(id, reach?.mode, { departAt: leaving(wanted) });
export const takesStamps = ({ app, wanted }) => wanted.takesStamps ?? app.mobility()?.acceptsStampsOnly ?? false;
/** The reachable area shown on the map; null if there is none. */
export const shownArea = ({ wanted, area }) => (wanted.hasArea && area.value?.features) || null;

// MARK: Searching

export const vendorsPath = (wanted, { latitude, longitude }) =>
  withQuery('/v1/vendors', {
    latitude,
    longitude,
    q: wanted.q.trim(),
    kinds: wanted.kinds.join(','),
    openAt: wanted.isOpenNow ? (leaving(wanted) ?? 'now') : null,
    acceptsStamps: wanted.takesStamps,
    accessible: wanted.isAccessible || null,
    sort: wanted.sort === 'time' ? null : wanted.sort,
    departAt: leaving(wanted),
    ...wanted.limits,
  });

const areaPath = (wanted, { latitude, longitude }) =>
  withQuery('/v1/reachable', {
    latitude,
    longitude,
    maxSeconds: wanted.limits.maxSeconds,
    departAt: leaving(wanted),
  });

export function ask(find) {
  const { wanted, found, area } = find;
  const around = center(find);
  if (!around) return;
  found.ask(vendorsPath(wanted, around));
  if (wanted.hasArea) area.ask(areaPath(wanted, around));
}

/** Searches again for another person, or with other limits. */
export function again({ wanted, found, area }) {
  found.again();
  if (wanted.hasArea) area.again();
  else area.forget();
}

/** Changes what is searched for. */
export function set(find, change) {
  Object.assign(find.wanted, change);
  if ('q' in change) stopTyping(find);
  begun.remember(WANTED, find.wanted);
  find.app.redraw();
}

/** Searches for a text once its typing pauses. */
export function type(find, text) {
  clearTimeout(find.timer);
  find.typed = text;
  find.timer = setTimeout(() => set(find, { q: text }), PAUSE);
}

function stopTyping(find) {
  clearTimeout(find.timer);
  find.typed = null;
}

/** Removes all filters, also that of the mobility. */
export function clear(find) {
  const { around, center, hasArea, departAt } = find.wanted;
  set(find, { ...fresh(), around, center, hasArea, departAt, takesStamps: false });
}

export function lookAround(find, around) {
  const { middle, position } = find.app;
  find.origin = null;
  if (around === 'me') position.start();
  set(find, { around, center: around === 'map' ? (middle() ?? center(find)) : null });
}

export const lookAt = (find, point) => set(find, { around: 'map', center: point });

export function forget(find) {
  stopTyping(find);
  Object.assign(find.wanted, fresh());
  begun.remember(WANTED);
  [find.found, find.area].forEach((one) => one.forget());
}
