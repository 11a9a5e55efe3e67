// The map of the tab "Places": found places, the area within reach, and the route with its steps.

import { escaped } from '/apps/shared/api.js';
import { gather } from '/apps/shared/clusters.js';
import { minutes, t } from '/apps/shared/i18n.js';
import { CLOSEST } from '/apps/shared/map.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go } from '/apps/shared/shell.js';
import { center, here, known, routeTo, shownArea } from './find.js';
import { kindText, reachText } from './words.js';

/** Markers with text hide each other within this distance, in pixels. */
const BESIDE = 64;
const ZOOM = 15;
/** The zoom that shows a step of a route. */
const CLOSE = 17;
/** The farthest zoom after the person has moved the map. */
const FAR = 12;
/** The number of first results that the map is fitted to. */
const SHOWN = 10;

export const createPlacesMap = (screen) =>
  createMapSlot('places-map', screen.app.redraw, {
    label: () => t('places.map'),
    onready(map) {
      [screen.fitted, screen.drawn] = [null, {}];
      // The search is above the map, and texts are below the markers.
      map.setInset({ top: 84, bottom: 56 });
    },
    onmove(point, isByHand) {
      // Grouping depends on the zoom.
      drawMarkers(screen);
      if (!isByHand || !screen.fitted || screen.current) return;
      screen.hand = point;
      screen.app.redraw();
    },
  });

/** Shows on the map what is on the screen. */
export function syncMap(screen) {
  const view = screen.slot.map;
  if (!view || view.isPlain) return;
  const me = here(screen.find);
  view.setMarker('me', me && { ...me, kind: 'me', icon: 'pin', title: t('map.me') });
  drawMarkers(screen);
  drawShapes(screen);
  drawStep(screen);
  fit(screen);
}

function drawMarkers({ slot: { map: view }, find, current }) {
  if (!view || view.isPlain) return;
  const one = current?.vendor;
  view.setMarkers(
    'place-',
    one
      ? [{ ...marker(find, one), text: one.name }]
      : gather(view, find.found.value?.items.map((it) => marker(find, it)) ?? [], {
          near: BESIDE,
          titleOf: (count) => t('places.several', { count }),
          onclick: (members) => view.fit(members, { maxZoom: CLOSEST }),
        }),
  );
}

const marker = (find, it) => ({
  ...it.position,
  id: it.id,
  kind: 'place',
  icon: 'pin',
  text: it.reach ? minutes(it.reach.seconds) : '',
  isStale: (it.isOpenOnArrival ?? it.isOpen) === false,
  title: it.reach ? t('places.marker', { name: it.name, kind: kindText(it), reach: reachText(it.reach) }) : it.name,
  onclick: () => go(escaped`/places/${it.id}`),
  onhold: () => go(routeTo(find, { reach: known(find, it.id)?.reach, ...it })),
});

/** Draws shapes again when they change. */
function drawShapes(screen) {
  const { slot, find, current, drawn } = screen;
  const area = current ? null : shownArea(find);
  if (drawn.area !== area)
    slot.map.setAreas(
      (area ?? []).map((feature) => ({
        ...feature,
        properties: { ...feature.properties, id: feature.properties.mode },
      })),
    );
  const way = current?.way ?? null;
  if (drawn.way !== way)
    slot.map.setRoute(
      'way',
      way && {
        geometry: way.line,
        source: way.isStraightLine ? 'straightLine' : 'router',
        attribution: current.attribution,
      },
    );
  screen.drawn = { area, way };
}

function drawStep({ slot, current }) {
  const { way, step } = current ?? {};
  slot.map.setMarker(
    'step',
    step && { ...step.position, kind: 'step', count: way.steps.indexOf(step) + 1, title: step.text },
  );
}

/** Fits the map to new results, unless the person has moved it. */
function fit(screen) {
  const { slot, find, current, fitted } = screen;
  const { vendor, way, step } = current ?? {};
  const open = step ?? way ?? vendor?.id;
  // While a search runs, the map stays.
  const found = find.found.isLoading ? null : find.found.path;
  const what = open ?? (current ? (fitted ?? (center(find) && 'here')) : found);
  if (!what || fitted === what) return;
  screen.fitted = what;
  if (step) slot.map.go(step.position, CLOSE);
  else if (way)
    slot.map.fit([
      current.start,
      vendor.position,
      ...way.line.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })),
    ]);
  else if (vendor) slot.map.go(vendor.position, ZOOM);
  else fitToResults(slot.map, find);
}

function fitToResults(view, find) {
  const items = find.found.value?.items ?? [];
  if (find.wanted.around === 'map') view.go(center(find), Math.max(view.map.getZoom(), FAR));
  else if (items.length) view.fit([center(find), ...items.slice(0, SHOWN).map(({ position }) => position)]);
  else view.go(center(find), ZOOM);
}
