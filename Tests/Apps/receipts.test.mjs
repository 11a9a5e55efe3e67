import assert from 'node:assert/strict';
import test from 'node:test';
import { matching, monthOf, monthsOf } from '/apps/customer/receipts/filter.js';
import { noticeRows } from '/apps/operator/car-parks/pay-code.js';
import { quantityText } from '/apps/shared/bill-lines.js';
import { loadTexts } from '/apps/shared/i18n.js';
import {
  durationText,
  meansText,
  percentText,
  sheetOfDocument,
  sheetOfReceipt,
  titleOf,
} from '/apps/shared/receipt-sheet.js';

await loadTexts('/apps/shared/texts', '/apps/shared/texts/receipts');

const price = (amount, currency = 'EUR') => ({ amount, currency });

test('a line says what it multiplies', () => {
  assert.equal(quantityText({ quantity: 4, unit: '15 min', unitPrice: price(100) }), '4 × 15 min × €1.00');
  assert.equal(quantityText({ quantity: 3, unit: 'hours', unitPrice: price(450) }), '3 hours × €4.50');
  assert.equal(quantityText({ quantity: 2, unitPrice: price(500, 'JPY') }), '2 × JP¥500');
  assert.equal(quantityText({ quantity: 2 }), '2 ×');
  assert.match(quantityText({ quantity: 1, unit: 'hour', unitPrice: price(1_500, 'KWD') }), /^1 hour × KWD\s1\.500$/);
  assert.equal(quantityText({ quantity: 1, unitPrice: price(450) }), '');
});

test('a duration is in days, hours and minutes', () => {
  const after = (minutes) => new Date(Date.UTC(2026, 10, 30, 9) + minutes * 60_000).toISOString();
  assert.equal(durationText(after(0), after(117)), '1 h 57 min');
  assert.equal(durationText(after(0), after(1_440)), '1 day');
  assert.equal(durationText(after(0), after(3_060)), '2 days 3 h');
  assert.equal(durationText(after(0), after(0.5)), '');
  assert.equal(durationText(after(60), after(0)), '');
});

test('rates, means and titles are as people write them', () => {
  assert.deepEqual([19_000, 8_875, 25_500].map(percentText), ['19%', '8.875%', '25.5%']);
  assert.equal(meansText({ means: 'card', brand: 'visa', last4: '4242' }), 'Visa •••• 4242');
  assert.equal(meansText({ means: 'cash', brand: null, last4: null }), 'Cash');
  assert.equal(meansText({ means: 'barter' }), '');
  assert.equal(titleOf({ kind: 'creditNote', number: 'C2026-000045' }), 'Credit note C2026-000045');
  assert.equal(titleOf({ kind: 'receipt', number: null }), 'Receipt');
});

test('a document is in the language of the app, and a receipt without a number shows what there is', () => {
  const texts = (en) => ({ en, 'zh-Hant': '停車' });
  const sheet = sheetOfDocument({
    title: texts('Parking'),
    place: null,
    site: { name: 'P Kamppi' },
    details: [{ label: texts('Vehicle'), value: 'ABC-123' }],
    lines: [{ text: texts('Parking'), unit: texts('hours'), quantity: 3 }],
    addedTax: price(19),
  });
  assert.deepEqual([sheet.title, sheet.place, sheet.tax], ['Parking', 'P Kamppi', price(19)]);
  assert.deepEqual(sheet.details, [['Vehicle', 'ABC-123']]);
  assert.deepEqual([sheet.lines[0].text, sheet.lines[0].unit], ['Parking', 'hours']);
  const note = { kind: 'creditNote', number: 'C2026-000001', total: price(-100) };
  assert.deepEqual(sheetOfDocument({ details: [], lines: [], creditNotes: [note] }).notes, [note]);
  assert.deepEqual(sheet.notes, []);
  const plain = sheetOfReceipt({ paid: price(900), document: null, vehicle: null, creditNotes: [] });
  assert.deepEqual([plain.number, plain.total, plain.details, plain.notes], [null, price(900), [], []]);
});

test('receipts are found by their words, product and month', () => {
  const item = (id, product, title, place, issuedAt) => ({ id, product, title, place, issuedAt, number: `2026-${id}` });
  const items = [
    item('2', 'parking', 'Parking', 'P Kamppi', '2026-11-20T10:00:00Z'),
    item('1', 'valet', 'Valet parking', 'Hotel Kamp', '2026-10-02T10:00:00Z'),
  ];
  const ids = (filter) => matching(items, filter).map(({ id }) => id);
  assert.deepEqual(ids({}), ['2', '1']);
  assert.deepEqual(ids({ text: ' PARKING kamp ' }), ['2', '1']);
  assert.deepEqual(ids({ text: 'hotel' }), ['1']);
  assert.deepEqual(ids({ text: '2026-2' }), ['2']);
  assert.deepEqual(ids({ product: 'valet' }), ['1']);
  assert.deepEqual(ids({ month: '2026-11' }), ['2']);
  assert.deepEqual(ids({ month: '2026-11', product: 'valet' }), []);
  assert.deepEqual(monthsOf(items), ['2026-11', '2026-10']);
  assert.equal(monthOf('2026-11-20T10:00:00Z'), '2026-11');
});

test('a notice on the windscreen tells the time by the car park’s clock', () => {
  const rows = noticeRows({
    reference: 'B7K-42Q',
    plate: 'ABC-123',
    carPark: { name: 'P Kamppi', timeZone: 'Asia/Hong_Kong' },
    reason: 'Across two spaces.',
    amount: { amount: 4_000, currency: 'EUR' },
    issuedAt: '2026-11-30T20:05:00Z',
  });
  assert.equal(rows[0][1], 'B7K-42Q');
  assert.match(rows[3][1], /1 Dec 2026.*04:05/);
  assert.equal(rows[5][1], '€40.00');
});
