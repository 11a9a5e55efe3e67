// Edits a trip's route on the map. Both ends and the stops in between are dragged with mouse or finger, or moved with
// arrow keys; dragging a handle on the route adds a stop. People who can't use the map have the same in a list.

import { t } from '/apps/shared/i18n.js';
import { pointOf } from '../shared/place-field.js';
import { pointsOf } from './map.js';

/** Pixels per press of an arrow key; with Shift, multiplied. */
const STEP = 4;
const BIG_STEP = 40;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const latLng = ({ latitude, longitude }) => [latitude, longitude];
const pointAt = (marker) => {
  const { lat, lng } = marker.getLatLng();
  return pointOf({ latitude: lat, longitude: lng });
};
const far = (a, b) =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180));

/** The point at a share of the way from one to the other. */
const between = (a, b, share) => ({
  latitude: a.latitude + (b.latitude - a.latitude) * share,
  longitude: a.longitude + (b.longitude - a.longitude) * share,
});

/** The middle of each leg along the route, where a new stop is offered. */
export function middles(points, way) {
  const line = pointsOf(way);
  if (line.length < 2) return points.slice(1).map((to, i) => between(points[i], to, 0.5));
  // The positions of the stops along the route, in order.
  const stops = [0];
  for (const via of points.slice(1, -1)) {
    let best = stops.at(-1);
    for (let i = best; i < line.length; i += 1) if (far(line[i], via) < far(line[best], via)) best = i;
    stops.push(best);
  }
  stops.push(line.length - 1);
  return stops.slice(1).map((end, leg) => middle(line.slice(stops[leg], end + 1)) ?? points[leg]);
}

/** The middle of a line, by its length. */
function middle(line) {
  let rest = line.slice(1).reduce((sum, to, i) => sum + far(line[i], to), 0) / 2;
  for (let i = 1; i < line.length; i += 1) {
    const length = far(line[i - 1], line[i]);
    if (length && rest <= length) return between(line[i - 1], line[i], rest / length);
    rest -= length;
  }
  return line[0];
}

/**
 * `view` is a map of `createMap`. `on` gets `move(index, point, isOver)` for a point, ends included,
 * `insert(index, point, isOver)` for a new one before the index, and `remove(index)`.
 */
export function createWayEditor(view, on) {
  const { leaflet: L, map } = view;
  const editor = {
    L,
    map,
    on,
    /** While a point is dragged, straight lines to its neighbours. */
    band: L.polyline([], { className: 'route straight', interactive: false, weight: 3 }).addTo(map),
    points: [],
    /** The markers of the points, those of the handles between them, and the one that is being dragged. */
    marks: [],
    adders: [],
    held: null,
  };
  return { show: (points, way, mostVia) => show(editor, points, way, mostVia) };
}

/** Shows the points, null for a missing end, and handles on the route between them; not during a drag. */
function show(editor, points, way, mostVia) {
  if (editor.held) return;
  const before = editor.points;
  editor.points = points;
  const isSame = points.length === before.length && points.every((one, i) => Boolean(one) === Boolean(before[i]));
  if (isSame) editor.marks.forEach((marker, i) => marker?.setLatLng(latLng(points[i])));
  else {
    editor.marks.forEach((marker) => marker?.remove());
    editor.marks = points.map((one, i) => one && addMark(editor, i));
  }
  const spots = points.every(Boolean) && points.length - 2 < mostVia ? middles(points, way) : [];
  if (spots.length === editor.adders.length) editor.adders.forEach((marker, i) => marker.setLatLng(latLng(spots[i])));
  else {
    editor.adders.forEach((marker) => marker.remove());
    editor.adders = spots.map((at, i) => addAdder(editor, i, at));
  }
}

/** The marker of a point: dragged, moved with arrow keys, and removed if it is a stop. */
function addMark(editor, i) {
  const { on, points } = editor;
  const [kind, label] =
    i === 0
      ? ['start', t('lift.origin')]
      : i === points.length - 1
        ? ['finish', t('lift.destination')]
        : ['via', t('lift.via.number', { number: i })];
  const marker = handle(editor, kind, points[i], label);
  stretch(editor, marker, i - 1, i + 1);
  marker.on('drag', () => on.move(i, pointAt(marker), false));
  marker.on('dragend', () => on.move(i, pointAt(marker), true));
  if (kind === 'via') marker.on('click', () => on.remove(i));
  marker.getElement().addEventListener('keydown', (event) => {
    if (ARROWS[event.key]) {
      nudge(editor, marker, event);
      on.move(i, pointAt(marker), true);
    } else if (kind === 'via' && ['Delete', 'Backspace', 'Enter'].includes(event.key)) on.remove(i);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return marker;
}

/** The handle on a leg: dragged or pressed, it becomes a stop. */
function addAdder(editor, i, at) {
  const { on } = editor;
  const marker = handle(editor, 'middle', at, t('lift.via.drag'));
  stretch(editor, marker, i, i + 1);
  const insert = (isOver) => on.insert(i + 1, pointAt(marker), isOver);
  marker.on('drag', () => insert(false));
  marker.on('dragend', () => insert(true));
  marker.on('click', () => insert(true));
  marker.getElement().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    insert(true);
  });
  return marker;
}

function handle({ L, map }, kind, at, label) {
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
  const element = marker.getElement();
  element.setAttribute('role', 'button');
  element.setAttribute('aria-label', label);
  element.title = label;
  return marker;
}

/** While a marker is dragged, straight lines lead to the points before and after it. */
function stretch(editor, marker, before, after) {
  const { band } = editor;
  const at = (i) => editor.points[i] && latLng(editor.points[i]);
  marker.on('dragstart', () => (editor.held = marker));
  marker.on('drag', () => band.setLatLngs([at(before), marker.getLatLng(), at(after)].filter(Boolean)));
  marker.on('dragend', () => {
    editor.held = null;
    band.setLatLngs([]);
  });
}

/** Moves a marker by an arrow key. */
function nudge({ map }, marker, { key, shiftKey }) {
  const step = shiftKey ? BIG_STEP : STEP;
  const moved = map.latLngToContainerPoint(marker.getLatLng()).add(ARROWS[key].map((by) => by * step));
  marker.setLatLng(map.containerPointToLatLng(moved));
}
