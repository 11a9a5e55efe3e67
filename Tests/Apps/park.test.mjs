import assert from 'node:assert/strict';
import test from 'node:test';
import { reasonText, refundOf, ruleText } from '/apps/customer/park/booking.js';
import { changesOf, openDraft } from '/apps/customer/park/change-draft.js';
import { choiceOf, endOf, isPossible, usablePoints, vehiclesOf } from '/apps/customer/park/choice.js';
import { hasOtherPrice } from '/apps/customer/park/stays.js';
import { walkTo } from '/apps/customer/park/parked-place.js';
import { lineOf } from '/apps/shared/car-parks.js';
import { loadTexts } from '/apps/shared/i18n.js';
import { isPeriodWrong, newSearch, periodFrom, searchPath } from '/apps/customer/park/search.js';

const query = (path) => Object.fromEntries(new URL(path, 'https://valet.example').searchParams);
const wish = (change) => ({ ...newSearch().wanted, ...change });
const kamppi = { latitude: 60.17, longitude: 24.93 };

test('a search has the point, and a wide radius for a name', () => {
  assert.deepEqual(query(searchPath(wish({}), null)), { class: 'general', limit: '30' });
  assert.deepEqual(query(searchPath(wish({ openNow: true, height: '2.1', sort: 'price' }), kamppi)), {
    latitude: '60.17',
    longitude: '24.93',
    radiusMeters: '5000',
    class: 'general',
    openNow: 'true',
    maxHeightMeters: '2.1',
    sort: 'price',
    limit: '30',
  });
  const { q, radiusMeters } = query(searchPath(wish({ q: ' Kamppi ' }), kamppi));
  assert.deepEqual([q, radiusMeters], ['Kamppi', '50000']);
});

test('a search has a period only if its end is after its start', () => {
  const period = (from, until) => {
    const { from: start, until: end } = query(searchPath(wish({ from, until }), null));
    return [start, end];
  };
  assert.deepEqual(period('2026-12-01T09:00', '2026-12-01T11:00'), [
    '2026-12-01T07:00:00.000Z',
    '2026-12-01T09:00:00.000Z',
  ]);
  for (const wrong of [
    ['2026-12-01T09:00', '2026-12-01T09:00'],
    ['2026-12-01T09:00', ''],
    ['', '2026-12-01T09:00'],
  ])
    assert.deepEqual(period(...wrong), [undefined, undefined]);
  assert.ok(isPeriodWrong({ from: '2026-12-01T09:00', until: '2026-12-01T09:00' }));
  assert.ok(!isPeriodWrong({ from: '2026-12-01T09:00', until: '' }));
});

test('a start at or after the end moves the end', () => {
  assert.equal(periodFrom('2026-12-01T09:00', '').until, '2026-12-01T11:00');
  assert.equal(periodFrom('2026-12-01T09:00', '2026-12-01T09:00').until, '2026-12-01T11:00');
  assert.equal(periodFrom('2026-12-01T09:00', '2026-12-01T10:00').until, '2026-12-01T10:00');
  assert.deepEqual(periodFrom('', '2026-12-01T10:00'), { from: '', until: '2026-12-01T10:00' });
});

const product = (id, kind, classes, change) => ({
  id,
  kind,
  classes,
  isOffered: true,
  price: 100,
  minQuantity: 1,
  maxQuantity: 12,
  ...change,
});
const carPark = {
  id: 'kamppi',
  timeZone: 'Europe/Helsinki',
  products: [
    product('day', 'daily', ['general'], { maxQuantity: 5 }),
    product('hour', 'hourly', ['general', 'electric'], { minQuantity: 2 }),
    product('old', 'hourly', ['general'], { isOffered: false }),
    product('family', 'hourly', ['family'], { price: 200 }),
  ],
};
const choose = (choice, wanted) => {
  const { product: one, kind, start, quantity } = choiceOf({ choice, wanted: wish(wanted) }, carPark);
  return [one.id, kind, start, quantity];
};

test('a choice begins with what was searched for', () => {
  const period = { from: '2026-12-01T09:00', until: '2026-12-01T11:30' };
  assert.deepEqual(choose({}, period), ['hour', 'general', '2026-12-01T09:00', 3]);
  assert.deepEqual(choose({}, { ...period, kind: 'family' }), ['family', 'family', '2026-12-01T09:00', 3]);
  // No product is for motorcycles, and an hour less than the product's least.
  assert.deepEqual(choose({}, { from: period.from, until: '2026-12-01T09:30', kind: 'motorcycle' }), [
    'hour',
    'general',
    '2026-12-01T09:00',
    2,
  ]);
  assert.equal(choose({}, {})[3], 2);
  assert.equal(choiceOf({ choice: {}, wanted: wish({}) }, { ...carPark, products: [] }), null);
});

