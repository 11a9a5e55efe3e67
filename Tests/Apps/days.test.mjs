import assert from 'node:assert/strict';
import test from 'node:test';
import {
  byUnit,
  closedText,
  hours,
  momentOf,
  period,
  spacesText,
  stateOf,
  timeOrDay,
  units,
  wallTime,
  zoneHint,
} from '/apps/shared/car-parks.js';
import { learnTime, serverNow, serverTime } from '/apps/shared/clock.js';
import { loadTexts, t } from '/apps/shared/i18n.js';
import {
  clockText,
  datesOf,
  dateIn,
  later,
  placeText,
  repeatsText,
  today,
  weekdayOf,
  weekdaysText,
} from '/apps/customer/lift/words.js';
import { isToCome } from '/apps/customer/places/when.js';

await loadTexts(
  '/apps/shared/texts',
  '/apps/shared/texts/car-parks',
  '/apps/shared/texts/lift',
  '/apps/shared/texts/places',
  '/apps/customer/texts',
);
const HELSINKI = 'Europe/Helsinki';
const learn = (date) =>
  learnTime({ headers: new Headers(date ? { date: new Date(date).toUTCString() } : {}) }, Date.now());

test('a device whose clock is off by seconds is right, one by minutes is not', () => {
  learn(Date.now() - 3_000);
  assert.equal(serverTime(1_000), 1_000);
  learn(Date.now() + 600_000);
  assert.ok(Math.abs(serverNow() - Date.now() - 600_000) < 2_000);
  learn(null);
  assert.ok(serverNow() - Date.now() > 500_000);
});

test('a local time is the moment in its time zone, also around a change of the clock', () => {
  for (const [wall, zone, moment] of [
    ['2026-11-28T09:00', HELSINKI, '2026-11-28T07:00:00.000Z'],
    ['2026-07-01T09:00', HELSINKI, '2026-07-01T06:00:00.000Z'],
    ['2026-03-29T05:00', HELSINKI, '2026-03-29T02:00:00.000Z'],
    ['2026-10-25T02:30', HELSINKI, '2026-10-24T23:30:00.000Z'],
    ['2026-10-25T05:00', HELSINKI, '2026-10-25T03:00:00.000Z'],
    ['2026-11-28T09:00', 'Asia/Hong_Kong', '2026-11-28T01:00:00.000Z'],
    ['2026-11-28T09:00', 'America/St_Johns', '2026-11-28T12:30:00.000Z'],
  ]) {
    assert.equal(momentOf(wall, zone), moment);
    assert.equal(wallTime(moment, zone), wall);
  }
});

test('a hint names a time zone that differs from that of the device', () => {
  assert.equal(zoneHint(HELSINKI, Date.parse('2026-11-28T07:00:00Z')), null);
  assert.equal(zoneHint('Asia/Hong_Kong', Date.parse('2026-11-28T07:00:00Z')), t('book.zone'));
});

test('a period names a single day once', () => {
  learn('2026-11-20T07:00:00Z');
  const [from, until, next] = ['2026-11-28T07:00:00Z', '2026-11-28T10:30:00Z', '2026-11-28T23:00:00Z'];
  assert.match(period(from, until, HELSINKI), /09:00 – 12:30$/);
  assert.match(period(from, next, HELSINKI), /28.*09:00 – .*29.*01:00$/);
  learn('2026-11-28T11:00:00Z');
  assert.equal(timeOrDay(from, HELSINKI), '09:00');
  assert.equal(timeOrDay(next, HELSINKI), 'tomorrow, 01:00');
});

test('opening hours are shown with the names of days, or as they are', () => {
  const lines = (rules) => hours(rules).map(({ textContent }) => textContent);
  assert.equal(hours('24/7'), t('park.always'));
  assert.deepEqual(lines('Mo-Fr 08:00-20:00; Su off;'), ['Mon-Fri 08:00-20:00', `Sun ${t('park.state.closed')}`]);
  assert.deepEqual(lines('mo-fr sunrise-18:00'), [`Mon-Fri ${t('hours.sunrise')}-18:00`]);
  assert.deepEqual(lines('Apr-Dec,PH 10:00-12:00 "We Call"'), [`Apr-Dec, ${t('park.holidays')} 10:00-12:00 "We Call"`]);
  assert.deepEqual(lines('Mo 10:00-12:00 "call; ask"; Su off'), [
    'Mon 10:00-12:00 "call; ask"',
    `Sun ${t('park.state.closed')}`,
  ]);
  assert.deepEqual(lines('Mo 10:00-12:00 || "on call"'), ['Mon 10:00-12:00', '"on call"']);
  for (const rules of ['ask the guard', 'Mon to Fri 8am', '']) assert.deepEqual([hours(rules)].flat().join(), rules);
});

test('a car park that is not open is shut, closed, or of unknown state', () => {
  assert.equal(stateOf({ status: 'full', isOpenNow: true }), 'full');
  assert.equal(stateOf({ status: 'closed', isOpenNow: false }), 'closed');
  assert.equal(stateOf({ status: 'open', isOpenNow: false, openingState: 'closed' }), 'shut');
  assert.equal(stateOf({ status: 'open', isOpenNow: false, openingState: 'unknown' }), 'unsure');
});

