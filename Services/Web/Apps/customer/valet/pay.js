// The end of an order: the bill, the tip, the card; the rating. Loaded on demand.

import { amountOf } from '/apps/shared/amounts.js';
import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, reasonText, t } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button, choices, facts, field, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { billEntry, billPath, chargeOf, chargeable, taxRow } from '../shared/charge.js';
import { METHODS, createCards } from '../shared/payment.js';
import { createOpinion, rate } from './rating.js';

/** Offered tips in percent of the bill. */
const TIPS = [5, 10, 15];
/** The largest tip that can be typed, in minor units of the currency, as on the server. */
const LARGEST_TIP = 1_000_000;

export function create(app) {
  const pay = { app, order: null };
  pay.act = createAct(() => pay, { redraw: app.redraw });
  const opinion = createOpinion(app);
  return {
    billSheet: (order, head) => [
      head(t('pay.title'), t('pay.lead', { time: dateTime(order.returnedAt ?? order.createdAt) })),
      ...body(pay, order, true),
    ],
    feeSheet: (order, head) => [
      head(t('pay.fee.title'), order.reason ? reasonText(order) : t('pay.fee.lead')),
      ...body(pay, order, false),
    ],
    endSheet: (order, head) => [head(t('end.title'), t('end.lead')), ...end(opinion, order)],
    rate: (order) => rate(opinion, order),
  };
}

// MARK: The payment

/** `payment` is the last attempt, which may need a further step; `isOther` once another card is chosen. */
function begin(pay, order) {
  if (pay.order === order.id) return;
  Object.assign(pay, { order: order.id, tip: '0', own: '', sureOf: null, busy: null, problem: null, payment: null });
  pay.isOther = false;
  pay.cards = createCards(pay.app, {
    onchange: () => Object.assign(pay, { payment: null, problem: null, isOther: true }),
    onproblem: (error) => (pay.problem = error),
  });
  pay.app.resources.reload(METHODS);
}

/** The payment that waits for the person, also one that was begun before this page was opened. */
function waiting({ isOther, payment }, bill) {
  return payment || isOther ? payment : bill.payment;
}

/** In minor units, as the currency can be charged. */
export function tipAmount({ tip, own }, { amount, currency }) {
  if (tip !== 'own') return chargeable((amount * Number(tip)) / 100, currency);
  const typed = amountOf(own, currency);
  return typed > 0 ? chargeable(Math.min(typed, LARGEST_TIP), currency) : 0;
}

/** Whether something was typed that is no amount of a tip. */
export const isWrongTip = ({ tip, own }, { currency }) => {
  const typed = amountOf(own, currency);
  return tip === 'own' && own.trim() !== '' && !(typed >= 0 && typed <= LARGEST_TIP);
};

/** More than half of the bill, which is perhaps a slip. */
export const isLargeTip = (tip, { amount }) => tip * 2 > amount;

/** Asks once about an amount that is unusually large; true to go on. */
async function isSure(pay, tip, charge) {
  if (!isLargeTip(tip, charge) || pay.sureOf === tip) return true;
  const values = { tip: money({ ...charge, amount: tip }), bill: money(charge) };
  if (!(await confirm(t('pay.tip.large'), t('pay.tip.large.lead', values), { yes: t('pay.tip.large.yes') })))
    return false;
  pay.sureOf = tip;
  return true;
}

const send = ({ act, app, cards }, order, tip) =>
  act('pay', async (pay) => {
    if (!(await isSure(pay, tip, order.charge))) return;
    try {
      const { payment } = await cards.pay(escaped`/v1/orders/${order.id}/pay`, tip ? { tip } : {});
      pay.payment = payment;
      if (payment.status === 'succeeded') done(app, order);
    } catch (error) {
      if (error.code !== 'payment.already_paid') throw error;
      done(app, order);
    } finally {
      app.resources.reload(billPath(order.id));
    }
  });

