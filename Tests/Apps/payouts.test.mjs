import assert from 'node:assert/strict';
import test from 'node:test';
import { createPayouts, nextStep, problemText } from '/apps/shared/payouts.js';
import { minimumsText, parseMinimums, scheduleOf, scheduleText } from '/apps/operator/payout-rules.js';
import { stateOf } from '/apps/operator/payouts.js';
import { loadTexts } from '/apps/shared/i18n.js';

const turn = () => new Promise(setImmediate);
const euros = (amount) => ({ amount, currency: 'EUR' });
const account = (status, requirements = []) => ({
  status,
  requirements,
  last4: null,
  country: null,
  hasDashboard: false,
});

/** Screens over an API with these answers; `calls` has what was asked. */
function screens(answers) {
  const calls = [];
  const answer = (method) => async (path, body) => {
    calls.push([method, path, body]);
    const found = answers[`${method} ${path}`];
    if (found instanceof Error) throw found;
    return found;
  };
  const api = { get: answer('GET'), post: answer('POST'), put: answer('PUT') };
  const opened = [];
  const payouts = createPayouts({
    api,
    redraw: () => {},
    back: '/menu',
    app: 'customer',
    open: (url) => opened.push(url),
  });
  return { payouts, calls, opened };
}

const answers = (status, { balance = [], payouts = [], requirements = [] } = {}) => ({
  'GET /v1/me/payout-account': account(status, requirements),
  'GET /v1/me/balance': { currencies: balance },
  'GET /v1/me/payouts?limit=20': { items: payouts, next: null },
  'GET /v1/payment-provider': { provider: 'stub' },
});

async function text({ payouts }, step) {
  payouts.draw({ step });
  await turn();
  const { view } = payouts.draw({ step });
  return [view]
    .flat(3)
    .map((node) => node?.textContent ?? '')
    .join(' ');
}

/** The buttons of a drawn screen, by their text. */
function buttons(node, found = {}) {
  if (node?.nodeName === 'button') found[node.textContent] = node;
  for (const child of [node?.childNodes ?? (Array.isArray(node) ? node : [])].flat()) buttons(child, found);
  return found;
}

test('each state of the account has its next step', () => {
  assert.equal(nextStep(account('none')), 'payouts.setUp');
  assert.equal(nextStep(account('pending', [{ kind: 'bankAccount' }])), 'payouts.continue');
  assert.equal(nextStep(account('pending')), null);
  assert.equal(nextStep(account('restricted', [{ kind: 'terms' }])), 'payouts.add');
  assert.equal(nextStep(account('restricted')), 'payouts.add');
  assert.equal(nextStep(account('enabled')), null);
  assert.equal(nextStep(account('enabled', [{ kind: 'idNumber' }])), 'payouts.add');
});

test('a failed payout says why in words, also for a reason of a later server', () => {
  assert.equal(problemText({ status: 'paid', problem: null }), null);
  assert.match(problemText({ status: 'failed', problem: 'bankRefused' }), /Your bank refused it/);
  assert.match(problemText({ status: 'failed', problem: 'somethingNew' }), /refused it. Try again tomorrow/);
});

test('who has nothing is told so, and sees no currency', async () => {
  const seen = await text(screens(answers('none')));
  assert.match(seen, /Nothing to pay out yet/);
  assert.match(seen, /Set up payouts/);
  assert.doesNotMatch(seen, /XXX/);
});

test('a balance shows what is held back, what comes next and what is too little', async () => {
  const seen = await text(
    screens(
      answers('enabled', {
        balance: [
          {
            available: euros(5_000),
            pending: euros(100),
            frozen: euros(250),
            minimum: euros(1_000),
            next: { at: '2026-11-30T04:00:00Z', amount: euros(5_000) },
          },
          { available: euros(900), pending: euros(0), minimum: euros(2_000), next: null },
          { available: euros(-300), pending: euros(0), minimum: euros(1_000), next: null },
        ],
      }),
    ),
  );
  for (const part of ['€50.00', '€1.00', 'Held back while a payment is disputed', '€2.50', 'Next payout'])
    assert.ok(seen.includes(part), part);
  assert.match(seen, /The minimum payout is €20\.00/);
  assert.match(seen, /We’ll deduct €3\.00/);
});

test('who comes back from the provider is told what came of it', async () => {
  assert.match(await text(screens(answers('enabled')), 'return'), /You can be paid out now/);
  assert.match(await text(screens(answers('pending')), 'return'), /is checking your details/);
  const missing = [{ kind: 'bankAccount', dueAt: null, isOverdue: false }];
  assert.match(
    await text(screens(answers('pending', { requirements: missing })), 'return'),
    /You can continue whenever you like/,
  );
  const overdue = [{ kind: 'aNewKind', dueAt: '2026-11-30T04:00:00Z', isOverdue: true }];
  const seen = await text(screens(answers('restricted', { requirements: overdue })), 'return');
  assert.match(seen, /Some details are still missing/);
  assert.match(seen, /Further details.*Overdue/);
  assert.match(await text(screens(answers('pending')), 'refresh'), /That page has expired/);
});

