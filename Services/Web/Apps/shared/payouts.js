// Payouts of sellers, drivers and valets: the account and what it still needs, balances, and the history. Loaded on
// demand, with its texts.

import { Offline, withQuery } from './api.js';
import { countryOptions } from './countries.js';
import { h, uuid } from './dom.js';
import { dateTime, format, hasText, loadTexts, money, region, t } from './i18n.js';
import { icon } from './icons.js';
import { go, screen } from './shell.js';
import { badge, button, choices, empty, facts, notice, problemNotice, select, skeleton, toast, toggle } from './ui.js';

await loadTexts('/apps/shared/texts/payouts');

const ACCOUNT = '/v1/me/payout-account';
const TONES = { paid: 'success', failed: 'danger', processing: 'warning' };
/** Test bank accounts with the built-in provider: number and text. */
const BANKS = [
  ['000123456789', 'payouts.test.good'],
  ['000111111113', 'payouts.test.closed'],
];

const nothing = () => ({
  account: null,
  balance: null,
  payouts: null,
  country: null,
  problem: null,
  isLoading: false,
});

/**
 * The screens at `/payouts`, with `return` and `refresh`, to which the provider's page leads back, and `test`, the page
 * of the built-in provider. `open` leaves for an address of the provider.
 */
export function createPayouts({ api, redraw, back, app, open = (url) => location.assign(url) }) {
  /**
   * `turn` counts the loads: an answer to an earlier one is ignored. `country` is that of an account to be opened, null
   * where the provider needs none; `step` is the last one drawn.
   */
  const payouts = {
    ...nothing(),
    api,
    redraw,
    back,
    app,
    open,
    turn: 0,
    busy: null,
    refusal: null,
    wish: null,
    step: '',
    test: { bank: BANKS[0][0], isIdentified: true },
  };
  return {
    draw: ({ step = '' } = {}) => draw(payouts, step),
    /** Makes the screen load again when it is next opened. */
    reset: () => Object.assign(payouts, { turn: payouts.turn + 1, ...nothing(), refusal: null }),
    /** Loads again what may have changed, and shows the last state meanwhile. */
    reload: () => load(payouts),
  };
}

// MARK: Loading and acting

async function load(payouts) {
  const mine = (payouts.turn += 1);
  Object.assign(payouts, { problem: null, isLoading: true });
  try {
    const { api } = payouts;
    const [account, balance, list] = await Promise.all([
      api.get(ACCOUNT),
      api.get('/v1/me/balance'),
      api.get('/v1/me/payouts?limit=20'),
    ]);
    const country = account.status === 'none' ? (payouts.country ?? (await ownCountry(api))) : null;
    if (mine !== payouts.turn) return;
    Object.assign(payouts, { account, balance, country, payouts: list });
  } catch (error) {
    if (mine !== payouts.turn) return;
    payouts.problem = error;
  }
  payouts.isLoading = false;
  payouts.redraw();
}

/** Stripe can't change an account's country later. It is mostly the company's. */
async function ownCountry(api) {
  const { provider } = await api.get('/v1/payment-provider', { anonymous: true });
  if (provider !== 'stripe') return null;
  const { country } = await api.get('/v1/company', { anonymous: true });
  return country ?? region();
}

async function more(payouts) {
  await act(payouts, 'more', async () => {
    const { items, next } = payouts.payouts;
    const page = await payouts.api.get(withQuery('/v1/me/payouts', { limit: 20, after: next }));
    payouts.payouts = { items: [...items, ...page.items], next: page.next };
  });
}

/** Runs one action at a time; a problem is shown beside it. */
async function act(payouts, name, task) {
  if (payouts.busy) return;
  Object.assign(payouts, { busy: name, refusal: null });
  payouts.redraw();
  try {
    await task();
  } catch (error) {
    payouts.refusal = { name, error };
  }
  payouts.busy = null;
  payouts.redraw();
}

/** A payout whose answer was lost is asked for again with the same key. */
async function payOut(payouts, { currency }) {
  await act(payouts, currency, async () => {
    if (payouts.wish?.currency !== currency) payouts.wish = { currency, key: uuid() };
    try {
      const made = await payouts.api.post('/v1/me/payouts', { currency }, { key: payouts.wish.key, timeout: 40_000 });
      payouts.wish = null;
      if (made.status === 'failed') toast(t('payouts.failedNow'), 'danger');
      else toast(t('payouts.done'), 'success');
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) payouts.wish = null;
      throw error;
    } finally {
      load(payouts);
    }
  });
}

/** Follows the provider's link; one within the app begins with `#`. */
const follow = (payouts, { url }) => (url.startsWith('#') ? go(url.slice(1)) : payouts.open(url));

