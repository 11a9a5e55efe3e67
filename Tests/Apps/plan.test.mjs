// Planning an order: walks to a service point, typed coordinates, and places as the server takes them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { placeOf, pointText, typedPoint, wayBetween } from '/apps/customer/valet/plan.js';

const area = { properties: { servicePoint: { latitude: 60.17, longitude: 24.94 } } };

test('a walk is longer than the straight line, and too long beyond half an hour', () => {
  const near = wayBetween({ latitude: 60.179, longitude: 24.94 }, area);
  assert.deepEqual([Math.round(near.meters / 10), near.isFar], [130, false]);
  assert.deepEqual(near.route.geometry.coordinates, [
    [24.94, 60.179],
    [24.94, 60.17],
  ]);
  assert.equal(wayBetween({ latitude: 60.19, longitude: 24.94 }, area).isFar, true);
});

test('without a position only the end of a walk is known', () => {
  assert.deepEqual(wayBetween(null, area), { area, to: area.properties.servicePoint });
});

test('coordinates are read as people paste them', () => {
  const point = { latitude: 22.28, longitude: 114.16, name: null, address: '22.28, 114.16' };
  for (const text of ['22.28, 114.16', ' 22.28 114.16 ', '22.28,114.16']) assert.deepEqual(typedPoint(text), point);
  for (const text of ['22.28', 'Street 22, 114', '91, 10', '10, 181']) assert.equal(typedPoint(text), null);
});

test('a place has six decimals, and its name once', () => {
  const point = { latitude: 60.12345678, longitude: 24.9 };
  assert.deepEqual(placeOf(point), { latitude: 60.123457, longitude: 24.9 });
  assert.equal(placeOf({ ...point, name: 'Library', address: 'Street 1' }).address, 'Library, Street 1');
  assert.equal(placeOf({ ...point, name: 'Library', address: 'Library, Street 1' }).address, 'Library, Street 1');
  assert.equal(placeOf({ ...point, name: 'x'.repeat(300) }).address.length, 200);
});

test('a point is told by its name, its address, or its coordinates', () => {
  const point = { latitude: 60.123456, longitude: 24.9 };
  assert.equal(pointText({ ...point, name: 'Library', address: 'Street 1' }), 'Library');
  assert.equal(pointText({ ...point, address: 'Street 1' }), 'Street 1');
  assert.equal(pointText(point), '60.12346, 24.90000');
  assert.equal(pointText(null), '');
});
