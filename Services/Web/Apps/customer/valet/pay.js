// The end of an order: the bill, the tip, the card; the receipt; the rating. Loaded on demand.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, minorUnits, money, reasonText, t } from '/apps/shared/i18n.js';
import { button, choices, facts, field, notice, toast } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createOnce } from '../shared/once.js';
import { METHODS, createCards, refusal } from '../shared/payment.js';
import { createOpinion, rate } from './rating.js';
import { receipt } from './receipt.js';

/** Offered tips in percent of the bill. */
const TIPS = [5, 10, 15];
/** The largest tip that can be typed, in major units of the currency. */
const LARGEST_TIP = 10_000;

export function create(app) {
  const pay = { app, once: createOnce(app.api), order: null };
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
    receipt: ({ id }) => receipt(app, id),
  };
}

// MARK: The payment

/** `payment` is the last attempt, which may need a further step of the person's. */
function begin(pay, order) {
  if (pay.order === order.id) return;
  Object.assign(pay, { order: order.id, tip: '0', own: '', busy: null, problem: null, payment: null });
  pay.cards = createCards(pay.app, {
    onchange: () => Object.assign(pay, { payment: null, problem: null }),
    onproblem: (error) => (pay.problem = error),
  });
  pay.app.resources.reload(METHODS);
}

/** In minor units. A share is rounded to whole units of the currency. */
export function tipAmount({ tip, own }, { amount, currency }) {
  const unit = minorUnits(currency);
  if (tip !== 'own') return Math.round((amount * Number(tip)) / 100 / unit) * unit;
  const typed = Number(own.replace(',', '.'));
  return Number.isFinite(typed) && typed > 0 ? Math.round(Math.min(typed, LARGEST_TIP) * unit) : 0;
}

const send = ({ act, app, cards, once }, order, tip) =>
  act('pay', async (pay) => {
    try {
      const { payment } = await once(escaped`/v1/orders/${order.id}/pay`, {
        paymentMethodId: cards.chosen(),
        ...(tip ? { tip } : {}),
      });
      pay.payment = payment;
      if (payment.status === 'succeeded') done(app, order);
    } catch (error) {
      if (error.code !== 'payment.already_paid') throw error;
      done(app, order);
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
  const { act, app, cards, payment, problem } = pay;
  const { charge } = order;
  const tip = canTip ? tipAmount(pay, charge) : 0;
  const total = money({ ...charge, amount: charge.amount + tip });
  const onclick = () => send(pay, order, tip);
  return [
    bill(app.store.value.quote, charge),
    canTip ? tips(pay, charge) : null,
    cards.view(),
    payment?.status === 'requiresAction'
      ? notice('warning', t('pay.action'), button(t('pay.action.check'), { ...act.button('pay'), onclick }))
      : null,
    h(
      'div',
      { class: 'sheet-foot', key: 'foot' },
      refusal(problem),
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
        ...act.button('pay', !cards.chosen()),
        onclick,
      }),
    ),
  ];
}

const bill = (quote, charge) =>
  facts(
    quote
      ? quote.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)])
      : [[t('bill.total'), money(charge)]],
  );

function tips(pay, { currency }) {
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
        ...TIPS.map((share) => [String(share), `${share}%`]),
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
