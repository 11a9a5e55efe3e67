// Editing an outline on the map: points are dragged with mouse or finger, moved with arrow keys, added between two
// others, or removed. People who can't use the map have the same points in a table (`area-form.js`).

import { t } from '/apps/shared/i18n.js';
import { focusLater } from './detail-parts.js';

/** Step of an arrow key in pixels of the map, alone and with Shift. */
const STEP = 4;
const BIG_STEP = 40;
const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const latLng = ({ latitude, longitude }) => [latitude, longitude];
const point = ({ lat, lng }) => ({ latitude: round(lat), longitude: round(lng) });
/** Six digits are about a decimetre. */
export const round = (degrees) => Math.round(degrees * 1e6) / 1e6;
export const between = (a, b) => ({
  latitude: round((a.latitude + b.latitude) / 2),
  longitude: round((a.longitude + b.longitude) / 2),
});

/**
 * `view` is a map of `createMap`. `on` receives `move(index, point)`, `insert(index, point)`,
 * `remove(index)`, `select(index)`, `service(point)`.
 */
export function createPolygonEditor({ leaflet: L, map }, on) {
  const editor = {
    L,
    map,
    on,
    outline: L.polygon([], { className: 'edited-area', interactive: false, weight: 3 }).addTo(map),
    others: L.polygon([], { className: 'area', interactive: false, weight: 2 }).addTo(map),
    vertices: [],
    middles: [],
    points: [],
    service: null,
    /** The marker being dragged; until it is released, nothing else moves it. */
    held: null,
  };
  return { draw: (what) => draw(editor, what), indexFor: (at) => indexFor(editor, at) };
}

/** Shows rings of points; handles only on the active one. */
function draw(editor, { rings, active, selected, servicePoint }) {
  if (editor.held) return;
  editor.points = rings[active]?.points.map((one) => ({ ...one })) ?? [];
  editor.others.setLatLngs(rings.filter((_, i) => i !== active).map((ring) => [ring.points.map(latLng)]));
  if (editor.vertices.length !== editor.points.length) rebuild(editor);
  place(editor);
  editor.vertices.forEach((marker, i) => {
    const element = marker.getElement();
    element.classList.toggle('selected', i === selected);
    element.setAttribute('aria-label', vertexLabel(editor, i));
  });
  if (!servicePoint) return;
  editor.service ??= addService(editor, servicePoint);
  editor.service.setLatLng(latLng(servicePoint));
}

/** The index at which a new point is inserted: that of the nearest edge. */
function indexFor({ L, map, points }, at) {
  if (points.length < 3) return points.length;
  const target = map.latLngToLayerPoint(latLng(at));
  const onMap = points.map((one) => map.latLngToLayerPoint(latLng(one)));
  const distances = onMap.map((one, i) =>
    L.LineUtil.pointToSegmentDistance(target, one, onMap[(i + 1) % onMap.length]),
  );
  return distances.indexOf(Math.min(...distances)) + 1;
}

function rebuild(editor) {
  const { vertices, middles, points } = editor;
  for (const marker of [...vertices, ...middles]) marker.remove();
  editor.vertices = points.map((_, i) => addVertex(editor, i));
  editor.middles = points.length > 1 ? points.map((_, i) => addMiddle(editor, i)) : [];
}

/** Moves the existing markers when the number of points has not changed. */
function place({ outline, vertices, middles, points }) {
  outline.setLatLngs(points.map(latLng));
  vertices.forEach((marker, i) => marker.setLatLng(latLng(points[i])));
  middles.forEach((marker, i) => marker.setLatLng(latLng(halfway(points, i))));
}

/** Halfway from a point to the next one. */
const halfway = (points, i) => between(points[i], points[(i + 1) % points.length]);

// MARK: Markers

const vertexLabel = ({ points }, i) => t('op.edit.vertex', { number: i + 1, count: points.length });

