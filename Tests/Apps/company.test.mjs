import assert from 'node:assert/strict';
import test from 'node:test';
import { countryOptions } from '/apps/shared/countries.js';
import { bodyOf, companyOf, draftAfterLogo, draftOf } from '/apps/operator/company/draft.js';
import { knownZone } from '/apps/operator/company/sample.js';
import { fieldOf, taxBodyOf, taxDraftOf, thousandths, wrongFields } from '/apps/operator/company/tax-draft.js';

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

test('a new logo keeps what is typed and not saved', () => {
  const named = { ...nothing, company: { ...nothing.company, name: 'Parkki Oy' } };
  const draft = draftOf(nothing, 'UTC');
  assert.equal(draftAfterLogo({ draft, settings: nothing }, named, 'UTC').name, 'Parkki Oy');
  draft.phone = '+358 9 123';
  const kept = draftAfterLogo({ draft, settings: nothing }, named, 'UTC');
  assert.deepEqual([kept.name, kept.phone], ['', '+358 9 123']);
});

test('a zone that is half typed is shown as UTC', () => {
  assert.deepEqual(['Asia/Hong_Kong', 'Asia/Hong', ''].map(knownZone), ['Asia/Hong_Kong', 'UTC', 'UTC']);
});

test('a country is chosen from a list, and another code is kept', () => {
  const codes = countryOptions('XI').map(([code]) => code);
  assert.deepEqual(codes.slice(0, 2), ['', 'XI']);
  assert.ok(codes.includes('HK') && !codes.includes('EU'));
  assert.equal(countryOptions('HK').filter(([code]) => code === 'HK').length, 1);
});

test('a field that the server names is found', () => {
  assert.equal(fieldOf('rates.2.percentThousandths'), 'percent-2');
  assert.equal(fieldOf('rates.0.name'), 'name-0');
  assert.deepEqual([fieldOf('validFrom'), fieldOf(undefined)], ['validFrom', '']);
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
  assert.equal(taxBodyOf(planned, 'Asia/Hong_Kong').validFrom, '2026-12-31T16:00:00.000Z');
  assert.deepEqual(taxDraftOf(null).rates, []);
});
