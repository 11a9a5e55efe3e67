// What an order's screen shows beside its history: an alert, the people, the places, the money.

import { cardText } from '/apps/shared/cards.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, duration, fullName, minutes, money, reasonText, t } from '/apps/shared/i18n.js';
import { avatar, rating } from '/apps/shared/people.js';
import { badge, button, facts, notice, problemNotice } from '/apps/shared/ui.js';
import { store } from './store.js';
import { areaName, callLink, placeText, shortID, shown } from './parts.js';
import { parkedText } from './order-parts.js';
import { isRefundable, paymentTone, refundBadge } from './payment-parts.js';

export function alertNotice(order) {
  const alert = store.value.alerts.find((one) => one.order === order.id);
  if (!alert) return null;
  const values = { status: t(`status.${alert.status}`), limit: duration(alert.limitSeconds) };
  return notice('warning', t(`op.alert.long.${alert.kind}`, values));
}

// MARK: People

const person = (role, one) =>
  one &&
  h(
    'li',
    { key: role, class: 'party' },
    avatar(one, 'small'),
    h(
      'div',
      { class: 'grow' },
      h('p', { class: 'muted small' }, t(role)),
      h(
        'p',
        { class: 'strong' },
        role === 'role.customer' ? fullName(one) : h('a', { href: `#/valets/${one.id}` }, fullName(one)),
        ' ',
        one.rating ? rating(one.rating) : null,
      ),
      h('p', null, callLink(one)),
    ),
  );

export const parties = (order) =>
  h(
    'ul',
    { class: 'list' },
    person('role.customer', order.customer),
    person('op.valet.dropOff', order.dropOffValet),
    person('op.valet.return', order.returnValet),
    order.dropOffValet ? null : h('li', { class: 'muted', key: 'none' }, t('op.order.noValet')),
  );

// MARK: Places

export const places = (order) =>
  facts([
    [t('op.area'), areaName(order.serviceArea)],
    [t('vehicle'), order.vehicle && vehicle(order.vehicle)],
    [t('op.point.dropOff'), placeText(order.dropOff)],
    [t('op.order.eta'), order.status === 'droppingOff' && order.etaSeconds !== null ? minutes(order.etaSeconds) : null],
    [t('op.point.parked'), order.parked && (parkedText(order.parked) || placeText(order.parked))],
    [t('op.point.return'), placeText(order.returnTo)],
    [t('op.order.extras'), order.extras.map((extra) => `${t(`extra.${extra}`)}${taskText(order, extra)}`).join(', ')],
    [t('op.order.scheduledFor'), order.scheduledFor && dateTime(order.scheduledFor)],
    [t('op.reason'), reasonText(order)],
    [t('op.order.id'), shortID(order.id)],
  ]);

const vehicle = ({ plate, colour, make, model }) =>
  h('span', null, h('strong', { class: 'plate' }, plate), ` ${[colour, make, model].filter(Boolean).join(' ')}`);

const taskText = (order, extra) => {
  const task = order.tasks.find(({ kind }) => kind === extra);
  return task ? ` (${t(`task.${task.status}`)})` : '';
};

// MARK: Money

/** The price so far, the receipt, and all payments; `refund(payment)` gives money back. */
export function bill(order, { quote, receipt, payments }, refund) {
  const entries = payments.value ?? [];
  return [
    quote.value ? price(order, quote.value) : shown(quote, () => h('p', { class: 'muted' }, t('op.bill.none'))),
    receipt?.value ? paid(receipt.value) : null,
    payments.error ? problemNotice(payments.error, payments.reload) : null,
    entries.length
      ? h(
          'ul',
          { class: 'list payments' },
          entries.map((entry) => (entry.kind === 'refund' ? refundLine(entry) : paymentLine(entry.payment, refund))),
        )
      : null,
  ];
}

const price = (order, quote) =>
  facts([
    ...quote.lines.map((line) => [t(`bill.${line.kind}`), money(line.amount)]),
    [order.charge ? t('bill.total') : t('op.bill.soFar'), h('strong', null, money(order.charge ?? quote.charge))],
    [t('op.bill.duration'), quote.durationSeconds ? duration(quote.durationSeconds) : null],
  ]);

const paid = (receipt) =>
  facts([
    [t('op.bill.paid'), money(receipt.paid)],
    [t('bill.tip'), receipt.tip ? money(receipt.tip) : null],
    [t('op.bill.refunded'), receipt.refunded.amount ? money(receipt.refunded) : null],
  ]);

const refundLine = ({ refund: { id, amount, reason, createdAt }, ...entry }) =>
  h(
    'li',
    { key: id, class: 'row between wrap' },
    h(
      'span',
      null,
      t('op.refund.of', { amount: money(amount) }),
      entry.refundState === 'succeeded' ? null : [' ', refundBadge(entry)],
      h('span', { class: 'muted small' }, ` ${reason}`),
    ),
    h('span', { class: 'small muted' }, dateTime(createdAt)),
  );

const paymentLine = (payment, refund) =>
  h(
    'li',
    { key: payment.id, class: 'row between wrap' },
    h(
      'span',
      null,
      money(payment.amount),
      ' ',
      badge(t(`op.payment.${payment.status}`), paymentTone[payment.status]),
      h('span', { class: 'muted small' }, ' ', cardLine(payment)),
    ),
    isRefundable(payment) ? button(t('op.refund'), { onclick: () => refund(payment) }) : null,
  );

const cardLine = ({ brand, last4, declineReason }) =>
  [last4 ? cardText({ brand, last4 }) : brand, declineReason].filter(Boolean).join(' ');
