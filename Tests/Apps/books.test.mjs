import assert from 'node:assert/strict';
import test from 'node:test';
import { loadTexts } from '/apps/shared/i18n.js';
import { booksView, daysOf, monthAfter, productName } from '/apps/operator/book-days.js';
import { booksScreen } from '/apps/operator/books.js';
import { api } from '/apps/operator/context.js';
import {
  createFilter,
  isFiltered,
  paymentFilters,
  sitesOf,
  today,
  totalsView,
} from '/apps/operator/payment-filters.js';
import { monthName } from '/apps/shared/receipt-sheet.js';

await loadTexts('/apps/shared/texts', '/apps/operator/texts');

const eur = (amount) => ({ amount, currency: 'EUR' });
const textOf = (found) =>
  [found]
    .flat(9)
    .map((node) => node?.textContent ?? '')
    .join(' ');

const sums = {
  currency: 'EUR',
  payments: { count: 2, amount: eur(18_000) },
  sold: [
    {
      product: 'valet',
      site: 'hki',
      siteName: 'Helsinki',
      revenue: eur(14_000),
      commission: eur(0),
      refunded: eur(1_613),
      commissionRefunded: eur(0),
    },
  ],
  shares: eur(0),
  tips: eur(1_000),
  credited: eur(0),
  creditReturned: eur(0),
  taxes: [{ country: 'FI', charged: eur(3_000), refunded: eur(387) }],
  refunds: { count: 1, amount: eur(2_000) },
  refundsFailed: { count: 1, amount: eur(707) },
  disputes: { count: 0, amount: eur(0) },
  disputesReturned: { count: 0, amount: eur(0) },
  disputesLost: { count: 1, amount: eur(4_242) },
  disputeFees: eur(1_515),
  cashDifference: eur(111),
  payouts: { count: 0, amount: eur(0) },
  means: [
    {
      account: 'cash:desk',
      name: 'Cash drawer: desk',
      opening: eur(500),
      received: eur(18_000),
      refunded: eur(2_000),
      paidOut: eur(0),
      other: eur(0),
      closing: eur(16_500),
    },
  ],
};