test('the next step opens the page of the provider', async () => {
  const one = screens({
    ...answers('none'),
    'POST /v1/me/payout-account/onboarding': { url: 'https://connect.example/setup', expiresAt: null },
  });
  await text(one);
  const setUp = buttons(one.payouts.draw().view)['Set up payouts'];
  setUp.listeners.click({ type: 'click', currentTarget: setUp });
  await turn();
  assert.deepEqual(one.opened, ['https://connect.example/setup']);
  assert.deepEqual(one.calls.at(-1), ['POST', '/v1/me/payout-account/onboarding', { app: 'customer' }]);
});

const ONBOARDING = 'POST /v1/me/payout-account/onboarding';
const onboarded = { [ONBOARDING]: { url: 'https://connect.example/setup', expiresAt: null } };
const press = (page, name) => {
  const button = buttons(page.payouts.draw().view)[name];
  button.listeners.click({ type: 'click', currentTarget: button });
  return turn();
};

test("an account at Stripe is opened in the company's country, or in another one", async () => {
  const atStripe = { ...answers('none'), ...onboarded, 'GET /v1/payment-provider': { provider: 'stripe' } };
  const one = screens({ ...atStripe, 'GET /v1/company': { country: 'FI' } });
  assert.match(await text(one), /Country/);
  await press(one, 'Set up payouts');
  assert.deepEqual(one.calls.at(-1)[2], { app: 'customer', country: 'FI' });
  const [field] = selects(one.payouts.draw().view);
  Object.assign(field, { value: 'SE' });
  field.listeners.change({ type: 'change', currentTarget: field, target: field });
  await press(one, 'Set up payouts');
  assert.deepEqual(one.calls.at(-1)[2], { app: 'customer', country: 'SE' });
  // No company yet: the person's own.
  const other = screens({ ...atStripe, 'GET /v1/company': { country: null } });
  await text(other);
  await press(other, 'Set up payouts');
  assert.equal(other.calls.at(-1)[2].country, 'IE');
});

function selects(node, found = []) {
  if (node?.nodeName === 'select') found.push(node);
  for (const child of [node?.childNodes ?? (Array.isArray(node) ? node : [])].flat()) selects(child, found);
  return found;
}

test('an expired page of the provider is followed by another one, once and without a tap', async () => {
  const missing = [{ kind: 'bankAccount', dueAt: null, isOverdue: false }];
  const one = screens({ ...answers('pending', { requirements: missing }), ...onboarded });
  await text(one, 'refresh');
  await turn();
  one.payouts.draw({ step: 'refresh' });
  await turn();
  assert.deepEqual(one.opened, ['https://connect.example/setup']);
  // The next one may expire as well.
  one.payouts.draw();
  one.payouts.draw({ step: 'refresh' });
  await turn();
  assert.equal(one.opened.length, 2);
  const done = screens({ ...answers('enabled'), ...onboarded });
  await text(done, 'refresh');
  await turn();
  assert.deepEqual(done.opened, []);
  const failed = screens({
    ...answers('pending', { requirements: missing }),
    [ONBOARDING]: Object.assign(new Error('gone'), { code: 'payment.provider_unavailable' }),
  });
  await text(failed, 'refresh');
  await turn();
  failed.payouts.draw({ step: 'refresh' });
  await turn();
  const sent = failed.calls.filter(([method]) => method === 'POST');
  assert.equal(sent.length, 1);
  assert.ok(buttons(failed.payouts.draw({ step: 'refresh' }).view).Continue);
});

test('minimums are written one per line, in the units of their currency', () => {
  const minimums = [euros(2_050), { amount: 1_500, currency: 'JPY' }, { amount: 1_500, currency: 'KWD' }];
  assert.equal(minimumsText(minimums), 'EUR 20.5\nJPY 1500\nKWD 1.5');
  assert.deepEqual(parseMinimums(minimumsText(minimums)), minimums);
  assert.deepEqual(parseMinimums(' eur 20,50 \n\n'), [euros(2_050)]);
  assert.deepEqual(parseMinimums(''), []);
  for (const wrong of ['EUR', '20 EUR', 'EUR 0', 'EUR -1', 'EUR 1.005', 'JPY 1.5', 'EUR 1e3'])
    assert.equal(parseMinimums(wrong), null, wrong);
});

test('a schedule has the day of its interval only', () => {
  assert.deepEqual(scheduleOf({ interval: 'none', weekday: '1', day: '2' }), { interval: 'none' });
  assert.deepEqual(scheduleOf({ interval: 'weekly', weekday: '7' }), { interval: 'weekly', weekday: 7 });
  assert.deepEqual(scheduleOf({ interval: 'monthly', day: '28' }), { interval: 'monthly', day: 28 });
});

test('an operator reads schedules and the reasons of failed payouts in words', async () => {
  await loadTexts('/apps/shared/texts', '/apps/operator/texts');
  assert.equal(scheduleText({ interval: 'weekly', weekday: 5 }), 'Every week · Friday');
  assert.equal(scheduleText({ interval: 'monthly', day: 28 }), 'Every month · day 28');
  assert.equal(scheduleText({ interval: 'none' }), 'Only when people ask');
  assert.equal(stateOf({ status: 'paid', problem: null, reason: null }).textContent, 'Paid');
  assert.equal(
    stateOf({ status: 'failed', problem: 'bankAccountClosed', reason: 'account_closed' }).textContent,
    'Failed The bank account is closed or doesn’t exist. account_closed',
  );
  assert.match(stateOf({ status: 'failed', problem: 'somethingNew' }).textContent, /The payment provider refused it/);
});
