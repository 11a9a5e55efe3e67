// What customers are told of an order, and of the price of cancelling it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { cancellation, isWaiting } from '/apps/customer/valet/order-actions.js';

const NOW = Date.parse('2026-11-28T09:00:00Z');
const assigned = (secondsAgo) => ({ assignedAt: new Date(NOW - secondsAgo * 1000).toISOString() });
const tariff = { cancellationGraceSeconds: 120, cancellationFee: 500, currency: 'EUR' };
const fee = { amount: 500, currency: 'EUR' };

test('cancelling is free until a valet is found, and for a while after', () => {
  assert.deepEqual(cancellation({ assignedAt: null }, tariff, NOW), { isFree: true, secondsFree: null, fee });
  assert.deepEqual(cancellation(assigned(30), tariff, NOW), { isFree: true, secondsFree: 90, fee });
  assert.deepEqual(cancellation(assigned(120), tariff, NOW), { isFree: false, secondsFree: 0, fee });
  assert.equal(cancellation(assigned(600), { ...tariff, cancellationFee: 0 }, NOW).isFree, true);
});

test('a fee that is unknown is not called free', () => {
  assert.deepEqual(cancellation(assigned(30), undefined, NOW), { isFree: false, secondsFree: null, fee: undefined });
});

test('an action waits for the network under the path of its order', () => {
  const app = { outbox: { items: [{ path: '/v1/orders/o1/recall' }] } };
  assert.ok(isWaiting(app, { id: 'o1' }, 'recall'));
  assert.ok(!isWaiting(app, { id: 'o1' }, 'cancel'));
  assert.ok(!isWaiting(app, { id: 'o2' }, 'recall'));
});
