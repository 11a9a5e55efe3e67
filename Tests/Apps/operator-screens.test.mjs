import assert from 'node:assert/strict';
import test from 'node:test';
import { loadTexts } from '/apps/shared/i18n.js';
import { refundOf } from '/apps/operator/actions.js';
import { sumsOf } from '/apps/operator/books.js';
import { momentsOf } from '/apps/operator/order-history.js';
import { shownOrders } from '/apps/operator/order-list.js';
import { orderMarker } from '/apps/operator/overview-map.js';
import { placeOf, refundBadge } from '/apps/operator/payment-parts.js';
import { incrementsOf } from '/apps/operator/spots.js';
import { stopStore, store } from '/apps/operator/store.js';
import { hoursBetween } from '/apps/operator/today.js';
import { workedSeconds } from '/apps/operator/valet.js';
import { foundValets } from '/apps/operator/valets.js';

await loadTexts('/apps/shared/texts', '/apps/operator/texts');

const ids = (items) => items.map(({ id }) => id);

test('orders are found by ticket, plate, name in any order and phone', () => {
  const customer = { firstName: 'Ada', lastName: 'Mäki', phone: '+358 40 123' };
  const order = { id: 'a', ticket: 'T-1', status: 'requested', serviceArea: 'x', dropOff: {}, customer };
  const other = { ...order, id: 'b', ticket: 'T-2', status: 'parked', serviceArea: 'y', vehicle: { plate: 'AB 12' } };
  store.set({ orders: [order, { ...other, customer: { firstName: 'Bo', lastName: 'Ek', phone: '' } }] });
  const found = (filter) => ids(shownOrders({ filter: { state: 'open', area: '', text: '', ...filter }, pages: null }));
  assert.deepEqual(found({}), ['a', 'b']);
  assert.deepEqual(
    ['t1', 'ab-12', 'ada mäki', 'MäkiAda', '35840', 'zzz'].map((text) => found({ text })),
    [['a'], ['b'], ['a'], ['a'], ['a'], []],
  );
  assert.deepEqual([found({ state: 'parked' }), found({ area: 'x' })], [['b'], ['a']]);
});

test('the next session begins without data of the last one', () => {
  store.set({ valets: [{ id: 'a' }], valetsAt: 1, orders: [{ id: 'b' }], at: 2 });
  stopStore();
  const { valets, valetsAt, orders, at } = store.value;
  assert.deepEqual([valets, valetsAt, orders, at], [[], null, [], null]);
});

test('an order in pages is shown in its newest version', () => {
  const order = (id, version) => ({ id, version });
  store.set({ orders: [order('a', 3), order('b', 1)] });
  const filter = { state: 'all', area: '', text: '' };
  const shown = shownOrders({ filter, pages: { items: [order('a', 2), order('b', 2), order('c', 1)] } });
  assert.deepEqual(shown, [order('a', 3), order('b', 2), order('c', 1)]);
});

test('an order is on the map where its car is, or will be', () => {
  const place = (status, more) => {
    const { latitude, layer } = orderMarker({ status, dropOff: { latitude: 1 }, ...more });
    return [latitude, layer];
  };
  const parked = { latitude: 2 };
  const returnTo = { latitude: 3 };
  assert.deepEqual(
    [
      place('requested'),
      place('parking'),
      place('parking', { parked }),
      place('parked', { parked }),
      place('returningBack', { parked }),
      place('requestingBack', { parked, returnTo }),
      place('waitingForPayment'),
    ],
    [
      [1, 'waiting'],
      [1, 'waiting'],
      [2, 'parked'],
      [2, 'parked'],
      [2, 'returns'],
      [3, 'returns'],
      [1, 'waiting'],
    ],
  );
  assert.deepEqual(
    ['requested', 'droppingOff'].map((status) => orderMarker({ status }).kind),
    ['order waiting', 'order'],
  );
});

