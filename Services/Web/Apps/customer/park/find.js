// Finding a car park: the map, and a list with free spaces and prices.

import { escaped } from '/apps/shared/api.js';
import { stateOf } from '/apps/shared/car-parks.js';
import { gather } from '/apps/shared/clusters.js';
import { money, t } from '/apps/shared/i18n.js';
import { CLOSEST } from '/apps/shared/map.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go } from '/apps/shared/shell.js';
import { findView } from './find-view.js';
import { centerOf, hereOf, newSearch, search, searchAgain, spotsOfOthers } from './search.js';

/** Markers with a price hide each other within this distance, in pixels. */
const BESIDE = 64;

export function createFind({ api, position, redraw, resources, spots, store }) {
  /**
   * `fitted` is the search whose results the map was moved to, `hand` the point to which the person has moved it;
   * `typing` is the timer of the search box.
   */
  const find = {
    api,
    position,
    redraw,
    resources,
    spots,
    store,
    ...newSearch(),
    slot: null,
    fitted: null,
    hand: null,
    typing: null,
    isSmall: false,
  };
  find.slot = createMapSlot('park-map', redraw, {
    onready(map) {
      find.fitted = null;
      // The search is above the map, and prices are below their markers.
      map.setInset({ top: 84, bottom: 56 });
    },
    onmove(point, isByHand) {
      // Grouping depends on the zoom.
      drawMarkers(find);
      if (!isByHand || !find.fitted) return;
      find.hand = point;
      redraw();
    },
  });

  return {
    wanted: find.wanted,
    again: () => searchAgain(find),
    /** The list, or another screen, and the map. */
    draw(other) {
      if (!other) {
        position.start();
        search(find);
      }
      queueMicrotask(() => requestAnimationFrame(() => drawMap(find)));
      return { title: other?.title ?? t('park.title'), view: findView(find, other) };
    },
    leave() {
      find.slot.leave();
      find.hand = null;
    },
  };
}

// MARK: Map

function drawMap(find) {
  const { fitted, found, slot, wanted } = find;
  const view = slot.map;
  if (!view) return;
  const here = hereOf(find);
  view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
  drawMarkers(find);
  if (fitted === found.path || found.isLoading) return;
  find.fitted = found.path;
  const point = centerOf(find);
  // Don't move a map that was moved by hand.
  if (wanted.center) return;
  const items = found.items ?? [];
  if (items.length) view.fit([...(wanted.q ? [] : [point]), ...items.slice(0, 8).map(({ position: at }) => at)]);
  else if (point) view.go(point, 14);
}

function drawMarkers(find) {
  const { found, slot, wanted } = find;
  const view = slot.map;
  if (!view || view.isPlain) return;
  const parks = wanted.what === 'spots' ? [] : (found.items ?? []);
  view.setMarkers('spot-', spotsOfOthers(find).map(spotMarker));
  view.setMarkers(
    'park-',
    gather(view, parks.map(parkMarker), {
      near: BESIDE,
      titleOf: (count) => t('park.several', { count }),
      onclick: (members) => view.fit(members, { maxZoom: CLOSEST }),
    }),
  );
}

const parkMarker = (carPark) => ({
  ...carPark.position,
  id: carPark.id,
  kind: 'parked',
  icon: 'parking',
  text: carPark.price ? money(carPark.price) : '',
  isStale: stateOf(carPark) !== 'open',
  title: `${carPark.name}, ${t(`park.state.${stateOf(carPark)}`)}`,
  onclick: () => go(escaped`/park/${carPark.id}`),
});

function spotMarker({ id, position, price }) {
  const text = price.amount ? money(price) : t('spots.free');
  return {
    ...position,
    id,
    kind: 'place',
    icon: 'car',
    text,
    title: t('spots.marker', { price: text }),
    onclick: () => go(escaped`/spots/${id}`),
  };
}
