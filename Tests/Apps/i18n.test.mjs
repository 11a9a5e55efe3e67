import assert from 'node:assert/strict';
import test from 'node:test';
import { readFileSync } from 'node:fs';
import { chargeable } from '/apps/customer/shared/charge.js';
import { learnTime, serverNow } from '/apps/shared/clock.js';
import {
  clock,
  dateTime,
  day,
  distance,
  duration,
  fullName,
  loadTexts,
  minorUnits,
  minutes,
  money,
  number,
  reasonText,
  setLanguage,
  t,
  time,
  tProblem,
} from '/apps/shared/i18n.js';
import { photoMoment } from '/apps/shared/pictures.js';

await loadTexts('/apps/shared/texts', '/apps/shared/texts/car-parks', '/apps/customer/texts');
const at = (date) => learnTime({ headers: new Headers({ date: new Date(date).toUTCString() }) }, Date.now());
const inChinese = async (task) => {
  await setLanguage('zh-Hant');
  try {
    task();
  } finally {
    await setLanguage('en');
  }
};
const inRegion = (tag, task) => {
  const { language } = navigator;
  navigator.language = tag;
  try {
    task();
  } finally {
    navigator.language = language;
  }
};
/** Node 18 doesn't know this sign of numbers, which all supported browsers know. */
const lacksSigns = (() => {
  try {
    return !new Intl.NumberFormat('en', { signDisplay: 'negative' });
  } catch {
    return true;
  }
})();

test('a text is filled in, and a name without a value stays', () => {
  assert.equal(t('duration.hours', { hours: 1, minutes: 6 }), '1 h 6 min');
  assert.equal(t('duration.hours', { hours: 1 }), '1 h {minutes} min');
  assert.equal(t('no.such.text'), 'no.such.text');
});

test('English has a singular and a plural, Chinese one form', async () => {
  assert.equal(t('state.waiting', { count: 1 }).match(/^1 \w+/)?.[0], '1 change');
  assert.equal(t('state.waiting', { count: 2 }).match(/^2 \w+/)?.[0], '2 changes');
  assert.equal(t('state.waiting', { count: 0 }).match(/^0 \w+/)?.[0], '0 changes');
  await inChinese(() => assert.match(t('state.waiting', { count: 1 }), /1/));
});

test('an amount has the digits of its currency', async () => {
  assert.equal(money({ amount: 1250, currency: 'EUR' }), '€12.50');
  assert.equal(money({ amount: 1250, currency: 'JPY' }), 'JP¥1,250');
  assert.equal(money({ amount: -5, currency: 'EUR' }), '-€0.05');
  assert.equal(money(null), '–');
  assert.deepEqual(['EUR', 'JPY', 'BHD'].map(minorUnits), [100, 1, 1000]);
  await inChinese(() => {
    assert.equal(money({ amount: 4800, currency: 'HKD' }), 'HK$48.00');
    assert.equal(minorUnits('HKD'), 100);
  });
});

test('currencies have the minor units of the server, whatever a browser shows of them', () => {
  const path = new URL('../../Shared/API/Contracts/Payments/Currencies.swift', import.meta.url);
  const swift = readFileSync(path, 'utf8');
  const table = (name) =>
    Object.fromEntries(
      [
        ...swift
          .split(`${name}: [String: Int] = [`)[1]
          .split(']')[0]
          .matchAll(/"([A-Z]{3})": ([\d_]+)/g),
      ].map(([, code, value]) => [code, Number(value.replaceAll('_', ''))]),
    );
  const digits = table('otherDigits');
  const codes = [...Object.keys(table('leastCharges')), ...Object.keys(digits), 'SYP', 'PKR'];
  assert.ok(codes.length > 100);
  for (const code of codes) assert.equal(minorUnits(code), 10 ** (digits[code] ?? 2), code);
  const steps = swift.split('func chargeStep')[1].split('default:')[0];
  for (const code of codes) {
    const step = Number(steps.match(new RegExp(`"${code}"[^:]*: (\\d+)`))?.[1] ?? 1);
    assert.equal(chargeable(step, code), step, code);
    if (step > 1) assert.deepEqual([chargeable(1, code), chargeable(step - 1, code)], [0, step], code);
    else assert.equal(chargeable(1, code), 1, code);
  }
  assert.match(money({ amount: 17_500, currency: 'HUF' }), /175\.00$/);
});

test('a duration has two units at most', () => {
  assert.deepEqual([0, 59, 60, 75, 599, 600, 3_599, 4_000].map(duration), [
    '0 s',
    '59 s',
    '1 min 0 s',
    '1 min 15 s',
    '9 min 59 s',
    '10 min',
    '59 min',
    '1 h 6 min',
  ]);
  assert.equal(duration(3_599.6), '1 h 0 min');
  assert.equal(duration(-5), '0 s');
});

test('a clock counts full seconds', () => {
  assert.deepEqual([-1, 0, 59.9, 187, 3_787, 36_000].map(clock), [
    '0:00',
    '0:00',
    '0:59',
    '3:07',
    '1:03:07',
    '10:00:00',
  ]);
});

test('a time to arrival is at least a minute, until it is now', () => {
  assert.equal(minutes(44), t('duration.now'));
  assert.deepEqual([45, 89, 90, 600].map(minutes), ['1 min', '1 min', '2 min', '10 min']);
});

test('a short distance is rounded to ten metres', () => {
  assert.deepEqual([4, 14, 949].map(distance), ['0 m', '10 m', '950 m']);
});

