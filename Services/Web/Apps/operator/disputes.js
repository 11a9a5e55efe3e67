// Payments that payers contest with their banks: those that are open, above the payments.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { badge } from '/apps/shared/ui.js';
import { api } from './context.js';
import { createPages, createResource, follow, moment, shownPages, table } from './parts.js';
import { thingLink } from './payment-parts.js';

const PACE = 60_000;
/** Where evidence is sent, and disputes are listed. */
const DASHBOARD = 'https://dashboard.stripe.com/disputes';

const tones = { inquiry: 'warning', needsResponse: 'danger', underReview: 'warning' };

/** The list; nothing while there is no open dispute. The built-in provider has no page for answers. */
export function createDisputes() {
  const pages = createPages('/v1/admin/disputes', { state: 'open' });
  const provider = createResource(() => api.get('/v1/payment-provider', { anonymous: true }));
  return {
    stop: follow(pages, PACE),
    view: () =>
      pages.items.length || pages.error
        ? h(
            'section',
            null,
            h('h2', null, t('op.disputes')),
            h('p', { class: 'muted' }, t('op.disputes.lead')),
            shownPages(pages, (items) => table(t('op.disputes'), columns(), items, { key: ({ id }) => id }), null),
            provider.value?.provider === 'stripe'
              ? h('p', null, h('a', { href: DASHBOARD, target: '_blank', rel: 'noopener' }, t('op.disputes.answer')))
              : null,
          )
        : null,
  };
}

/** The columns of every list of disputes; `tones` has the look of each state. */
export const disputeColumns = (tones) => [
  { label: t('op.time'), isHead: true, cell: ({ createdAt }) => moment(createdAt) },
  { label: t('op.paidFor'), cell: ({ bill }) => thingLink(bill) },
  { label: t('op.what'), cell: ({ status }) => badge(t(`op.dispute.${status}`), tones[status]) },
  { label: t('op.amount'), isAmount: true, cell: ({ amount }) => h('strong', null, money(amount)) },
];

const columns = () => [
  ...disputeColumns(tones),
  {
    label: t('op.dispute.due'),
    cell: ({ evidenceDueAt, status }) => (evidenceDueAt && status !== 'underReview' ? moment(evidenceDueAt) : '–'),
  },
];
