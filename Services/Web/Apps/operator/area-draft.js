// The draft of a service area: its texts, the rings of its outline, and the steps that can be undone.

import { t } from '/apps/shared/i18n.js';
import { between, round } from './polygon-editor.js';

/** Steps that can be undone. */
const MOST_STEPS = 50;
/** How far apart the first points are, in degrees. */
const FIRST_STEP = 0.002;

// MARK: Areas and drafts

const ringsOf = ({ type, coordinates }) =>
  (type === 'Polygon' ? [coordinates] : coordinates).flatMap((polygon, part) =>
    polygon.map((ring, hole) => ({
      part,
      hole,
      points: ring.slice(0, -1).map(([longitude, latitude]) => ({ latitude, longitude })),
    })),
  );

export function geometryOf(rings) {
  const polygons = [];
  for (const { part, points } of rings) {
    const ring = points.map(({ latitude, longitude }) => [longitude, latitude]);
    (polygons[part] ??= []).push(ring.length ? [...ring, ring[0]] : ring);
  }
  return polygons.length > 1
    ? { type: 'MultiPolygon', coordinates: polygons }
    : { type: 'Polygon', coordinates: polygons[0] ?? [] };
}

export const draftOf = ({ properties, geometry }) => ({
  id: properties.id,
  name: properties.name,
  currency: properties.currency,
  servicePoint: { ...properties.servicePoint },
  dispatch: { mode: 'direct', offerSeconds: 20, ...properties.dispatch },
  rings: ringsOf(geometry),
});

export const newDraft = () => ({
  id: '',
  name: '',
  currency: null,
  servicePoint: null,
  dispatch: { mode: 'direct', offerSeconds: 20 },
  rings: [{ part: 0, hole: 0, points: [] }],
});

/** A new area has the currency of the first one until another is entered. */
export const currencyOf = (draft, areas) => draft.currency ?? areas[0]?.properties.currency ?? '';

export function featureOf(draft, areas) {
  const { id, name, servicePoint, dispatch } = draft;
  return {
    type: 'Feature',
    id,
    properties: { id, name, servicePoint, currency: currencyOf(draft, areas), dispatch },
    geometry: geometryOf(draft.rings),
  };
}

/** All points of a GeoJSON geometry. */
export const pointsOf = (geometry) => allPoints(ringsOf(geometry));
export const allPoints = (rings) => rings.flatMap((ring) => ring.points);

/** In words, how someone else's version differs from the draft. */
export const differences = (theirs, mine) =>
  [
    theirs.name !== mine.name ? t('op.conflict.name', { name: theirs.name }) : null,
    JSON.stringify(theirs.rings) !== JSON.stringify(mine.rings)
      ? t('op.conflict.outline', { theirs: allPoints(theirs.rings).length, mine: allPoints(mine.rings).length })
      : null,
    theirs.servicePoint.latitude !== mine.servicePoint?.latitude ||
    theirs.servicePoint.longitude !== mine.servicePoint?.longitude
      ? t('op.conflict.servicePoint')
      : null,
    theirs.dispatch.mode !== mine.dispatch.mode || theirs.dispatch.offerSeconds !== mine.dispatch.offerSeconds
      ? t('op.conflict.dispatch')
      : null,
  ].filter(Boolean);

// MARK: Points. A `model` has the draft, the indices of its `active` ring and `selected` point, and `steps`.

/** The points of the active ring. */
export const activePoints = ({ draft, active }) => draft.rings[active].points;

/** Changes the points of the active ring; the step can be undone. */
export function change(model, edit) {
  const { draft, steps, errors } = model;
  steps.push(JSON.stringify(draft.rings));
  if (steps.length > MOST_STEPS) steps.shift();
  edit(activePoints(model));
  delete errors['geometry.coordinates'];
  const { points } = draft.rings[0];
  if (!draft.servicePoint && points.length >= 3) draft.servicePoint = centre(points);
}

export function insert(model, index, point) {
  model.selected = index;
  change(model, (points) => points.splice(index, 0, point));
}

export function remove(model, index) {
  model.selected = null;
  change(model, (points) => points.splice(index, 1));
}

/** Adds a point halfway to the next one; the first ones are around the middle of the map. */
export function addAfter(model, index, middle) {
  const points = activePoints(model);
  const count = points.length;
  if (count >= 2) return insert(model, index + 1, between(points[index], points[(index + 1) % count]));
  const { latitude, longitude } = middle ?? points[0] ?? { latitude: 0, longitude: 0 };
  return insert(model, count, {
    latitude: round(latitude + count * FIRST_STEP),
    longitude: round(longitude + count * FIRST_STEP),
  });
}

export function undo(model) {
  const { draft, steps } = model;
  draft.rings = JSON.parse(steps.pop());
  model.active = Math.min(model.active, draft.rings.length - 1);
}

const mean = (values) => round(values.reduce((sum, value) => sum + value, 0) / values.length);
const centre = (points) => ({
  latitude: mean(points.map(({ latitude }) => latitude)),
  longitude: mean(points.map(({ longitude }) => longitude)),
});
