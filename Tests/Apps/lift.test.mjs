import assert from 'node:assert/strict';
import test from 'node:test';
import { loadTexts } from '/apps/shared/i18n.js';
import { addStop, bodyOf, draftOf, errorsOf, fieldsOf, repeating, vehicleOf } from '/apps/customer/lift/draft.js';
import { questionOf } from '/apps/customer/lift/ride-after.js';

await loadTexts('/apps/shared/texts', '/apps/shared/texts/lift', '/apps/customer/texts');

// MARK: The trip that is edited

const place = (latitude, longitude) => ({ latitude, longitude, address: `${latitude}` });
const draft = (trip = null, change = {}) => ({
  ...draftOf(trip, { origin: { place: place(60, 24) }, destination: { place: place(61, 25) }, via: [] }),
  ...change,
});
const weekly = {
  id: 'a',
  departsAt: '2026-11-30T07:30:00',
  nextDate: '2026-12-02',
  repeats: { weekdays: ['mo', 'we'], until: '2026-12-31', exceptions: ['2026-12-07', '2026-12-09'] },
  seats: 2,
  maxDetourSeconds: 590,
  pricePerSeat: { amount: 150, currency: 'EUR' },
  payment: 'cash',
  vehicle: { id: 'v' },
  timeZone: 'Europe/Helsinki',
};

test('a stored trip that was not changed is sent as it was', () => {
  const one = draft(weekly);
  assert.deepEqual(errorsOf(one, 'EUR'), {});
  const { departsAt, repeats, seats, maxDetourSeconds, pricePerSeat, payment } = bodyOf(one, 'EUR', []);
  assert.deepEqual([departsAt, repeats, seats, payment], [weekly.departsAt, weekly.repeats, 2, 'cash']);
  assert.deepEqual([maxDetourSeconds, pricePerSeat], [600, 150]);
});

test('a date that was skipped stays skipped if the trip still has it', () => {
  const exceptions = (change) => bodyOf(draft(weekly, change), 'EUR', []).repeats.exceptions;
  assert.deepEqual(exceptions({ weekdays: ['mo'] }), ['2026-12-07']);
  assert.deepEqual(exceptions({ date: '2026-12-08' }), ['2026-12-09']);
  assert.deepEqual(exceptions({ until: '2026-12-08' }), ['2026-12-07']);
  assert.deepEqual(exceptions({ until: '' }), ['2026-12-07', '2026-12-09']);
});

test('a weekly trip becomes one of its next date, and a single date a weekday', () => {
  const one = draft(weekly);
  Object.assign(one, repeating(one, false));
  assert.equal(one.date, '2026-12-02');
  assert.equal(bodyOf(one, 'EUR', []).repeats, null);
  const other = draft(null, { date: '2026-11-29' });
  assert.equal('repeats' in bodyOf(other, null, []), false);
  assert.deepEqual(repeating(other, true), { isWeekly: true, weekdays: ['su'], date: '2026-11-29' });
});

test('a price is an amount, and needs a currency and a way to pay', () => {
  const price = (text, payment = 'cash', currency = 'EUR') => {
    const { pricePerSeat, payment: by } = bodyOf(draft(null, { price: text, payment }), currency, []);
    return [pricePerSeat, by];
  };
  assert.deepEqual(price('1,5'), [150, 'cash']);
  assert.deepEqual(price('1.50', 'app'), [150, 'app']);
  assert.deepEqual(price('1.50', 'nothing'), [0, 'nothing']);
  assert.deepEqual(price('1.50', 'cash', null), [0, 'nothing']);
  const errors = (text) => Object.keys(errorsOf(draft(null, { price: text, payment: 'cash' }), 'EUR'));
  assert.deepEqual([errors('0.01'), errors('0'), errors(''), errors('many')], [[], ['price'], ['price'], ['price']]);
});

test('both ends and a weekday are needed', () => {
  const none = { origin: { place: null }, destination: { place: null }, isWeekly: true };
  assert.deepEqual(Object.keys(errorsOf(draft(null, none), null)), ['origin', 'destination', 'weekdays']);
});

test('a stop is added before another point, past stops without a place', () => {
  const one = draft(null, { via: [{ place: null }, { place: place(60.5, 24.5) }] });
  const [, second] = one.via;
  const [before, last] = [{ place: place(60.1, 24) }, { place: place(60.9, 25) }];
  addStop(one, before, fieldsOf(one)[1]);
  addStop(one, last, one.destination);
  assert.deepEqual(fieldsOf(one), [one.origin, before, second, last, one.destination]);
  assert.equal(bodyOf(one, null, []).via.length, 3);
});

test('a new trip takes the first vehicle, a stored one keeps its own', () => {
  const vehicles = [{ id: 'u' }, { id: 'v' }];
  const sent = (one) => [vehicleOf(one, vehicles)?.id, bodyOf(one, null, vehicles).vehicleId];
  assert.deepEqual(sent(draft()), ['u', 'u']);
  assert.deepEqual(sent(draft(null, { vehicle: 'v' })), ['v', 'v']);
  assert.deepEqual(sent(draft(weekly)), ['v', undefined]);
  assert.deepEqual(sent(draft(weekly, { vehicle: 'u' })), ['u', 'u']);
  assert.deepEqual(sent(draft({ ...weekly, vehicle: { id: 'sold' } })), [undefined, undefined]);
});

// MARK: A ride

test('after a ride the driver is asked about each passenger, and a passenger who was not confirmed', () => {
  const asked = (role, confirmation, seat = {}, status = 'ended') =>
    questionOf({ role, status }, { status: 'accepted', confirmation, ...seat });
  const none = { driver: null, passenger: null, isDisputed: false };
  assert.equal(asked('driver', null), 'driver');
  assert.equal(asked('driver', none), 'driver');
  assert.equal(asked('driver', none, {}, 'underWay'), null);
  assert.equal(asked('driver', { ...none, driver: false }), null);
  assert.equal(asked('driver', none, { status: 'cancelled' }), null);
  assert.equal(asked('passenger', none), null);
  assert.equal(asked('passenger', { ...none, driver: false }), 'passenger');
  assert.equal(asked('passenger', { ...none, driver: false, passenger: false }), null);
  assert.equal(asked('passenger', { driver: false, passenger: true, isDisputed: true }), null);
});

test('a passenger is asked again after a change of the trip, the driver is not', () => {
  const seat = { status: 'pending', asks: 'passenger' };
  const ride = { status: 'planned' };
  assert.equal(questionOf({ ...ride, role: 'passenger' }, seat), 'again');
  assert.equal(questionOf({ ...ride, role: 'driver' }, seat), null);
  assert.equal(questionOf({ ...ride, role: 'passenger' }, { ...seat, asks: 'driver' }), null);
});
