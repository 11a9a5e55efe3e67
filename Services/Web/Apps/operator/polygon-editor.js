// Editing an outline on the map: points are dragged with mouse or finger, moved with arrow keys, added between two
// others, or removed. People who can't use the map have the same points in a table (`area-form.js`).

import { t } from '/apps/shared/i18n.js';

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
export function createPolygonEditor(view, on) {
  const { leaflet: L, map } = view;
  const outline = L.polygon([], { className: 'edited-area', interactive: false, weight: 3 }).addTo(map);
  const others = L.polygon([], { className: 'area', interactive: false, weight: 2 }).addTo(map);
  let vertices = [];
  let middles = [];
  let points = [];
  let service = null;
  /** The marker being dragged; until it is released, nothing else moves it. */
  let held = null;

  function follow(marker, moved) {
    marker.on('dragstart', () => (held = marker));
    marker.on('dragend', () => {
      held = null;
      moved(point(marker.getLatLng()));
    });
  }

  function handle(kind, at, label) {
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

  function name(marker, label) {
    const element = marker.getElement();
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', label);
    element.title = label;
  }

  const vertexLabel = (i) => t('op.edit.vertex', { number: i + 1, count: points.length });

  function addVertex(i) {
    const marker = handle('vertex', latLng(points[i]), vertexLabel(i));
    marker.index = i;
    marker.on('drag', () => {
      points[marker.index] = point(marker.getLatLng());
      place();
    });
    follow(marker, (at) => on.move(marker.index, at));
    marker.on('click', () => on.select(marker.index));
    const element = marker.getElement();
    element.addEventListener('focus', () => on.select(marker.index));
    element.addEventListener('keydown', (event) => press(event, marker));
    return marker;
  }

  function press(event, marker) {
    const arrow = arrows[event.key];
    if (arrow) {
      const step = event.shiftKey ? BIG_STEP : STEP;
      const moved = map.latLngToContainerPoint(marker.getLatLng()).add([arrow[0] * step, arrow[1] * step]);
      on.move(marker.index, point(map.containerPointToLatLng(moved)));
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      const next = Math.min(marker.index, points.length - 2);
      on.remove(marker.index);
      focus(next);
    } else if (event.key === 'Enter' || event.key === '+') {
      const next = marker.index + 1;
      on.insert(next, between(points[marker.index], points[next % points.length]));
      focus(next);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** After the next drawing, where the marker may be a new one. */
  const focus = (index) =>
    requestAnimationFrame(() => requestAnimationFrame(() => vertices[index]?.getElement()?.focus()));

  function addMiddle(i) {
    const marker = handle(
      'middle',
      latLng(between(points[i], points[(i + 1) % points.length])),
      t('op.edit.middle', { number: i + 1 }),
    );
    marker.options.keyboard = false;
    marker.getElement().tabIndex = -1;
    marker.index = i;
    follow(marker, (at) => on.insert(marker.index + 1, at));
    marker.on('click', () => on.insert(marker.index + 1, point(marker.getLatLng())));
    return marker;
  }

  /** Moves the existing markers when the number of points has not changed. */
  function place() {
    outline.setLatLngs(points.map(latLng));
    vertices.forEach((marker, i) => marker.setLatLng(latLng(points[i])));
    middles.forEach((marker, i) => marker.setLatLng(latLng(between(points[i], points[(i + 1) % points.length]))));
  }

  function rebuild() {
    for (const marker of [...vertices, ...middles]) marker.remove();
    vertices = points.map((_, i) => addVertex(i));
    middles = points.length > 1 ? points.map((_, i) => addMiddle(i)) : [];
  }

  return {
    focus,
    /** Shows rings of points; handles only on the active one. */
    draw({ rings, active, selected, servicePoint }) {
      if (held) return;
      points = rings[active]?.points.map((one) => ({ ...one })) ?? [];
      others.setLatLngs(rings.filter((_, i) => i !== active).map((ring) => [ring.points.map(latLng)]));
      if (vertices.length !== points.length) rebuild();
      place();
      vertices.forEach((marker, i) => {
        const element = marker.getElement();
        element.classList.toggle('selected', i === selected);
        element.setAttribute('aria-label', vertexLabel(i));
      });
      if (servicePoint && !service) {
        service = L.marker(latLng(servicePoint), {
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
        name(service, t('op.area.servicePoint'));
        follow(service, on.service);
      }
      if (servicePoint) service.setLatLng(latLng(servicePoint));
    },
    /** The index at which a new point is inserted: that of the nearest edge. */
    indexFor(at) {
      if (points.length < 3) return points.length;
      const target = map.latLngToLayerPoint(latLng(at));
      const onMap = points.map((one) => map.latLngToLayerPoint(latLng(one)));
      const distances = onMap.map((one, i) =>
        L.LineUtil.pointToSegmentDistance(target, one, onMap[(i + 1) % onMap.length]),
      );
      return distances.indexOf(Math.min(...distances)) + 1;
    },
  };
}

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
