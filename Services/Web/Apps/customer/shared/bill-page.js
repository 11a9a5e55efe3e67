// One bill, by its id: what it is for, how its payment stands, and confirming or paying it. People come here by a
// notice, also on another device than the one that began the payment. Loaded on demand.

import { lineText } from '/apps/shared/bill-lines.js';
import { cardText } from '/apps/shared/cards.js';
import { h } from '/apps/shared/dom.js';
import { loadTexts, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { button, facts, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createAct } from './actions.js';
import { billPath, chargeOf, taxRow } from './charge.js';
import { createCards } from './payment.js';

await loadTexts('/apps/shared/texts/bill');

/** How soon a payment that is being processed is looked at again, in ms. */
const AGAIN = 3_000;

export function create(app) {
  const page = { app, state: { of: null }, timer: null };
  page.cards = createCards(app, { onchange: () => (page.state.problem = null) });
  page.act = createAct(() => page.state, {
    redraw: app.redraw,
    after: () => app.resources.reload(billPath(page.state.of)),
  });
  return { draw: ({ id }) => draw(page, id) };
}

function draw(page, id) {
  if (page.state.of !== id) page.state = { of: id, busy: null, problem: null };
  const { resources } = page.app;
  const { value, error } = resources.get(billPath(id));
  return {
    title: t('bill.title'),
    view: screen(
      t('bill.title'),
      { back: '/menu' },
      value ? content(page, value) : error ? problemNotice(error, () => resources.reload(billPath(id))) : skeleton(5),
    ),
  };
}

/** How a bill stands for its payer: `confirm`, `processing`, `due`, or over as `paid`, `held` or `nothing`. */
export function standing({ status, payment }) {
  if (payment?.status === 'requiresAction') return 'confirm';
  if (payment?.status === 'processing') return 'processing';
  if (status === 'paid' || status === 'held') return status;
  return status === 'notDue' ? 'nothing' : 'due';
}

function content(page, bill) {
  const state = standing(bill);
  if (state === 'processing') lookAgain(page, bill);
  return [
    h(
      'section',
      { class: 'card stack tight', key: 'bill' },
      h('h2', null, bill.title),
      h('p', { class: 'ticket muted' }, bill.reference),
      facts([
        ...bill.lines.map((line) => [lineText(line), money(line.amount)]),
        taxRow(bill),
        [t('bill.tip'), bill.payment?.tip && money(bill.payment.tip)],
        [t('bill.total'), money(bill.payment?.amount ?? chargeOf(bill))],
      ]),
    ),
    state === 'confirm' ? confirming(page, bill) : null,
    state === 'confirm' || state === 'due' ? paying(page, bill) : outcome(state, bill),
  ];
}

function lookAgain(page, { id }) {
  page.timer ??= setTimeout(() => {
    page.timer = null;
    page.app.resources.reload(billPath(id));
  }, AGAIN);
}

const outcome = (state, { payment }) =>
  notice(
    state === 'paid' ? 'success' : 'neutral',
    t(`bill.state.${state}`, payment?.last4 ? { card: cardText(payment) } : { card: '' }),
  );

/** Continues the payment that waits, with the card that it was begun with. */
const confirming = ({ act, cards, state }, { id, payment }) => {
  const goOn = async () => {
    const { status } = await cards.confirm({ bill: id });
    if (status === 'succeeded') toast(t('pay.done'), 'success');
  };
  const retry = { ...act.button('confirm'), onclick: () => act('confirm', goOn) };
  return cards.standing(payment, retry, state.problem);
};

const paying = (page, bill) => {
  const { act, cards, state } = page;
  const isWaiting = standing(bill) === 'confirm';
  return [
    isWaiting ? h('h2', { key: 'other' }, t('bill.other')) : null,
    cards.view(chargeOf(bill)),
    isWaiting ? null : cards.standing(bill.payment, act.button('pay'), state.problem),
    button(t('pay.button', { amount: money(chargeOf(bill)) }), {
      key: 'pay',
      look: isWaiting ? 'plain' : 'primary',
      wide: true,
      icon: 'card',
      ...act.button('pay', !cards.chosen()),
      onclick: () =>
        act('pay', async () => {
          const answer = await cards.pay(`${billPath(bill.id)}/pay`);
          if (answer.payment.status === 'succeeded') toast(t('pay.done'), 'success');
        }),
    }),
  ];
};
