// The map in the screens of lifts.

import { h } from '/apps/shared/dom.js';

export const mapCard = (slot) => h('div', { class: 'card parked-map lift-map', key: 'map' }, slot.view('map-holder'));

/** Runs a task in the next frame, when what is returned now has been drawn. */
export const afterDrawing = (task) => queueMicrotask(() => requestAnimationFrame(task));

/** The points of a line of GeoJSON. */
export const pointsOf = (line) => (line?.coordinates ?? []).map(([longitude, latitude]) => ({ latitude, longitude }));