test('a choice stays with its car park, and a quantity stays as it was typed', () => {
  const kept = { carPark: 'kamppi', product: 'day', kind: 'electric', start: '2026-12-02T10:00', quantity: 9 };
  assert.deepEqual(choose(kept, {}), ['day', 'general', '2026-12-02T10:00', 9]);
  assert.deepEqual(choose({ ...kept, product: 'hour' }, {}), ['hour', 'electric', '2026-12-02T10:00', 9]);
  assert.deepEqual(choose({ ...kept, product: 'old' }, {}).slice(0, 2), ['hour', 'electric']);
  assert.equal(choose({ ...kept, carPark: 'other' }, {})[0], 'hour');
});

test('a quantity beyond what the product allows is not possible', () => {
  const possible = (quantity, id = 'day') =>
    isPossible(choiceOf({ choice: { carPark: 'kamppi', product: id, quantity }, wanted: wish({}) }, carPark));
  assert.deepEqual(
    [0, 1, 5, 6, 1.5, Number.NaN].map((one) => possible(one)),
    [false, true, true, false, false, false],
  );
  assert.deepEqual(
    [1, 2].map((one) => possible(one, 'hour')),
    [false, true],
  );
});

test('a search that is longer than the shortest product allows begins with one that covers it', () => {
  assert.deepEqual(choose({}, { from: '2026-12-01T09:00', until: '2026-12-03T09:00' }).slice(0, 1), ['day']);
  // Nothing covers eight days: the number of hours is shown with an explanation.
  assert.equal(choose({}, { from: '2026-12-01T09:00', until: '2026-12-09T09:00' })[3], 192);
});

test('days and hours are booked by their end, on the clock there', () => {
  const start = '2026-03-28T12:00';
  const choice = { carPark: 'kamppi', start, span: { days: 1, hours: 2 } };
  const made = choiceOf({ choice, wanted: wish({}) }, carPark);
  assert.deepEqual([made.product.id, made.span], ['hour', { days: 1, hours: 2 }]);
  // Clocks go forward in the night: 23 hours and 2.
  assert.equal(endOf(made, carPark.timeZone), '2026-03-29T11:00:00.000Z');
  assert.ok(isPossible(made));
  for (const span of [
    { days: 0, hours: 0 },
    { days: -1, hours: 30 },
    { days: 367, hours: 0 },
    { days: 1, hours: 0.5 },
  ])
    assert.ok(!isPossible({ ...made, span }));
  // Without days on offer, there is nothing to combine.
  const hours = { ...carPark, products: carPark.products.slice(1) };
  assert.equal(choiceOf({ choice, wanted: wish({}) }, hours).span, null);
});

test('a line says how many units at which price', async () => {
  await loadTexts('/apps/shared/texts', '/apps/shared/texts/car-parks');
  const money = (amount) => ({ amount, currency: 'EUR' });
  const line = { kind: 'parking', text: 'Hour', amount: money(1_350) };
  assert.equal(lineOf(line)[0], 'Hour');
  assert.equal(lineOf({ ...line, quantity: 3, unit: 'hourly', unitPrice: money(450) })[0], '3 hours × €4.50');
  assert.equal(lineOf({ ...line, quantity: 1, unit: 'daily', unitPrice: money(2_800) })[0], '1 day × €28.00');
});

test('chosen vehicles are those of the garage', () => {
  const garage = [{ id: 'a' }, { id: 'b' }];
  assert.deepEqual(vehiclesOf({ vehicles: null }, garage, { id: 'b' }), ['b']);
  assert.deepEqual(vehiclesOf({ vehicles: null }, garage, undefined), ['a']);
  assert.deepEqual(vehiclesOf({ vehicles: ['b', 'sold'] }, garage, { id: 'a' }), ['b']);
  assert.deepEqual(vehiclesOf({ vehicles: null }, [], undefined), []);
});

test('points pay up to half of a price', () => {
  const line = (kind, amount) => ({ kind, amount: { amount } });
  const balance = (points, amount) => ({ points, worth: { amount } });
  const lines = [line('parking', 900), line('points', -450), line('fee', 101)];
  assert.equal(usablePoints({ lines }, balance(10_000, 10_000)), 500);
  assert.equal(usablePoints({ lines }, balance(300, 300)), 300);
  assert.equal(usablePoints({ lines }, balance(1_000, 2_000)), 250);
  assert.equal(usablePoints({ lines }, balance(50, 0)), null);
  assert.equal(usablePoints({ lines: [line('parking', 1)] }, balance(300, 300)), null);
  assert.equal(usablePoints({ lines }, undefined), null);
});

test('a refund depends on the time left until the start', () => {
  const start = '2026-12-02T09:00:00Z';
  const booking = {
    status: 'confirmed',
    start,
    paid: { amount: 905 },
    cancellation: { freeUntilHours: 24, lateRefundPercent: 50 },
  };
  const refund = (change, before) => refundOf({ ...booking, ...change }, Date.parse(start) - before);
  assert.equal(refund({}, 24 * 3_600_000 + 1), 905);
  assert.equal(refund({}, 24 * 3_600_000), 452);
  assert.equal(refund({}, 1), 452);
  assert.equal(refund({}, 0), 0);
  assert.equal(refund({ status: 'held' }, 24 * 3_600_000 + 1), 0);
  // The tax that was paid on top of it goes back in the same proportion.
  assert.equal(refund({ paidTax: { amount: 163 } }, 24 * 3_600_000 + 1), 1_068);
  assert.equal(refund({ paidTax: { amount: 163 } }, 1), 533);
  assert.equal(refund({ paid: { amount: 0 }, paidTax: { amount: 0 } }, 1), 0);
});

