import assert from 'node:assert/strict';
import test from 'node:test';
import { minuteOf, withDay } from '/apps/customer/spots/alert-editor.js';
import { hourOf } from '/apps/customer/spots/alerts.js';
import { leastBid } from '/apps/customer/spots/ask.js';
import { choose, newChoice } from '/apps/customer/spots/sell-offer.js';
import { isReserved } from '/apps/customer/spots/status.js';

test('the highest bidder raises their own maximum, others bid what comes next', () => {
  const next = { amount: 600, currency: 'EUR' };
  const own = { maximum: { amount: 900, currency: 'EUR' } };
  assert.equal(leastBid({ leading: false, next }, null), 600);
  assert.equal(leastBid({ leading: false, next }, own), 600);
  assert.equal(leastBid({ leading: true, next }, own), 901);
  assert.equal(leastBid({ leading: true, next }, null), 600);
});

test('a spot is reserved for those who see its reservation', () => {
  assert.equal(isReserved({ status: 'reserved', reservation: {} }), true);
  assert.equal(isReserved({ status: 'reserved', reservation: null }), false);
  assert.equal(isReserved({ status: 'handedOver', reservation: {} }), false);
  assert.equal(isReserved(undefined), false);
});

test('an auction closes before the seller leaves', () => {
  const page = { choice: newChoice(), app: { redraw: () => {} } };
  choose(page, { sale: 'auction', closing: 10 });
  assert.deepEqual(page.choice, { sale: 'auction', leaving: 10, closing: 10 });
  choose(page, { leaving: 5 });
  assert.equal(page.choice.closing, 5);
  choose(page, { leaving: 60 });
  assert.equal(page.choice.closing, 5);
});

test('the days of an alert stay in the order of the week', () => {
  assert.deepEqual(withDay(['friday'], 'monday', true), ['monday', 'friday']);
  assert.deepEqual(withDay(['monday', 'friday'], 'monday', false), ['friday']);
});

test('the hours of an alert are minutes of the day', () => {
  assert.equal(minuteOf('07:05'), 425);
  assert.equal(hourOf(425), '07:05');
  assert.equal(hourOf(1_440), '24:00');
});