/** Continues the payment that waits, with the amount and the card that it has. */
const goOn = ({ act, app, cards }, order) =>
  act('pay', async (pay) => {
    pay.payment = null;
    try {
      pay.payment = await cards.confirm({ bill: order.id });
      if (pay.payment.status === 'succeeded') done(app, order);
    } finally {
      app.resources.reload(billPath(order.id));
    }
  });

function done({ store }, order) {
  store.setPaid(order.id);
  toast(t('pay.done'), 'success');
  store.refresh();
}

// MARK: The sheets

function body(pay, order, canTip) {
  begin(pay, order);
  const { act, app, cards, problem } = pay;
  const { charge } = order;
  const tip = canTip ? tipAmount(pay, charge) : 0;
  const { value: known, error } = billEntry(app, order.id, charge);
  if (!known) return [error ? problemNotice(error, () => app.resources.reload(billPath(order.id))) : skeleton(4)];
  const due = chargeOf(known);
  const price = { ...due, amount: due.amount + tip };
  const total = money(price);
  return [
    bill(app.store.value.quote, charge, known, tip),
    canTip ? tips(pay, charge) : null,
    cards.view(price),
    h(
      'div',
      { class: 'sheet-foot', key: 'foot' },
      cards.standing(waiting(pay, known), { ...act.button('pay'), onclick: () => goOn(pay, order) }, problem),
      h(
        'p',
        { class: 'row between strong total' },
        h('span', null, t('bill.total')),
        h('span', { class: 'numbers' }, total),
      ),
      button(t('pay.button', { amount: total }), {
        look: 'primary',
        class: 'button primary wide big',
        icon: 'card',
        ...act.button('pay', !cards.chosen() || (canTip && isWrongTip(pay, charge))),
        onclick: () => send(pay, order, tip),
      }),
    ),
  ];
}

/** The lines of the bill, tax on top of them, and the tip as one of its own. */
const bill = (quote, charge, known, tip) =>
  facts([
    ...(quote
      ? quote.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)])
      : [[t('bill.bill'), money(charge)]]),
    taxRow(known),
    [t('bill.tip'), tip ? money({ ...charge, amount: tip }) : null],
  ]);

function tips(pay, charge) {
  const { currency } = charge;
  const set = (change) => {
    Object.assign(pay, change);
    pay.app.redraw();
  };
  return h(
    'div',
    { class: 'stack tight', key: 'tips' },
    choices({
      name: 'tip',
      label: t('pay.tip'),
      value: pay.tip,
      onchange: (tip) => set({ tip }),
      options: [
        ['0', t('pay.tip.none')],
        ...TIPS.map((share) => {
          const amount = tipAmount({ tip: String(share), own: '' }, charge);
          return [String(share), t('pay.tip.share', { share, amount: money({ ...charge, amount }) })];
        }),
        ['own', t('pay.tip.own')],
      ],
    }),
    pay.tip === 'own'
      ? field({
          id: 'own',
          label: t('pay.tip.amount', { currency }),
          inputmode: 'decimal',
          value: pay.own,
          autocomplete: 'off',
          error: isWrongTip(pay, charge) ? t('problem.request.invalid.tip') : null,
          oninput: ({ target }) => set({ own: target.value }),
        })
      : null,
  );
}

function end(opinion, order) {
  const { leave, store } = opinion.app;
  const isRated = Boolean(store.value.rated[order.id]);
  return [
    h('p', { key: 'receipt' }, h('a', { class: 'button', href: `#/orders/${order.id}/receipt` }, t('receipt.open'))),
    rate(opinion, order),
    h(
      'div',
      { class: 'sheet-foot', key: 'foot' },
      button(t(isRated ? 'action.done' : 'end.skip'), {
        wide: true,
        look: isRated ? 'primary' : 'quiet',
        onclick: () => leave(),
      }),
    ),
  ];
}
