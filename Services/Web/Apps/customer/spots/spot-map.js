// The map of a spot, and the positions that seller and buyer see of each other while it is reserved.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { isReserved, pathOf } from './status.js';

/** Interval for the other party's position, in ms. */
const PACE = 3_000;
/** How far the middle of a grid square may be from the spot, in metres. */
const GRID = 36;

/**
 * `track` is the other party's position and route, loaded by `timer`; `shared` the spot whose parties see the person's
 * position; `ring` the circle around an inexact spot; `fitted` says for which state the map was fitted.
 */
export function createSpotMap(app) {
  const map = { app, track: null, timer: null, shared: null, ring: null, fitted: null };
  map.slot = createMapSlot('spot-map', app.redraw, {
    label: () => t('spots.map'),
    onready: () => Object.assign(map, { ring: null, fitted: null }),
  });
  return map;
}

export const mapView = ({ slot }) => h('div', { class: 'card parked-map', key: 'map' }, slot.view('map-holder'));

/** While it is reserved, both see each other's position, even while another screen is open. */
export function share(map, spot) {
  const { position } = map.app;
  if (isReserved(spot)) map.shared = spot.id;
  else if (map.shared && (!spot || spot.id === map.shared)) {
    map.shared = null;
    position.start();
    position.setOnJob(false);
  }
}

export function follow(map, spot) {
  share(map, spot);
  if (!isReserved(spot)) stop(map);
  else if (!map.timer) {
    map.timer = setInterval(() => load(map, spot), PACE);
    load(map, spot);
  }
}

export function stop(map) {
  clearInterval(map.timer);
  Object.assign(map, { timer: null, track: null });
}

async function load(map, { id }) {
  const { api, position, redraw } = map.app;
  if (document.hidden) return;
  position.start({ reports: true });
  position.setOnJob(true);
  const [positions, route] = await Promise.all([
    api.get(`${pathOf(id)}/track`).catch(() => null),
    api.get(`${pathOf(id)}/route`).catch(() => null),
  ]);
  map.track = { positions, route };
  redraw();
}

export function leave(map) {
  stop(map);
  map.slot.leave();
  Object.assign(map, { ring: null, fitted: null });
}

/** Shows the newest state on the map. */
export function sync(map, spot) {
  const view = map.slot.map;
  if (!view || view.isPlain || !spot) return;
  const here = map.app.position.last;
  const other = map.track?.positions?.[spot.isMine ? 'buyer' : 'seller'];
  view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
  view.setMarker(
    'other',
    other && { ...other, kind: 'valet', icon: 'car', title: t(spot.isMine ? 'spots.buyer' : 'spots.seller') },
  );
  view.setMarker(
    'spot',
    spot.isExact ? { ...spot.position, kind: 'parked', icon: 'parking', title: t('spots.spot') } : null,
  );
  syncRing(map, spot);
  view.setRoute('way', map.track?.route ?? null);
  const what = `${spot.id} ${spot.status} ${Boolean(other)}`;
  if (map.fitted === what) return;
  map.fitted = what;
  view.fit([spot.position, other, isReserved(spot) ? here : null]);
}

function syncRing(map, { isExact, position: { latitude, longitude } }) {
  const { leaflet, map: inside } = map.slot.map;
  if (!isExact && !map.ring)
    map.ring = leaflet
      .circle([latitude, longitude], { radius: GRID, className: 'area', interactive: false })
      .addTo(inside);
  if (isExact && map.ring) map.ring = void map.ring.remove();
}
