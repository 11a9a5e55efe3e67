// Receipts, credit notes and cancellations of everybody: the list, and each one to read, print and save.

import { save } from '/apps/shared/account.js';
import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t, tProblem } from '/apps/shared/i18n.js';
import { meansText, receiptSheet, sheetOfDocument, titleOf } from '/apps/shared/receipt-sheet.js';
import { button, empty, toast } from '/apps/shared/ui.js';
import { api } from './context.js';
import { createPages, createResource, head, shown, shownPages, table } from './parts.js';
import { choiceField, createFile, createFilter, dayField, isFiltered, textField } from './payment-filters.js';

const KINDS = ['receipt', 'creditNote', 'cancellation'];
const pathOf = (id) => escaped`/v1/documents/${id}`;

export function receiptsScreen() {
  const filter = createFilter((values) => pages.reload(values));
  const pages = createPages('/v1/admin/documents');
  const file = createFile('/v1/admin/exports/documents', 'documents', () => ({
    from: filter.values.fromDay,
    to: filter.values.untilDay,
  }));
  return {
    title: () => t('receipts.title'),
    view: () => [
      head(t('receipts.title'), { back: '/books', lead: t('op.receipts.lead'), age: pages.at, actions: file.button() }),
      file.problem(),
      filters(filter),
      shownPages(
        pages,
        (items) => table(t('receipts.title'), columns(), items),
        isFiltered(filter)
          ? empty('search', t('op.payments.noMatch'), t('op.payments.noMatch.text'))
          : empty('receipt', t('receipts.none'), t('op.receipts.none.text')),
      ),
    ],
  };
}

const filters = (filter) =>
  h(
    'div',
    { class: 'panel', key: 'filters' },
    h(
      'div',
      { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
      textField(filter, 'number', t('receipts.number'), { placeholder: '2026-0001', maxlength: 40 }),
      h('div', { class: 'pair' }, dayField(filter, 'fromDay', t('op.from')), dayField(filter, 'untilDay', t('op.to'))),
      choiceField(
        filter,
        'kind',
        t('op.payments.kind'),
        t('op.state.all'),
        KINDS.map((kind) => [kind, t(`receipts.kind.${kind}`)]),
      ),
    ),
  );

const columns = () => [
  {
    label: t('receipts.number'),
    isHead: true,
    cell: (one) => h('a', { href: escaped`#/books/receipts/${one.id}`, class: 'nowrap' }, titleOf(one)),
  },
  { label: t('receipts.issued'), cell: ({ issuedAt }) => h('span', { class: 'nowrap' }, dateTime(issuedAt)) },
  { label: t('op.paidFor'), cell: ({ title, reference }) => `${title} · ${reference}` },
  { label: t('op.customer'), cell: ({ buyer }) => buyer ?? '–' },
  { label: t('op.means'), cell: meansText },
  { label: t('op.amount'), isAmount: true, cell: ({ total }) => money(total) },
  { label: t('op.tax'), isAmount: true, cell: ({ tax }) => money(tax) },
];

/** One document as its payer sees it. */
export function receiptScreen({ id }) {
  const source = createResource(() => api.get(pathOf(id)));
  const title = () => (source.value ? titleOf(source.value) : t('receipts.title'));
  return {
    title,
    view: () => [
      head(title(), { back: '/books/receipts', actions: source.value ? actions(source.value) : null }),
      shown(source, (document) => receiptSheet(sheetOfDocument(document))),
    ],
  };
}

const actions = (document) => [
  button(t('receipts.print'), { onclick: () => print() }),
  button(t('receipts.save'), { onclick: () => download(document) }),
];

async function download({ id, number }) {
  try {
    save(await api.get(pathOf(id), { headers: { accept: 'text/html' } }), `${number}.html`);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
}