function addVertex(editor, i) {
  const { on } = editor;
  const marker = addHandle(editor, 'vertex', latLng(editor.points[i]), vertexLabel(editor, i));
  marker.index = i;
  marker.on('drag', () => {
    editor.points[marker.index] = point(marker.getLatLng());
    place(editor);
  });
  follow(editor, marker, (at) => on.move(marker.index, at));
  marker.on('click', () => on.select(marker.index));
  const element = marker.getElement();
  element.addEventListener('focus', () => on.select(marker.index));
  element.addEventListener('keydown', (event) => press(editor, marker, event));
  return marker;
}

function addMiddle(editor, i) {
  const { on, points } = editor;
  const marker = addHandle(editor, 'middle', latLng(halfway(points, i)), t('op.edit.middle', { number: i + 1 }));
  marker.options.keyboard = false;
  marker.getElement().tabIndex = -1;
  marker.index = i;
  follow(editor, marker, (at) => on.insert(marker.index + 1, at));
  marker.on('click', () => on.insert(marker.index + 1, point(marker.getLatLng())));
  return marker;
}

function addHandle({ L, map }, kind, at, label) {
  const marker = L.marker(at, {
    draggable: true,
    keyboard: true,
    title: '',
    autoPan: true,
    bubblingMouseEvents: false,
    zIndexOffset: kind === 'vertex' ? 200 : 100,
    icon: L.divIcon({ className: `handle ${kind}`, html: '<span></span>', iconSize: [28, 28], iconAnchor: [14, 14] }),
  }).addTo(map);
  name(marker, label);
  return marker;
}

function addService(editor, servicePoint) {
  const { L, map, on } = editor;
  const marker = L.marker(latLng(servicePoint), {
    draggable: true,
    keyboard: false,
    zIndexOffset: 300,
    icon: L.divIcon({
      className: 'marker place service',
      html: '<span class="marker-dot"><span>P</span></span>',
      iconSize: [36, 36],
      iconAnchor: [18, 36],
    }),
  }).addTo(map);
  name(marker, t('op.area.servicePoint'));
  follow(editor, marker, on.service);
  return marker;
}

function name(marker, label) {
  const element = marker.getElement();
  element.setAttribute('role', 'button');
  element.setAttribute('aria-label', label);
  element.title = label;
}

function follow(editor, marker, moved) {
  marker.on('dragstart', () => (editor.held = marker));
  marker.on('dragend', () => {
    editor.held = null;
    moved(point(marker.getLatLng()));
  });
}

// MARK: Keys

function press(editor, marker, event) {
  const { map, on, points } = editor;
  const { index } = marker;
  const next = index + 1;
  const arrow = arrows[event.key];
  if (arrow) {
    const step = event.shiftKey ? BIG_STEP : STEP;
    const moved = map.latLngToContainerPoint(marker.getLatLng()).add([arrow[0] * step, arrow[1] * step]);
    on.move(index, point(map.containerPointToLatLng(moved)));
  } else if (event.key === 'Delete' || event.key === 'Backspace') {
    on.remove(index);
    focus(editor, Math.min(index, points.length - 2));
  } else if (event.key === 'Enter' || event.key === '+') {
    on.insert(next, halfway(points, index));
    focus(editor, next);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** After the next drawing, where the marker may be a new one. */
const focus = (editor, index) => focusLater(() => editor.vertices[index]?.getElement());

/** Whether two edges of an outline cross. */
export function crossesItself(points) {
  const count = points.length;
  const side = (a, b, c) =>
    Math.sign(
      (b.longitude - a.longitude) * (c.latitude - a.latitude) - (b.latitude - a.latitude) * (c.longitude - a.longitude),
    );
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 2; j < count; j += 1) {
      if (i === 0 && j === count - 1) continue;
      const [a, b, c, d] = [points[i], points[i + 1], points[j], points[(j + 1) % count]];
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
    }
  }
  return false;
}
