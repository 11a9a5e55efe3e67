import assert from 'node:assert/strict';
import test from 'node:test';
import { createBooking } from '/apps/customer/park/booking.js';
import { createChange } from '/apps/customer/park/change.js';
import { createFine } from '/apps/customer/park/fine.js';
import { offerCard } from '/apps/customer/park/offer.js';
import { createStays } from '/apps/customer/park/stays.js';
import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/shared/texts');
await loadTexts('/apps/shared/texts/car-parks');

const euros = (amount) => ({ amount, currency: 'EUR' });
const taxed = { tax: euros(72), totalWithTax: euros(472) };
const cards = { items: [{ id: 'visa', brand: 'visa', last4: '4242', expiryMonth: 1, expiryYear: 2099 }] };
const park = { id: 'p1', name: 'City Gate', timeZone: 'Europe/Malta', position: {}, products: [] };

const textOf = (view) =>
  [view]
    .flat(9)
    .map((node) => node?.textContent ?? '')
    .join('|');

/** The element of this id. */
const find = (view, id) =>
  [view].flat(9).reduce((found, one) => {
    if (found || one?.attributes?.id === id) return found ?? one;
    return one?.childNodes?.length ? find(one.childNodes, id) : null;
  }, null);

/** The app with answers by path; what is sent goes to `sent`. */
function appWith(answers, sent = []) {
  const entry = (path) => ({ path, value: answers[path] ?? null, error: null });
  return {
    api: {
      account: { id: 'alice' },
      get: async (path) => answers[path],
      post: async (path, body) => {
        sent.push([path, body]);
        return answers[path];
      },
    },
    redraw() {},
    resources: {
      get: entry,
      list: entry,
      reload() {},
      keep: (path, value) => (answers[path] = value),
    },
  };
}

const booking = {
  id: 'b1',
  version: 1,
  carPark: park,
  product: { id: 'hour', kind: 'hourly', name: 'Hour' },
  class: 'general',
  start: '2026-12-01T09:00:00Z',
  end: '2026-12-01T11:00:00Z',
  quantity: 2,
  spaces: 1,
  vehicles: [{ id: 'v1', plate: 'ABC 123' }],
};

test('the price of a booking has the tax on top', () => {
  const quote = { start: booking.start, end: booking.end, lines: [], total: euros(400), ...taxed };
  const text = textOf(offerCard({}, { path: '/', quote, free: 3 }, park, 1));
  assert.match(text, /Tax€0\.72/);
  assert.match(text, /Total€4\.72/);
  const plain = textOf(
    offerCard({}, { path: '/', quote: { ...quote, tax: undefined, totalWithTax: euros(400) } }, park, 1),
  );
  assert.doesNotMatch(plain, /Tax/);
  assert.match(plain, /Total€4\.00/);
});

test('an extension costs its difference with tax', async () => {
  const app = appWith({
    '/v1/bookings/b1': booking,
    '/v1/me/payment-methods': cards,
    '/v1/bookings/b1/quote-extension': {
      end: '2026-12-01T12:00:00Z',
      lines: [],
      total: euros(800),
      difference: euros(400),
      tax: euros(72),
      differenceWithTax: euros(472),
    },
  });
  const screen = createChange(app);
  screen.extend({ id: 'b1' });
  await new Promise(setImmediate);
  const text = textOf(screen.extend({ id: 'b1' }).view);
  assert.match(text, /Difference€4\.00/);
  assert.match(text, /Tax€0\.72/);
  assert.match(text, /You pay €4\.72 more\./);
  assert.match(text, /Pay €4\.72 and save/);
});

test('a shorter booking tells what comes back with its tax', async () => {
  const answers = {
    '/v1/bookings/b1': booking,
    '/v1/me/payment-methods': cards,
    '/v1/bookings/b1/quote-change': {
      end: '2026-12-01T10:00:00Z',
      lines: [],
      total: euros(200),
      difference: euros(-200),
      tax: euros(-36),
      differenceWithTax: euros(-236),
    },
  };
  const screen = createChange(appWith(answers));
  screen.change({ id: 'b1' });
  const quantity = find(screen.change({ id: 'b1' }).view, 'quantity');
  quantity.listeners.change({ type: 'change', currentTarget: quantity, target: { value: '1' } });
  screen.change({ id: 'b1' });
  await new Promise(setImmediate);
  const text = textOf(screen.change({ id: 'b1' }).view);
  assert.match(text, /Difference-€2\.00/);
  assert.match(text, /Tax-€0\.36/);
  assert.match(text, /€2\.36/);
});

