// Payments and refunds.

import { withQuery } from '/apps/shared/api.js';
import { cardText } from '/apps/shared/cards.js';
import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { badge, button, empty } from '/apps/shared/ui.js';
import { api } from './context.js';
import { createPages, createResource, follow, head, moment, shownPages, table } from './parts.js';
import { createFile, createFilter, isFiltered, paymentFilters, sitesOf, totalsView } from './payment-filters.js';
import { isRefundable, learnTickets, paymentTone, refundBadge, thingLink } from './payment-parts.js';
import { refundDialog } from './actions.js';
import { createDecidedDisputes } from './decided-disputes.js';
import { createDisputes } from './disputes.js';

const PACE = 15_000;

export function paymentsScreen() {
  const filter = createFilter((values) => {
    pages.reload(values);
    totals.reload();
  });
  const pages = createPages('/v1/payments');
  const totals = createResource(() => api.get(withQuery('/v1/admin/payments/totals', filter.values)));
  const earners = createResource(() => api.get('/v1/admin/ledger/accounts?kind=revenue&limit=200'));
  const file = createFile('/v1/admin/exports/payments', 'payments', () => filter.values);
  learnTickets();
  const stop = follow(pages, PACE);
  const disputes = createDisputes();
  const decided = createDecidedDisputes();
  const refund = async (payment) => {
    if (!(await refundDialog(payment))) return;
    pages.reload();
    totals.reload();
  };
  return {
    title: () => t('op.nav.payments'),
    view: () => [
      head(t('op.nav.payments'), { age: pages.at, lead: t('op.payments.lead'), actions: file.button() }),
      file.problem(),
      disputes.view(),
      h('div', { class: 'panel', key: 'filters' }, paymentFilters(filter, sitesOf(earners.value?.items ?? []))),
      totals.value ? totalsView(totals.value) : null,
      shownPages(
        pages,
        (items) =>
          table(t('op.nav.payments'), columns(refund), items, { key: (entry) => (entry.payment ?? entry.refund).id }),
        isFiltered(filter)
          ? empty('search', t('op.payments.noMatch'), t('op.payments.noMatch.text'))
          : empty('wallet', t('op.payments.none'), t('op.payments.none.text')),
      ),
      decided.view(),
    ],
    leave() {
      stop();
      disputes.stop();
      decided.stop();
    },
  };
}

/** An entry has either a payment or a refund. */
const columns = (refund) => [
  { label: t('op.time'), isHead: true, cell: (entry) => moment(entry.createdAt) },
  { label: t('op.paidFor'), cell: thing },
  { label: t('op.customer'), cell: (entry) => entry.payerName ?? '–' },
  { label: t('op.what'), cell: what },
  {
    label: t('op.card'),
    cell: ({ payment }) =>
      payment && ['cash', 'terminal'].includes(payment.means)
        ? t(`op.means.${payment.means}`)
        : payment?.last4
          ? cardText(payment)
          : '–',
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

/** A link to what was paid for, and its product and place. */
const thing = ({ payment, refund, title, siteName }) =>
  h(
    'span',
    null,
    thingLink((payment ?? refund).bill),
    title ? h('span', { class: 'small muted' }, ` ${[title, siteName].filter(Boolean).join(', ')}`) : null,
  );

const amountOf = ({ payment, refund }) =>
  refund ? { ...refund.amount, amount: -refund.amount.amount } : payment.amount;

function what({ payment, refund, ...entry }) {
  const reason = refund ? refund.reason : payment.declineReason;
  return h(
    'span',
    null,
    refund ? refundBadge(entry) : badge(t(`op.payment.${payment.status}`), paymentTone[payment.status]),
    reason ? h('span', { class: 'small muted' }, ` ${reason}`) : null,
  );
}
