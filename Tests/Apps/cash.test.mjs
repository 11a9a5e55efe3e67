import assert from 'node:assert/strict';
import test from 'node:test';
import { settlementOf } from '/apps/operator/car-parks/stay-dialogs.js';
import { bodyOf, changeOf, drawerName, drawersFor } from '/apps/operator/cash/receive-dialog.js';
import { createFetched } from '/apps/pay/fetched.js';
import { askedBy, codeOf, companyLinks } from '/apps/pay/view.js';
import { lineText } from '/apps/shared/bill-lines.js';
import { cardText } from '/apps/shared/cards.js';
import { closingOf, countedIn } from '/apps/shared/drawers.js';
import { loadTexts } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { givenOf, owedOf } from '/apps/valet/cash.js';

await loadTexts('/apps/shared/texts');

const due = { amount: 1_250, currency: 'EUR' };

test('the change is computed in minor units', () => {
  assert.equal(changeOf('20', due), 750);
  assert.equal(changeOf('12,50', due), 0);
  assert.equal(changeOf('12.49', due), -1);
  assert.equal(changeOf('', due), 0);
  assert.ok(Number.isNaN(changeOf('ten', due)));
  assert.equal(changeOf('2000', { amount: 1_500, currency: 'JPY' }), 500);
  assert.equal(changeOf('2', { amount: 1_500, currency: 'KWD' }), 500);
});

test('only cash has a drawer and an amount', () => {
  const typed = { given: '20', drawerId: 'd', note: ' wet note ' };
  assert.deepEqual(bodyOf({ ...typed, means: 'cash' }, due), {
    means: 'cash',
    note: 'wet note',
    drawerId: 'd',
    given: 2_000,
  });
  assert.deepEqual(bodyOf({ ...typed, means: 'terminal' }, due), { means: 'terminal', note: 'wet note' });
  assert.deepEqual(bodyOf({ given: '', drawerId: 'd', means: 'cash' }, due), { means: 'cash', drawerId: 'd' });
});

test('a drawer is named with its keeper, where it has one', () => {
  assert.equal(drawerName({ name: 'Pouch', keeperName: 'Victor Lo' }), 'Pouch · Victor Lo');
  assert.equal(drawerName({ name: 'Desk', keeperName: null }), 'Desk');
});

test('a valet records what was given, or exactly what is due', () => {
  assert.equal(givenOf('', due), 1_250);
  assert.equal(givenOf('15,5', due), 1_550);
  assert.ok(Number.isNaN(givenOf('x', due)));
});

test('nothing is taken by a bill that payments has not heard of yet', () => {
  const totalWithTax = { amount: 1_475, currency: 'EUR' };
  assert.equal(owedOf({ total: due, totalWithTax }, due), totalWithTax);
  const before = { ...due, amount: 0 };
  assert.equal(owedOf({ total: before, totalWithTax: before }, due), null);
  assert.equal(owedOf({ total: { ...due, currency: 'HKD' }, totalWithTax }, due), null);
});

test('a QR code names the stay', () => {
  assert.equal(codeOf('/pay/b7k-42q'), 'B7K-42Q');
  assert.equal(codeOf('/pay/B7K-42Q/'), 'B7K-42Q');
  for (const path of ['/pay', '/pay/', '/pay/a/b', '/pay/%2e%2e', `/pay/${'A'.repeat(21)}`])
    assert.equal(codeOf(path), null);
});

test('the question has the code, or plate and time', () => {
  const values = { plate: ' ABC 123 ', enteredAt: '2026-11-30T09:15', code: ' B7K-42Q ' };
  const instant = (wall) => `${wall}:00Z`;
  assert.deepEqual(askedBy(values, { how: 'code', carParkId: 'p' }, instant), { code: 'B7K-42Q' });
  assert.deepEqual(askedBy(values, { how: 'plate', carParkId: null }, instant), {
    plate: 'ABC 123',
    enteredAt: '2026-11-30T09:15:00Z',
  });
  assert.equal(askedBy(values, { how: 'plate', carParkId: 'p' }, instant).carParkId, 'p');
});

test('cash goes into the drawer of somebody else only if it is chosen', () => {
  const [mine, pouch] = [
    { id: 'a', name: 'Desk', keeper: 'me' },
    { id: 'b', name: 'Pouch', keeper: 'valet' },
  ];
  const isMine = ({ keeper }) => keeper === 'me';
  const ids = (items) => drawersFor(items, isMine).drawers.map(({ id }) => id);
  assert.deepEqual(ids([pouch, mine]), ['a', 'b']);
  assert.equal(drawersFor([pouch, mine], isMine).means, 'cash');
  assert.deepEqual(ids([pouch]), ['', 'b']);
  assert.equal(drawersFor([pouch], isMine).means, 'terminal');
  assert.deepEqual(ids([]), []);
});

