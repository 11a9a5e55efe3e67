import assert from 'node:assert/strict';
import test from 'node:test';
import { cardMore, createCards } from '/apps/customer/shared/payment.js';
import { billEntry, chargeOf, taxRow } from '/apps/customer/shared/charge.js';
import { Offline } from '/apps/shared/api.js';
import { createOnce } from '/apps/customer/shared/once.js';
import { standing } from '/apps/customer/shared/bill-page.js';
import { createCardForm, declined, elementsOptions, expiryOf, groups, stubCard } from '/apps/shared/card-form.js';
import { errorOf, loadStripe } from '/apps/shared/stripe.js';
import { isLargeTip, isWrongTip, tipAmount } from '/apps/customer/valet/pay.js';
import { valetsOf } from '/apps/customer/valet/rating.js';

const euros = (amount) => ({ amount, currency: 'EUR' });

test('a tip is an exact share of the bill, or what was typed', () => {
  assert.equal(tipAmount({ tip: '0', own: '' }, euros(800)), 0);
  assert.equal(tipAmount({ tip: '5', own: '' }, euros(800)), 40);
  assert.equal(tipAmount({ tip: '10', own: '' }, euros(800)), 80);
  assert.equal(tipAmount({ tip: '15', own: '' }, euros(1_250)), 188, 'half a cent is rounded up');
  assert.equal(tipAmount({ tip: '10', own: '' }, { amount: 12_000, currency: 'HKD' }), 1_200);
  // Yen have no decimals.
  assert.equal(tipAmount({ tip: '10', own: '' }, { amount: 1_255, currency: 'JPY' }), 126);
  assert.equal(tipAmount({ tip: 'own', own: '200' }, { amount: 1_255, currency: 'JPY' }), 200);
  assert.equal(tipAmount({ tip: 'own', own: '2,50' }, euros(1_250)), 250);
  for (const own of ['', '-1', 'x']) assert.equal(tipAmount({ tip: 'own', own }, euros(1_250)), 0);
  assert.equal(tipAmount({ tip: 'own', own: '99999' }, euros(1_250)), 1_000_000);
});

test('a tip is an amount that a card can be charged', () => {
  const dinars = { amount: 1_230, currency: 'KWD' };
  assert.equal(tipAmount({ tip: '10', own: '' }, dinars), 120);
  assert.equal(tipAmount({ tip: '15', own: '' }, dinars), 180);
  assert.equal(tipAmount({ tip: 'own', own: '0.257' }, dinars), 260);
  assert.equal(tipAmount({ tip: '10', own: '' }, { amount: 12_500, currency: 'MGA' }), 1_300);
  // The server takes a million minor units of every currency.
  assert.ok(isWrongTip({ tip: 'own', own: '1001' }, dinars));
  assert.ok(!isWrongTip({ tip: 'own', own: '1000' }, dinars));
});

test('a tip that is no amount is refused, and more than half of the bill asks', () => {
  for (const own of ['-1', 'x', '1.2.3', '10001']) assert.ok(isWrongTip({ tip: 'own', own }, euros(800)), own);
  for (const own of ['', ' ', '0', '2,50', '10000']) assert.ok(!isWrongTip({ tip: 'own', own }, euros(800)), own);
  assert.ok(!isWrongTip({ tip: '10', own: 'x' }, euros(800)));
  assert.ok(!isLargeTip(400, euros(800)));
  assert.ok(isLargeTip(401, euros(800)));
});

test('a valet of both legs is rated once', () => {
  const [una, vic] = [{ id: 'una' }, { id: 'vic' }];
  assert.deepEqual(valetsOf({ dropOffValet: una, returnValet: vic }), [una, vic]);
  assert.deepEqual(valetsOf({ dropOffValet: una, returnValet: { id: 'una' } }), [una]);
  assert.deepEqual(valetsOf({ dropOffValet: null, returnValet: null }), []);
});

const appOf = (answers) => ({
  api: { account: { id: 'ada' } },
  redraw: () => {},
  resources: { get: (path) => answers[path] ?? { value: null } },
});

