// Payouts to everybody, with the reasons of those that failed.

import { h } from '/apps/shared/dom.js';
import { hasText, money, t } from '/apps/shared/i18n.js';
import { badge, empty } from '/apps/shared/ui.js';
import { createPages, follow, head, moment, shortID, shownPages, table } from './parts.js';
import { choiceField, createFilter, isFiltered, searchField } from './payment-filters.js';

const PACE = 60_000;

const TONES = { processing: 'warning', paid: 'success', failed: 'danger' };

export function payoutsScreen() {
  const filter = createFilter((values) => pages.reload(values));
  const pages = createPages('/v1/admin/payouts');
  return {
    title: () => t('op.payouts'),
    view: () => [
      head(t('op.payouts'), {
        back: '/books',
        lead: t('op.payouts.all.lead'),
        age: pages.at,
        actions: h('a', { class: 'button', href: '#/settings' }, t('op.payouts.rules')),
      }),
      filters(filter),
      shownPages(
        pages,
        (items) => table(t('op.payouts'), columns(), items, { key: ({ payout }) => payout.id }),
        isFiltered(filter)
          ? empty('search', t('op.payments.noMatch'), t('op.payments.noMatch.text'))
          : empty('wallet', t('op.payouts.empty'), t('op.payouts.empty.text')),
      ),
    ],
    leave: follow(pages, PACE),
  };
}

const filters = (filter) =>
  h(
    'div',
    { class: 'panel', key: 'filters' },
    h(
      'div',
      { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
      searchField(filter, t('op.balances.hint')),
      choiceField(
        filter,
        'status',
        t('op.state'),
        t('op.state.all'),
        Object.keys(TONES).map((status) => [status, t(`op.payout.${status}`)]),
      ),
    ),
  );

const columns = () => [
  { label: t('op.time'), isHead: true, cell: ({ payout }) => moment(payout.createdAt) },
  { label: t('op.name'), cell: ({ name, person }) => name ?? shortID(person) },
  { label: t('op.state'), cell: ({ payout }) => stateOf(payout) },
  { label: t('op.payout.account'), cell: accountOf },
  { label: t('op.amount'), isAmount: true, cell: ({ payout }) => h('strong', null, money(payout.amount)) },
  {
    label: t('op.payout.returned'),
    isAmount: true,
    cell: ({ payout: { returned } }) => (returned ? money(returned) : '–'),
  },
];

/** The state, and of a failed payout why, with the provider's own reason. */
export const stateOf = ({ status, problem, reason }) =>
  h(
    'span',
    null,
    badge(t(`op.payout.${status}`), TONES[status]),
    status === 'failed'
      ? [
          h('span', { class: 'small' }, ` ${problemText(problem)}`),
          reason ? h('code', { class: 'small muted' }, ` ${reason}`) : null,
        ]
      : null,
  );

/** In words, also for a problem of a later server. */
const problemText = (problem) =>
  t(hasText(`op.payout.why.${problem}`) ? `op.payout.why.${problem}` : 'op.payout.why.providerRefused');

const accountOf = ({ account, payout: { last4 } }) =>
  h('span', { title: account }, last4 ? t('op.payout.bank', { last4 }) : (account ?? '–'));