test('the pouches of two valets are told apart by their keepers', () => {
  const pouches = ['Victor Lo', 'Mei Chan'].map((keeperName) => ({ id: keeperName, name: 'Pouch', keeperName }));
  const { drawers } = drawersFor(pouches, () => false);
  assert.deepEqual(drawers.slice(1).map(drawerName), ['Pouch · Victor Lo', 'Pouch · Mei Chan']);
});

test('nothing is written off unless the operator chooses that', () => {
  assert.equal(settlementOf({ due }), 'paid');
  assert.equal(settlementOf({ due: null }), 'later');
  assert.equal(settlementOf(null), 'paid');
});

test('a line of the price says what was counted', () => {
  const unitPrice = { amount: 150, currency: 'EUR' };
  assert.equal(lineText({ text: 'Night' }), 'Night');
  assert.equal(lineText({ text: 'Night', quantity: 2, unit: 'hours', unitPrice }), 'Night · 2 hours × €1.50');
  assert.equal(lineText({ text: 'Day', quantity: 4, unit: '× 30 min', unitPrice: null }), 'Day');
});

test('the company’s pages are on its own site, or in the customers’ app', () => {
  assert.deepEqual(companyLinks(undefined), []);
  assert.deepEqual(companyLinks({ terms: null, privacy: null }), []);
  assert.deepEqual(
    companyLinks({ terms: { text: 'Park well.', link: null }, privacy: { text: null, link: 'https://p.example' } }),
    [
      { name: 'terms', href: '/#/company/terms' },
      { name: 'privacy', href: 'https://p.example' },
    ],
  );
});

test('each currency that was or should be in a drawer is counted', () => {
  const of = (...codes) => codes.map((currency) => ({ amount: 100, currency }));
  assert.deepEqual(countedIn({ expected: of('EUR'), float: of('CHF', 'EUR') }, ['HKD']), ['EUR', 'CHF']);
  assert.deepEqual(countedIn({ expected: [], float: [] }, ['HKD', 'EUR']), ['HKD']);
});

test('an answer that failed is asked for again, and only then', async () => {
  let asked = 0;
  const api = {
    async get() {
      asked += 1;
      if (asked === 1) throw new Error('offline');
      return { provider: 'stub' };
    },
  };
  const done = () => new Promise((resolve) => setTimeout(resolve));
  const fetched = createFetched(api, () => {});
  fetched.get('/p');
  await done();
  assert.equal(fetched.get('/p').error.message, 'offline');
  assert.equal(asked, 1);
  fetched.reload('/p');
  await done();
  assert.deepEqual([fetched.get('/p').value, fetched.get('/p').error, asked], [{ provider: 'stub' }, null, 2]);
});

test('a card is named as people write it', () => {
  assert.equal(cardText({ brand: 'visa', last4: '4242' }), 'Visa •••• 4242');
  assert.equal(cardText({ brand: 'girocard', last4: '0001' }), 'girocard •••• 0001');
  assert.equal(cardText({ brand: null, last4: '4242' }), '•••• 4242');
});

test('a second tap begins nothing until the first one is answered', async () => {
  const answers = [];
  const ask = oneAtATime((name) => new Promise((resolve) => answers.push(() => resolve(name))));
  const first = ask('first');
  assert.equal(await ask('second'), undefined);
  answers[0]();
  assert.equal(await first, 'first');
  const third = ask('third');
  answers[1]();
  assert.equal(await third, 'third');
  assert.equal(answers.length, 2);
});

test('a drawer is closed with what was counted in each currency', () => {
  const form = {
    errors: {},
    refuse(errors) {
      throw Object.assign(new Error('refused'), { errors });
    },
  };
  const typed = { 'counted.EUR': '99,50', 'counted.JPY': '1200', note: ' ' };
  assert.deepEqual(closingOf(form, ['EUR', 'JPY'], typed), {
    counted: [
      { amount: 9_950, currency: 'EUR' },
      { amount: 1_200, currency: 'JPY' },
    ],
    note: undefined,
  });
  assert.equal(closingOf(form, [], { note: ' torn note ' }).note, 'torn note');
  for (const wrong of ['', '-1', 'many'])
    assert.throws(() => closingOf(form, ['EUR'], { ...typed, 'counted.EUR': wrong }), {
      errors: { 'counted.EUR': 'Enter an amount, for example 20.00.' },
    });
});
