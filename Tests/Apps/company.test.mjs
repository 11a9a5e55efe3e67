import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyOf, companyOf, draftOf } from '/apps/operator/company/draft.js';
import { taxBodyOf, taxDraftOf, thousandths, wrongFields } from '/apps/operator/company/tax-draft.js';

const nothing = {
  company: {
    version: 0,
    name: null,
    address: [],
    country: null,
    timeZone: null,
    companyNumber: null,
    taxNumber: null,
    email: null,
    phone: null,
    website: null,
    terms: null,
    privacy: null,
    logoURL: null,
  },
  receiptPrefix: '',
  creditNotePrefix: 'C',
  cancellationPrefix: 'X',
};

test('the first company begins with the zone of the device', () => {
  const draft = draftOf(nothing, 'Europe/Helsinki');
  assert.deepEqual([draft.name, draft.address, draft.timeZone], ['', '', 'Europe/Helsinki']);
  Object.assign(draft, { name: ' Parkki Oy ', address: 'Mannerheimintie 1\n\n 00100 Helsinki ', country: 'fi' });
  assert.deepEqual(bodyOf(draft), {
    name: 'Parkki Oy',
    address: ['Mannerheimintie 1', '00100 Helsinki'],
    country: 'FI',
    timeZone: 'Europe/Helsinki',
    receiptPrefix: '',
    creditNotePrefix: 'C',
    cancellationPrefix: 'X',
  });
});

test('a page is a link or a text, and comes back as it was entered', () => {
  const draft = draftOf(nothing, 'UTC');
  Object.assign(draft, { terms: 'https://parkki.example/terms', privacy: 'We keep little.\n\nhttps://a.example' });
  const body = bodyOf(draft);
  assert.deepEqual(body.terms, { link: 'https://parkki.example/terms' });
  assert.deepEqual(body.privacy, { text: 'We keep little.\n\nhttps://a.example' });
  const company = {
    ...nothing.company,
    terms: { ...body.terms, text: null },
    privacy: { ...body.privacy, link: null },
  };
  const again = draftOf({ ...nothing, company }, 'UTC');
  assert.deepEqual([again.terms, again.privacy], [draft.terms, draft.privacy]);
  assert.deepEqual(
    [companyOf(draft, { logoURL: '/v1/company/logo', version: 3 })].map(({ phone, logoURL }) => [phone, logoURL]),
    [[null, '/v1/company/logo']],
  );
});

test('a rate has up to three decimals, with a point or a comma', () => {
  assert.deepEqual(['19', '25,5', '8.875', '0', '100'].map(thousandths), [19_000, 25_500, 8_875, 0, 100_000]);
  for (const wrong of ['', 'x', '-1', '100.5', '1.2345', '1e1', '19 %'])
    assert.ok(Number.isNaN(thousandths(wrong)), wrong);
});

test('taxes are sent as they were read, and wrong fields are named', () => {
  const rate = { country: 'FI', product: 'parking', kind: 'fine', name: 'ALV', percentThousandths: 25_500 };
  const draft = taxDraftOf({
    pricesIncludeTax: false,
    rates: [rate, { ...rate, product: undefined, kind: undefined }],
  });
  assert.deepEqual(taxBodyOf(draft), {
    pricesIncludeTax: false,
    rates: [rate, { country: 'FI', name: 'ALV', percentThousandths: 25_500 }],
  });
  assert.deepEqual(wrongFields(draft), {});
  Object.assign(draft.rates[1], { country: 'Finland', name: ' ', percent: '2x' });
  assert.deepEqual(wrongFields(draft), { 1: ['country', 'name', 'percent'] });
  const planned = { ...taxDraftOf(null), validFrom: '2027-01-01T00:00' };
  assert.equal(taxBodyOf(planned).validFrom, new Date('2027-01-01T00:00').toISOString());
  assert.deepEqual(taxDraftOf(null).rates, []);
});