const onboard = (payouts) =>
  act(payouts, 'onboard', async () =>
    follow(
      payouts,
      await payouts.api.post('/v1/me/payout-account/onboarding', {
        app: payouts.app,
        ...(payouts.country ? { country: payouts.country } : {}),
      }),
    ),
  );

const openDashboard = (payouts) =>
  act(payouts, 'dashboard', async () => follow(payouts, await payouts.api.post('/v1/me/payout-account/dashboard')));

const fillIn = (payouts) =>
  act(payouts, 'test', async () => {
    const { bank: bankAccount, isIdentified } = payouts.test;
    await payouts.api.put('/v1/me/payout-account/test', { bankAccount, isIdentified });
    Object.assign(payouts, nothing());
    go('/payouts/return', true);
  });

// MARK: Drawing

function draw(payouts, step) {
  if (step === 'test') return { title: t('payouts.test'), view: testPage(payouts) };
  if (!payouts.account && !payouts.problem && !payouts.isLoading) load(payouts);
  if (payouts.account && payouts.step !== step) arrive(payouts, step);
  return {
    title: t('payouts.title'),
    view: screen(t('payouts.title'), { back: payouts.back }, content(payouts, step)),
  };
}

/** The provider's page had expired: another one is opened, once. */
function arrive(payouts, step) {
  payouts.step = step;
  if (step === 'refresh' && nextStep(payouts.account)) queueMicrotask(() => onboard(payouts));
}

function content(payouts, step) {
  const { account, balance, problem } = payouts;
  if (!account) return problem ? problemNotice(problem, () => load(payouts)) : skeleton(6);
  return [
    problem ? problemNotice(problem, () => load(payouts)) : null,
    welcome(account, step),
    accountCard(payouts),
    h('h2', { key: 'balance' }, t('payouts.balance')),
    balance.currencies.length
      ? balance.currencies.map((one) => purse(payouts, one))
      : h('div', { key: 'empty' }, empty('wallet', t('payouts.empty'), t('payouts.empty.text'))),
    h('h2', { key: 'history' }, t('payouts.history')),
    history(payouts),
  ];
}

/** The message for somebody who comes back from the provider's page. */
function welcome(account, step) {
  if (step === 'refresh') return notice('warning', t('payouts.expired'));
  if (step !== 'return') return null;
  const name = isChecked(account) ? 'checking' : account.status;
  return notice(account.status === 'enabled' ? 'success' : 'info', t(`payouts.back.${name}`));
}

/** Nothing is missing: the provider has to decide. */
const isChecked = ({ status, requirements }) => status === 'pending' && !requirements.length;

/** The label of the button with the next step; null if there is nothing to do. */
export function nextStep({ status, requirements }) {
  if (status === 'none') return 'payouts.setUp';
  if (requirements.length || status === 'restricted') return status === 'pending' ? 'payouts.continue' : 'payouts.add';
  return null;
}

function accountCard(payouts) {
  const { account, busy } = payouts;
  const step = nextStep(account);
  return h(
    'section',
    { class: 'card stack', key: 'account', 'aria-labelledby': 'payout-account' },
    h('h2', { id: 'payout-account' }, t('payouts.account')),
    statusText(account),
    facts([
      [t('payouts.bank'), account.last4 && `•••• ${account.last4}`],
      [t('payouts.country'), account.country && format('DisplayNames', { type: 'region' }).of(account.country)],
    ]),
    account.requirements.length ? needs(account.requirements) : null,
    refusalOf(payouts, 'onboard', 'dashboard'),
    payouts.country ? countryField(payouts) : null,
    step
      ? button(t(step), { look: 'primary', wide: true, isBusy: busy === 'onboard', onclick: () => onboard(payouts) })
      : null,
    account.hasDashboard
      ? button(t('payouts.change'), {
          icon: 'settings',
          wide: true,
          isBusy: busy === 'dashboard',
          onclick: () => openDashboard(payouts),
        })
      : null,
  );
}

const countryField = (payouts) =>
  select({
    id: 'payout-country',
    label: t('payouts.country'),
    hint: t('payouts.country.hint'),
    options: countryOptions(payouts.country).slice(1),
    value: payouts.country,
    onchange: ({ target }) => {
      payouts.country = target.value;
    },
  });

function statusText(account) {
  const { status, requirements } = account;
  if (status === 'restricted') return notice('warning', t('payouts.restricted'));
  if (status === 'enabled' && requirements.length) return notice('warning', t('payouts.soonDue'));
  return h('p', null, t(isChecked(account) ? 'payouts.checking' : `payouts.${status}`));
}

const needs = (requirements) =>
  h(
    'ul',
    { class: 'list', 'aria-label': t('payouts.needed') },
    requirements.map(({ kind, dueAt, isOverdue }) =>
      h(
        'li',
        { class: 'row between', key: kind },
        h('span', null, t(textKey('payouts.need', kind, 'other'))),
        isOverdue
          ? badge(t('payouts.overdue'), 'danger')
          : dueAt
            ? h('span', { class: 'muted small' }, t('payouts.by', { time: dateTime(dueAt) }))
            : null,
      ),
    ),
  );

