import assert from 'node:assert/strict';
import test from 'node:test';
import { leastBid } from '/apps/customer/spots/ask.js';
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
