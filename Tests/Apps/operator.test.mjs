import assert from 'node:assert/strict';
import test from 'node:test';
import {
  activePoints,
  addAfter,
  change,
  differences,
  draftOf,
  featureOf,
  insert,
  newDraft,
  remove,
  undo,
} from '/apps/operator/area-draft.js';
import { plotOf } from '/apps/operator/charts.js';
import * as carPark from '/apps/operator/car-parks/draft.js';
import { read, shownAmount } from '/apps/operator/detail-parts.js';
import * as tariffs from '/apps/operator/tariff-draft.js';

const at = (latitude, longitude) => ({ latitude, longitude });
const square = (from, to) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];
const area = (geometry) => ({
  type: 'Feature',
  id: 'x',
  properties: {
    id: 'x',
    name: 'X',
    servicePoint: { latitude: 1, longitude: 2, address: 'A 1' },
    currency: 'EUR',
    dispatch: { mode: 'offer', offerSeconds: 30 },
  },
  geometry,
});
const editing = (draft) => ({ draft, active: 0, selected: null, steps: [], errors: {} });

test("an area's draft becomes the same area again", () => {
  for (const geometry of [
    { type: 'Polygon', coordinates: [square(0, 9), square(4, 6)] },
    { type: 'MultiPolygon', coordinates: [[square(0, 9), square(4, 6)], [square(10, 11)]] },
  ])
    assert.deepEqual(featureOf(draftOf(area(geometry)), []), area(geometry));
});

test('a new area has the currency of the first one, and no points yet', () => {
  const { properties, geometry } = featureOf(newDraft(), [area()]);
  assert.deepEqual([properties.currency, geometry], ['EUR', { type: 'Polygon', coordinates: [[]] }]);
  assert.equal(featureOf({ ...newDraft(), currency: 'GBP' }, [area()]).properties.currency, 'GBP');
  assert.equal(featureOf(newDraft(), []).properties.currency, '');
});

test('points are added, removed and restored; the third one sets the service point', () => {
  const model = editing(newDraft());
  addAfter(model, -1, at(10, 20));
  addAfter(model, 0, at(10, 20));
  assert.deepEqual([activePoints(model), model.selected], [[at(10, 20), at(10.002, 20.002)], 1]);
  assert.equal(model.draft.servicePoint, null);
  addAfter(model, 1);
  assert.deepEqual([activePoints(model)[2], model.selected], [at(10.001, 20.001), 2]);
  assert.deepEqual(model.draft.servicePoint, at(10.001, 20.001));
  insert(model, 1, at(11, 20));
  remove(model, 0);
  assert.deepEqual([activePoints(model)[0], activePoints(model).length, model.selected], [at(11, 20), 3, null]);
  undo(model);
  undo(model);
  assert.deepEqual(activePoints(model), [at(10, 20), at(10.002, 20.002), at(10.001, 20.001)]);
  for (let i = 0; i < 60; i += 1) change(model, (points) => points.reverse());
  assert.equal(model.steps.length, 50);
});

test("a change of the outline clears its error, and someone else's version is compared", () => {
  const polygon = { type: 'Polygon', coordinates: [square(0, 9)] };
  const model = { ...editing(draftOf(area(polygon))), errors: { id: 'taken', 'geometry.coordinates': 'wrong' } };
  assert.deepEqual(differences(draftOf(area(polygon)), model.draft), []);
  remove(model, 0);
  assert.deepEqual(model.errors, { id: 'taken' });
  model.draft.name = 'Y';
  model.draft.dispatch.mode = 'direct';
  model.draft.servicePoint = null;
  assert.equal(differences(draftOf(area(polygon)), model.draft).length, 4);
});

test('numbers are read with a point or a comma, and amounts shown with the digits of their currency', () => {
  assert.deepEqual([read(' 1,5 '), read('2.25'), read(0)], [1.5, 2.25, 0]);
  assert.ok([read(''), read('  '), read(undefined), read('x')].every(Number.isNaN));
  assert.deepEqual([shownAmount(150, 'EUR'), shownAmount(150, 'JPY')], ['1.50', '150']);
});

