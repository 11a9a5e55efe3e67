// Payments at the hand-over: in cash, which goes into the valet's pouch, or by card terminal.

import { escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { formDialog } from '/apps/shared/form-dialog.js';
import { amountOf } from '/apps/shared/amounts.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { button, choices, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { beginPouch, openPouch } from './pouch.js';
import { api, loadOrder, orderOf } from './store.js';

/** How soon a bill is asked for again that payments does not know yet, in ms. */
const AGAIN = 1_000;
const UNKNOWN = 'payment.bill_unknown';

/** The amount in minor units that was handed over; what is due if the field is empty, NaN if it is no number. */
export const givenOf = (text, { amount, currency }) =>
  String(text ?? '').trim() === '' ? amount : amountOf(text, currency);

/** What the customer owes, with tax on top; null for a bill that is older than the order's charge. */
export const owedOf = ({ total, totalWithTax }, { amount, currency }) =>
  total.amount === amount && total.currency === currency ? totalWithTax : null;

/** Reads what the customer owes. What an order charges just now reaches payments a moment later. */
async function loadCharge(id, draft, draw) {
  while (draft.isOpen && !draft.charge && !draft.problem) {
    try {
      draft.charge = owedOf(await api.get(escaped`/v1/orders/${id}/bill`), orderOf(id).charge);
    } catch (error) {
      if (error.code !== UNKNOWN) draft.problem = error;
    }
    if (!draft.charge && !draft.problem) await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
  draw();
}

/** Records that the customer has paid. */
const takePayment = oneAtATime(async ({ id, ticket }) => {
  const draft = {
    key: uuid(),
    means: 'cash',
    isOpen: true,
    loading: null,
    charge: null,
    problem: null,
    received: null,
  };
  await formDialog(t('cash.title', { ticket }), (form, close) => {
    const again = () => {
      Object.assign(draft, { problem: null, loading: null });
      form.draw();
    };
    const send = async ({ given }) => {
      const body = draft.means === 'cash' ? await cashBody(form, given, draft.charge) : { means: draft.means };
      draft.received = await api.post(escaped`/v1/orders/${id}/receive`, body, { key: draft.key });
    };
    draft.loading ??= loadCharge(id, draft, form.draw);
    if (draft.received) return change(draft, close);
    if (draft.charge) return question(form, send, draft);
    return draft.problem ? problemNotice(draft.problem, again) : skeleton(3);
  });
  draft.isOpen = false;
  if (draft.received) await loadOrder(id).catch((error) => toast(tProblem(error), 'danger'));
});

/** Opens the valet's pouch if none is open. */
async function cashBody(form, text, charge) {
  const given = givenOf(text, charge);
  if (Number.isNaN(given)) form.refuse({ given: t('amount.wrong') });
  if (given < charge.amount) form.refuse({ given: t('cash.little') });
  if (!(await openPouch())) await beginPouch();
  return { means: 'cash', given };
}

function question(form, send, draft) {
  const { charge } = draft;
  const choose = (means) => {
    // Another body needs another key.
    Object.assign(draft, { means, key: uuid() });
    form.draw();
  };
  return form.view(
    { class: 'stack', onsubmit: form.submit(send) },
    h('p', null, t('cash.due'), ' ', h('strong', null, money(charge))),
    choices({
      name: 'means',
      label: t('cash.means'),
      value: draft.means,
      options: ['cash', 'terminal'].map((means) => [means, t(`cash.means.${means}`)]),
      onchange: choose,
    }),
    draft.means === 'cash'
      ? field({
          id: 'given',
          label: t('cash.given', { currency: charge.currency }),
          hint: t('cash.given.hint'),
          inputmode: 'decimal',
          autocomplete: 'off',
          error: form.errors.given,
        })
      : null,
    button(t('cash.take'), { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy }),
  );
}

const change = ({ means, received: { payment, change: back } }, close) =>
  h(
    'div',
    { class: 'stack' },
    notice('success', t('cash.done', { amount: money(payment.amount) })),
    back.amount > 0 ? h('p', null, h('strong', null, t('cash.change', { amount: money(back) }))) : null,
    means === 'cash' ? h('p', { class: 'muted' }, t('cash.desk')) : null,
    button(t('action.done'), { look: 'primary', wide: true, onclick: () => close() }),
  );

/** The button at the end of a job whose customer has not paid yet. */
export const cashButton = (order) =>
  order.status === 'waitingForPayment' && order.charge
    ? button(t('cash.button'), { icon: 'wallet', wide: true, onclick: () => takePayment(order) })
    : null;
