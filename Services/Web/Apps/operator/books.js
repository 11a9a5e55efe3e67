// The books: trial balance, entries, reconciliation with the payment provider.

import { withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, day as dayText, hasText, money, number, t, tProblem } from '/apps/shared/i18n.js';
import { monthName } from '/apps/shared/receipt-sheet.js';
import { badge, button, field, notice, select, toast } from '/apps/shared/ui.js';
import { daysOf } from './book-days.js';
import { api, redraw } from './context.js';
import { createPages, createResource, head, section, shown, shownPages, table } from './parts.js';
import {
  createFile,
  createFilter,
  isFiltered,
  periodFields,
  placeFields,
  searchField,
  sitesOf,
  today,
} from './payment-filters.js';
import { learnTickets, thingLink } from './payment-parts.js';

/** `day` is the chosen one, null for today. */
export function booksScreen() {
  const filter = createFilter((values) => {
    screen.entries.reload(values);
    screen.totals.reload();
  });
  let asked = null;
  /** The company's days, asked for once, and again after an error. */
  const companyDays = () =>
    (asked ??= api.get('/v1/admin/days').catch((error) => {
      asked = null;
      throw error;
    }));
  const companyMonth = async () => today((await companyDays()).timeZone).slice(0, 7);
  const screen = {
    balance: createResource(() => api.get('/v1/admin/ledger/trial-balance')),
    entries: createPages('/v1/admin/ledger/entries', {}, 20),
    days: createPages('/v1/admin/reconciliations', {}, 20),
    accounts: createResource(() => api.get('/v1/admin/ledger/accounts?limit=200')),
    // Without a filter those of the company's month: the whole ledger has too many entries to sum it each time.
    totals: createResource(async () => {
      const month = isFiltered(filter) ? null : await companyMonth();
      const query = month ? daysOf(month) : filter.values;
      return { ...(await api.get(withQuery('/v1/admin/ledger/totals', query))), month };
    }),
    filter,
    month: createResource(companyDays),
    day: null,
    isBusy: false,
    error: null,
  };
  const file = createFile('/v1/admin/exports/ledger', 'ledger', () => screen.filter.values);
  learnTickets();
  return {
    title: () => t('op.nav.books'),
    view: () => [
      head(t('op.nav.books'), {
        lead: t('op.books.lead'),
        age: screen.balance.at,
        actions: [
          h('a', { class: 'button', href: '#/books/days', key: 'days' }, t('op.days.title')),
          h('a', { class: 'button', href: '#/books/receipts', key: 'receipts' }, t('op.receipts')),
          h('a', { class: 'button', href: '#/books/balances', key: 'balances' }, t('op.balances')),
          h('a', { class: 'button', href: '#/books/payouts', key: 'payouts' }, t('op.payouts')),
        ],
      }),
      h(
        'div',
        { class: 'columns even', key: 'columns' },
        h('div', { class: 'stack' }, balanceSection(screen)),
        h('div', { class: 'stack' }, reconcileSection(screen)),
      ),
      section(
        t('op.books.entries'),
        { id: 'entries', actions: file.button() },
        file.problem(),
        entryFilters(screen),
        screen.totals.value ? totalsView(screen.totals.value) : null,
        shownPages(
          screen.entries,
          entriesTable,
          h('p', { class: 'muted' }, t(isFiltered(screen.filter) ? 'op.books.noMatch' : 'op.books.empty')),
        ),
      ),
    ],
  };
}

const minor = (amount, currency) => money({ amount, currency });
/** The account's name in words; its id is told on pointing at it. */
const accountName = ({ account, name }) => h('span', { class: 'account', title: account }, name ?? account);

// MARK: Trial balance

const balanceSection = ({ balance }) =>
  section(
    t('op.books.balance'),
    {
      id: 'balance',
      actions: button(t('op.reload'), { look: 'quiet', onclick: balance.reload, isBusy: balance.isBusy }),
    },
    shown(balance, balanceView),
  );

/** The sum of all balances by currency, which is zero in books that agree. */
export function sumsOf(lines) {
  const sums = new Map();
  for (const { currency, balance } of lines) sums.set(currency, (sums.get(currency) ?? 0) + balance);
  return [...sums];
}

const balanceView = ({ lines, at }) =>
  lines.length
    ? [
        ...sumsOf(lines).map(([currency, sum]) =>
          sum === 0
            ? notice('success', t('op.books.zero', { currency, time: dateTime(at) }))
            : notice('danger', t('op.books.notZero', { currency, sum: minor(sum, currency) })),
        ),
        balanceTable(lines),
      ]
    : h('p', { class: 'muted' }, t('op.books.empty'));

const balanceTable = (lines) =>
  table(
    t('op.books.balance'),
    [
      { label: t('op.books.account'), isHead: true, cell: accountName },
      {
        label: t('op.books.debit'),
        isAmount: true,
        cell: (line) => (line.balance > 0 ? minor(line.balance, line.currency) : ''),
      },
      {
        label: t('op.books.credit'),
        isAmount: true,
        cell: (line) => (line.balance < 0 ? minor(-line.balance, line.currency) : ''),
      },
    ],
    lines,
    { key: (line) => line.account + line.currency, isTight: true },
  );

