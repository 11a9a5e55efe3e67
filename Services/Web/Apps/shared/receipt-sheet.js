// A receipt or credit note on a screen, made of a numbered document or of the receipt of a bill.

import { quantityText } from './bill-lines.js';
import { cardText } from './cards.js';
import { h } from './dom.js';
import { format, day, language, money, t, time } from './i18n.js';
import { facts } from './ui.js';

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** "November 2026" for `2026-11`. */
export const monthName = (month) =>
  format('DateTimeFormat', { month: 'long', year: 'numeric' }).format(new Date(`${month}-15T12:00:00`));

/** A text of a document in the language of the app. */
export const textIn = (texts) => texts?.[language()] ?? texts?.en ?? '';

/** The contents of a numbered document. */
export const sheetOfDocument = (document) => ({
  ...document,
  documentId: document.id,
  title: textIn(document.title),
  place: document.place ?? document.site?.name ?? null,
  details: document.details.map(({ label, value }) => [textIn(label), value]),
  lines: document.lines.map((line) => ({ ...line, text: textIn(line.text), unit: line.unit && textIn(line.unit) })),
  tax: document.addedTax,
  notes: document.creditNotes ?? [],
});

/** The contents of the receipt of a bill; it may have no number. */
export const sheetOfReceipt = (receipt) => ({
  ...receipt,
  documentId: receipt.document?.id ?? null,
  kind: 'receipt',
  number: receipt.document?.number ?? null,
  issuedAt: receipt.document?.issuedAt ?? null,
  refersTo: null,
  buyer: null,
  details: receipt.vehicle
    ? [
        [
          t('vehicle'),
          ['plate', 'make', 'model']
            .map((name) => receipt.vehicle[name])
            .filter(Boolean)
            .join(' · '),
        ],
      ]
    : [],
  total: receipt.paid,
  notes: receipt.creditNotes ?? [],
});

/** "1 day 3 h 20 min"; empty for less than a minute. */
export function durationText(from, until) {
  const minutes = Math.floor((Date.parse(until) - Date.parse(from)) / MINUTE);
  return [
    ['days', Math.floor(minutes / DAY)],
    ['hours', Math.floor((minutes % DAY) / HOUR)],
    ['minutes', minutes % HOUR],
  ]
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => t(`receipts.${unit}`, { count }))
    .join(' ');
}

/** "8.875%" */
export const percentText = (thousandths) => `${thousandths / 1_000}%`;

/** "Visa •••• 4242", "Cash" or "Card terminal". */
export function meansText({ means, brand, last4 }) {
  if (brand && last4) return cardText({ brand, last4 });
  return means && ['cash', 'terminal', 'card'].includes(means) ? t(`receipts.means.${means}`) : '';
}

/** "Receipt 2026-000123" */
export const titleOf = ({ kind, number }) => [t(`receipts.kind.${kind}`), number].filter(Boolean).join(' ');

/** A cancelled credit note was no payment: the money has come back. */
const totalName = { creditNote: 'receipts.totalRefunded', cancellation: 'receipts.totalCancelled' };

export const receiptSheet = (sheet) =>
  h(
    'section',
    { class: 'card stack receipt', key: 'receipt' },
    seller(sheet.seller),
    h(
      'p',
      { class: 'row between' },
      h('span', { class: 'strong' }, sheet.title),
      h('span', { class: 'ticket' }, sheet.reference),
    ),
    facts(about(sheet)),
    h('hr', null),
    facts(sheet.lines.map(line)),
    facts(sums(sheet)),
    h(
      'p',
      { class: 'row between strong total' },
      h('span', null, t(totalName[sheet.kind] ?? 'receipts.total')),
      h('span', { class: 'numbers' }, money(sheet.total)),
    ),
    facts(sheet.taxes.map((tax) => [t('receipts.taxOf', taxWords(tax)), money(tax.tax)])),
    facts(payments(sheet)),
    footer(sheet.seller),
  );

const seller = ({ name, address, logoURL }) =>
  name
    ? h(
        'div',
        { class: 'row between', key: 'seller' },
        h(
          'p',
          null,
          h('span', { class: 'strong block' }, name),
          address.map((row) => h('span', { class: 'muted small block', key: row }, row)),
        ),
        logoURL ? h('img', { class: 'receipt-logo', src: logoURL, alt: name }) : null,
      )
    : null;

/** With the year, in the local time of the place. */
const fullTime = (moment, timeZone) => t('date.at', { date: day(moment, timeZone), time: time(moment, timeZone) });

function about({ number, issuedAt, refersTo, buyer, details, place, from, until, timeZone }) {
  const at = (moment) => moment && fullTime(moment, timeZone);
  return [
    [t('receipts.number'), number],
    [t('receipts.issued'), at(issuedAt)],
    [t('receipts.refersTo'), refersTo?.number],
    [t('receipts.buyer'), buyer],
    ...details,
    [t('receipts.place'), place],
    [t('receipts.from'), at(from)],
    [t('receipts.until'), at(until)],
    [t('receipts.duration'), from && until ? durationText(from, until) : null],
  ];
}

const line = (one) => [[one.text, quantityText(one)].filter(Boolean).join(' · '), money(one.amount)];

const sums = ({ charge, tax, tip }) => [
  [t('receipts.subtotal'), tax || tip ? money(charge) : null],
  [t('receipts.addedTax'), tax && money(tax)],
  [t('bill.tip'), tip && money(tip)],
];

const taxWords = ({ name, percentThousandths, net }) => ({
  name,
  percent: percentText(percentThousandths),
  net: money(net),
});

function payments(sheet) {
  const { kind, paidAt, timeZone, notes, refunded } = sheet;
  const how = meansText(sheet);
  const label = t(kind === 'creditNote' ? 'receipts.refundedTo' : 'receipts.paidWith');
  const isPaid = paidAt && kind !== 'cancellation';
  return [
    [label, isPaid ? [how, fullTime(paidAt, timeZone)].filter(Boolean).join(', ') : null],
    ...notes.map(({ kind: one, number, total }) => [`${t(`receipts.kind.${one}`)} ${number}`, money(total)]),
    [t('receipts.refunded'), !notes.length && refunded?.amount ? money(refunded) : null],
  ];
}

const footer = ({ companyNumber, taxNumber, phone, email, website }) => {
  const rows = [
    [
      companyNumber && t('receipts.companyNumber', { number: companyNumber }),
      taxNumber && t('receipts.taxNumber', { number: taxNumber }),
    ],
    [phone, email, website],
  ].map((parts) => parts.filter(Boolean).join(' · '));
  return rows.filter(Boolean).map((row) => h('p', { class: 'muted small', key: row }, row));
};
