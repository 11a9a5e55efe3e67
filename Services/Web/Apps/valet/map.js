// The map of home and job: one for both, so that it is kept while the sheet over it changes.

import { h } from '/apps/shared/dom.js';
import { createMap } from '/apps/shared/map.js';
import { t } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';

let view = null;
let element = null;
let wanted = null;
let fitted = null;
let areas = null;
let drawnRoute = null;

/** Leaflet changes the inner element, which is never redrawn. */
export const mapElement = () =>
  h('div', { class: 'map', id: 'map', key: 'map', keep: true }, h('div', { class: 'map-inner' }));

/**
 * Sets what the map shows once the screen is drawn: `{ me, target, customer, route, areas, fit }`.
 * The map moves by itself only when `fit` changes.
 */
export function showOnMap(model) {
  wanted = model;
  queueMicrotask(sync);
}

async function sync() {
  const outer = document.getElementById('map');
  if (!outer) {
    view?.remove();
    [view, element, fitted, areas, drawnRoute] = [null, null, null, null, null];
    return;
  }
  if (outer !== element) {
    view?.remove();
    [view, element, fitted, areas, drawnRoute] = [null, outer, null, null, null];
    const made = await createMap(/** @type {HTMLElement} */ (outer.firstElementChild), { label: t('map.label') });
    if (element !== outer) return void made.remove();
    view = made;
  }
  if (view && wanted) apply(wanted);
}

function apply({ me, target, customer, route, areas: features, fit }) {
  if (areas !== features) view.setAreas(features);
  areas = features;
  view.setMarker('me', me && { ...me, kind: 'me', icon: 'locate', title: t('map.me') });
  view.setMarker('customer', customer && { ...customer, kind: 'order', icon: 'user', title: t('job.customer') });
  view.setMarker('target', target);
  if (drawnRoute !== route) view.setRoute('way', route?.geometry ? route : null);
  drawnRoute = route;
  const points = [me, target].filter(Boolean);
  const key = `${fit} ${points.length}`;
  if (fitted === key || (!points.length && !features?.length)) return;
  fitted = key;
  cover();
  if (points.length === 2 && metersBetween(...points) < 60_000) view.fit([...points, ...line(route)]);
  else if (points.length) view.fit([points.at(-1)], { maxZoom: target ? 16 : 15 });
  else view.fitAreas(features);
}

const line = (route) => (route?.geometry?.coordinates ?? []).map(([longitude, latitude]) => ({ latitude, longitude }));

/** How much of the map the sheet covers. */
function cover() {
  const sheet = document.querySelector('.map-app .sheet')?.getBoundingClientRect();
  const ground = element.getBoundingClientRect();
  if (!sheet) return;
  const isAtSide = sheet.width < ground.width * 0.6;
  view.setInset({
    top: 56,
    right: 44,
    left: isAtSide ? sheet.right - ground.left + 32 : 44,
    bottom: isAtSide ? 44 : ground.bottom - sheet.top + 24,
  });
}

export const recenter = () => {
  fitted = null;
  queueMicrotask(sync);
};

/** A small map whose middle is the place: moved by finger, mouse or arrow keys, or by a tap on the place. */
export async function placePicker(outer, { at, areas: features, onchange }) {
  let here = at;
  const choose = (place) => {
    // Zooming alone changes nothing.
    if (here && metersBetween(place, here) < 1.5) return;
    here = place;
    onchange(place);
  };
  const picker = await createMap(outer, {
    label: t('park.map'),
    onclick: (place) => {
      picker.go(place);
      choose(place);
    },
    // The map's own moves, as to the first place, change nothing.
    onmove: (center, isByHand) => isByHand && choose(center),
  });
  // The page scrolls over the map; a wheel would move the place by accident.
  picker.map?.scrollWheelZoom.disable();
  picker.setAreas(features);
  if (at) picker.go(at, 17);
  return {
    isPlain: picker.isPlain,
    go(place) {
      if (here && metersBetween(place, here) < 1.5) return;
      here = place;
      picker.go(place);
    },
    remove: () => picker.remove(),
  };
}
