// Days of the books and their closing, and the statements of months.

import { escaped, withQuery } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, day as dayText, money, number, t } from '/apps/shared/i18n.js';
import { PRODUCTS } from '/apps/shared/products.js';
import { monthName, percentText } from '/apps/shared/receipt-sheet.js';
import { badge, button, empty, facts, field, iconButton, notice, toast } from '/apps/shared/ui.js';
import { api } from './context.js';
import { createResource, dialogActions, formDialog, head, section, shown, table } from './parts.js';
import { createDownload, createFile } from './payment-filters.js';

// MARK: Month

/** The month so many months later, `2026-12` for `2026-11` and 1. */
export function monthAfter(month, count) {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The first and last day of a month, as a query of the API. */
export const daysOf = (month) => {
  const [year, number] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
};

/** The days of a month; `month` is null until the server has told the current one. */
export function daysScreen() {
  const screen = { month: null, newest: null };
  const days = createResource(async () => {
    const list = await api.get(withQuery('/v1/admin/days', { month: screen.month }));
    screen.month = list.month;
    screen.newest ??= list.month;
    return list;
  });
  const query = () => (screen.month ? daysOf(screen.month) : {});
  const file = createFile('/v1/admin/exports/days', 'days', query, 'op.days.csv');
  const documents = createFile('/v1/admin/exports/documents', 'documents', query, 'op.days.documents.csv');
  const choose = (count) => {
    screen.month = monthAfter(screen.month, count);
    Object.assign(days, { value: undefined, error: null });
    days.reload();
  };
  return {
    title: () => t('op.days.title'),
    view: () => [
      head(t('op.days.title'), { back: '/books', lead: t('op.days.lead'), actions: file.button() }),
      file.problem(),
      screen.month
        ? h(
            'div',
            { class: 'panel stack', key: 'month' },
            monthChoice(screen, choose),
            days.value ? h('p', { class: 'muted small' }, t('op.days.zone', { zone: days.value.timeZone })) : null,
            h(
              'div',
              { class: 'row wrap' },
              h(
                'a',
                { class: 'button', href: escaped`#/books/statements/${screen.month}` },
                t('op.statement.open', { month: monthName(screen.month) }),
              ),
              documents.button(),
            ),
            documents.problem(),
          )
        : null,
      shown(days, ({ days: list }) =>
        list.length ? daysTable(list) : empty('receipt', t('op.days.none'), t('op.days.none.text')),
      ),
    ],
  };
}

const monthChoice = ({ month, newest }, choose) =>
  h(
    'div',
    { class: 'row', role: 'group', 'aria-label': t('op.days.month') },
    iconButton('back', t('op.days.month.before'), () => choose(-1)),
    h('strong', { role: 'status' }, monthName(month)),
    month < newest ? iconButton('next', t('op.days.month.after'), () => choose(1)) : null,
  );

const daysTable = (list) =>
  table(
    t('op.days.title'),
    [
      {
        label: t('op.days.day'),
        isHead: true,
        cell: ({ day }) => h('a', { href: escaped`#/books/days/${day}` }, dayText(day, 'UTC')),
      },
      { label: t('op.state'), cell: stateOf },
      {
        label: t('op.books.reconcile'),
        cell: ({ differences }) => (differences === null ? '–' : compared(differences)),
      },
    ],
    list,
    { key: ({ day }) => day, isTight: true },
  );

const stateOf = ({ closedAt }) =>
  closedAt ? badge(t('op.days.closed'), 'success') : badge(t('op.days.open'), 'neutral');

const compared = (count) =>
  count ? badge(t('op.books.differs', { count }), 'danger') : badge(t('op.books.agrees'), 'success');

// MARK: Day

export function dayScreen({ day }) {
  const path = escaped`/v1/admin/days/${day}`;
  const source = createResource(() => api.get(path));
  return {
    title: () => dayText(day, 'UTC'),
    view: () => [
      head(dayText(day, 'UTC'), {
        back: '/books/days',
        actions:
          source.value && !source.value.closedAt
            ? button(t('op.days.close'), { look: 'primary', onclick: () => close(source.value, source.reload) })
            : null,
      }),
      shown(source, dayView),
    ],
  };
}

const dayView = (one) => [
  one.closedAt
    ? notice(
        'success',
        t('op.days.closedAt', { time: dateTime(one.closedAt) }),
        one.note ? h('p', null, one.note) : null,
      )
    : notice('info', t('op.days.isOpen')),
  one.reconciliation
    ? h('p', { key: 'compared' }, `${t('op.books.reconcile')}: `, compared(one.reconciliation.differences))
    : h('p', { key: 'compared', class: 'muted' }, t('op.days.notCompared')),
  booksView(one.books),
];

/** Asks for a note, and for a confirmation if the day is not over; closes it for good. */
function close({ day, books }, done) {
  const isEarly = new Date(books.until) > serverNow();
  return formDialog(t('op.days.close.sure', { day: dayText(day, 'UTC') }), (form, end) =>
    form.view(
      {
        class: 'stack',
        onsubmit: form.submit(async ({ note }) => {
          await api.post(escaped`/v1/admin/days/${day}/close`, { note: note.trim() || undefined, early: isEarly });
          end(true);
          toast(t('op.days.closed.done'), 'success');
          done();
        }),
      },
      h('p', null, t('op.days.close.text')),
      isEarly ? notice('warning', t('op.days.close.early')) : null,
      field({
        id: 'note',
        label: t('op.days.note'),
        isOptional: true,
        multiline: true,
        maxlength: 500,
        error: form.errors.note,
      }),
      dialogActions(form, end, t('op.days.close')),
    ),
  );
}

// MARK: Month's statement

export function statementScreen({ month }) {
  const path = escaped`/v1/admin/statements/${month}`;
  const source = createResource(() => api.get(path));
  const page = createDownload(
    'op.statement.page',
    () => api.call('GET', path, { headers: { accept: 'text/html' } }),
    () => `statement-${month}.html`,
  );
  const title = () => t('op.statement', { month: monthName(month) });
  return {
    title,
    view: () => [
      head(title(), { back: '/books/days', actions: page.button() }),
      page.problem(),
      shown(source, ({ isFinal, books }) => [
        notice(isFinal ? 'success' : 'info', t(isFinal ? 'op.statement.final' : 'op.statement.preliminary')),
        booksView(books),
      ]),
    ],
  };
}

// MARK: Sums

/** The sums of a period, for each currency. */
export const booksView = ({ currencies, documents, taxes }) =>
  currencies.length
    ? [
        ...currencies.map(currencyView),
        taxes.length ? taxTable(taxes) : null,
        documents.length
          ? section(
              t('op.days.documents'),
              { id: 'documents' },
              h(
                'ul',
                { class: 'bullets' },
                documents.map(({ first, last, count }) =>
                  h('li', { key: first }, t('op.days.documents.range', { first, last, count })),
                ),
              ),
            )
          : null,
      ]
    : empty('receipt', t('op.days.nothing'), t('op.days.nothing.text'));

const counted = ({ count, amount }) => `${money(amount)} (${number(count)})`;

/** What seldom happens is left out as long as it does not. */
const any = (sum) => (sum.amount ? money(sum) : null);
const anyOf = (sum) => (sum.count || sum.amount.amount ? counted(sum) : null);

const currencyView = (sums) =>
  section(
    sums.currency,
    { id: `sums-${sums.currency}` },
    facts([
      [t('op.days.payments'), counted(sums.payments)],
      [t('op.days.shares'), money(sums.shares)],
      [t('op.days.tips'), money(sums.tips)],
      ...sums.taxes.flatMap(({ country, charged, refunded }) => [
        [t('op.days.tax', { country }), money(charged)],
        [t('op.days.taxRefunded', { country }), any(refunded)],
      ]),
      [t('op.days.credited'), any(sums.credited)],
      [t('op.days.creditReturned'), any(sums.creditReturned)],
      [t('op.days.refunds'), counted(sums.refunds)],
      [t('op.days.refundsFailed'), anyOf(sums.refundsFailed)],
      [t('op.days.disputes'), counted(sums.disputes)],
      [t('op.days.disputesReturned'), anyOf(sums.disputesReturned)],
      [t('op.days.disputesLost'), anyOf(sums.disputesLost)],
      [t('op.days.disputeFees'), any(sums.disputeFees)],
      [t('op.days.cashDifference'), any(sums.cashDifference)],
      [t('op.days.payouts'), counted(sums.payouts)],
    ]),
    sums.sold.length
      ? table(
          t('op.days.sold'),
          [
            { label: t('op.product'), isHead: true, cell: ({ product }) => productName(product) },
            { label: t('op.site'), cell: ({ site, siteName }) => siteName ?? site ?? '–' },
            { label: t('op.days.revenue'), isAmount: true, cell: ({ revenue }) => money(revenue) },
            { label: t('op.days.commission'), isAmount: true, cell: ({ commission }) => money(commission) },
            { label: t('op.days.soldRefunded'), isAmount: true, cell: ({ refunded }) => money(refunded) },
            {
              label: t('op.days.commissionRefunded'),
              isAmount: true,
              cell: ({ commissionRefunded }) => money(commissionRefunded),
            },
          ],
          sums.sold,
          { key: ({ product, site }) => `${product}/${site}`, isTight: true },
        )
      : null,
    table(
      t('op.days.means'),
      [
        { label: t('op.books.account'), isHead: true, cell: ({ name }) => name },
        ...['opening', 'received', 'refunded', 'paidOut', 'other', 'closing'].map((part) => ({
          label: t(`op.days.${part}`),
          isAmount: true,
          cell: (means) => money(means[part]),
        })),
      ],
      sums.means,
      { key: ({ account }) => account, isTight: true },
    ),
  );

export const productName = (product) => (PRODUCTS.includes(product) ? t(`op.product.${product}`) : product);

const taxTable = (taxes) =>
  section(
    t('op.days.rates'),
    { id: 'rates' },
    table(
      t('op.days.rates'),
      [
        { label: t('op.days.country'), isHead: true, cell: ({ country }) => country },
        {
          label: t('op.days.rate'),
          isAmount: true,
          cell: ({ percentThousandths }) => percentText(percentThousandths),
        },
        { label: t('op.days.net'), isAmount: true, cell: ({ net }) => money(net) },
        { label: t('op.tax'), isAmount: true, cell: ({ tax }) => money(tax) },
      ],
      taxes,
      {
        key: ({ country, percentThousandths, tax }) => `${country}${percentThousandths}${tax.currency}`,
        isTight: true,
      },
    ),
  );