test('the rule of cancelling is told for the booking at hand', async () => {
  await loadTexts('/apps/shared/texts', '/apps/shared/texts/car-parks');
  const start = '2026-12-02T09:00:00Z';
  const booking = (lateRefundPercent) => ({
    start,
    carPark: { timeZone: 'Europe/Helsinki' },
    cancellation: { freeUntilHours: 24, lateRefundPercent },
  });
  const at = (hours) => Date.parse(start) - hours * 3_600_000;
  assert.match(reasonText(booking(50), at(25)), /^Cancelling is free until .*11:00\.$/);
  assert.equal(reasonText(booking(50), at(20)), 'That’s 50%, because it starts in less than 24 hours.');
  assert.equal(reasonText(booking(0), at(20)), 'There is no refund, because it starts in less than 24 hours.');
  assert.equal(reasonText(booking(50), at(0)), 'There is no refund, because your booking has started.');
  assert.match(ruleText(booking(50), at(25)), /^Free until .*11:00$/);
  assert.match(ruleText(booking(50), at(20)), /^You get 50% back until .*11:00$/);
  assert.equal(ruleText(booking(0), at(20)), 'No refund');
  assert.equal(ruleText(booking(50), at(0)), 'No refund');
});

test('only what was changed of a booking is sent', () => {
  const booking = {
    carPark: { timeZone: 'Europe/Helsinki' },
    start: '2026-12-01T07:00:00.000Z',
    quantity: 3,
    vehicles: [{ id: 'b' }, { id: 'a' }],
    spaces: 2,
  };
  assert.deepEqual(changesOf(booking, { start: '2026-12-01T09:00', quantity: 3, vehicles: ['a', 'b'] }), {});
  assert.deepEqual(changesOf(booking, { start: '2026-12-01T10:00', quantity: 4 }), {
    start: '2026-12-01T08:00:00.000Z',
    quantity: 4,
  });
  assert.deepEqual(changesOf(booking, { vehicles: ['a', 'c'] }), { vehicleIds: ['a', 'c'] });
  assert.deepEqual(changesOf(booking, { vehicles: ['a'] }), { vehicleIds: ['a'], spaces: 1 });
});

test('a new version of a booking starts its draft again, and says so if a change is lost', () => {
  const changing = { draft: { of: null } };
  const open = (version, name = 'change') => {
    openDraft(changing, name, { id: '1', version });
    return changing.draft;
  };
  assert.equal(open(1).isOther, false);
  open(1).wanted.quantity = 2;
  assert.equal(open(1).wanted.quantity, 2);
  assert.deepEqual([open(2).isOther, open(2).wanted], [true, {}]);
  // The message stays until the person changes something.
  assert.equal(open(3).isOther, true);
  assert.equal(open(3, 'extend').isOther, false);
  // The person's own change leads to the new version.
  Object.assign(open(3), { wanted: { quantity: 2 }, isBusy: true });
  assert.equal(open(4).isOther, false);
});

test('the walk to the parked vehicle is estimated, and requested again after some steps', async () => {
  const paths = [];
  const api = {
    get: async (path) => {
      paths.push(query(path).latitude);
      return { distanceMeters: 1_500, durationSeconds: 1_200 };
    },
  };
  const parked = { api, asked: null, position: { last: { latitude: 60, longitude: 25 } }, redraw: () => {} };
  const walk = (spot) => walkTo(parked, spot).distanceMeters;
  const spot = { latitude: 60.01, longitude: 25 };
  // 1,112 m in a straight line.
  assert.equal(Math.round(walk(spot) / 10), 145);
  await new Promise(setImmediate);
  assert.equal(walk(spot), 1_500);
  parked.position.last = { latitude: 60.0001, longitude: 25 };
  walk(spot);
  assert.deepEqual(paths, ['60']);
  parked.position.last = { latitude: 60.001, longitude: 25 };
  assert.equal(walk(spot), 1_500);
  assert.deepEqual(paths, ['60', '60.001']);
  assert.ok(walk({ latitude: 60.002, longitude: 25 }) < 200);
  assert.equal(paths.length, 3);
});

test('a stay is paid at the price that was shown', () => {
  const shown = { amount: 400, currency: 'EUR' };
  assert.ok(!hasOtherPrice({ due: shown }, shown));
  for (const amount of [600, 300]) assert.ok(hasOtherPrice({ due: { ...shown, amount } }, shown));
  assert.ok(!hasOtherPrice({ due: null }, shown));
});
