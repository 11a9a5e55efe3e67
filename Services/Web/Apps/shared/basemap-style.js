// The style of the streets: rules for the layers of the OpenMapTiles schema, in drawing order.
// Colours are the tokens `--map-…`; widths are pixels by zoom, interpolated.

const roads = {
  motorway: { color: 'road-major', width: { 6: 1, 12: 3, 16: 12, 19: 40 } },
  trunk: { color: 'road-major', width: { 6: 1, 12: 2.5, 16: 11, 19: 38 } },
  primary: { color: 'road-main', width: { 8: 0.8, 12: 2, 16: 10, 19: 36 } },
  secondary: { color: 'road-main', width: { 9: 0.6, 12: 1.6, 16: 9, 19: 32 } },
  tertiary: { color: 'road', width: { 11: 0.6, 13: 1.5, 16: 8, 19: 30 } },
  minor: { color: 'road', width: { 12: 0.5, 14: 1.6, 16: 6.5, 19: 26 }, from: 12 },
  service: { color: 'road', width: { 14: 0.6, 16: 3, 19: 14 }, from: 14 },
};
const ofClass = (...names) => {
  const wanted = new Set(names);
  return ({ class: name }) => wanted.has(name);
};
const road = (name, part) => ({ layer: 'transportation', when: ofClass(name), from: roads[name].from ?? 5, ...part });
const ranks = ['service', 'minor', 'tertiary', 'secondary', 'primary', 'trunk', 'motorway'];

export const rules = [
  { layer: 'landcover', when: ofClass('grass', 'wood', 'farmland', 'wetland'), fill: 'green' },
  { layer: 'landcover', when: ofClass('sand'), fill: 'sand' },
  {
    layer: 'landuse',
    when: ofClass('residential', 'commercial', 'retail', 'industrial', 'railway'),
    fill: 'town',
    to: 14,
  },
  { layer: 'landuse', when: ofClass('cemetery', 'pitch', 'playground', 'stadium', 'zoo', 'theme_park'), fill: 'green' },
  { layer: 'park', fill: 'park' },
  { layer: 'water', fill: 'water' },
  { layer: 'waterway', line: 'water', width: { 10: 0.6, 14: 1.5, 18: 6 } },
  { layer: 'aeroway', when: ofClass('apron', 'runway', 'taxiway'), line: 'rail', width: { 11: 1, 14: 4, 17: 20 } },
  { layer: 'building', fill: 'building', line: 'building-edge', width: { 14: 0.4, 18: 1 }, from: 14 },
  { layer: 'transportation', when: ofClass('ferry'), line: 'ferry', width: { 8: 0.8, 16: 1.5 }, dash: [6, 5] },
  { layer: 'transportation', when: ofClass('track'), line: 'path', width: { 13: 0.5, 16: 1.5, 19: 4 }, from: 13 },
  {
    layer: 'transportation',
    when: ofClass('path', 'pier'),
    line: 'path',
    width: { 14: 0.5, 16: 1.2, 19: 3 },
    dash: [3, 2],
    from: 14,
  },
  ...ranks.map((name) =>
    road(name, { line: 'road-edge', width: roads[name].width, more: 1.6, from: Math.max(13, roads[name].from ?? 0) }),
  ),
  ...ranks.map((name) => road(name, { line: roads[name].color, width: roads[name].width })),
  { layer: 'transportation', when: ofClass('rail', 'transit'), line: 'rail', width: { 10: 0.6, 14: 1.5, 18: 3 } },
  {
    layer: 'boundary',
    when: ({ admin_level: level }) => level <= 4,
    line: 'boundary',
    width: { 4: 0.6, 12: 1.4 },
    dash: [5, 3],
    to: 10,
  },
];

/** Arrows in the direction of travel. */
export const oneWay = {
  layer: 'transportation',
  when: ({ oneway }) => oneway === 1 || oneway === -1,
  color: 'arrow',
  from: 16,
};

/** Names, the most important first; those without room are left out. */
export const labels = [
  { layer: 'place', when: ofClass('country', 'city', 'island'), size: { 4: 12, 10: 17, 14: 20 }, weight: 600, to: 14 },
  { layer: 'place', when: ofClass('town'), size: { 9: 11, 12: 14, 16: 18 }, weight: 600, from: 9, to: 16 },
  {
    layer: 'place',
    when: ofClass('village', 'suburb', 'neighbourhood'),
    size: { 11: 11, 14: 14 },
    weight: 600,
    from: 11,
    to: 17,
  },
  {
    layer: 'transportation_name',
    when: ofClass('motorway', 'trunk', 'primary', 'secondary'),
    size: { 13: 11, 17: 14 },
    along: true,
    from: 13,
  },
  { layer: 'transportation_name', when: ofClass('tertiary', 'minor'), size: { 15: 11, 18: 13 }, along: true, from: 15 },
  { layer: 'place', when: ofClass('hamlet', 'locality', 'quarter'), size: { 14: 11, 17: 13 }, from: 14 },
  { layer: 'water_name', size: { 14: 11, 17: 13 }, color: 'water-text', from: 14 },
  {
    layer: 'poi',
    when: ({ rank, class: name }) => rank <= 20 && !['bus', 'barrier'].includes(name),
    size: { 16: 11, 19: 12 },
    color: 'poi-text',
    dot: true,
    from: 16,
  },
  {
    layer: 'transportation_name',
    when: ofClass('service', 'path', 'track'),
    size: { 17: 10, 19: 12 },
    along: true,
    from: 17,
  },
  { layer: 'housenumber', text: 'housenumber', size: { 18: 10 }, color: 'poi-text', from: 18 },
];

/** A value interpolated exponentially between the zooms given. */
export function atZoom(stops, zoom) {
  const zooms = Object.keys(stops).map(Number);
  const above = zooms.findIndex((each) => each >= zoom);
  if (above === 0) return stops[zooms[0]] * (zoom < zooms[0] ? 0.7 ** (zooms[0] - zoom) : 1);
  if (above < 0) return stops[zooms.at(-1)];
  const [low, high] = [zooms[above - 1], zooms[above]];
  return stops[low] * (stops[high] / stops[low]) ** ((zoom - low) / (high - low));
}
