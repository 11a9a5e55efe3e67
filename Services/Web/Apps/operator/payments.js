// Payments and refunds.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { badge, button, empty } from '/apps/shared/ui.js';
import { createPages, follow, head, moment, shownPages, table } from './parts.js';
import { isRefundable, learnTickets, paymentTone, thingLink } from './payment-parts.js';
import { refundDialog } from './actions.js';
import { createDisputes } from './disputes.js';

const PACE = 15_000;

export function paymentsScreen() {
  const pages = createPages('/v1/payments');
  learnTickets();
  const stop = follow(pages, PACE);
  const disputes = createDisputes();
  const refund = async (payment) => (await refundDialog(payment)) && pages.reload();
  return {
    title: () => t('op.nav.payments'),
    view: () => [
      head(t('op.nav.payments'), { age: pages.at, lead: t('op.payments.lead') }),
      disputes.view(),
      shownPages(
        pages,
        (items) =>
          table(t('op.nav.payments'), columns(refund), items, { key: (entry) => (entry.payment ?? entry.refund).id }),
        empty('wallet', t('op.payments.none'), t('op.payments.none.text')),
      ),
    ],
    leave() {
      stop();
      disputes.stop();
    },
  };
}

/** An entry has either a payment or a refund. */
const columns = (refund) => [
  { label: t('op.time'), isHead: true, cell: (entry) => moment(entry.createdAt) },
  { label: t('op.paidFor'), cell: (entry) => thingLink((entry.payment ?? entry.refund).bill) },
  { label: t('op.what'), cell: what },
  {
    label: t('op.card'),
    cell: ({ payment }) => (payment?.last4 ? `${payment.brand ?? ''} •••• ${payment.last4}` : '–'),
  },
  { label: t('op.amount'), isAmount: true, cell: (entry) => h('strong', null, money(amountOf(entry))) },
  { label: t('bill.tip'), isAmount: true, cell: ({ payment }) => (payment?.tip ? money(payment.tip) : '–') },
  {
    label: t('op.bill.refunded'),
    isAmount: true,
    cell: ({ payment }) => (payment?.refunded.amount ? money(payment.refunded) : '–'),
  },
  {
    label: '',
    cell: ({ payment }) =>
      payment && isRefundable(payment) ? button(t('op.refund'), { onclick: () => refund(payment) }) : null,
  },
];

const amountOf = ({ payment, refund }) =>
  refund ? { ...refund.amount, amount: -refund.amount.amount } : payment.amount;

function what({ payment, refund }) {
  const reason = refund ? refund.reason : payment.declineReason;
  return h(
    'span',
    null,
    refund
      ? badge(t('op.payment.refund'), 'accent')
      : badge(t(`op.payment.${payment.status}`), paymentTone[payment.status]),
    reason ? h('span', { class: 'small muted' }, ` ${reason}`) : null,
  );
}