test('the first card that has not expired pays until another one is chosen', () => {
  const entry = { value: null };
  const cards = createCards(appOf({ '/v1/me/payment-methods': entry }));
  assert.equal(cards.chosen(), null);
  entry.value = { items: [{ id: 'a' }, { id: 'b' }] };
  assert.equal(cards.chosen(), 'a');
  entry.value = { items: [{ id: 'a', isExpired: true }, { id: 'b' }] };
  assert.equal(cards.chosen(), 'b');
  entry.value = { items: [{ id: 'a', isExpired: true }] };
  assert.equal(cards.chosen(), 'a');
});

test('a payment that needs no step is sent once', async () => {
  const cards = createCards(appOf({}));
  let sent = 0;
  const answer = await cards.complete(async () => ({ payment: { status: 'succeeded', at: ++sent } }));
  assert.deepEqual(answer, { payment: { status: 'succeeded', at: 1 } });
});

globalThis.requestAnimationFrame = () => 0;

/** With Stripe, whose script is there already, whose bank answers so, and of which the server then says so. */
function atBank(result, ...ends) {
  const script = `https://js.test/${Math.random()}`;
  const asked = [];
  const posted = [];
  document.head = {
    append(node) {
      globalThis.Stripe = () => ({
        handleNextAction: async ({ clientSecret }) => {
          asked.push(clientSecret);
          return result;
        },
      });
      node.onload();
    },
  };
  const provider = { value: { provider: 'stripe', publishableKey: 'pk_test_1', script, testMethods: [] } };
  const app = appOf({ '/v1/payment-provider': provider });
  app.api.post = async (path) => {
    posted.push(path);
    const end = ends.shift();
    if (end instanceof Error) throw end;
    return { payment: end };
  };
  return { asked, posted, cards: createCards(app) };
}
const waits = { id: 'p', bill: 'b', status: 'requiresAction', clientSecret: 'pi_1_secret' };
const waiting = { payment: waits };
const paid = { id: 'p', bill: 'b', status: 'succeeded' };
const refused = Object.assign(new Error('declined'), { code: 'payment.declined' });

test('a payment is confirmed at the bank, continued, and its request sent again', async () => {
  const { asked, cards, posted } = atBank({}, paid);
  const answers = [waiting, { payment: paid }];
  const answer = await cards.complete(async () => answers.shift());
  assert.deepEqual([asked, posted], [['pi_1_secret'], ['/v1/bills/b/confirm']]);
  assert.equal(answer.payment.status, 'succeeded');
});

test('the repeat says what became of a confirmation that failed, and ends its key', async () => {
  const error = { code: 'payment_intent_authentication_failure', type: 'invalid_request_error' };
  const { cards } = atBank({ error }, refused);
  let sent = 0;
  await assert.rejects(
    cards.complete(async () => {
      sent += 1;
      if (sent === 1) return waiting;
      throw refused;
    }),
    { code: 'payment.declined' },
  );
  assert.equal(sent, 2);
});

test('without a network the payment waits, and is not sent again', async () => {
  const { cards, posted } = atBank({ error: { type: 'api_connection_error' } });
  let sent = 0;
  const answer = await cards.complete(async () => {
    sent += 1;
    return waiting;
  });
  assert.deepEqual([sent, posted], [1, []]);
  assert.equal(answer.payment.status, 'requiresAction');
  assert.match(text(cards.standing(answer.payment, {})), /Confirm payment/);
});

/** What a person reads in a drawn part. */
const text = (node) =>
  [node]
    .flat(9)
    .map((one) => one?.textContent ?? '')
    .join(' ');

test('each pay sheet shows alike how a payment stands', () => {
  const { standing: shown } = createCards(appOf({}));
  const show = (payment, retry = {}, error = null) => text(shown(payment, retry, error));
  assert.equal(show(null), '');
  assert.match(show(null, { isBusy: true }), /processing/);
  assert.match(show({ status: 'processing' }), /processing/);
  assert.match(show({ status: 'succeeded' }), /Paid/);
  const poor = /not enough money/;
  const error = { code: 'payment.declined', body: { detail: 'insufficient_funds' } };
  assert.match(show(null, {}, error), poor);
  assert.doesNotMatch(show(null, { isBusy: true }, error), poor, 'the next try is on its way');
  assert.match(show(waits, {}, error), /Confirm payment/);
  assert.match(show(waits, {}, error), poor);
});

