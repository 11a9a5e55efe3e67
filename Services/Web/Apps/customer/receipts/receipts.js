// The person's receipts and credit notes of all products: the list, and each one to read, print and save.

import { save } from '/apps/shared/account.js';
import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { day, money, t, tProblem } from '/apps/shared/i18n.js';
import { PRODUCTS } from '/apps/shared/products.js';
import { monthName, receiptSheet, sheetOfDocument, sheetOfReceipt, titleOf } from '/apps/shared/receipt-sheet.js';
import { address, screen } from '/apps/shared/shell.js';
import { button, empty, field, problemNotice, select, skeleton, toast } from '/apps/shared/ui.js';
import { age, moreButton } from '../shared/entries.js';
import { mailButton } from './by-mail.js';
import { matching, monthsOf } from './filter.js';

const DOCUMENTS = '/v1/me/documents';

export function create(app) {
  const shown = { text: null, product: '', month: '' };
  return {
    list: () => list(app, shown),
    document: ({ id }) => one(app, documentPath(id), sheetOfDocument, '/receipts'),
    ofBill: ({ id }) => ofReceipt(app, escaped`/v1/bills/${id}/receipt`, '/receipts'),
    ofOrder: ({ id }) => ofReceipt(app, escaped`/v1/orders/${id}/receipt`, `/orders/${id}`),
    /** Another visit begins with all receipts. */
    reset: () => Object.assign(shown, { text: null, product: '', month: '' }),
  };
}

// MARK: List

function list(app, shown) {
  const { resources } = app;
  // A link may name what it is about, for example a fine.
  const filter = { ...shown, text: shown.text ?? address().query.get('q') ?? '' };
  const entry = resources.list(DOCUMENTS);
  const { value, error } = entry;
  return {
    title: t('receipts.title'),
    view: screen(
      t('receipts.title'),
      { back: '/menu' },
      age(entry),
      value
        ? value.items.length
          ? [
              filters(app, shown, filter, value.items),
              lines(matching(value.items, filter)),
              value.next && (filter.text || filter.product || filter.month)
                ? h('p', { class: 'hint', key: 'older' }, t('receipts.older'))
                : null,
              moreButton(resources, entry),
            ]
          : empty('receipt', t('receipts.none'), t('receipts.none.lead'))
        : error
          ? problemNotice(error, () => resources.reload(DOCUMENTS))
          : skeleton(5),
    ),
  };
}

function filters({ redraw }, shown, { text, product, month }, items) {
  const change = (name) => (event) => {
    shown[name] = event.target.value;
    redraw();
  };
  const months = monthsOf(items).map((one) => [one, monthName(one)]);
  const products = PRODUCTS.filter((name) => items.some((item) => item.product === name));
  return h(
    'div',
    { class: 'stack no-print', key: 'filters', role: 'search' },
    field({ id: 'q', label: t('receipts.search'), type: 'search', value: text, oninput: change('text') }),
    h(
      'div',
      { class: 'row wrap' },
      select({
        id: 'product',
        label: t('receipts.product'),
        value: product,
        options: [['', t('receipts.product.all')], ...products.map((name) => [name, t(`receipts.product.${name}`)])],
        onchange: change('product'),
      }),
      select({
        id: 'month',
        label: t('receipts.month'),
        value: month,
        options: [['', t('receipts.month.all')], ...months],
        onchange: change('month'),
      }),
    ),
  );
}

const lines = (items) =>
  items.length
    ? h('ul', { class: 'list', key: 'items' }, items.map(line))
    : h('p', { class: 'muted', key: 'nothing' }, t('receipts.nothing'));

const line = (item) =>
  h(
    'li',
    { key: item.id },
    h(
      'a',
      { class: 'card stack tight', href: `#${escaped`/receipts/${item.id}`}` },
      h(
        'span',
        { class: 'row between' },
        h('span', { class: 'strong' }, item.title),
        h('span', { class: 'strong numbers' }, money(item.total)),
      ),
      h('span', { class: 'muted small' }, [item.place, day(item.issuedAt)].filter(Boolean).join(' · ')),
      h(
        'span',
        { class: 'row between muted small' },
        h('span', null, titleOf(item)),
        h('span', { class: 'ticket' }, item.reference),
      ),
    ),
  );

// MARK: One receipt

const documentPath = (id) => escaped`/v1/documents/${id}`;

/** The numbered document of a receipt, which names the buyer; the receipt itself as long as there is none. */
function ofReceipt(app, path, back) {
  const receipt = app.resources.get(path).value;
  if (!receipt?.document) return one(app, path, sheetOfReceipt, back);
  return one(app, documentPath(receipt.document.id), sheetOfDocument, back);
}

function one(app, path, sheetOf, back) {
  const { resources } = app;
  const { value, error } = resources.get(path);
  const sheet = value && sheetOf(value);
  const title = t(`receipts.kind.${sheet?.kind ?? 'receipt'}`);
  return {
    title,
    view: screen(
      title,
      { back },
      sheet
        ? [receiptSheet(sheet), actions(app, path, sheet)]
        : error
          ? problemNotice(error, () => resources.reload(path))
          : skeleton(6),
    ),
  };
}

const actions = (app, path, sheet) =>
  h(
    'div',
    { class: 'row wrap no-print', key: 'actions' },
    button(t('receipts.print'), { onclick: () => print() }),
    button(t('receipts.save'), { onclick: () => download(app.api, path, sheet) }),
    mailButton(app, sheet.documentId),
  );

/** The page of the server, which needs nothing else to be shown or printed. */
async function download(api, path, { number, reference }) {
  try {
    save(await api.get(path, { headers: { accept: 'text/html' } }), `${number ?? reference}.html`);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
}
