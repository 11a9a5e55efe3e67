import assert from 'node:assert/strict';
import test from 'node:test';
import { gather } from '/apps/shared/clusters.js';
import { areaWithStreets } from '/apps/shared/map.js';
import { readTile } from '/apps/shared/mvt.js';
import { isInside, metersBetween } from '/apps/shared/position.js';
import { placeOf } from '/apps/customer/shared/place-field.js';
import { middles } from '/apps/customer/lift/way-editor.js';
import { hasArrived, secondsLeft } from '/apps/customer/valet/arrival.js';
import { crossesItself, round } from '/apps/operator/polygon-editor.js';

const at = (latitude, longitude) => ({ latitude, longitude });
const box = (from, to) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];

test('a degree of latitude is 111 km, one of longitude half of that in Helsinki', () => {
  assert.equal(Math.round(metersBetween(at(60, 24), at(61, 24))), 111_195);
  assert.equal(Math.round(metersBetween(at(60, 24), at(60, 25))), 55_597);
  assert.equal(metersBetween(at(60, 24), at(60, 24)), 0);
  assert.equal(Math.round(metersBetween(at(0, 179.5), at(0, -179.5))), 111_195);
});

test('a point is inside a polygon, unless it lies in a hole', () => {
  const polygon = { type: 'Polygon', coordinates: [box(0, 10), box(4, 6)] };
  assert.deepEqual(
    [at(1, 1), at(5, 5), at(11, 5), at(5, -1)].map((point) => isInside(point, polygon)),
    [true, false, false, false],
  );
  const several = { type: 'MultiPolygon', coordinates: [[box(0, 1)], [box(4, 6)]] };
  assert.deepEqual(
    [at(0.5, 0.5), at(5, 5), at(2, 2)].map((point) => isInside(point, several)),
    [true, true, false],
  );
});

test('an outline like a bow tie crosses itself, a hollow one does not', () => {
  assert.equal(crossesItself([at(0, 0), at(1, 1), at(1, 0), at(0, 1)]), true);
  assert.equal(crossesItself([at(1, 1), at(1, 0), at(0, 1), at(0, 0)]), true);
  assert.equal(crossesItself([at(0, 0), at(0, 1), at(1, 1), at(1, 0)]), false);
  assert.equal(crossesItself([at(0, 0), at(0, 2), at(2, 2), at(1, 1), at(2, 0)]), false);
  assert.equal(crossesItself([at(0, 0), at(0, 1), at(1, 1)]), false);
  assert.equal(round(60.12345678), 60.123457);
});

test('a new stop is offered in the middle of each leg, by its length', () => {
  const [from, via, to] = [at(0, 0), at(0, 2), at(0, 4)];
  assert.deepEqual(middles([from, to], null), [at(0, 2)]);
  const way = {
    coordinates: [
      [0, 0],
      [0.5, 0],
      [2, 0],
      [4, 0],
    ],
  };
  assert.deepEqual(middles([from, via, to], way), [at(0, 1), at(0, 3)]);
});

test('near markers are grouped, a chosen one stays alone', () => {
  const map = { project: ([y, x]) => ({ x, y, distanceTo: (other) => Math.hypot(x - other.x, y - other.y) }) };
  const marker = (id, x, kind = 'place') => ({ id, latitude: 0, longitude: x, kind });
  const markers = [marker('a', 0), marker('b', 10), marker('c', 5, 'place chosen'), marker('d', 100)];
  const tapped = [];
  const groups = gather({ map }, markers, {
    titleOf: (count) => `${count} places`,
    onclick: (members) => tapped.push(...members),
  });
  assert.deepEqual(
    groups.map(({ id }) => id),
    ['several-a', 'c', 'd'],
  );
  assert.deepEqual([groups[0].count, groups[0].title], [2, '2 places']);
  groups[0].onclick();
  assert.deepEqual(
    tapped.map(({ id }) => id),
    ['a', 'b'],
  );
});

test('the first area with streets is taken, or else the first', () => {
  const area = (id, latitude, longitude) => ({ id, properties: { servicePoint: at(latitude, longitude) } });
  const areas = [area('hongKong', 22.3, 114.2), area('helsinki', 60.2, 24.9)];
  const maps = [{ bounds: { south: 60, west: 24, north: 61, east: 26 } }];
  assert.equal(areaWithStreets(areas, maps).id, 'helsinki');
  assert.equal(areaWithStreets(areas, []).id, 'hongKong');
});

test('a place has six decimals, and its name before its address', () => {
  assert.deepEqual(placeOf({ ...at(60.12345678, 24.9), name: 'Library', address: 'Street 1' }), {
    ...at(60.123457, 24.9),
    address: 'Library, Street 1',
  });
  assert.deepEqual(placeOf({ ...at(1, 2), name: 'Street 1', address: 'Street 1, Helsinki' }), {
    ...at(1, 2),
    address: 'Street 1, Helsinki',
  });
  assert.deepEqual(placeOf(at(1, 2)), at(1, 2));
});

test('the time to arrival runs on from the last route, or from the estimate', () => {
  const order = { status: 'droppingOff', etaSeconds: 300, assignedAt: '2026-11-28T07:00:00Z', dropOff: at(60, 24) };
  const now = Date.parse('2026-11-28T07:01:00Z');
  assert.equal(secondsLeft({ order, route: null, isWayUnknown: false, now }), 240);
  assert.equal(secondsLeft({ order, route: { durationSeconds: 90, at: now - 30_000 }, now }), 60);
  assert.equal(secondsLeft({ order, route: { durationSeconds: 90, at: now - 300_000 }, now }), 0);
  assert.equal(secondsLeft({ order, route: null, isWayUnknown: true, now }), null);
  assert.equal(hasArrived({ order, track: { valet: at(60.0001, 24) } }), true);
  assert.equal(hasArrived({ order, track: { valet: at(60.01, 24) } }), false);
  assert.equal(hasArrived({ order, track: { valet: null } }), false);
});

test('a tile is read as its specification says', () => {
  const bytes = (...parts) => parts.flat();
  const field = (number, content) => [(number << 3) | 2, content.length, ...content];
  const text = (number, words) => field(number, [...new TextEncoder().encode(words)]);
  // A line from (2, 2) over (2, 10) to (10, 10): the example of the specification, 4.3.5.
  const feature = bytes(field(2, [0, 0]), [3 << 3, 2], field(4, [9, 4, 4, 18, 0, 16, 16, 0]));
  const tile = Uint8Array.from(
    field(
      3,
      bytes(text(1, 'roads'), field(2, feature), text(3, 'name'), field(4, text(1, 'Kaivokatu')), [5 << 3, 0x80, 0x20]),
    ),
  );
  const { extent, features } = readTile(tile.buffer).get('roads');
  assert.equal(extent, 4096);
  assert.deepEqual(
    features.map(({ kind, properties, parts }) => ({ kind, properties, parts })),
    [{ kind: 2, properties: { name: 'Kaivokatu' }, parts: [[2, 2, 2, 10, 10, 10]] }],
  );
  assert.throws(() => readTile(tile.slice(0, 20).buffer), RangeError);
});
