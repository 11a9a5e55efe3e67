// The card form of all pages: Stripe's Payment Element, or with the built-in provider a form of the same shape for test
// cards. A card number never reaches our server: a form turns it into a token.

import { dialog } from './dialogs.js';
import { h, uuid } from './dom.js';
import { hasText, loadTexts, t, tProblem } from './i18n.js';
import { serverNow } from './clock.js';
import { cardError, errorOf, loadStripe, stripePrice } from './stripe.js';
import { button, field, notice, skeleton } from './ui.js';

await loadTexts('/apps/shared/texts/card');

const PROVIDER = '/v1/payment-provider';
const SETUP = '/v1/me/payment-methods/setup';
/** After so many ms without a form, the person is told that it takes long. */
const SLOW = 6_000;

/**
 * A card form. `view()` draws it, and loads the provider's script; `token()` returns the provider's token of what was
 * entered, and `confirm(clientSecret)` lets the person confirm a payment at their bank. Both throw an error with a
 * `code`: `card.closed` if the person closed their bank's window, `card.unconfirmed` if the confirmation failed,
 * `payment.declined`, or another `card.…`. With the purpose `save`, the token is of a card that was set up to be
 * charged in its holder's absence. `amount` is the price, or a function that returns it.
 */
export function createCardForm({ api, resources, redraw, purpose = 'pay', amount = null }) {
  const provider = () => resources.get(PROVIDER, { anonymous: true });
  const form = {
    api,
    redraw,
    purpose,
    provider,
    reload: () => resources.reload(PROVIDER),
    price: typeof amount === 'function' ? amount : () => amount,
    id: `card-${uuid()}`,
    stub: { number: '', expiry: '', code: '', errors: {} },
    stripe: null,
    elements: null,
    element: null,
    host: null,
    isReady: false,
    isSlow: false,
    problem: null,
  };
  // On a page that was just opened, its answer may still be on the way.
  const ask = async () => provider().value ?? api.get(PROVIDER, { anonymous: true });
  return {
    view: () => view(form),
    async token() {
      const known = await ask();
      return known.provider === 'stripe' ? stripeToken(form) : stubToken(form, known);
    },
    async confirm(clientSecret) {
      const known = await ask();
      if (known.provider === 'stripe') await stripeConfirm(form, known, clientSecret);
      else await stubConfirm(form, clientSecret);
    },
    /** Forgets what was typed. */
    reset() {
      form.stub = { number: '', expiry: '', code: '', errors: {} };
      drop(form);
    },
  };
}

function view(form) {
  const { value, error } = form.provider();
  const retry = () => button(t('card.retry'), { onclick: form.reload });
  if (!value) return error ? notice('warning', t('card.unknownProvider'), retry()) : skeleton(2);
  return value.provider === 'stripe' ? stripeView(form, value) : stubView(form);
}

/** Why a card was declined: the provider's reason, which is the problem's detail, in the person's language. */
export const declined = ({ body }) =>
  hasText(`declined.${body?.detail}`) ? t(`declined.${body.detail}`) : t('declined.other');

// MARK: Stripe

function stripeView(form, info) {
  queueMicrotask(() => mount(form, info));
  return h(
    'div',
    { class: 'card-form', key: form.id },
    form.problem
      ? notice('warning', tProblem(form.problem), button(t('card.retry'), { onclick: () => again(form) }))
      : form.isReady
        ? null
        : [skeleton(2), form.isSlow ? h('p', { class: 'muted small', role: 'status' }, t('card.takesLong')) : null],
    h('div', { id: form.id, key: 'element', class: 'card-form-element', keep: true }),
  );
}

function again(form) {
  drop(form);
  form.redraw();
}

function drop(form) {
  form.element?.destroy();
  Object.assign(form, { element: null, elements: null, host: null, isReady: false, isSlow: false, problem: null });
}

/** Options of Stripe's deferred flow: the payment or setup is created by the server later. */
export function elementsOptions({ purpose, price, currency = 'eur', decimals = null }) {
  const common = { paymentMethodTypes: ['card'], appearance: appearance() };
  const setup = { ...common, mode: 'setup', currency: (price?.currency ?? currency).toLowerCase() };
  if (purpose === 'save') return setup;
  const paying = { paymentMethodCreation: 'manual' };
  // What is due may be known only when it is paid.
  if (!price?.amount) return { ...setup, ...paying };
  return { ...common, ...paying, mode: 'payment', ...stripePrice(price, decimals), captureMethod: 'manual' };
}

/** Our colours, since the form's frame has none of our styles. */
function appearance() {
  if (typeof getComputedStyle !== 'function') return {};
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim() || undefined;
  const variables = {
    colorPrimary: colour('--accent'),
    colorBackground: colour('--surface'),
    colorText: colour('--text'),
    colorDanger: colour('--danger'),
  };
  return { variables: Object.fromEntries(Object.entries(variables).filter(([, value]) => value)) };
}

async function mount(form, info) {
  const node = document.getElementById(form.id);
  if (!node || form.problem) return;
  if (form.host === node) return update(form, info);
  // It was closed and opened again: an element can't be mounted twice.
  if (form.host) drop(form);
  form.host = node;
  const slow = setTimeout(() => {
    form.isSlow = true;
    form.redraw();
  }, SLOW);
  try {
    form.stripe ??= await loadStripe(info);
    if (form.host !== node) return;
    if (!form.element) create(form, info);
    form.element.mount(node);
  } catch (error) {
    fail(form, error);
  } finally {
    clearTimeout(slow);
  }
}

