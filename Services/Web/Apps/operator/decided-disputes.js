// Disputes that are over, below the payments: whether the bank gave the money back or kept it.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { disputeColumns } from './disputes.js';
import { createPages, follow, shownPages, table } from './parts.js';

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
  ...disputeColumns(tones),
  { label: t('op.dispute.fee'), isAmount: true, cell: ({ fee }) => (fee?.amount ? money(fee) : '–') },
];