// MARK: Reconciliation

/** Today as the company's days have it; on this device until its time zone is known. */
const todayOf = ({ month }) => today(month.value?.timeZone);

async function reconcile(screen) {
  if (screen.isBusy) return;
  Object.assign(screen, { isBusy: true, error: null });
  redraw();
  try {
    const made = await api.post(
      '/v1/admin/reconciliations',
      { day: screen.day ?? todayOf(screen) },
      { timeout: 60_000 },
    );
    const count = made.differences.length;
    toast(count ? t('op.books.differs', { count }) : t('op.books.agrees'), count ? 'danger' : 'success');
    screen.days.reload();
  } catch (error) {
    screen.error = error;
  }
  screen.isBusy = false;
  redraw();
}

const reconcileSection = (screen) =>
  section(
    t('op.books.reconcile'),
    { id: 'reconcile' },
    h('p', { class: 'muted' }, t('op.books.reconcile.lead')),
    dayForm(screen),
    shownPages(screen.days, daysTable, h('p', { class: 'muted' }, t('op.books.days.none'))),
  );

const dayForm = (screen) =>
  h(
    'form',
    {
      class: 'inline-form',
      onsubmit(event) {
        event.preventDefault();
        reconcile(screen);
      },
    },
    field({
      id: 'day',
      label: t('op.books.day'),
      type: 'date',
      value: screen.day ?? todayOf(screen),
      required: true,
      max: todayOf(screen),
      error: screen.error ? tProblem(screen.error) : null,
      onchange: (event) => {
        screen.day = event.target.value;
      },
    }),
    button(t('op.books.reconcile.now'), { type: 'submit', isBusy: screen.isBusy }),
  );

const daysTable = (items) =>
  table(
    t('op.books.days'),
    [
      { label: t('op.books.day'), isHead: true, cell: (one) => dayText(one.day, 'UTC') },
      { label: t('op.books.compared'), isAmount: true, cell: (one) => number(one.compared) },
      { label: t('op.books.result'), cell: ({ differences }) => result(differences) },
      { label: t('op.books.madeAt'), cell: (one) => dateTime(one.madeAt) },
    ],
    items,
    { isTight: true },
  );

const result = (differences) =>
  differences.length
    ? h(
        'details',
        null,
        h('summary', null, badge(t('op.books.differs', { count: differences.length }), 'danger')),
        h(
          'ul',
          { class: 'bullets' },
          differences.map((difference, i) => h('li', { key: i }, differenceText(difference))),
        ),
      )
    : badge(t('op.books.agrees'), 'success');

const differenceText = ({ kind, payment, refund, payout, reference, here, atProvider }) =>
  t(`op.books.diff.${kind}`, {
    what: (payment ?? refund ?? payout)?.slice(-8) ?? reference ?? '–',
    here: here ? money(here) : '–',
    there: atProvider ? money(atProvider) : '–',
  });

// MARK: Entries

const entryFilters = ({ filter, accounts }) =>
  h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
    searchField(filter, t('op.payments.search.hint')),
    periodFields(filter),
    select({
      id: 'account',
      label: t('op.books.account'),
      value: filter.values.account ?? '',
      options: [['', t('op.state.all')], ...(accounts.value?.items ?? []).map(({ id, name }) => [id, name])],
      onchange: (event) => filter.set({ account: event.target.value }),
    }),
    placeFields(filter, sitesOf(accounts.value?.items ?? [])),
  );

/** Sums by currency, of a month or, if that is null, of what is filtered. */
const totalsView = ({ month, count, currencies }) =>
  h(
    'div',
    { class: 'row wrap', role: 'status' },
    month ? h('strong', null, monthName(month)) : null,
    h('span', { class: 'muted' }, t('op.payments.count', { count })),
    currencies.map(({ debits, credits }) =>
      h(
        'span',
        { key: debits.currency, class: 'numbers' },
        `${t('op.books.debit')} ${money(debits)} · ${t('op.books.credit')} ${money(credits)}`,
      ),
    ),
  );

/** What happened, in words. */
const kindText = ({ kind }) => (hasText(`op.entry.${kind}`) ? t(`op.entry.${kind}`) : kind);

const entriesTable = (items) =>
  table(
    t('op.books.entries'),
    [
      { label: t('op.time'), isHead: true, cell: (entry) => dateTime(entry.enteredAt) },
      { label: t('op.what'), cell: kindText },
      { label: t('op.paidFor'), cell: (entry) => (entry.order ? thingLink(entry.order) : '–') },
      { label: t('op.books.postings'), cell: postings },
    ],
    items,
    { isTight: true },
  );

const postings = (entry) =>
  h(
    'ul',
    { class: 'postings' },
    entry.postings.map(({ account, name, amount, currency }, i) =>
      h(
        'li',
        { key: i, class: 'row between' },
        h('span', null, accountName({ account, name })),
        h('span', { class: 'numbers' }, minor(amount, currency)),
      ),
    ),
  );
