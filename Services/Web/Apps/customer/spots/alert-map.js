// The map of the alerts, with the one that is being made.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { isDrawing, put, start } from './alert-editor.js';

export const createAlertMap = (page) =>
  createMapSlot('alert-map', page.app.redraw, {
    label: () => t('spots.alerts.map'),
    onready(map) {
      page.isFitted = false;
      // The content is below the cross.
      map.setInset({ top: 40, right: 40 });
    },
    onclick: (at) => page.draft && put(page, at),
  });

export const mapView = (page) =>
  h(
    'div',
    { class: 'card parked-map', key: 'map' },
    page.slot.view('map-holder'),
    isDrawing(page) ? h('span', { class: 'map-cross', 'aria-hidden': 'true' }, icon('plus')) : null,
  );

/** Shows the newest state on the map. */
export function sync(page, items) {
  const { app, draft, slot } = page;
  const view = slot.map;
  // The draft was begun before the position was known.
  if (draft) draft.center ??= start(app);
  if (!view || view.isPlain) return;
  page.shapes.forEach((shape) => shape.remove());
  page.shapes = [
    ...(items ?? []).map((one) => shapeOf(view.leaflet, one, 'area')),
    draft && shapeOf(view.leaflet, areaOf(draft), 'area draft'),
  ].filter(Boolean);
  page.shapes.forEach((shape) => shape.addTo(view.map));
  if (!page.isFitted && items) fit(page, items);
}

const areaOf = ({ kind, center, radius, corners }) =>
  kind === 'circle' ? { center, radiusMeters: radius } : { polygon: corners };

function shapeOf(leaflet, { center = null, radiusMeters = null, polygon = null }, className) {
  const point = ({ latitude, longitude }) => [latitude, longitude];
  const look = { className, interactive: false };
  if (center) return leaflet.circle(point(center), { radius: radiusMeters, ...look });
  return polygon?.length ? leaflet.polygon(polygon.map(point), look) : null;
}

function fit(page, items) {
  const places = items.flatMap(({ center, polygon }) => (center ? [center] : polygon));
  const shown = places.length ? places : [start(page.app)].filter(Boolean);
  page.isFitted = shown.length > 0;
  page.slot.map.fit(shown, { maxZoom: 15 });
}
