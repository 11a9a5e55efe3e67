import assert from 'node:assert/strict';
import test from 'node:test';
import { createCards } from '/apps/customer/shared/payment.js';
import { tipAmount } from '/apps/customer/valet/pay.js';
import { valetsOf } from '/apps/customer/valet/rating.js';

test('a tip is a share in whole units of the currency, or what was typed', () => {
  const euros = (amount) => ({ amount, currency: 'EUR' });
  assert.equal(tipAmount({ tip: '0', own: '' }, euros(1_250)), 0);
  assert.equal(tipAmount({ tip: '10', own: '' }, euros(1_250)), 100);
  assert.equal(tipAmount({ tip: '15', own: '' }, euros(1_250)), 200);
  assert.equal(tipAmount({ tip: '10', own: '' }, { amount: 1_250, currency: 'JPY' }), 125);
  assert.equal(tipAmount({ tip: 'own', own: '2,50' }, euros(1_250)), 250);
  for (const own of ['', '-1', 'x']) assert.equal(tipAmount({ tip: 'own', own }, euros(1_250)), 0);
  assert.equal(tipAmount({ tip: 'own', own: '99999' }, euros(1_250)), 1_000_000);
});

test('a valet of both legs is rated once', () => {
  const [una, vic] = [{ id: 'una' }, { id: 'vic' }];
  assert.deepEqual(valetsOf({ dropOffValet: una, returnValet: vic }), [una, vic]);
  assert.deepEqual(valetsOf({ dropOffValet: una, returnValet: { id: 'una' } }), [una]);
  assert.deepEqual(valetsOf({ dropOffValet: null, returnValet: null }), []);
});

test('the first card pays until another one is chosen', () => {
  const entry = { value: null };
  const cards = createCards({ api: null, redraw: () => {}, resources: { get: () => entry } });
  assert.equal(cards.chosen(), null);
  entry.value = { items: [{ id: 'a' }, { id: 'b' }] };
  assert.equal(cards.chosen(), 'a');
});