test('a booking shows what was really paid, and what came back', () => {
  const shown = (change) => {
    const one = {
      ...booking,
      cancellation: { freeUntilHours: 24, lateRefundPercent: 50 },
      lines: [],
      reference: 'B7K-42Q',
      status: 'completed',
      total: euros(400),
      ...change,
    };
    return textOf(createBooking(appWith({ '/v1/bookings/b1': one })).draw({ id: 'b1' }).view);
  };
  const paid = shown({ paid: euros(400), paidTax: euros(72) });
  assert.match(paid, /Tax€0\.72/);
  assert.match(paid, /Paid€4\.72/);
  assert.doesNotMatch(paid, /Refunded/);
  const back = shown({ paid: euros(200), paidTax: euros(36), refunded: euros(200), refundedTax: euros(36) });
  assert.match(back, /Tax€0\.72/);
  assert.match(back, /Paid€4\.72/);
  assert.match(back, /Refunded€2\.36/);
  const plain = shown({ paid: euros(200), refunded: euros(200) });
  assert.doesNotMatch(plain, /Tax/);
  assert.match(plain, /Paid€4\.00/);
  assert.match(plain, /Refunded€2\.00/);
});

const fine = {
  id: 'f1',
  amount: euros(400),
  carPark: park,
  issuedAt: booking.start,
  photos: [],
  reference: 'B7K-42Q',
  status: 'upheld',
};

test('a fine is paid with its tax, and leads to its own receipt', () => {
  const answers = { '/v1/fines/f1': fine, '/v1/me/payment-methods': cards };
  assert.doesNotMatch(textOf(createFine(appWith(answers)).draw({ id: 'f1' }).view), /Pay €/);
  answers['/v1/fines/f1/charge'] = { charge: euros(472), tax: euros(72) };
  const text = textOf(createFine(appWith(answers)).draw({ id: 'f1' }).view);
  assert.match(text, /Tax€0\.72/);
  assert.match(text, /Pay €4\.72/);
  answers['/v1/fines/f1'] = { ...fine, status: 'paid', paidAt: booking.end, paidBill: 'bill1' };
  assert.match(linksOf(createFine(appWith(answers)).draw({ id: 'f1' }).view), /#\/receipts\/bill\/bill1/);
  Object.assign(answers['/v1/fines/f1'], { refunded: euros(100), refundedTax: euros(18) });
  assert.match(textOf(createFine(appWith(answers)).draw({ id: 'f1' }).view), /Refunded€1\.18/);
});

const linksOf = (node) =>
  [node]
    .flat(9)
    .map((one) => `${one?.attributes?.href ?? ''} ${linksIn(one)}`)
    .join(' ');
const linksIn = (node) => (node?.childNodes?.length ? linksOf(node.childNodes) : '');

const stay = {
  id: 's1',
  carPark: 'p1',
  plate: 'ABC 123',
  enteredAt: booking.start,
  leftAt: null,
  booking: null,
  due: null,
  isPaid: false,
  secondsToLeave: 900,
  paidBills: [],
};

test('a stay is paid at the price with tax, or tells that nothing is due', () => {
  const answers = {
    '/v1/me/parking-sessions': { items: [stay] },
    '/v1/me/payment-methods': cards,
    '/v1/car-parks/p1': park,
    '/v1/parking-sessions/s1/due': {
      lines: [
        { kind: 'driveUp', text: 'Day', amount: euros(300), quantity: 2, unit: 'hours', unitPrice: euros(150) },
        { kind: 'earlier', text: 'Earlier parking', amount: euros(100) },
      ],
      due: euros(472),
      tax: euros(72),
      secondsToLeave: 900,
    },
  };
  const text = textOf(createStays(appWith(answers)).draw().view);
  assert.match(text, /Day · 2 hours × €1\.50€3\.00/);
  assert.match(text, /Earlier parking€1\.00/);
  assert.match(text, /Tax€0\.72/);
  assert.match(text, /Pay €4\.72/);
  answers['/v1/parking-sessions/s1/due'] = { lines: [], due: null, secondsToLeave: 900 };
  Object.assign(stay, { refunded: euros(100), refundedTax: euros(18) });
  const free = textOf(createStays(appWith(answers)).draw().view);
  assert.match(free, /There is nothing to pay\./);
  assert.match(free, /Refunded€1\.18/);
});

test('each payment of a stay leads to its receipt', () => {
  const items = [{ ...stay, leftAt: booking.end, isPaid: true, paidBills: ['bill1', 'bill2'] }];
  const links = linksOf(createStays(appWith({ '/v1/me/parking-sessions': { items } })).draw().view);
  assert.match(links, /receipts\/bill\/bill1/);
  assert.match(links, /receipts\/bill\/bill2/);
});