/** The built-in provider, with a card to pay once, whose server answers so. */
function atOnce(...answers) {
  const posted = [];
  const testMethods = [{ token: 'pm_card_visa', number: '4242424242424242', outcome: 'succeeds' }];
  const app = appOf({
    '/v1/me/payment-methods': { value: { items: [{ id: 'saved', brand: 'visa', last4: '4242' }] } },
    '/v1/payment-provider': { value: { provider: 'stub', testMethods } },
  });
  app.api.post = async (path, body, { key } = {}) => {
    posted.push({ path, body, key });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const cards = createCards(app);
  const draw = () => cards.view(euros(800));
  return { posted, cards, draw };
}
/** All elements of a drawn part of which `isWanted`. */
const all = (node, isWanted) => [
  ...(isWanted(node) ? [node] : []),
  ...node.childNodes.flatMap((one) => all(one, isWanted)),
];

function happen(node, type, more) {
  Object.assign(node, more);
  node.listeners[type]({ type, currentTarget: node, target: node });
}

function openOnce({ draw }) {
  const [fold] = all(draw(), (node) => node.nodeName === 'details' && text(node).includes('Pay once'));
  happen(fold, 'toggle', { open: true });
}

function typeCard({ draw }) {
  const values = ['4242 4242 4242 4242', '12/30', '123'];
  for (const input of all(draw(), ({ listeners }) => listeners.input))
    happen(input, 'input', { value: values.shift() });
}

test('a card pays once without being saved, and a lost answer is asked for with the same token', async () => {
  const page = atOnce(new Offline('lost'), { payment: paid }, { payment: paid });
  page.draw();
  assert.equal(page.cards.chosen(), 'saved');
  openOnce(page);
  typeCard(page);
  await assert.rejects(page.cards.pay('/v1/bills/b/pay'), Offline);
  typeCard(page);
  await page.cards.pay('/v1/bills/b/pay');
  const [one, two] = page.posted;
  assert.deepEqual(one.body, { token: 'pm_card_visa_exp_1230' });
  assert.deepEqual(one, two, 'the same body under the same key');
  // What was typed is forgotten: the next bill needs a card again.
  await assert.rejects(page.cards.pay('/v1/bills/c/pay'), { code: 'card.incomplete' });
  assert.equal(page.posted.length, 2);
});

test('paying once is offered only where there is a price, and a saved card pays as before', async () => {
  const page = atOnce({ payment: paid });
  openOnce(page);
  page.cards.view();
  assert.equal(page.cards.chosen(), 'saved');
  assert.ok(!text(page.cards.view()).includes('Pay once'));
  assert.ok(text(page.draw()).includes('Pay once'));
  await page.cards.pay('/v1/orders/o/pay', { tip: 100 });
  assert.deepEqual(page.posted[0].body, { tip: 100, paymentMethodId: 'saved' });
});

test("the form of an amount that isn't known yet makes a token as well", () => {
  const options = elementsOptions({ purpose: 'pay', price: { amount: 0, currency: 'EUR' } });
  assert.deepEqual([options.mode, options.currency, options.paymentMethodCreation], ['setup', 'eur', 'manual']);
});

test('a payment that waits is continued by its bill, with the bank only if it still asks', async () => {
  const one = atBank({}, waits, paid);
  assert.deepEqual(await one.cards.confirm({ bill: 'b' }), paid);
  assert.deepEqual([one.asked, one.posted.length], [['pi_1_secret'], 2]);
  // The bank's answer was there first.
  const two = atBank({}, paid);
  assert.deepEqual(await two.cards.confirm({ bill: 'b' }), paid);
  assert.deepEqual([two.asked, two.posted.length], [[], 1]);
  const three = atBank({}, refused);
  await assert.rejects(three.cards.confirm({ bill: 'b' }), { code: 'payment.declined' });
});

test('a request has the same key until its payment no longer waits', async () => {
  const keys = [];
  const answers = [waiting, { request: waiting }, { payment: paid }, { payment: paid }];
  const once = createOnce({
    post: async (_path, _body, { key }) => {
      keys.push(key);
      return answers.shift();
    },
  });
  for (const _ of [1, 2, 3, 4]) await once('/v1/bills/b/pay', { paymentMethodId: 'm' });
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[2]);
  answers.push(waiting, { payment: paid });
  await once('/v1/bills/b/pay', { paymentMethodId: 'm' });
  await once('/v1/bills/b/pay', { paymentMethodId: 'n' });
  assert.notEqual(keys[5], keys[4], 'another card is another payment');
});