function create(form, { decimals }) {
  const { purpose } = form;
  form.elements = form.stripe.elements(elementsOptions({ purpose, price: form.price(), decimals }));
  form.element = form.elements.create('payment', { layout: 'tabs' });
  form.element.on('ready', () => {
    Object.assign(form, { isReady: true, isSlow: false });
    form.redraw();
  });
  form.element.on('loaderror', () => fail(form, cardError(navigator.onLine ? 'failed' : 'offline')));
}

function fail(form, error) {
  drop(form);
  form.problem = error.code?.startsWith('card.') ? error : cardError('failed');
  form.redraw();
}

/** Follows the price, for example with a tip. */
function update(form, { decimals }) {
  const price = form.price();
  if (form.purpose === 'save' || !form.elements || !price) return;
  form.elements.update(price.amount ? { mode: 'payment', ...stripePrice(price, decimals) } : { mode: 'setup' });
}

async function stripeToken(form) {
  const { api, elements, purpose, stripe } = form;
  if (!elements || !form.isReady) throw form.problem ?? cardError('slow');
  const checked = await elements.submit();
  if (checked.error) throw errorOf(checked.error);
  if (purpose !== 'save') {
    const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
    if (error) throw errorOf(error);
    return paymentMethod.id;
  }
  const { clientSecret } = await api.post(SETUP);
  const { error, setupIntent } = await stripe.confirmSetup({
    elements,
    clientSecret,
    confirmParams: { return_url: location.href },
    redirect: 'if_required',
  });
  if (error) throw unconfirmed(error);
  const { payment_method: method } = setupIntent;
  return typeof method === 'string' ? method : method.id;
}

async function stripeConfirm(form, info, clientSecret) {
  form.stripe ??= await loadStripe(info);
  const { error } = await form.stripe.handleNextAction({ clientSecret });
  if (error) throw unconfirmed(error);
}

const FAILED = new Set(['payment_intent_authentication_failure', 'setup_intent_authentication_failure']);
const unconfirmed = (error) => (FAILED.has(error.code) ? cardError('unconfirmed') : errorOf(error));

// MARK: The built-in provider

/** `4242424242424242` as `4242 4242 4242 4242`. */
export const groups = (text) =>
  text
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');

/** `0129`, `1/29` or `01 / 2029` as `0129`; null for what is no month, or is over. */
export function expiryOf(text, now = serverNow()) {
  const parts = text.trim().match(/^(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})$/) ?? text.trim().match(/^(\d{2})(\d{2})$/);
  if (!parts) return null;
  const [month, year] = [Number(parts[1]), 2_000 + Number(parts[2])];
  if (month < 1 || month > 12 || Date.UTC(year, month, 1) <= now) return null;
  return String(month).padStart(2, '0') + parts[2];
}

/** The token of a test card, or the errors by field. */
export function stubCard({ number, expiry, code }, methods, now) {
  const digits = number.replace(/\D/g, '');
  const method = methods.find((one) => one.number === digits);
  const month = expiryOf(expiry, now);
  const errors = {
    number: digits.length < 12 ? 'card.incomplete.number' : method ? null : 'card.unknownTest',
    expiry: month ? null : 'card.incomplete.expiry',
    code: /^\d{3,4}$/.test(code.trim()) ? null : 'card.incomplete.code',
  };
  const wrong = Object.entries(errors).filter(([, text]) => text);
  if (wrong.length) return { errors: Object.fromEntries(wrong) };
  return { method, token: `${method.token}_exp_${month}` };
}

function stubView(form) {
  const { stub } = form;
  const set = (name, value) => {
    stub[name] = value;
    stub.errors = { ...stub.errors, [name]: null };
  };
  const input = (name, props) =>
    field({
      id: `${form.id}-${name}`,
      label: t(`card.${name}`),
      inputmode: 'numeric',
      value: stub[name],
      error: stub.errors[name] ? t(stub.errors[name]) : null,
      ...props,
      oninput: ({ target }) => set(name, target.value),
    });
  return h(
    'div',
    { class: 'card-form stack tight', key: form.id },
    h('p', { class: 'muted small' }, t('card.test')),
    input('number', {
      autocomplete: 'cc-number',
      placeholder: '4242 4242 4242 4242',
      maxlength: 24,
      onchange: ({ target }) => (target.value = stub.number = groups(target.value)),
    }),
    h(
      'div',
      { class: 'card-form-pair' },
      input('expiry', { autocomplete: 'cc-exp', placeholder: t('card.expiry.example'), maxlength: 9 }),
      input('code', { autocomplete: 'cc-csc', placeholder: '123', maxlength: 4 }),
    ),
  );
}

async function stubToken(form, { testMethods }) {
  const { stub } = form;
  const { errors, method, token } = stubCard(stub, testMethods, serverNow());
  if (errors) {
    stub.errors = errors;
    form.redraw();
    throw cardError('incomplete');
  }
  if (form.purpose !== 'save') return token;
  const { clientSecret } = await form.api.post(SETUP);
  if (method.outcome === 'requiresAction') await stubConfirm(form, clientSecret);
  return token;
}

/** In place of the bank's window. A setup has nothing to record: its card is not saved if it fails. */
async function stubConfirm({ api }, clientSecret) {
  const isConfirmed = await dialog(t('card.bank'), (close) => [
    h('p', null, t('card.bank.lead')),
    h(
      'div',
      { class: 'actions' },
      button(t('card.bank.fail'), { onclick: () => close(false) }),
      button(t('card.bank.complete'), { look: 'primary', onclick: () => close(true) }),
    ),
  ]);
  if (isConfirmed === undefined) throw cardError('closed');
  if (!clientSecret.startsWith('stub_setup_'))
    await api.post('/v1/payment-provider/confirmations', { clientSecret, isConfirmed }, { anonymous: true });
  if (!isConfirmed) throw cardError('unconfirmed');
}