test('a booking names the time in which its car park is closed, if it is known', () => {
  learn('2026-11-20T07:00:00Z');
  const closing = { closesAt: '2026-11-28T20:00:00Z', opensAt: '2026-11-29T05:00:00Z' };
  assert.equal(closedText({ closesAt: null, opensAt: null }, HELSINKI), null);
  assert.match(closedText(closing, HELSINKI), /28.*22:00 – .*29.*07:00$/);
  assert.match(closedText({ ...closing, opensAt: null }, HELSINKI), /^from .*28.*22:00$/);
});

test('free spaces are shown with their age, unless it is too old', () => {
  learn('2026-11-28T11:00:00Z');
  const count = { free: 4, capacity: 44, at: '2026-11-28T10:50:00Z', freshness: 'fresh' };
  assert.equal(
    spacesText(count),
    `${t('park.free', { free: 4, capacity: 44 })} · ${t('park.ago', { time: '10 min' })}`,
  );
  assert.ok(spacesText({ ...count, at: '2026-11-28T10:59:30Z' }).endsWith(t('park.justNow')));
  assert.equal(spacesText({ ...count, freshness: 'unknown' }), t('park.free.unknown', { capacity: 44 }));
  assert.equal(spacesText({ ...count, free: null }), t('park.free.unknown', { capacity: 44 }));
});

test('offers are sorted by their unit, then by their price', () => {
  const offers = [
    ['daily', 9],
    ['hourly', 3],
    ['yearly', 1],
    ['hourly', 2],
  ].map(([kind, price]) => ({ kind, price }));
  assert.deepEqual(
    byUnit(offers).map(({ kind, price }) => `${kind} ${price}`),
    ['hourly 2', 'hourly 3', 'daily 9', 'yearly 1'],
  );
  assert.deepEqual([units('hourly', 1), units('hourly', 3)], ['1 hour', '3 hours']);
});

test('days are counted across months, years and changes of the clock', () => {
  assert.equal(later('2026-12-31', 1), '2027-01-01');
  assert.equal(later('2028-02-28', 1), '2028-02-29');
  assert.equal(later('2026-03-28', 2), '2026-03-30');
  assert.equal(later('2026-03-01', -1), '2026-02-28');
  assert.deepEqual(['2026-11-28', '2026-11-29', '2024-01-01'].map(weekdayOf), ['sa', 'su', 'mo']);
});

test('the date depends on the time zone', () => {
  learn('2026-11-28T22:30:00Z');
  assert.equal(today(HELSINKI), '2026-11-29');
  assert.equal(today('Europe/London'), '2026-11-28');
  assert.equal(dateIn('2026-11-28T22:30:00Z'), '2026-11-29');
});

test('a trip has no dates on other weekdays, on exceptions, and after its end', () => {
  const repeats = { weekdays: ['mo', 'fr'], exceptions: ['2026-12-04'], until: '2026-12-14' };
  assert.deepEqual(datesOf({ nextDate: '2026-11-30', repeats }), [
    '2026-11-30',
    '2026-12-07',
    '2026-12-11',
    '2026-12-14',
  ]);
  assert.deepEqual(datesOf({ nextDate: '2026-11-30', repeats }, 2), ['2026-11-30', '2026-12-07']);
  assert.deepEqual(datesOf({ nextDate: '2026-11-30', repeats: null }), ['2026-11-30']);
  assert.deepEqual(datesOf({ nextDate: null, repeats }), []);
});

test('weekdays are listed from Monday on', () => {
  assert.equal(weekdaysText(['fr', 'mo']), 'Mon Fri');
  assert.equal(weekdaysText(['su', 'sa', 'fr', 'th', 'we', 'tu', 'mo']), t('lift.daily'));
  assert.equal(repeatsText(null), t('lift.once'));
  assert.ok(repeatsText({ weekdays: ['mo'], until: '2026-12-14' }).startsWith(t('lift.every', { days: 'Mon' })));
});

test('a time in another zone has its name', () => {
  assert.equal(clockText('2026-11-28T07:00:00Z', HELSINKI), '09:00');
  assert.match(clockText('2026-11-28T07:00:00Z', 'Asia/Hong_Kong'), /^15:00 \S+/);
});

test('a time within the last minute is not past', () => {
  learn('2026-11-28T11:00:00Z');
  assert.deepEqual(['2026-11-28T10:59:10Z', '2026-11-28T10:58:00Z', '2026-11-28T12:00:00Z'].map(isToCome), [
    true,
    false,
    true,
  ]);
});

test('a place has its address, or its coordinates', () => {
  assert.equal(placeText({ address: 'Fredrikinkatu 1' }), 'Fredrikinkatu 1');
  assert.equal(placeText({ latitude: 60.16999, longitude: 24.9 }), '60.1700, 24.9000');
});
