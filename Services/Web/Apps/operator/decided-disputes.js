// Disputes that are over, below the payments: whether the bank gave the money back or kept it.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge } from '/apps/shared/ui.js';
import { createPages, follow, moment, shownPages, table } from './parts.js';
import { thingLink } from './payment-parts.js';

const PACE = 60_000;

const tones = { won: 'success', lost: 'danger' };

/** The list, folded; nothing while there is none. */
export function createDecidedDisputes() {
  const pages = createPages('/v1/admin/disputes', { state: 'closed' });
  return {
    stop: follow(pages, PACE),
    view: () =>
      pages.items.length
        ? h(
            'details',
            { class: 'fold', key: 'decided-disputes' },
            h('summary', null, t('op.disputes.decided'), icon('next')),
            shownPages(
              pages,
              (items) => table(t('op.disputes.decided'), columns(), items, { key: ({ id }) => id }),
              null,
            ),
          )
        : null,
  };
}

const columns = () => [
  { label: t('op.time'), isHead: true, cell: ({ createdAt }) => moment(createdAt) },
  { label: t('op.paidFor'), cell: ({ bill }) => thingLink(bill) },
  { label: t('op.what'), cell: ({ status }) => badge(t(`op.dispute.${status}`), tones[status]) },
  { label: t('op.amount'), isAmount: true, cell: ({ amount }) => h('strong', null, money(amount)) },
  { label: t('op.dispute.fee'), isAmount: true, cell: ({ fee }) => (fee?.amount ? money(fee) : '–') },
];