test('the draft of a car park becomes the body of a request', () => {
  const draft = {
    ...carPark.newDraft(),
    name: 'P',
    position: { latitude: '60,17', longitude: 24.94 },
    entrances: [{ kind: 'vehicle', position: { latitude: 60, longitude: 25 } }],
    currency: ' eur ',
    holidays: '2026-12-24, 2026-12-25',
    overstayFee: '12,50',
  };
  draft.capacity.general = '40';
  const { body, errors } = carPark.parsed(draft);
  assert.deepEqual(errors, {});
  assert.deepEqual(
    [body.position, body.capacity, body.currency, body.overstayFee, body.holidays, body.maxHeightMeters, body.phone],
    [at(60.17, 24.94), { general: 40 }, 'EUR', 1250, ['2026-12-24', '2026-12-25'], null, null],
  );
  assert.deepEqual(body.cancellation, { freeUntilHours: 24, lateRefundPercent: 50 });
  const wrong = { ...draft, position: {}, freeUntilHours: '', entrances: [{ kind: 'vehicle', position: {} }] };
  assert.deepEqual(Object.keys(carPark.parsed(wrong).errors), [
    'position.latitude',
    'position.longitude',
    'entrances[0].position.latitude',
    'entrances[0].position.longitude',
    'cancellation.freeUntilHours',
  ]);
  assert.deepEqual(carPark.differing(draft, { ...draft, phone: '1', capacity: {} }), ['phone', 'capacity']);
});

test('a car park and its entrances are on the map once they have a position', () => {
  const draft = carPark.newDraft('EUR');
  draft.entrances = [{ kind: 'pedestrian', position: { latitude: '60,1', longitude: '24' } }];
  assert.deepEqual(
    carPark.markersOf(draft).map(({ id, latitude, icon }) => [id, latitude, icon]),
    [['0', 60.1, 'user']],
  );
  draft.position = at(60, 24);
  assert.deepEqual(
    carPark.markersOf(draft).map(({ id }) => id),
    ['self', '0'],
  );
});

const tariff = {
  currency: 'EUR',
  baseFee: 800,
  incrementPrice: 250,
  dailyCap: 4800,
  cancellationFee: 500,
  noShowFee: 1000,
  freeMinutes: 15,
  incrementMinutes: 30,
  cancellationGraceSeconds: 120,
  waitingSeconds: 300,
  extras: { wash: 2500 },
};

test('the draft of a tariff becomes the same tariff again, and nothing while a field is no number', () => {
  const draft = tariffs.draftOf(tariff);
  assert.deepEqual([draft.baseFee, draft.freeMinutes, draft.wash, draft.refuel], ['8.00', '15', '25.00', '']);
  assert.deepEqual(tariffs.parsed(draft), tariff);
  for (const wrong of [{ baseFee: '' }, { wash: 'x' }, { incrementMinutes: '0' }, { currency: 'EU' }])
    assert.equal(tariffs.parsed({ ...draft, ...wrong }), null);
});

test('each started increment counts after the free time, up to the cap of each started day', () => {
  const totals = [10, 15, 16, 45, 46, 1500].map((minutes) => tariffs.billOf(tariff, minutes * 60).total);
  assert.deepEqual(totals, [800, 800, 1050, 1050, 1300, 9600]);
  assert.deepEqual(tariffs.billOf(tariff, 1500 * 60), { time: 12_500, saved: 3700, total: 9600 });
});

test('changes of a tariff are listed; another currency changes every amount', () => {
  assert.deepEqual(tariffs.changes(tariff, tariff), []);
  assert.equal(tariffs.changes(tariff, { ...tariff, freeMinutes: 20, extras: {} }).length, 2);
  assert.equal(tariffs.changes(tariff, { ...tariff, currency: 'USD' }).length, 7);
});

test('a bar chart has at most four steps above zero, at round values', () => {
  const linesOf = (values, options) =>
    plotOf({ width: 560, hours: [{ values }], series: [{}], ...options }).lines.map((value) =>
      Number(value.toFixed(3)),
    );
  assert.deepEqual(linesOf([7, null]), [0, 5, 10]);
  assert.deepEqual(linesOf([1]), [0, 0.5, 1]);
  assert.deepEqual(linesOf([1], { grain: 1 }), [0, 1]);
  assert.deepEqual(linesOf([100], { steps: [15, 30, 60] }), [0, 30, 60, 90, 120]);
  const plot = plotOf({ width: 560, hours: [{ values: [10] }, { values: [5] }], series: [{}] });
  assert.deepEqual([plot.y(10), plot.y(0), plot.middle(0), plot.barWidth], [28, 194, 177, 28]);
});
