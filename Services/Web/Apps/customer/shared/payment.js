// Paying by card: the saved cards, adding one, paying once without saving one, confirming a payment, and why one
// failed. Loaded on demand, with its texts.

import { Offline, escaped } from '/apps/shared/api.js';
import { createCardForm, declined } from '/apps/shared/card-form.js';
import { cardText } from '/apps/shared/cards.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { loadTexts, money, t, tProblem } from '/apps/shared/i18n.js';
import { button, choices, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { createOnce, waitingPayment } from './once.js';
import { createPayOnce } from './pay-once.js';

await loadTexts('/apps/shared/texts/pay');

export const METHODS = '/v1/me/payment-methods';
const PROVIDER = '/v1/payment-provider';

/** The price has changed: the new one is loaded, and the person confirms it with another tap. */
export const isOtherPrice = (error) => error?.code === 'booking.price_changed';

/** Why a payment or action failed, with the bank's reason if there is one. */
export function refusal(error, ...more) {
  if (!error) return null;
  if (isOtherPrice(error)) return notice('warning', t('problem.booking.price_changed'));
  return notice('danger', error.code === 'payment.declined' ? declined(error) : tProblem(error), ...more);
}

/** Chosen in place of a saved card: a card or wallet that pays once. */
const ONCE = 'once';

/**
 * The card to pay with: `chosen()` is the id of a saved one, null if there is none; `view()` chooses another, or adds
 * one. With a price, `view(price)` also offers to pay once by card or wallet, which is not saved. `onchange` is called
 * when another card is chosen; `onproblem` gets the error of a card that can't be added, to show it elsewhere.
 *
 * `pay(path, body)` posts what pays with the chosen card, and completes it:
 * `complete(send)` sends a request that pays, lets the person confirm it if their bank asks for that, and repeats it;
 * it returns the last answer, in which the payment may still wait. `standing(payment, retry, refused)` shows how the
 * payment stands, and offers to go on with one that waits; `refused` is the error of the last try. `confirm({ bill })`
 * continues the payment of a bill that waits, with the card and the amount that it has, and
 * returns it.
 */
export function createCards(app, { onchange = () => {}, onproblem = null } = {}) {
  const { redraw, resources } = app;
  let method = null;
  let problem = null;
  const methods = () => resources.get(METHODS);
  const tell = onproblem ?? ((error) => (problem = error));
  let price = null;
  const once = createOnce(app.api);
  const payOnce = createPayOnce(app, () => price);
  const choose = (id) => {
    method = id;
    payOnce.forget();
    steps.reset();
    onchange();
  };
  const adding = createCardAdding(app, {
    tell,
    opened: () => method === ONCE && choose(null),
    added(card) {
      const entry = methods();
      if (entry.value && !entry.value.items.some(({ id }) => id === card.id))
        entry.value = { ...entry.value, items: [...entry.value.items, card] };
      choose(card.id);
    },
  });
  const steps = createSteps(app, adding.form);

  function chosen() {
    const items = methods().value?.items ?? [];
    if (method === ONCE || items.some(({ id }) => id === method)) return method;
    return (items.find(({ isExpired }) => !isExpired) ?? items[0])?.id ?? null;
  }

  /** The same for a repeat, which then pays nothing twice. */
  const means = async (path) =>
    chosen() === ONCE ? { token: await payOnce.token(path) } : { paymentMethodId: chosen() };

  async function pay(path, body = {}) {
    try {
      const answer = await steps.complete(async () => once(path, { ...body, ...(await means(path)) }));
      if (!waitingPayment(answer)) payOnce.reset();
      return answer;
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) payOnce.forget();
      throw error;
    }
  }

  const chooseOnce = (isShown) => {
    if (isShown) adding.close();
    choose(isShown ? ONCE : null);
    redraw();
  };

  function view(due = null) {
    price = due;
    if (!price && method === ONCE) method = null;
    const { value, error } = methods();
    if (!value) return error ? problemNotice(error, () => resources.reload(METHODS)) : skeleton(2);
    return h(
      'div',
      { class: 'stack tight', key: 'cards' },
      value.items.length
        ? choices({
            name: 'method',
            label: t('pay.card'),
            value: chosen(),
            options: value.items.map((card) => [card.id, cardLine(card)]),
            onchange: (id) => {
              choose(id);
              redraw();
            },
          })
        : h('p', { class: 'muted' }, t('pay.noCard')),
      price ? payOnce.view(method === ONCE, chooseOnce) : null,
      adding.view(!value.items.length && method !== ONCE),
      refusal(problem),
    );
  }

  return { chosen, pay, view, ...steps };
}