test('a long distance has one decimal, and a rounded zero no sign', { skip: lacksSigns }, () => {
  assert.deepEqual([1_000, 12_340].map(distance), ['1.0 km', '12.3 km']);
  assert.equal(number(-0.01, 1), '0.0');
  assert.equal(number(1_234.5, 1), '1,234.5');
});

test('distances are in miles where people use them', { skip: lacksSigns }, () => {
  const meters = [4, 350, 410, 12_340];
  inRegion('en-GB', () => assert.deepEqual(meters.map(distance), ['0 yd', '380 yd', '0.3 mi', '7.7 mi']));
  inRegion('en-US', () => assert.deepEqual(meters.map(distance), ['10 ft', '1,150 ft', '0.3 mi', '7.7 mi']));
  inRegion('es-US', () => assert.equal(distance(12_340), '7.7 mi'));
  inRegion('fi', () => assert.equal(distance(12_340), '12,3 km'));
});

test('a time is local to this device, or to a time zone', () => {
  assert.equal(time('2026-11-28T07:05:00Z'), '09:05');
  assert.equal(time('2026-11-28T07:05:00Z', 'Asia/Hong_Kong'), '15:05');
  assert.equal(time('2026-11-28T22:00:00Z'), '00:00');
});

test('a date is today, yesterday or tomorrow by the time zone in which it is shown', () => {
  at('2026-11-28T20:00:00Z');
  assert.ok(Math.abs(serverNow() - Date.parse('2026-11-28T20:00:00Z')) < 2_000);
  assert.equal(dateTime('2026-11-28T07:00:00Z'), 'today, 09:00');
  assert.equal(dateTime('2026-11-28T22:30:00Z'), 'tomorrow, 00:30');
  assert.equal(dateTime('2026-11-27T21:59:00Z'), 'yesterday, 23:59');
  assert.equal(dateTime('2026-11-28T16:30:00Z', 'Asia/Hong_Kong'), 'today, 00:30');
  assert.equal(dateTime('2026-11-28T15:30:00Z', 'Asia/Hong_Kong'), 'yesterday, 23:30');
  assert.equal(day('2026-11-28T23:00:00Z'), day('2026-11-29T12:00:00Z'));
});

test('another date has its weekday, and its year when it is far away', async () => {
  at('2026-11-28T20:00:00Z');
  assert.match(dateTime('2026-12-24T07:00:00Z'), /^Thu,? 24 Dec, 09:00$/);
  assert.match(dateTime('2026-11-26T07:00:00Z'), /^Thu,? 26 Nov, 09:00$/);
  assert.match(dateTime('2027-12-24T07:00:00Z'), /^Fri,? 24 Dec 2027, 09:00$/);
  await inChinese(() => assert.match(dateTime('2026-12-24T07:00:00Z'), /^12月24日.*四 上午9:00$/));
});

test('dates and numbers are written as in the region of the device', () => {
  at('2026-11-28T20:00:00Z');
  inRegion('en-US', () => assert.match(dateTime('2026-12-24T07:00:00Z'), /^Thu, Dec 24, 9:00\sAM$/));
  inRegion('en-FI', () => assert.match(dateTime('2026-12-24T07:00:00Z'), /^Thu,? 24 Dec, 9\.00$/));
  inRegion('fi-FI', () => assert.equal(number(1.5, 1), '1,5'));
});

test('a name in Chinese characters has the surname first, in Chinese only', async () => {
  const [chan, bert] = [
    { firstName: '大文', lastName: '陳' },
    { firstName: 'Bert', lastName: 'Berg' },
  ];
  assert.equal(fullName(chan), '大文 陳');
  await inChinese(() => assert.deepEqual([chan, bert].map(fullName), ['陳大文', 'Bert Berg']));
});

test('a problem has our text, or the detail of the server', () => {
  assert.equal(tProblem({ code: 'no.such.code', status: 409, message: 'The detail.' }), 'The detail.');
  assert.equal(tProblem({ code: 'no.such.code', status: 503, message: 'x' }), t('problem.500'));
  assert.equal(tProblem({ code: 'no.such.code', status: 429, message: 'x' }), t('problem.429', { seconds: 60 }));
  assert.equal(
    tProblem({ code: 'account.session_ended', status: 401, message: 'x' }),
    t('problem.account.session_ended'),
  );
  assert.equal(
    tProblem({ code: 'booking.too_soon', status: 429, retryAfterSeconds: 4_800, message: 'x' }),
    'Several of your bookings weren’t paid in time. You can book again in 1 h 20 min.',
  );
  assert.equal(tProblem(new Error('x')), t('problem.unreachable'));
  navigator.onLine = false;
  assert.equal(tProblem(new Error('x')), t('problem.offline'));
  navigator.onLine = true;
});

test('a free reason is shown as it is', () => {
  assert.equal(reasonText({ reason: 'The road was closed.' }), 'The road was closed.');
  assert.equal(reasonText({ reason: null }), null);
});

test('a photo after the hand-over was taken before parking', () => {
  const order = { collectedAt: '2026-11-28T07:00:00Z' };
  assert.equal(photoMoment({ moment: 'handOver', takenAt: '2026-11-28T07:01:00Z' }, order), 'parking');
  assert.equal(photoMoment({ moment: 'handOver', takenAt: '2026-11-28T06:59:00Z' }, order), 'handOver');
  assert.equal(photoMoment({ moment: 'handOver', takenAt: '2026-11-28T07:01:00Z' }, {}), 'handOver');
  assert.equal(photoMoment({ moment: 'return', takenAt: '2026-11-28T09:00:00Z' }, order), 'return');
});
