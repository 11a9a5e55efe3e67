// A trip on the map: its route, and for others the walks at both ends.

import { t } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { pointsOf } from './map.js';
import { endOf, walkOf } from './trip-ends.js';

/** What the map shows. */
export const nothingDrawn = () => ({ fitted: null, drawn: null, walked: {} });

export const createTripMap = (screen) =>
  createMapSlot('lift-trip-map', screen.app.redraw, {
    label: () => t('lift.map'),
    onready(map) {
      Object.assign(screen, nothingDrawn());
      map.setInset({ top: 40, bottom: 48 });
    },
  });

export function drawTripMap(screen, trip) {
  const { map } = screen.slot;
  if (!map || map.isPlain || !trip) return;
  if (screen.drawn !== trip.way) {
    screen.drawn = trip.way;
    map.setRoute('way', { geometry: trip.way, source: trip.isStraightLine ? 'straightLine' : 'router' });
    map.setMarker('start', { ...trip.origin, kind: 'order', icon: 'car', title: t('lift.origin') });
    map.setMarker('finish', { ...trip.destination, kind: 'parked', icon: 'check', title: t('lift.destination') });
  }
  const first = drawWalk(screen, trip, 'from', 'pickUp');
  const last = drawWalk(screen, trip, 'to', 'dropOff');
  const shown = `${trip.id} ${trip.version} ${Boolean(first)} ${Boolean(last)}`;
  if (screen.fitted === shown) return;
  screen.fitted = shown;
  const ends = trip.isMine ? [] : [endOf(screen, 'from'), endOf(screen, 'to')];
  map.fit([...pointsOf(trip.way), ...ends], { maxZoom: 15 });
}

/** Returns the walk, null while it is unknown. */
function drawWalk(screen, trip, end, name) {
  const { slot, walked } = screen;
  const { map } = slot;
  const walk = walkOf(screen, trip, end)?.value ?? null;
  const place = trip.isMine ? null : endOf(screen, end);
  map.setMarker(`mine-${end}`, place && { ...place, kind: 'me', icon: 'pin', title: t(`lift.${end}`) });
  map.setMarker(name, walk && { ...walk.meetingPoint, kind: 'place', icon: 'user', title: t(`lift.${name}`) });
  if (walked[name] === walk) return walk;
  walked[name] = walk;
  map.setRoute(
    `walk-${name}`,
    walk && { geometry: walk.way.geometry, source: 'straightLine', attribution: walk.way.attribution },
  );
  return walk;
}
