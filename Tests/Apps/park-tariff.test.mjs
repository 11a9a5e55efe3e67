import assert from 'node:assert/strict';
import test from 'node:test';
import { changes, draftOf, newBand, newRates, parsed } from '/apps/operator/car-parks/tariff-draft.js';
import { bandPrice, daysText, tariffGroups } from '/apps/shared/park-tariff.js';
import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts(
  '/apps/shared/texts',
  '/apps/shared/texts/car-parks',
  '/apps/operator/texts',
  '/apps/operator/car-parks/texts',
);

const tariff = {
  version: 3,
  graceMinutes: 10,
  lostTicketPrice: 3_000,
  rates: [
    {
      classes: ['general'],
      first: [
        { minutes: 15, price: 0 },
        { minutes: 60, price: 200 },
      ],
      bands: [
        { from: '08:00', until: '20:00', price: 150, unitMinutes: 60, maximum: 900 },
        { name: 'Night', from: '20:00', until: '08:00', price: 400, days: ['monday', 'holiday'] },
      ],
      dailyMaximum: 1_200,
      events: [
        {
          name: 'Fair',
          from: '2026-05-01',
          until: '2026-05-02',
          bands: [{ from: '00:00', until: '24:00', price: 1_000 }],
        },
      ],
    },
  ],
};

test('a tariff is told in words', () => {
  const [usual, fair, rest] = tariffGroups(tariff, 'EUR', '2026-05-02');
  assert.deepEqual(usual.rows, [
    ['First 15 minutes', 'Free'],
    ['Next 60 minutes', '€2.00'],
    ['08:00–20:00', '€1.50 an hour, at most €9.00'],
    ['Night, Mon, holidays, 20:00–08:00', '€4.00 in total'],
    ['Daily maximum', '€12.00'],
  ]);
  assert.equal(usual.title, null);
  assert.match(fair.title, /^Fair, .*1.*2/);
  assert.deepEqual(fair.rows, [['All day', '€10.00 in total']]);
  assert.deepEqual(rest.rows[0], ['Lost ticket', '€30.00']);
  // It is over on the next day.
  assert.equal(tariffGroups(tariff, 'EUR', '2026-05-03').length, 2);
});

test('units of other lengths are told in minutes, and days as a range', () => {
  assert.equal(bandPrice({ price: 50, unitMinutes: 20 }, 'EUR'), '€0.50 per 20 minutes');
  assert.equal(bandPrice({ price: 0, unitMinutes: 20 }, 'EUR'), 'Free');
  assert.equal(daysText(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']), 'Mon–Fri');
  assert.equal(daysText(['saturday', 'sunday', 'holiday']), 'Sat, Sun, holidays');
  assert.equal(daysText(undefined), null);
});

test('a draft makes the tariff that it was made from', () => {
  const { body, errors } = parsed(draftOf(tariff, 'EUR'), 'EUR');
  assert.deepEqual(errors, {});
  const { version, ...same } = tariff;
  assert.deepEqual(body, same);
  assert.deepEqual(changes(tariff, body, 'EUR'), []);
});

test('fields that hold no number are named by their path', () => {
  const draft = draftOf(tariff, 'EUR');
  draft.rates[0].bands[1].price = 'four';
  draft.rates[0].first[0].minutes = '-1';
  draft.rates[0].dailyMaximum = '12,50';
  draft.graceMinutes = '';
  draft.rates.push(newRates(['electric']));
  const { body, errors } = parsed(draft, 'EUR');
  assert.deepEqual(Object.keys(errors).sort(), [
    'graceMinutes',
    'rates[0].bands[1].price',
    'rates[0].first[0].minutes',
    'rates[1].bands[0].price',
  ]);
  assert.equal(body.rates[0].dailyMaximum, 1_250);
  assert.equal(body.rates[1].bands[0].days, undefined);
  assert.equal(newBand().days.length, 7);
});

test('what changes is told before it is published', () => {
  const draft = draftOf(tariff, 'EUR');
  draft.rates[0].bands[0].price = '2';
  draft.rates[0].dailyMaximum = '';
  assert.deepEqual(changes(tariff, parsed(draft, 'EUR').body, 'EUR'), [
    '08:00–20:00: €1.50 an hour, at most €9.00 → €2.00 an hour, at most €9.00',
    'Daily maximum: €12.00 → –',
  ]);
});