/** Confirming payments at the bank, with the card form `form`; all else as in `createCards`. */
export function createSteps({ api, redraw }, form) {
  let problem = null;
  let isConfirming = false;

  async function complete(send) {
    problem = null;
    const answer = await send();
    const payment = waitingPayment(answer);
    if (!payment || !(await isConfirmed(payment))) return answer;
    // The provider may have told the server already, so that nothing waits any more. However the payment has ended,
    // the repeated request says so, and the next one is another payment.
    const { status } = await proceed(payment).catch(() => ({ status: null }));
    return status === 'requiresAction' ? answer : send();
  }

  async function confirm({ bill }) {
    problem = null;
    const payment = await proceed({ bill });
    if (payment.status !== 'requiresAction' || !(await isConfirmed(payment))) return payment;
    return proceed({ bill });
  }

  const proceed = async ({ bill }) =>
    (await api.post(escaped`/v1/bills/${bill}/confirm`, undefined, { timeout: TIME_LIMIT })).payment;

  /** False if the person has not finished at their bank. */
  async function isConfirmed({ clientSecret }) {
    isConfirming = true;
    redraw();
    try {
      await form.confirm(clientSecret);
    } catch (error) {
      // The server knows whether a confirmation that failed declined the card.
      if (error.code !== 'card.unconfirmed') {
        problem = error;
        return false;
      }
    } finally {
      isConfirming = false;
    }
    return true;
  }

  function standing(payment, retry, refused = null, ...more) {
    const status = payment?.status;
    if (status === 'requiresAction') return [action(payment, retry), refusal(refused, ...more)];
    if (retry.isBusy) return processing();
    if (refused) return refusal(refused, ...more);
    if (status === 'processing') return processing();
    return status === 'succeeded' ? notice('success', t('pay.done')) : null;
  }

  const processing = () => h('p', { class: 'muted', key: 'step', role: 'status' }, t('pay.processing'));

  function action(payment, retry) {
    showOnce(`${api.account?.id} ${payment.id} ${problem?.code}`);
    return h(
      'div',
      { id: STEP, key: 'step' },
      notice(
        'warning',
        problem ? tProblem(problem) : t('pay.action'),
        payment.amount && payment.last4
          ? h('p', null, t('pay.action.what', { amount: money(payment.amount), card: cardText(payment) }))
          : null,
        button(t('pay.action.confirm'), { look: 'primary', ...retry, isBusy: retry.isBusy || isConfirming }),
      ),
    );
  }

  return { complete, confirm, standing, reset: () => (problem = null) };
}

/** How long a confirmation may take, in ms. */
const TIME_LIMIT = 40_000;
/** The element that asks to confirm a payment. */
const STEP = 'payment-step';
let shown = null;
/** Brings it into view when it appears. */
function showOnce(what) {
  if (shown === what) return;
  shown = what;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.getElementById(STEP)?.scrollIntoView({ block: 'center' })),
  );
}

const wallets = { apple_pay: 'Apple Pay', google_pay: 'Google Pay', link: 'Link' };
const two = (number) => String(number).padStart(2, '0');

/** The wallet, and the expiry date or that it is over; nothing if neither is known. */
export function cardMore({ expiryMonth, expiryYear, isExpired, wallet }) {
  const date = expiryMonth ? `${two(expiryMonth)}/${two(expiryYear % 100)}` : null;
  return [wallets[wallet], date && t(isExpired ? 'cards.expired' : 'cards.expires', { date })]
    .filter(Boolean)
    .join(' · ');
}
const cardLine = (card) => [cardText(card), cardMore(card)].filter(Boolean).join(' · ');

/**
 * Adding a card with the provider's form, and test cards with one tap if no money is charged. `added` gets the saved
 * card, `tell` the error of one that can't be saved. `form` is the card form; `opened` is called when it is opened, and
 * `close()` closes it.
 */
export function createCardAdding({ api, redraw, resources }, { added, opened = () => {}, tell }) {
  const form = createCardForm({ api, resources, redraw, purpose: 'save' });
  let isOpen = null;
  let busy = null;

  async function add(name, token) {
    if (busy) return;
    busy = name;
    tell(null);
    redraw();
    try {
      added(await api.post(METHODS, { token: await token() }));
      form.reset();
      isOpen = false;
    } catch (error) {
      tell(error);
    }
    busy = null;
    redraw();
  }

  const testCard = ({ token, outcome, brand, last4 }) =>
    button(t(`cards.${outcome}`, { card: cardText({ brand, last4 }) }), {
      key: token,
      isBusy: busy === token,
      onclick: () => add(token, async () => token),
    });

  function view(isFirst) {
    const { value, error } = resources.get(PROVIDER, { anonymous: true });
    const retry = button(t('card.retry'), { onclick: () => resources.reload(PROVIDER) });
    if (!value) return error ? notice('warning', t('cards.unknownProvider'), retry) : null;
    const isShown = isOpen ?? isFirst;
    return h(
      'details',
      {
        class: 'fold',
        key: 'add-card',
        open: isShown,
        ontoggle: ({ currentTarget }) => {
          if (currentTarget.open === isShown) return;
          isOpen = currentTarget.open;
          if (isOpen) opened();
          redraw();
        },
      },
      h('summary', null, t('cards.add'), icon('next')),
      isShown
        ? h(
            'div',
            { class: 'stack tight' },
            form.view(),
            button(t('cards.save'), {
              look: 'primary',
              key: 'save',
              isBusy: busy === 'form',
              onclick: () => add('form', form.token),
            }),
            value.provider === 'stub'
              ? [h('p', { class: 'muted small', key: 'tests' }, t('cards.stub')), value.testMethods.map(testCard)]
              : null,
          )
        : null,
    );
  }
  return { form, view, close: () => (isOpen = null) };
}