test('a bill is shown once payments has what the product says', (t) => {
  const bills = { '/v1/bills/b': { error: { code: 'payment.bill_unknown' } } };
  const app = appOf(bills);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  app.resources.reload = (path) => asked.push(path);
  assert.deepEqual(billEntry(app, 'b', euros(800)), { value: null, error: null });
  billEntry(app, 'b', euros(800));
  t.mock.timers.tick(1_000);
  assert.deepEqual(asked, ['/v1/bills/b'], 'asked again once');
  // An earlier version, which named only the payer.
  bills['/v1/bills/b'] = { value: { total: euros(0) } };
  assert.deepEqual(billEntry(app, 'b', euros(800)), { value: null, error: null });
  t.mock.timers.tick(1_000);
  assert.equal(asked.length, 2);
  const value = { total: euros(800) };
  bills['/v1/bills/b'] = { value };
  assert.deepEqual(billEntry(app, 'b', euros(800)), { value, error: null });
  const error = { code: 'service.unavailable' };
  bills['/v1/bills/b'] = { error };
  assert.deepEqual(billEntry(app, 'b', euros(800)), { value: null, error });
  t.mock.timers.tick(1_000);
  assert.equal(asked.length, 2);
});

test('a bill comes to its lines with the tax on top of them', () => {
  const total = euros(10_000);
  assert.deepEqual(chargeOf({ total, tax: null, totalWithTax: total }), total);
  const taxed = { total, tax: euros(1_900), totalWithTax: euros(11_900) };
  assert.deepEqual(chargeOf(taxed), euros(11_900));
  assert.equal(taxRow({ tax: null })[1], null);
  assert.equal(taxRow(taxed)[1], '€19.00');
});

test('a script that is blocked says so, and is loaded anew the next time', async () => {
  let tries = 0;
  document.head = {
    append(node) {
      tries += 1;
      node.remove = () => {};
      delete globalThis.Stripe;
      node.onerror();
    },
  };
  const info = { script: 'https://js.test/blocked', publishableKey: 'pk_test_1' };
  for (const _ of [1, 2]) await assert.rejects(loadStripe(info), { code: 'card.blocked' });
  assert.equal(tries, 2);
});

test('a script that fails without a network says so', async (t) => {
  document.head = {
    append(node) {
      node.remove = () => {};
      node.onerror();
    },
  };
  t.after(() => (navigator.onLine = true));
  navigator.onLine = false;
  const info = { script: 'https://js.test/offline', publishableKey: 'pk_test_1' };
  await assert.rejects(loadStripe(info), { code: 'card.offline' });
});

test('a script that does not come is given up, as slow or as without a network', async (t) => {
  const removed = [];
  document.head = { append: (node) => (node.remove = () => removed.push(node.src)) };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => (navigator.onLine = true));
  for (const [isOnline, code] of [
    [true, 'card.slow'],
    [false, 'card.offline'],
  ]) {
    const script = `https://js.test/${code}`;
    const given = loadStripe({ script, publishableKey: 'pk_test_1' });
    navigator.onLine = isOnline;
    t.mock.timers.tick(60_000);
    await assert.rejects(given, { code });
    assert.equal(removed.pop(), script);
  }
});

test('a payment that is confirmed before the page knows the provider waits for it', async (t) => {
  const confirmed = [];
  t.after(() => delete globalThis.Stripe);
  document.head = {
    append(node) {
      globalThis.Stripe = () => ({
        async handleNextAction({ clientSecret }) {
          confirmed.push(clientSecret);
          return {};
        },
      });
      node.onload();
    },
  };
  const provider = { provider: 'stripe', script: 'https://js.test/late', publishableKey: 'pk_test_1' };
  const form = createCardForm({
    api: { get: async () => provider },
    resources: { get: () => ({ value: undefined, error: null }), reload() {} },
    redraw() {},
  });
  await form.confirm('secret_1');
  assert.deepEqual(confirmed, ['secret_1']);
});