test("a timeline has an order's steps and the actions of operators by time", () => {
  const order = { status: 'cancelled', createdAt: '1', assignedAt: '3', endedAt: '9' };
  const acts = [{ id: 'act', action: 'orders.override', actedAt: '4', reason: 'no valet' }];
  const moments = momentsOf(order, acts);
  assert.deepEqual(
    moments.map(({ key, reason }) => [key, reason]),
    [
      ['op.time.placed', undefined],
      ['op.time.assigned', undefined],
      ['act', 'no valet'],
      ['op.time.ended', undefined],
    ],
  );
  assert.equal(moments.at(-1).text, 'Cancelled');
});

test('valets are found by name and phone, and those who work come first', () => {
  const valet = (id, status, more) => ({ id, firstName: id, lastName: 'Ek', phone: '+44 7700', status, ...more });
  const valets = [
    valet('off', 'offline'),
    valet('silent', 'available', { positionAgeSeconds: 90 }),
    valet('free', 'available', { positionAgeSeconds: 2 }),
    valet('barred', 'available', { suspended: true }),
    valet('busy', 'busy'),
  ];
  const found = (text, status = '') => ids(foundValets(valets, { text, status }));
  assert.deepEqual(found(''), ['free', 'silent', 'busy', 'off', 'barred']);
  assert.deepEqual([found('ek FREE'), found('+447700', 'available')], [['free'], ['free', 'silent']]);
});

test('a break is not counted as work, even if it lasts until the end of the shift', () => {
  const at = (minutes) => new Date(minutes * 60_000).toISOString();
  const pause = (from, to) => ({ startedAt: at(from), endedAt: to && at(to) });
  const shift = (...breaks) => ({ startedAt: at(0), endedAt: at(60), breaks });
  assert.deepEqual(
    [shift(), shift(pause(10, 20)), shift(pause(10, 20), pause(55))].map(workedSeconds),
    [3_600, 3_000, 2_700],
  );
});

test('a refund is what is left, or as much as was typed', () => {
  const draft = { part: 'part', left: 900, currency: 'EUR' };
  assert.deepEqual(
    [refundOf({ ...draft, part: 'whole' }), refundOf(draft, '1,5'), refundOf(draft, '2.345'), refundOf(draft, 'x')],
    [900, 150, 235, Number.NaN],
  );
  assert.equal(refundOf({ ...draft, currency: 'JPY' }, '5'), 5);
});

test('a bill leads to its booking or its fine', () => {
  const bill = { id: 'b1', lines: [] };
  assert.deepEqual(
    [
      placeOf(bill),
      placeOf({ ...bill, booking: 'b0' }),
      placeOf({ ...bill, lines: [{ kind: 'parking' }] }),
      placeOf({ ...bill, fine: 'f/1' }),
    ],
    [null, '/car-parks/bookings/b0', '/car-parks/bookings/b1', '/car-parks/fines/f%2F1'],
  );
});

test('balances are added up by currency', () => {
  const line = (currency, balance) => ({ currency, balance });
  assert.deepEqual(sumsOf([line('EUR', 5), line('HKD', 1), line('EUR', -5)]), [
    ['EUR', 0],
    ['HKD', 1],
  ]);
});

test('bid increments are typed one a line, in whole units', () => {
  assert.deepEqual(incrementsOf(' 0:0.5\n\n 10:1 \n20 ', 100), [
    { from: 0, step: 50 },
    { from: 1_000, step: 100 },
    { from: 2_000, step: 0 },
  ]);
});

test('a chart has each hour of its span, but not more than 200', () => {
  const starts = hoursBetween('2026-11-28T10:20:00Z', '2026-11-28T13:00:00Z');
  assert.deepEqual(
    starts.map((at) => new Date(at).toISOString().slice(11, 16)),
    ['10:00', '11:00', '12:00'],
  );
  assert.equal(hoursBetween('2026-01-01T00:00:00Z', '2026-11-28T00:00:00Z').length, 200);
});

test('a refund says whether it waits or failed, and why', () => {
  const text = (entry) =>
    [refundBadge(entry)]
      .flat()
      .map((node) => node?.textContent ?? '')
      .join(' ');
  assert.equal(text({ refundState: 'succeeded' }), 'Refund');
  assert.equal(text({ refundState: 'processing' }), 'Refund pending');
  assert.equal(text({ refundState: 'failed', refundFailure: 'expired_card' }), 'Refund failed expired_card');
});