test('the sums of a day are shown by product, place and means', () => {
  const view = booksView({
    currencies: [sums],
    taxes: [{ country: 'FI', percentThousandths: 25_500, net: eur(11_765), tax: eur(3_000) }],
    documents: [{ first: '2026-000001', last: '2026-000003', count: 3 }],
  });
  const text = textOf(view);
  for (const part of [
    'Valet parking',
    'Helsinki',
    'Cash drawer: desk',
    '€165.00',
    '25.5%',
    '2026-000003',
    '€16.13',
    '€3.87',
    '€7.07',
    '€42.42',
    '€15.15',
    '€1.11',
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(!text.includes('Returned by banks'));
  assert.match(textOf(booksView({ currencies: [], taxes: [], documents: [] })), /No entries/);
});

test('months follow one another, with their first and last days', () => {
  assert.deepEqual([monthAfter('2026-12', 1), monthAfter('2026-01', -1)], ['2027-01', '2025-12']);
  assert.deepEqual(daysOf('2028-02'), { from: '2028-02-01', to: '2028-02-29' });
  assert.deepEqual(daysOf('2026-12'), { from: '2026-12-01', to: '2026-12-31' });
});

test('a product without a name of its own keeps its id', () => {
  assert.deepEqual([productName('spots'), productName('laundry')], ['Street spots', 'laundry']);
});

test('a filter is told once after typing, with all that is chosen', async () => {
  const told = [];
  const filter = createFilter((values) => told.push(values));
  assert.equal(isFiltered(filter), false);
  filter.set({ q: 'K7' }, 1);
  filter.set({ state: 'held' }, 1);
  assert.ok(paymentFilters(filter));
  await new Promise((done) => {
    setTimeout(done, 20);
  });
  assert.deepEqual(told, [{ q: 'K7', state: 'held' }]);
  assert.equal(isFiltered(filter), true);
});

test('totals name what was received and given back', () => {
  const sum = {
    payments: 2,
    refunds: 1,
    paid: eur(18_000),
    refunded: eur(2_000),
    tips: eur(1_000),
    tax: eur(3_000),
    refundedTax: eur(333),
  };
  const text = textOf(totalsView({ count: 3, currencies: [sum] }));
  for (const part of ['3 entries', '€180.00', '€20.00', '€10.00', '€30.00', '€3.33'])
    assert.ok(text.includes(part), part);
});

test('payments are filtered by area and car park, each once and by name', () => {
  const sites = sitesOf([
    { site: 'p1', siteName: 'P1' },
    { site: null, siteName: null },
    { site: 'hki', siteName: 'Helsinki' },
    { site: 'p1', siteName: 'P1' },
    { site: 'gone', siteName: null },
  ]);
  assert.deepEqual(sites, [
    ['gone', 'gone'],
    ['hki', 'Helsinki'],
    ['p1', 'P1'],
  ]);
  const filter = createFilter(() => {});
  assert.ok(textOf(paymentFilters(filter, sites)).includes('Helsinki'));
  assert.ok(!textOf(paymentFilters(filter)).includes('Helsinki'));
});

/** The element of a drawn screen with this id. */
const byId = (id, nodes) =>
  [nodes]
    .flat(9)
    .map((node) => (node?.attributes?.id === id ? node : node?.childNodes && byId(id, node.childNodes)))
    .find(Boolean);

const turn = () => new Promise((resolve) => setTimeout(resolve));

/** The screen of the books; `asked` are its calls; `days` answers those for the days of the company. */
function openBooks(context, days = async () => ({ timeZone: 'Pacific/Kiritimati', items: [] })) {
  const asked = [];
  context.mock.method(api, 'get', async (path) => {
    asked.push(path);
    if (path === '/v1/admin/days') return days();
    return path.includes('trial-balance')
      ? { lines: [], at: '2026-11-30T10:00:00Z' }
      : { items: [], next: null, count: 7, currencies: [{ debits: eur(1_234), credits: eur(1_234) }] };
  });
  const { view } = booksScreen();
  const choose = async (account) => {
    const field = byId('account', view());
    field.listeners.change({ currentTarget: field, target: { value: account }, type: 'change' });
    await turn();
  };
  return { view, choose, askedFor: (start) => asked.filter((path) => path.startsWith(start)) };
}

test('the ledger is summed for a filter, and without one for the month of the company', async (context) => {
  const { view, choose, askedFor } = openBooks(context);
  const totals = () => askedFor('/v1/admin/ledger/totals');
  const month = today('Pacific/Kiritimati').slice(0, 7);
  const ofMonth = `/v1/admin/ledger/totals?from=${month}-01&to=${daysOf(month).to}`;
  await turn();
  assert.deepEqual(totals(), [ofMonth]);
  for (const part of [monthName(month), '7 entries', '€12.34']) assert.ok(textOf(view()).includes(part), part);
  await choose('safe');
  assert.deepEqual(totals().slice(1), ['/v1/admin/ledger/totals?account=safe']);
  assert.ok(!textOf(view()).includes(monthName(month)));
  await choose('');
  assert.deepEqual(totals().slice(2), [ofMonth]);
});

test('the books ask for the days of the company once, and again after an error', async (context) => {
  let isAway = true;
  const { view, choose, askedFor } = openBooks(context, async () => {
    if (isAway) throw new Error('away');
    return { timeZone: 'Pacific/Kiritimati', items: [] };
  });
  const days = () => askedFor('/v1/admin/days').length;
  await turn();
  assert.equal(days(), 1);
  isAway = false;
  for (const account of ['safe', '', 'safe', '']) await choose(account);
  assert.equal(days(), 2);
  assert.ok(textOf(view()).includes(monthName(today('Pacific/Kiritimati').slice(0, 7))));
});
