// Dialogs of manual actions: each asks for a reason where one is due, and for a confirmation.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { fullName, minorUnits, money, t } from '/apps/shared/i18n.js';
import { choices, confirm, field, notice, select, toast } from '/apps/shared/ui.js';
import { uuid } from '/apps/shared/dom.js';
import { api } from './context.js';
import { endStates, keep, openStates } from './store.js';
import { activeValet, dialogActions, formDialog } from './parts.js';

const LONGEST_REASON = 500;

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
export const overrideDialog = (order) =>
  formDialog(t('op.override.title', { ticket: order.ticket }), (form, close) => {
    const send = async ({ status, reason }) => {
      if (!status) form.refuse({ status: t('op.override.choose') });
      if (!reason.trim()) form.refuse({ reason: t('op.reason.needed') });
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
        options: [
          ['', t('op.override.choose')],
          ...[...openStates, ...endStates]
            .filter((status) => status !== order.status)
            .map((status) => [status, t(`status.${status}`)]),
        ],
      }),
      reasonField(form, t('op.override.reason.hint')),
      dialogActions(form, close, t('op.override'), 'danger'),
    );
  });

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

/** Refunds all of a payment or a part; true when it happened. Retries keep the key, so nothing is refunded twice. */
export function refundDialog(payment) {
  let part = 'whole';
  let key = uuid();
  const { currency } = payment.amount;
  const left = payment.amount.amount - payment.refunded.amount;
  const unit = minorUnits(currency);
  return formDialog(
    t('op.refund.title'),
    (form, close) => {
      const send = async ({ amount, reason }) => {
        const minor = part === 'whole' ? left : Math.round(Number(String(amount).replace(',', '.')) * unit);
        if (!Number.isFinite(minor) || minor <= 0) form.refuse({ amount: t('op.refund.amount.wrong') });
        if (minor > left)
          form.refuse({ amount: t('op.refund.amount.most', { amount: money({ amount: left, currency }) }) });
        if (!reason.trim()) form.refuse({ reason: t('op.reason.needed') });
        const value = money({ amount: minor, currency });
        if (
          !(await confirm(t('op.refund.sure'), t('op.refund.sure.text', { amount: value }), {
            yes: t('op.refund.yes', { amount: value }),
            no: t('action.cancel'),
          }))
        )
          return;
        try {
          await api.post(
            escaped`/v1/admin/payments/${payment.id}/refunds`,
            { amount: minor, reason: reason.trim(), currency },
            { key },
          );
        } catch (error) {
          if (error.status === 422) key = uuid();
          throw error;
        }
        toast(t('op.refund.done', { amount: value }), 'success');
        close(true);
      };
      return form.view(
        { onsubmit: form.submit(send) },
        h('p', null, t('op.refund.lead', { paid: money(payment.amount), left: money({ amount: left, currency }) })),
        choices({
          name: 'part',
          label: t('op.refund.how'),
          value: part,
          options: [
            ['whole', t('op.refund.whole', { amount: money({ amount: left, currency }) })],
            ['part', t('op.refund.part')],
          ],
          onchange: (value) => {
            part = value;
            form.draw();
          },
        }),
        part === 'part'
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
      );
    },
    { fieldOf: { 'payment.refund_too_large': 'amount' } },
  );
}
