// Edits a trip's route on the map. Both ends and the stops in between are dragged with mouse or finger, or moved with
// arrow keys; dragging a handle on the route adds a stop. People who can't use the map have the same in a list.

import { t } from '/apps/shared/i18n.js';
import { pointOf } from '../shared/place-field.js';

/** Pixels per press of an arrow key; with Shift, multiplied. */
const STEP = 4;
const BIG_STEP = 40;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const latLng = ({ latitude, longitude }) => [latitude, longitude];
const point = ({ lat, lng }) => pointOf({ latitude: lat, longitude: lng });
const far = (a, b) =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180));

/** The middle of each leg along the route, where a new stop is offered. */
export function middles(points, way) {
  const line = (way?.coordinates ?? []).map(([longitude, latitude]) => ({ latitude, longitude }));
  if (line.length < 2)
    return points.slice(1).map((to, i) => ({
      latitude: (points[i].latitude + to.latitude) / 2,
      longitude: (points[i].longitude + to.longitude) / 2,
    }));
  // The positions of the stops along the route, in order.
  const stops = [0];
  for (const via of points.slice(1, -1)) {
    let best = stops.at(-1);
    for (let i = best; i < line.length; i += 1) if (far(line[i], via) < far(line[best], via)) best = i;
    stops.push(best);
  }
  stops.push(line.length - 1);
  return stops.slice(1).map((end, leg) => {
    const part = line.slice(stops[leg], end + 1);
    let rest = part.slice(1).reduce((sum, to, i) => sum + far(part[i], to), 0) / 2;
    for (let i = 1; i < part.length; i += 1) {
      const length = far(part[i - 1], part[i]);
      if (length && rest <= length) {
        const share = rest / length;
        return {
          latitude: part[i - 1].latitude + (part[i].latitude - part[i - 1].latitude) * share,
          longitude: part[i - 1].longitude + (part[i].longitude - part[i - 1].longitude) * share,
        };
      }
      rest -= length;
    }
    return part[0] ?? points[leg];
  });
}

/**
 * `view` is a map of `createMap`. `on` gets `move(index, point, isOver)` for a point, ends included,
 * `insert(index, point, isOver)` for a new one before the index, and `remove(index)`.
 */
export function createWayEditor(view, on) {
  const { leaflet: L, map } = view;
  const band = L.polyline([], { className: 'route straight', interactive: false, weight: 3 }).addTo(map);
  let marks = [];
  let adders = [];
  let points = [];
  let held = null;
  let most = 0;

  function handle(kind, at, label) {
    const marker = L.marker(latLng(at), {
      draggable: true,
      keyboard: true,
      title: '',
      autoPan: true,
      bubblingMouseEvents: false,
      zIndexOffset: kind === 'middle' ? 100 : 300,
      icon: L.divIcon({
        className: `way-handle ${kind}`,
        html: '<span></span>',
        iconSize: [32, 32],
        iconAnchor: [16, 16],
      }),
    }).addTo(map);
    marker.kind = kind;
    name(marker, label);
    return marker;
  }

  function name(marker, label) {
    const element = marker.getElement();
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', label);
    element.title = label;
  }

  /** While a point is dragged, straight lines show its neighbours. */
  function stretch(marker, before, after) {
    marker.on('dragstart', () => (held = marker));
    marker.on('drag', () => band.setLatLngs([before(), marker.getLatLng(), after()].filter(Boolean)));
    marker.on('dragend', () => {
      held = null;
      band.setLatLngs([]);
    });
  }

  const labelOf = (i) =>
    i === 0 ? t('lift.origin') : i === points.length - 1 ? t('lift.destination') : t('lift.via.number', { number: i });
  const kindOf = (i) => (i === 0 ? 'start' : i === points.length - 1 ? 'finish' : 'via');

  function addMark(i) {
    const marker = handle(kindOf(i), points[i], labelOf(i));
    const near = (by) => points[i + by] && latLng(points[i + by]);
    stretch(
      marker,
      () => near(-1),
      () => near(1),
    );
    marker.on('drag', () => on.move(i, point(marker.getLatLng()), false));
    marker.on('dragend', () => on.move(i, point(marker.getLatLng()), true));
    if (marker.kind === 'via') marker.on('click', () => on.remove(i));
    marker.getElement().addEventListener('keydown', (event) => {
      const arrow = ARROWS[event.key];
      if (arrow) {
        const step = event.shiftKey ? BIG_STEP : STEP;
        const moved = map.latLngToContainerPoint(marker.getLatLng()).add([arrow[0] * step, arrow[1] * step]);
        marker.setLatLng(map.containerPointToLatLng(moved));
        on.move(i, point(marker.getLatLng()), true);
      } else if (marker.kind === 'via' && ['Delete', 'Backspace', 'Enter'].includes(event.key)) on.remove(i);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return marker;
  }

  function addAdder(i, at) {
    const marker = handle('middle', at, t('lift.via.drag'));
    stretch(
      marker,
      () => latLng(points[i]),
      () => latLng(points[i + 1]),
    );
    marker.on('drag', () => on.insert(i + 1, point(marker.getLatLng()), false));
    marker.on('dragend', () => on.insert(i + 1, point(marker.getLatLng()), true));
    marker.on('click', () => on.insert(i + 1, point(marker.getLatLng()), true));
    marker.getElement().addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      on.insert(i + 1, point(marker.getLatLng()), true);
    });
    return marker;
  }

  return {
    /** Shows the points, null for a missing end, and handles on the route between them; not during a drag. */
    show(wanted, way, mostVia) {
      if (held) return;
      const isSame =
        wanted.length === points.length &&
        mostVia === most &&
        wanted.every((one, i) => Boolean(one) === Boolean(points[i]));
      [points, most] = [wanted, mostVia];
      if (isSame) marks.forEach((marker, i) => marker?.setLatLng(latLng(points[i])));
      else {
        marks.forEach((marker) => marker?.remove());
        marks = points.map((one, i) => one && addMark(i));
      }
      const spots = points.every(Boolean) && points.length - 2 < mostVia ? middles(points, way) : [];
      if (spots.length === adders.length) adders.forEach((marker, i) => marker.setLatLng(latLng(spots[i])));
      else {
        adders.forEach((marker) => marker.remove());
        adders = spots.map((at, i) => addAdder(i, at));
      }
    },
  };
}
