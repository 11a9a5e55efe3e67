// The page for drivers without the app: they look their stay up by plate and time or by code, and pay by card.

import '/apps/shared/texts.js';
import { createApi, escaped } from '/apps/shared/api.js';
import { momentOf, wallTime } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { createForm } from '/apps/shared/forms.js';
import { loadTexts } from '/apps/shared/i18n.js';
import { run } from '/apps/shared/shell.js';
import { begun } from '/apps/shared/storage.js';
import { createFetched } from './fetched.js';
import { askedBy, codeOf, page } from './view.js';

await loadTexts('/apps/shared/texts/receipts');

const api = createApi('pay');
let redraw = () => {};
const later = () => redraw();
const resources = createFetched(api, later);

const HOUR = 3_600_000;
/** The receipt of this address, until the tab is closed. */
const PAID = `openvalet.pay.paid.${location.pathname}${location.search}`;
const query = new URLSearchParams(location.search);
const code = codeOf(location.pathname);
const state = {
  carParkId: query.get('carPark'),
  /** Whether the person types the ticket's code, and not plate and time. */
  how: code || !query.get('carPark') ? 'code' : 'plate',
  code: code ?? '',
  plate: '',
  email: '',
  /** By the car park's clock, once the person has typed it. */
  enteredAt: null,
  lookup: null,
  payment: null,
  /** The numbered receipt of the payment; null until it is loaded, and if the driver has it in their app. */
  document: null,
  /** Why the numbered receipt isn't there yet. */
  missing: null,
  /** The token of a payment that waits for the payer's confirmation. */
  token: null,
  isBusy: false,
  problem: null,
  cards: null,
  /** The reason of a declined card, in words. */
  declined: null,
  /** The card form can't be loaded. */
  isStuck: false,
  ...begun.recall(PAID),
};

/** The car park that the address names, which everybody may read. */
const carPark = () => (state.carParkId ? resources.get(escaped`/v1/car-parks/${state.carParkId}`).value : null);
const zone = () => carPark()?.timeZone;

/** An hour ago by the car park's clock, made once: what the person types stays. */
const suggested = { zone: '', wall: '' };
function enteredAt() {
  if (suggested.zone !== zone()) Object.assign(suggested, { zone: zone(), wall: wallTime(serverNow() - HOUR, zone()) });
  return suggested.wall;
}

const form = createForm(later);

async function lookUp(values) {
  const asked = askedBy(values, state, (wall) => new Date(momentOf(wall, zone())).toISOString());
  await loadCards();
  if (state.isStuck) return;
  Object.assign(state, { lookup: await api.post('/v1/parking/lookup', asked, { anonymous: true }), problem: null });
}

/** Browsers remember a module that failed to load, so only the page's reload tries again. */
async function loadCards() {
  if (state.cards) return;
  try {
    const { createCardForm, declined } = await import('/apps/shared/card-form.js');
    const amount = () => state.lookup?.due;
    state.cards = createCardForm({ api, resources, redraw: later, purpose: 'pay', amount });
    Object.assign(state, { declined, isStuck: false });
  } catch {
    state.isStuck = true;
  }
}

function send(lookup, token) {
  const body = { lookup: lookup.token, token, email: state.email.trim() || undefined };
  return api.post('/v1/parking/pay', body, { anonymous: true, timeout: 60_000 });
}

/** A repeat after a lost answer sends the same token, so nothing is charged twice. */
async function pay(event) {
  event.preventDefault();
  if (state.isBusy) return;
  const { lookup } = state;
  Object.assign(state, { isBusy: true, problem: null });
  later();
  try {
    state.token ??= await state.cards.token();
    let payment = await send(lookup, state.token);
    if (payment.status === 'requiresAction') {
      await state.cards.confirm(payment.clientSecret);
      payment = await send(lookup, state.token);
    }
    if (payment.status === 'succeeded') paid(payment);
    else state.problem = { code: 'payment.in_progress' };
  } catch (error) {
    state.problem = error;
    // Another card, or the same one typed again, is another token.
    if (error.status === 402 || error.status === 422 || error.code?.startsWith('card.')) state.token = null;
    if (['parking.lookup_expired', 'parking.payment_returned'].includes(error.code))
      Object.assign(state, { lookup: null, token: null });
  }
  state.isBusy = false;
  later();
}

function paid(payment) {
  state.payment = payment;
  keepPaid();
  loadReceipt();
}

function keepPaid() {
  const { payment, document } = state;
  const { token, isFine, lines, tax } = state.lookup;
  begun.remember(PAID, { payment, document, lookup: { token, isFine, lines, tax } });
}

async function loadReceipt() {
  const { payment, lookup, document } = state;
  const loaded = { document, missing: null };
  try {
    const asked = { lookup: lookup.token, bill: payment.bill };
    loaded.document = await api.post('/v1/parking/receipt', asked, { anonymous: true });
  } catch (error) {
    // One that is shown stays. A driver with an account has the receipt in their app.
    if (!document && error.code !== 'document.unknown') loaded.missing = error;
  }
  // Meanwhile they may pay for another vehicle.
  if (state.payment !== payment) return;
  Object.assign(state, loaded);
  keepPaid();
  later();
}

/** After a payment, it is another vehicle; before one, what was typed may be mended. */
function again() {
  if (state.payment) Object.assign(state, { plate: '', code: '', enteredAt: null });
  begun.remember(PAID, null);
  Object.assign(state, { lookup: null, payment: null, document: null, missing: null, token: null, problem: null });
  later();
}

redraw = run({
  app: 'pay',
  draw: () =>
    page({
      state,
      form,
      carPark: carPark(),
      company: resources.get('/v1/company').value,
      enteredAt: state.enteredAt ?? enteredAt(),
      submit: form.submit(lookUp),
      pay,
      again,
      loadReceipt,
      reload: () => location.reload(),
      redraw: later,
    }),
});
// It may have a credit note by now.
if (state.payment) loadReceipt();
