// Cash at the hand-over: the customer pays the valet, whose pouch is counted at the desk later.

import { h, render, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dialog } from '/apps/shared/dialogs.js';
import { amountOf, createForm } from '/apps/shared/forms.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { button, field, notice, toast } from '/apps/shared/ui.js';
import { api, loadOrder } from './store.js';

/** The amount in minor units that was handed over; what is due if the field is empty, NaN if it is no number. */
export const givenOf = (text, { amount, currency }) =>
  String(text ?? '').trim() === '' ? amount : amountOf(text, currency);

/** Opens the valet's pouch if none is open. */
async function openPouch() {
  const { items } = await api.get('/v1/me/drawers');
  if (items.some(({ closedAt }) => !closedAt)) return;
  await api.post('/v1/me/drawers', { name: t('cash.pouch') }, { key: uuid() });
}

/** A second tap opens no second dialog. */
let isAsking = false;

/** What the customer owes: the bill, and tax on top of it where prices don't include it. */
const chargeOf = async (id) => (await api.get(escaped`/v1/orders/${id}/bill`)).totalWithTax;

/** Records that the customer has paid in cash. */
export async function takeCash({ id, ticket }) {
  const draft = { key: uuid(), received: null };
  if (isAsking) return;
  isAsking = true;
  const charge = await chargeOf(id)
    .catch((error) => void toast(tProblem(error), 'danger'))
    .finally(() => (isAsking = false));
  if (!charge) return;
  await dialog(t('cash.title', { ticket }), (close) => {
    const box = h('div', { class: 'stack' });
    const form = createForm(() => draw());
    const draw = () => render(box, draft.received ? change(draft.received, close) : question(form, send, charge));
    const send = async ({ given }) => {
      const amount = givenOf(given, charge);
      if (Number.isNaN(amount)) form.refuse({ given: t('cash.wrong') });
      if (amount < charge.amount) form.refuse({ given: t('cash.little') });
      await openPouch();
      const body = { means: 'cash', given: amount };
      draft.received = await api.post(escaped`/v1/orders/${id}/receive`, body, { key: draft.key });
    };
    draw();
    return box;
  });
  if (draft.received) await loadOrder(id).catch((error) => toast(tProblem(error), 'danger'));
}

const question = (form, send, charge) =>
  form.view(
    { class: 'stack', onsubmit: form.submit(send) },
    h('p', null, t('cash.due'), ' ', h('strong', null, money(charge))),
    field({
      id: 'given',
      label: t('cash.given', { currency: charge.currency }),
      hint: t('cash.given.hint'),
      inputmode: 'decimal',
      autocomplete: 'off',
      error: form.errors.given,
    }),
    button(t('cash.take'), { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy }),
  );

const change = ({ payment, change: back }, close) => [
  notice('success', t('cash.done', { amount: money(payment.amount) })),
  back.amount > 0 ? h('p', null, h('strong', null, t('cash.change', { amount: money(back) }))) : null,
  h('p', { class: 'muted' }, t('cash.desk')),
  button(t('action.done'), { look: 'primary', wide: true, onclick: () => close() }),
];

/** The button at the end of a job whose customer has not paid yet. */
export const cashButton = (order) =>
  order.status === 'waitingForPayment' && order.charge
    ? button(t('cash.button'), { icon: 'wallet', wide: true, onclick: () => takeCash(order) })
    : null;
