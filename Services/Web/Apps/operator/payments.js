// Money: payments and refunds; the books (trial balance, entries, reconciliation with the provider).

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, day as dayText, money, number, t, tProblem } from '/apps/shared/i18n.js';
import { badge, button, empty, field, notice, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { learn, ticketOf } from './store.js';
import { createPages, createResource, every, head, section, shortID, shown, shownPages, table } from './parts.js';
import { refundDialog } from './actions.js';

const PACE = 15_000;
const tones = { succeeded: 'success', declined: 'danger', processing: 'warning', requiresAction: 'warning' };

export const orderLink = (id) =>
  h('a', { href: `#/orders/${id}` }, ticketOf(id) ? h('span', { class: 'ticket' }, ticketOf(id)) : shortID(id));

/** Whether the newest orders are loaded: an id that is none of them may belong to another product. */
let areTicketsKnown = false;

/** Loads the tickets of the newest orders, since payments and entries have only ids; older ones keep their id. */
async function learnTickets() {
  try {
    learn((await api.get('/v1/admin/orders?limit=200')).items);
  } catch {
    // Show the ids instead.
  }
  areTicketsKnown = true;
  redraw();
}

/** Bills by id; null while one is loading. */
const bills = new Map();

/** Loads the receipt, or else the bill, of an id that is no known order, to show what it is for. */
async function learnBill(id) {
  bills.set(id, null);
  const path = escaped`/v1/bills/${id}`;
  try {
    bills.set(id, await api.get(`${path}/receipt`).catch(() => api.get(path)));
    redraw();
  } catch {
    // Show the id for a while, then retry.
    setTimeout(() => bills.delete(id), PACE);
  }
}

/** A link to the order, the booking or the fine. */
function thingLink(id) {
  if (ticketOf(id)) return orderLink(id);
  if (areTicketsKnown && !bills.has(id)) learnBill(id);
  const bill = bills.get(id);
  if (!bill) return shortID(id);
  if (bill.product !== 'parking') return orderLink(id);
  const booking = bill.booking ?? (bill.lines.some(({ kind }) => kind === 'parking') ? id : null);
  const path = booking
    ? escaped`/car-parks/bookings/${booking}`
    : bill.fine
      ? escaped`/car-parks/fines/${bill.fine}`
      : null;
  return path
    ? h('a', { class: 'ticket', href: `#${path}` }, bill.reference)
    : h('span', { class: 'ticket' }, bill.reference);
}

export function paymentsScreen() {
  const pages = createPages('/v1/payments');
  learnTickets();
  const stop = every(PACE, () => pages.items.length <= 50 && !pages.isBusy && pages.reload());
  const columns = [
    { label: t('op.time'), isHead: true, cell: (entry) => h('span', { class: 'nowrap' }, dateTime(entry.createdAt)) },
    { label: t('op.paidFor'), cell: (entry) => thingLink((entry.payment ?? entry.refund).bill) },
    {
      label: t('op.what'),
      cell: ({ payment, refund }) =>
        refund
          ? h(
              'span',
              null,
              badge(t('op.payment.refund'), 'accent'),
              h('span', { class: 'small muted' }, ` ${refund.reason}`),
            )
          : h(
              'span',
              null,
              badge(t(`op.payment.${payment.status}`), tones[payment.status]),
              payment.declineReason ? h('span', { class: 'small muted' }, ` ${payment.declineReason}`) : null,
            ),
    },
    {
      label: t('op.card'),
      cell: ({ payment }) => (payment?.last4 ? `${payment.brand ?? ''} •••• ${payment.last4}` : '–'),
    },
    {
      label: t('op.amount'),
      isAmount: true,
      cell: ({ payment, refund }) =>
        h('strong', null, refund ? money({ ...refund.amount, amount: -refund.amount.amount }) : money(payment.amount)),
    },
    { label: t('bill.tip'), isAmount: true, cell: ({ payment }) => (payment?.tip ? money(payment.tip) : '–') },
    {
      label: t('op.bill.refunded'),
      isAmount: true,
      cell: ({ payment }) => (payment?.refunded.amount ? money(payment.refunded) : '–'),
    },
    {
      label: '',
      cell: ({ payment }) =>
        payment?.status === 'succeeded' && payment.refunded.amount < payment.amount.amount
          ? button(t('op.refund'), { onclick: async () => (await refundDialog(payment)) && pages.reload() })
          : null,
    },
  ];
  return {
    title: () => t('op.nav.payments'),
    view: () => [
      head(t('op.nav.payments'), { age: pages.at, lead: t('op.payments.lead') }),
      shownPages(
        pages,
        (items) => table(t('op.nav.payments'), columns, items, { key: (entry) => (entry.payment ?? entry.refund).id }),
        empty('wallet', t('op.payments.none'), t('op.payments.none.text')),
      ),
    ],
    leave: stop,
  };
}

// MARK: Books

const minor = (amount, currency) => money({ amount, currency });

export function booksScreen() {
  const balance = createResource(() => api.get('/v1/admin/ledger/trial-balance'));
  const entries = createPages('/v1/admin/ledger/entries', {}, 20);
  const days = createPages('/v1/admin/reconciliations', {}, 20);
  const today = () => new Date(serverNow()).toISOString().slice(0, 10);
  let day = null;
  let isBusy = false;
  let error = null;
  learnTickets();

  async function reconcile(event) {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    error = null;
    redraw();
    try {
      const made = await api.post('/v1/admin/reconciliations', { day: day ?? today() }, { timeout: 60_000 });
      toast(
        made.differences.length ? t('op.books.differs', { count: made.differences.length }) : t('op.books.agrees'),
        made.differences.length ? 'danger' : 'success',
      );
      days.reload();
    } catch (problem) {
      error = problem;
    }
    isBusy = false;
    redraw();
  }

  const balanceView = ({ lines, at }) => {
    if (!lines.length) return h('p', { class: 'muted' }, t('op.books.empty'));
    const sums = new Map();
    for (const { currency, balance } of lines) sums.set(currency, (sums.get(currency) ?? 0) + balance);
    return [
      ...[...sums].map(([currency, sum]) =>
        sum === 0
          ? notice('success', t('op.books.zero', { currency, time: dateTime(at) }))
          : notice('danger', t('op.books.notZero', { currency, sum: minor(sum, currency) })),
      ),
      table(
        t('op.books.balance'),
        [
          { label: t('op.books.account'), isHead: true, cell: (line) => accountName(line.account) },
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
      ),
    ];
  };

  const entriesView = (items) =>
    table(
      t('op.books.entries'),
      [
        { label: t('op.time'), isHead: true, cell: (entry) => dateTime(entry.enteredAt) },
        { label: t('op.what'), cell: (entry) => entry.kind },
        { label: t('op.paidFor'), cell: (entry) => (entry.order ? thingLink(entry.order) : '–') },
        {
          label: t('op.books.postings'),
          cell: (entry) =>
            h(
              'ul',
              { class: 'postings' },
              entry.postings.map((posting, i) =>
                h(
                  'li',
                  { key: i, class: 'row between' },
                  h('span', null, accountName(posting.account)),
                  h('span', { class: 'numbers' }, minor(posting.amount, posting.currency)),
                ),
              ),
            ),
        },
      ],
      items,
      { isTight: true },
    );

  const daysView = (items) =>
    table(
      t('op.books.days'),
      [
        { label: t('op.books.day'), isHead: true, cell: (one) => dayText(one.day, 'UTC') },
        { label: t('op.books.compared'), isAmount: true, cell: (one) => number(one.compared) },
        {
          label: t('op.books.result'),
          cell: (one) =>
            one.differences.length
              ? h(
                  'details',
                  null,
                  h('summary', null, badge(t('op.books.differs', { count: one.differences.length }), 'danger')),
                  h(
                    'ul',
                    { class: 'bullets' },
                    one.differences.map((difference, i) => h('li', { key: i }, differenceText(difference))),
                  ),
                )
              : badge(t('op.books.agrees'), 'success'),
        },
        { label: t('op.books.madeAt'), cell: (one) => dateTime(one.madeAt) },
      ],
      items,
      { isTight: true },
    );

  return {
    title: () => t('op.nav.books'),
    view: () => [
      head(t('op.nav.books'), { lead: t('op.books.lead'), age: balance.at }),
      h(
        'div',
        { class: 'columns even', key: 'columns' },
        h(
          'div',
          { class: 'stack' },
          section(
            t('op.books.balance'),
            {
              id: 'balance',
              actions: button(t('op.reload'), { look: 'quiet', onclick: balance.reload, isBusy: balance.isBusy }),
            },
            shown(balance, balanceView),
          ),
        ),
        h(
          'div',
          { class: 'stack' },
          section(
            t('op.books.reconcile'),
            { id: 'reconcile' },
            h('p', { class: 'muted' }, t('op.books.reconcile.lead')),
            h(
              'form',
              { onsubmit: reconcile, class: 'inline-form' },
              field({
                id: 'day',
                label: t('op.books.day'),
                type: 'date',
                value: day ?? today(),
                required: true,
                max: today(),
                error: error ? tProblem(error) : null,
                onchange: (event) => {
                  day = event.target.value;
                },
              }),
              button(t('op.books.reconcile.now'), { type: 'submit', isBusy }),
            ),
            shownPages(days, daysView, h('p', { class: 'muted' }, t('op.books.days.none'))),
          ),
        ),
      ),
      section(
        t('op.books.entries'),
        { id: 'entries' },
        shownPages(entries, entriesView, h('p', { class: 'muted' }, t('op.books.empty'))),
      ),
    ],
  };
}

const accountName = (account) => h('code', { class: 'account' }, account);
const differenceText = ({ kind, payment, refund, reference, here, atProvider }) =>
  t(`op.books.diff.${kind}`, {
    what: payment?.slice(-8) ?? refund?.slice(-8) ?? reference ?? '–',
    here: here ? money(here) : '–',
    there: atProvider ? money(atProvider) : '–',
  });