/** The key for a kind, also for one that a later server has. */
const textKey = (prefix, kind, other) => (hasText(`${prefix}.${kind}`) ? `${prefix}.${kind}` : `${prefix}.${other}`);

const row = (label, value, look = 'muted') =>
  h('div', { class: `row between ${look}` }, h('span', null, label), h('span', { class: 'numbers' }, value));

function purse(payouts, { available, pending, frozen, minimum, next }) {
  const { currency } = available;
  const isEnough = available.amount >= minimum.amount;
  const isReady = payouts.account.status === 'enabled';
  return h(
    'section',
    { class: 'card stack', key: currency, 'aria-label': currency },
    row(t('payouts.available'), money(available), 'strong'),
    pending.amount ? row(t('payouts.waiting'), money(pending)) : null,
    frozen ? row(t('payouts.frozen'), money(frozen)) : null,
    next ? row(t('payouts.next'), t('payouts.nextAt', { amount: money(next.amount), time: dateTime(next.at) })) : null,
    available.amount < 0
      ? notice('info', t('payouts.owed', { amount: money({ amount: -available.amount, currency }) }))
      : isEnough
        ? null
        : h('p', { class: 'hint' }, t('payouts.minimum', { amount: money(minimum) })),
    refusalOf(payouts, currency),
    button(isEnough ? t('payouts.now', { amount: money(available) }) : t('payouts.later'), {
      look: 'primary',
      wide: true,
      isBusy: payouts.busy === currency,
      disabled: !isEnough || !isReady,
      onclick: () => payOut(payouts, { currency }),
    }),
    isEnough && !isReady ? h('p', { class: 'hint' }, t('payouts.accountFirst')) : null,
  );
}

const refusalOf = ({ refusal }, ...names) =>
  refusal && names.includes(refusal.name) ? problemNotice(refusal.error) : null;

function history(payouts) {
  const { items, next } = payouts.payouts;
  if (!items.length) return h('p', { class: 'muted', key: 'none' }, t('payouts.history.none'));
  return [
    h('ul', { class: 'list', key: 'list', 'aria-label': t('payouts.history') }, items.map(line)),
    refusalOf(payouts, 'more'),
    next
      ? button(t('action.more'), { wide: true, isBusy: payouts.busy === 'more', onclick: () => more(payouts) })
      : null,
  ];
}

/** Why a payout failed, in words; null if it did not. */
export const problemText = ({ status, problem }) =>
  status === 'failed' ? t(textKey('payouts.why', problem, 'providerRefused')) : null;

function line(payout) {
  const { id, amount, status, last4, returned, createdAt } = payout;
  const why = problemText(payout);
  return h(
    'li',
    { class: 'card stack tight', key: id },
    h(
      'div',
      { class: 'row between' },
      h('span', { class: 'strong numbers' }, money(amount)),
      badge(t(`payouts.${status}`), TONES[status]),
    ),
    h('p', { class: 'muted small' }, dateTime(createdAt), last4 ? ` · ${t('payouts.toBank', { last4 })}` : ''),
    why ? h('p', { class: 'small' }, icon('alert'), ` ${why} ${t('payouts.again')}`) : null,
    returned ? h('p', { class: 'small' }, t('payouts.returned', { amount: money(returned) })) : null,
  );
}

// MARK: The page of the built-in provider

const testPage = (payouts) =>
  screen(
    t('payouts.test'),
    { back: '/payouts' },
    h('div', { key: 'lead' }, notice('info', t('payouts.test.lead'))),
    choices({
      name: 'bank',
      label: t('payouts.test.bank'),
      options: BANKS.map(([number, text]) => [number, t(text)]),
      value: payouts.test.bank,
      onchange: (bank) => {
        payouts.test.bank = bank;
        payouts.redraw();
      },
    }),
    toggle({
      id: 'identity',
      label: t('payouts.test.identity'),
      hint: t('payouts.test.identity.hint'),
      isOn: payouts.test.isIdentified,
      onchange: (isOn) => {
        payouts.test.isIdentified = isOn;
        payouts.redraw();
      },
    }),
    refusalOf(payouts, 'test'),
    h(
      'div',
      { class: 'actions', key: 'actions' },
      button(t('payouts.test.leave'), {
        onclick: () => {
          Object.assign(payouts, nothing());
          go('/payouts/return', true);
        },
      }),
      button(t('payouts.test.save'), {
        look: 'primary',
        isBusy: payouts.busy === 'test',
        onclick: () => fillIn(payouts),
      }),
    ),
  );
