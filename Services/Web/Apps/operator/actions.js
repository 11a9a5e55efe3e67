// Manual actions. Dialogs ask for a reason where one is due, and for a confirmation.

import { h, uuid } from '/apps/shared/dom.js';
import { amountOf } from '/apps/shared/amounts.js';
import { escaped } from '/apps/shared/api.js';
import { fullName, money, t, tProblem } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { choices, field, notice, select, toast } from '/apps/shared/ui.js';
import { api } from './context.js';
import { endStates, keep, openStates, refresh } from './store.js';
import { dialogActions, formDialog } from './parts.js';
import { activeValet } from './order-parts.js';
import { receive } from './receive.js';

const LONGEST_REASON = 500;

export async function acknowledge(alert) {
  try {
    await api.post(escaped`/v1/admin/alerts/${alert.id}/acknowledge`);
    toast(t('op.alert.acknowledged', { ticket: alert.ticket }), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  refresh('alerts');
}

// MARK: Orders

// These fields have their own message when they are empty, so they are not `required`.

export const reasonField = (form, hint) =>
  field({
    id: 'reason',
    label: t('op.reason'),
    hint,
    multiline: true,
    'aria-required': 'true',
    maxlength: LONGEST_REASON,
    error: form.errors.reason,
  });

/** Sets another state by hand; true when it happened. */
export const overrideDialog = (order) => {
  const draft = { status: '' };
  return formDialog(t('op.override.title', { ticket: order.ticket }), (form, close) => {
    const send = async ({ status, reason }) => {
      if (!status) form.refuse({ status: t('op.override.choose') });
      if (!reason.trim()) form.refuse({ reason: t('op.reason.needed') });
      if (status === 'finished' && order.charge && draft.how === 'paid') {
        const pay = (body, key) => api.post(escaped`/v1/admin/bills/${order.id}/receive`, body, { key });
        return (await receive(order.ticket, order.charge, pay)) ? close(true) : undefined;
      }
      const isSure = await confirm(
        t('op.override.sure'),
        t('op.override.sure.text', {
          ticket: order.ticket,
          from: t(`status.${order.status}`),
          to: t(`status.${status}`),
        }),
        { yes: t('op.override.yes'), no: t('action.cancel'), look: 'danger' },
      );
      if (!isSure) return;
      try {
        keep(await api.post(escaped`/v1/admin/orders/${order.id}/override`, { status, reason: reason.trim() }));
      } catch (error) {
        // Here the server says which fact is missing; the general words would hide it.
        if (error.code === 'order.not_possible') error.code = 'form';
        throw error;
      }
      toast(t('op.override.done', { ticket: order.ticket, to: t(`status.${status}`) }), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      notice('warning', t('op.override.lead')),
      select({
        id: 'status',
        label: t('op.override.to'),
        error: form.errors.status,
        'aria-required': 'true',
        value: draft.status,
        onchange: ({ target }) => {
          draft.status = target.value;
          form.draw();
        },
        options: [
          ['', t('op.override.choose')],
          ...[...openStates, ...endStates]
            .filter((status) => status !== order.status)
            .map((status) => [status, t(`status.${status}`)]),
        ],
      }),
      draft.status === 'finished' ? finishing(order, draft, form) : null,
      reasonField(form, t('op.override.reason.hint')),
      dialogActions(form, close, t('op.override'), 'danger'),
    );
  });
};

/** Choice for the amount due: an order that waits for payment is also finished by a payment at the desk. */
function finishing({ status, charge }, draft, form) {
  if (status !== 'waitingForPayment' || !charge) return notice('neutral', t('op.override.charges.nothing'));
  draft.how ??= 'paid';
  return [
    choices({
      name: 'how',
      label: t('op.override.due', { amount: money(charge) }),
      value: draft.how,
      options: [
        ['paid', t('op.override.paid')],
        ['waive', t('op.override.waive')],
      ],
      onchange: (how) => {
        draft.how = how;
        form.draw();
      },
    }),
    h('p', { class: 'hint' }, t(`op.override.${draft.how}.hint`)),
  ];
}

/** Withdraws the valet from the job, which is then matched again, never to the same valet; true when it happened. */
export const withdrawDialog = (order) =>
  formDialog(t('op.withdraw.title', { ticket: order.ticket }), (form, close) => {
    const send = async ({ reason }) => {
      if (!reason.trim()) form.refuse({ reason: t('op.reason.needed') });
      keep(await api.post(escaped`/v1/orders/${order.id}/withdraw`, { reason: reason.trim() }));
      toast(t('op.withdraw.done'), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.withdraw.lead', { name: fullName(activeValet(order)) })),
      reasonField(form),
      dialogActions(form, close, t('op.withdraw'), 'danger'),
    );
  });

// MARK: Refunds

/** Refunds all of a payment or a part; true when it happened. Retries keep the key, so nothing is refunded twice. */
export function refundDialog(payment) {
  const { currency } = payment.amount;
  const draft = {
    payment,
    currency,
    left: payment.amount.amount - payment.refunded.amount,
    part: 'whole',
    key: uuid(),
  };
  return formDialog(
    t('op.refund.title'),
    (form, close) =>
      form.view(
        { onsubmit: form.submit(async (values) => (await refund(draft, form, values)) && close(true)) },
        h(
          'p',
          null,
          t('op.refund.lead', { paid: money(payment.amount), left: money({ amount: draft.left, currency }) }),
        ),
        partChoice(draft, form),
        draft.part === 'part'
          ? field({
              id: 'amount',
              label: t('op.refund.amount', { currency }),
              inputmode: 'decimal',
              'aria-required': 'true',
              autocomplete: 'off',
              error: form.errors.amount,
            })
          : null,
        reasonField(form),
        dialogActions(form, close, t('op.refund')),
      ),
    { fieldOf: { 'payment.refund_too_large': 'amount' } },
  );
}

const partChoice = (draft, form) =>
  choices({
    name: 'part',
    label: t('op.refund.how'),
    value: draft.part,
    options: [
      ['whole', t('op.refund.whole', { amount: money({ amount: draft.left, currency: draft.currency }) })],
      ['part', t('op.refund.part')],
    ],
    onchange: (part) => {
      draft.part = part;
      form.draw();
    },
  });

/** The amount to refund, in minor units; NaN if it is no number. */
export const refundOf = ({ part, left, currency }, amount) => (part === 'whole' ? left : amountOf(amount, currency));

/** True when it happened. */
async function refund(draft, form, { amount: typed, reason }) {
  const { payment, currency, left, key } = draft;
  const amount = refundOf(draft, typed);
  if (!Number.isFinite(amount) || amount <= 0) form.refuse({ amount: t('op.refund.amount.wrong') });
  if (amount > left) form.refuse({ amount: t('op.refund.amount.most', { amount: money({ amount: left, currency }) }) });
  if (!reason.trim()) form.refuse({ reason: t('op.reason.needed') });
  const text = money({ amount, currency });
  const answers = { yes: t('op.refund.yes', { amount: text }), no: t('action.cancel') };
  if (!(await confirm(t('op.refund.sure'), t('op.refund.sure.text', { amount: text }), answers))) return false;
  try {
    await api.post(
      escaped`/v1/admin/payments/${payment.id}/refunds`,
      { amount, reason: reason.trim(), currency },
      { key },
    );
  } catch (error) {
    if (error.status === 422) draft.key = uuid();
    throw error;
  }
  toast(t('op.refund.done', { amount: text }), 'success');
  return true;
}
