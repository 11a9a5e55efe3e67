// The balances of all people.

import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { empty } from '/apps/shared/ui.js';
import { createPages, head, shortID, shownPages, table } from './parts.js';
import { createFile, createFilter, isFiltered, searchField } from './payment-filters.js';

export function balancesScreen() {
  const filter = createFilter((values) => pages.reload(values));
  const pages = createPages('/v1/admin/balances');
  const file = createFile('/v1/admin/exports/balances', 'balances', () => filter.values);
  return {
    title: () => t('op.balances'),
    view: () => [
      head(t('op.balances'), { back: '/books', lead: t('op.balances.lead'), age: pages.at, actions: file.button() }),
      file.problem(),
      h('div', { class: 'panel', key: 'filters', role: 'search' }, searchField(filter, t('op.balances.hint'))),
      shownPages(
        pages,
        (items) => table(t('op.balances'), columns, items, { key: ({ person }) => person }),
        isFiltered(filter)
          ? empty('search', t('op.payments.noMatch'), t('op.payments.noMatch.text'))
          : empty('wallet', t('op.balances.none'), t('op.balances.none.text')),
      ),
    ],
  };
}

/** An amount for each currency. */
const sums = (part) => (one) =>
  h(
    'span',
    null,
    one.currencies.map((sum) => h('span', { key: sum.available.currency, class: 'nowrap' }, `${money(sum[part])} `)),
  );

const columns = [
  { label: 'op.name', cell: ({ name, person }) => name ?? shortID(person), isHead: true },
  { label: 'op.balances.available', cell: sums('available'), isAmount: true },
  { label: 'op.balances.pending', cell: sums('pending'), isAmount: true },
  { label: 'op.balances.frozen', cell: sums('frozen'), isAmount: true },
  { label: 'op.balances.processing', cell: sums('processing'), isAmount: true },
  { label: 'op.balances.paidOut', cell: sums('paidOut'), isAmount: true },
  { label: 'op.balances.last', cell: ({ lastPayout }) => (lastPayout ? dateTime(lastPayout.createdAt) : '–') },
].map((column) => ({
  ...column,
  get label() {
    return t(column.label);
  },
}));
