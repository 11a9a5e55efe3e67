import assert from 'node:assert/strict';
import test from 'node:test';
import { loadTexts } from '/apps/shared/i18n.js';
import { addStop, bodyOf, draftOf, errorsOf, fieldsOf, repeating, vehicleOf } from '/apps/customer/lift/draft.js';
import { companionOf } from '/apps/customer/lift/person.js';
import { questionOf } from '/apps/customer/lift/ride-after.js';
import { errorsOf as wrongIn, newSearch, queryOf, savedSearch, weeklyTrips } from '/apps/customer/lift/search.js';
import { changesOf, meetingPoint } from '/apps/customer/lift/trip-ends.js';

await loadTexts('/apps/shared/texts', '/apps/shared/texts/lift', '/apps/customer/texts');

const HOUR = 3_600_000;
const place = (latitude, longitude) => ({ latitude, longitude, address: `${latitude}` });

// MARK: The trip that is edited

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

// MARK: The search

const ends = { from: { place: place(60, 24) }, to: { place: { ...place(61, 25), address: null } } };
const wanted = (change) => ({ ...newSearch(), date: '2199-11-30', time: '08:15', ...change });
const hours = ({ departAfter, departBefore }) => (Date.parse(departBefore) - Date.parse(departAfter)) / HOUR;

test('a search begins in a few minutes, at a quarter of an hour', () => {
  const { date, time } = newSearch();
  const ahead = Date.parse(`${date}T${time}`) - Date.now();
  assert.ok(ahead > 290_000 && ahead < 1_210_000, `${ahead} ms`);
  assert.match(time, /:(00|15|30|45)$/);
});

test('a search is for some hours from a time, the rest of the day, a week, or every week', () => {
  const query = queryOf(wanted(), ends);
  assert.deepEqual([query.departAfter, hours(query)], ['2199-11-30T06:15:00.000Z', 3]);
  assert.deepEqual([query.from, query.seats, query.maxWalkMeters], [{ latitude: 60, longitude: 24 }, 1, 1000]);
  assert.equal(hours(queryOf(wanted({ window: 'day' }), ends)), 15.75);
  assert.equal(hours(queryOf(wanted({ window: 'week' }), ends)), 7 * 24);
  const weekly = queryOf(wanted({ repeat: 'weekly' }), ends);
  assert.deepEqual([hours(weekly), weekly.limit], [7 * 24, 100]);
  assert.ok(Math.abs(Date.parse(weekly.departAfter) - Date.now()) < 10_000);
  assert.ok(
    Date.parse(queryOf(wanted({ date: '2020-01-01', window: 'week' }), ends).departAfter) > Date.now() - 10_000,
  );
});

test('a search needs both ends, and a time that can be met', () => {
  const wrong = (change, both = ends) => Object.keys(wrongIn(wanted(change), both));
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({}, { from: { place: null }, to: { place: null } }), ['from', 'to']);
  assert.deepEqual(wrong({ date: '2020-01-01' }), ['date']);
  assert.deepEqual(wrong({ date: '2020-01-01', window: 'week' }), []);
  assert.deepEqual(wrong({ date: '2020-01-01', repeat: 'weekly' }), []);
  assert.deepEqual(wrong({ repeat: 'weekly', weekdays: [], until: '07:00' }), ['weekdays', 'until']);
});

test('of weekly trips, those of the days and hours are found, each once', () => {
  const found = (tripId, at, days) => ({ tripId, pickUp: { at }, repeats: days && { weekdays: days } });
  const items = [
    found('a', '2026-11-30T05:00:00Z', ['mo']),
    found('a', '2026-12-07T05:00:00Z', ['mo']),
    found('once', '2026-11-30T05:30:00Z', null),
    found('sunday', '2026-12-06T05:30:00Z', ['su']),
    found('early', '2026-11-30T04:59:00Z', ['mo']),
    found('b', '2026-12-01T07:00:00Z', ['tu', 'su']),
    found('late', '2026-12-01T07:01:00Z', ['tu']),
  ];
  const trips = weeklyTrips(items, wanted({ repeat: 'weekly' }));
  assert.deepEqual(
    trips.map(({ tripId, pickUp }) => [tripId, pickUp.at.slice(0, 10)]),
    [
      ['a', '2026-11-30'],
      ['b', '2026-12-01'],
    ],
  );
});

test('an alert is for the hours of the search, and for its day or weekdays', () => {
  const alert = (change) => {
    const { fromMinute, untilMinute, date, weekdays } = savedSearch(wanted(change), ends);
    return [fromMinute, untilMinute, date, weekdays];
  };
  assert.deepEqual(alert(), [495, 675, '2199-11-30', undefined]);
  assert.deepEqual(alert({ time: '23:00' }), [1380, 1440, '2199-11-30', undefined]);
  assert.deepEqual(alert({ window: 'day' }), [495, 1440, '2199-11-30', undefined]);
  assert.deepEqual(alert({ window: 'week' }), [0, 1440, undefined, undefined]);
  assert.deepEqual(alert({ repeat: 'weekly', weekdays: ['fr'] }), [420, 540, undefined, ['fr']]);
  const long = { ...ends, from: { place: { ...place(60, 24), address: 'x'.repeat(80) } } };
  assert.equal(savedSearch(wanted(), long).name.length, 60);
  assert.equal(savedSearch(wanted(), ends).timeZone, 'Europe/Helsinki');
});

// MARK: A seat

test('passengers get in at a stop, else where they are, else at the route if they are far from it', () => {
  const [home, near, far] = [place(60, 24), place(60.005, 24), place(60.1, 24)];
  const met = (walk, maxDetourSeconds = 0) => meetingPoint(home, walk, { maxDetourSeconds });
  assert.equal(met(null), home);
  assert.equal(met({ meetingPoint: near, isStop: true }), near);
  assert.equal(met({ meetingPoint: near, isStop: false }), home);
  assert.equal(met({ meetingPoint: far, isStop: false }), far);
  assert.equal(met({ meetingPoint: far, isStop: false }, 300), home);
});

test('the address says where a passenger changes to another lift, unless it is no point', () => {
  const changes = (query) => changesOf(new URLSearchParams(query));
  assert.deepEqual(changes('from=60.5,24.5'), {
    from: { latitude: 60.5, longitude: 24.5, address: 'Change to another lift' },
    to: null,
  });
  assert.deepEqual(changes('from=91,24&to=here'), { from: null, to: null });
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

test('a person of a shared ride is known with the phone number, where one of the rides shows it', () => {
  const [dora, paul] = [{ id: 'dora' }, { id: 'paul' }];
  const seats = [
    { driver: dora, passenger: paul },
    { driver: { ...dora, phone: '+358' }, passenger: paul },
  ];
  assert.equal(companionOf(seats, 'dora').phone, '+358');
  assert.equal(companionOf(seats, 'paul'), paul);
  assert.equal(companionOf(seats, 'olga'), null);
});
