import assert from 'node:assert/strict';
import test from 'node:test';
import { createBook } from '/apps/customer/park/book.js';
import { createFine } from '/apps/customer/park/fine.js';
import { createStays } from '/apps/customer/park/stays.js';
import { createAct } from '/apps/customer/shared/actions.js';
import { isOwed, owedBill } from '/apps/customer/shared/owed.js';
import { createCards } from '/apps/customer/shared/payment.js';
import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/shared/texts');
await loadTexts('/apps/shared/texts/car-parks');
await loadTexts('/apps/shared/texts/spots');
globalThis.requestAnimationFrame = () => 0;

const euros = (amount) => ({ amount, currency: 'EUR' });
const park = { id: 'p1', name: 'City Gate', timeZone: 'Europe/Malta', position: {}, products: [] };
const begun = '2026-12-01T09:00:00Z';

/** As the server has it, begun on another page or by a gate. */
const waiting = (bill) => ({
  id: 'pay1',
  bill,
  status: 'requiresAction',
  clientSecret: 'secret',
  amount: euros(400),
  brand: 'visa',
  last4: '3155',
});

/** The app with answers by path, to which the payment is continued at once; `posted` gets the paths. */
function appWith(answers) {
  const posted = [];
  const entry = (path) => ({ path, value: answers[path] ?? null, error: null });
  const app = {
    api: {
      account: { id: 'alice' },
      get: async (path) => answers[path],
      post: async (path) => {
        posted.push(path);
        return { payment: { id: 'pay1', status: 'succeeded', amount: euros(400) } };
      },
    },
    redraw() {},
    choose() {},
    choice: {},
    resources: { get: entry, list: entry, reload() {}, keep() {} },
  };
  return { app, posted };
}

const nodes = (view) =>
  [view]
    .flat(9)
    .filter(Boolean)
    .flatMap((node) => [node, ...nodes(node.childNodes ?? [])]);
const confirmButton = (view) =>
  nodes(view).find(({ nodeName, textContent }) => nodeName === 'button' && /^Confirm payment/.test(textContent));

/** Taps it, and waits for what it sends. */
async function confirm(view) {
  const button = confirmButton(view);
  assert.ok(button, 'the payment that waits is offered to confirm');
  button.listeners.click({ type: 'click', currentTarget: button });
  await new Promise(setImmediate);
}

const booking = {
  id: 'b1',
  status: 'held',
  holdExpiresAt: '2099-01-01T00:00:00Z',
  carPark: park,
  start: begun,
  end: '2026-12-01T11:00:00Z',
  vehicles: [{ id: 'v1', plate: 'ABC 123' }],
  lines: [],
  total: euros(400),
  cancellation: { freeUntilHours: 24, lateRefundPercent: 50 },
};

test('a booking continues its payment that waits', async () => {
  const bill = { total: euros(400), totalWithTax: euros(400), tax: null, payment: waiting('b1') };
  const answers = { '/v1/bookings/b1': booking, '/v1/bills/b1': bill };
  const { app, posted } = appWith(answers);
  const page = createBook(app);
  globalThis.location = { hash: '' };
  await confirm(page.pay({ id: 'b1' }).view);
  assert.deepEqual(posted, ['/v1/bills/b1/confirm']);
  answers['/v1/bills/b1'] = { ...bill, payment: null };
  assert.equal(confirmButton(createBook(app).pay({ id: 'b1' }).view), undefined);
});

test('a bill is owed once a card has failed to pay it, and not while one is being charged', () => {
  const bill = { id: 'bill1', total: euros(400), payment: null };
  for (const status of ['due', 'overdue']) {
    assert.ok(isOwed({ ...bill, status }));
    assert.ok(isOwed({ ...bill, status, payment: waiting('bill1') }));
    assert.ok(!isOwed({ ...bill, status, payment: { ...waiting('bill1'), status: 'processing' } }));
  }
  for (const other of [undefined, null, { ...bill, status: 'paid' }]) assert.ok(!isOwed(other));
});

test('a bill that a card failed to pay continues its payment that waits, but not that of another bill', async () => {
  const { app, posted } = appWith({});
  const screen = { cards: createCards(app), state: {} };
  screen.act = createAct(() => screen.state, { redraw() {} });
  const bill = { id: 'bill1', total: euros(400), totalWithTax: euros(472), payment: waiting('bill1') };
  const declined = 'Your card was declined: €4.72 is still due.';
  const told = (one) => nodes(owedBill(screen, one, 'spots.owed')).map(({ textContent }) => textContent);
  assert.ok(told({ ...bill, payment: null }).includes(declined));
  // The bank waits for the person and has declined nothing.
  assert.ok(!told(bill).includes(declined));
  const view = owedBill(screen, bill, 'spots.owed');
  await confirm(view);
  assert.deepEqual(posted, ['/v1/bills/bill1/confirm']);
  screen.state.payment = waiting('bill1');
  assert.ok(confirmButton(owedBill(screen, { ...bill, payment: null }, 'spots.owed')));
  assert.equal(confirmButton(owedBill(screen, { ...bill, id: 'bill2', payment: null }, 'spots.owed')), undefined);
});

const stay = { id: 's1', carPark: 'p1', plate: 'ABC 123', enteredAt: begun, due: null, isPaid: false, paidBills: [] };
const due = { lines: [], due: euros(400), secondsToLeave: 900 };
const duePath = '/v1/parking-sessions/s1/due';

test('a stay continues its payment that waits', async () => {
  const answers = { '/v1/me/parking-sessions': { items: [stay] }, [duePath]: { ...due, payment: waiting('bill1') } };
  const { app, posted } = appWith(answers);
  await confirm(createStays(app).draw().view);
  assert.deepEqual(posted, ['/v1/bills/bill1/confirm']);
  answers[duePath] = due;
  assert.equal(confirmButton(createStays(app).draw().view), undefined);
});

const fine = {
  id: 'f1',
  amount: euros(400),
  carPark: park,
  issuedAt: begun,
  photos: [],
  reference: 'B7K-42Q',
  status: 'upheld',
};

test('a fine continues its payment that waits', async () => {
  const answers = { '/v1/fines/f1': fine, '/v1/fines/f1/charge': { charge: euros(400), payment: waiting('bill2') } };
  const { app, posted } = appWith(answers);
  await confirm(createFine(app).draw({ id: 'f1' }).view);
  assert.deepEqual(posted, ['/v1/bills/bill2/confirm']);
  answers['/v1/fines/f1/charge'] = { charge: euros(400) };
  assert.equal(confirmButton(createFine(app).draw({ id: 'f1' }).view), undefined);
});