test("errors of Stripe's form are told, unless they help a thief", () => {
  assert.equal(errorOf({ type: 'validation_error', code: 'incomplete_number' }).code, 'card.incomplete');
  assert.equal(errorOf({ type: 'api_connection_error' }).code, 'card.offline');
  assert.equal(errorOf({ type: 'invalid_request_error' }).code, 'card.failed');
  const poor = errorOf({ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' });
  assert.deepEqual([poor.code, poor.body.detail], ['payment.declined', 'insufficient_funds']);
  const kept = ['fraudulent', 'lost_card', 'restricted_card', 'security_violation', 'stolen_card', 'pickup_card'];
  for (const reason of kept)
    assert.equal(errorOf({ type: 'card_error', decline_code: reason }).body.detail, 'card_declined');
  assert.notEqual(declined({ body: { detail: 'incorrect_cvc' } }), declined({ body: { detail: 'card_declined' } }));
  assert.equal(declined({ body: { detail: 'unheard_of' } }), declined({ body: { detail: 'other' } }));
});

test("Stripe's form gets the price to pay, or is set up to save a card", () => {
  const pay = elementsOptions({ purpose: 'pay', price: { amount: 800, currency: 'EUR' } });
  assert.deepEqual([pay.mode, pay.amount, pay.currency], ['payment', 800, 'eur']);
  assert.equal(pay.paymentMethodCreation, 'manual');
  const save = elementsOptions({ purpose: 'save', price: null });
  assert.deepEqual([save.mode, save.amount], ['setup', undefined]);
  assert.deepEqual(save.paymentMethodTypes, ['card']);
});

test("Stripe's form counts amounts as Stripe does", () => {
  const decimals = { ISK: 2, UGX: 2, MGA: 0 };
  const priced = (amount, currency) => {
    const options = elementsOptions({ purpose: 'pay', price: { amount, currency }, decimals });
    return [options.amount, options.currency];
  };
  assert.deepEqual(priced(1_500, 'ISK'), [150_000, 'isk']);
  assert.deepEqual(priced(5_000, 'UGX'), [500_000, 'ugx']);
  assert.deepEqual(priced(12_300, 'MGA'), [123, 'mga']);
  assert.deepEqual(priced(1_230, 'KWD'), [1_230, 'kwd']);
  assert.deepEqual(priced(500, 'JPY'), [500, 'jpy']);
});

const NOW = Date.UTC(2026, 10, 30);

test('an expiry date is read as people write it', () => {
  for (const text of ['1/29', '01/29', '01 / 2029', '0129', '01-29']) assert.equal(expiryOf(text, NOW), '0129', text);
  assert.equal(expiryOf('11/26', NOW), '1126', 'the month is not over');
  for (const text of ['', '13/29', '00/29', '10/26', '1/1', 'x']) assert.equal(expiryOf(text, NOW), null, text);
});

test('a test number becomes a token, and anything else is refused at its field', () => {
  const methods = [{ token: 'pm_card_visa', number: '4242424242424242' }];
  const good = { number: '4242 4242 4242 4242', expiry: '12/30', code: '123' };
  assert.equal(stubCard(good, methods, NOW).token, 'pm_card_visa_exp_1230');
  const fields = (more) => Object.keys(stubCard({ ...good, ...more }, methods, NOW).errors ?? {});
  assert.deepEqual(fields({ number: '4111 1111 1111 1111' }), ['number']);
  assert.deepEqual(fields({ number: '4242' }), ['number']);
  assert.deepEqual(fields({ expiry: '12/20', code: '12' }), ['expiry', 'code']);
  assert.equal(groups('42424242 4242x4242'), '4242 4242 4242 4242');
});

test('a card shows its wallet and its expiry date', () => {
  assert.equal(cardMore({ expiryMonth: 7, expiryYear: 2029, wallet: 'apple_pay' }), 'Apple Pay · expires 07/29');
  assert.equal(cardMore({ expiryMonth: 7, expiryYear: 2020, isExpired: true }), 'expired 07/20');
  assert.equal(cardMore({}), '');
});

test('a bill stands as its payment does', () => {
  const bill = (status, payment) => standing({ status, payment: payment && { status: payment } });
  assert.equal(bill('due', 'requiresAction'), 'confirm');
  assert.equal(bill('due', 'processing'), 'processing');
  assert.equal(bill('due'), 'due');
  assert.equal(bill('overdue'), 'due');
  assert.equal(bill('paid', 'succeeded'), 'paid');
  assert.equal(bill('held', 'held'), 'held');
  assert.equal(bill('notDue'), 'nothing');
});
