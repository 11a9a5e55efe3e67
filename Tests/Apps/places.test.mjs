import assert from 'node:assert/strict';
import test from 'node:test';
import { createFind, known, leaving, routeTo, vendorsPath } from '/apps/customer/places/find.js';
import { changesOf as mobilityChanges } from '/apps/customer/places/mobility.js';
import { changesOf } from '/apps/customer/places/suggestion.js';

const app = { api: {}, redraw() {}, mobility: () => null };
const later = '2100-01-01T10:00:00Z';

test('a search sends its filters, and a time only while it is to come', () => {
  const { wanted } = createFind(app);
  const at = { latitude: 60.17, longitude: 24.94 };
  assert.equal(vendorsPath(wanted, at), '/v1/vendors?latitude=60.17&longitude=24.94');
  Object.assign(wanted, { q: ' soup ', kinds: ['church', 'other'], isOpenNow: true, sort: 'distance' });
  Object.assign(wanted, { departAt: later, limits: { maxSeconds: 600 } });
  const query = new URLSearchParams(vendorsPath(wanted, at).split('?')[1]);
  assert.deepEqual(Object.fromEntries(query), {
    latitude: '60.17',
    longitude: '24.94',
    q: 'soup',
    kinds: 'church,other',
    openAt: later,
    sort: 'distance',
    departAt: later,
    maxSeconds: '600',
  });
  wanted.departAt = '2000-01-01T10:00:00Z';
  assert.equal(leaving(wanted), null);
  assert.match(vendorsPath(wanted, at), /openAt=now/);
});

test('the address of a route has the mode of the result and the time of the search', () => {
  const find = createFind(app);
  find.found.value = { items: [{ id: 'a', reach: { mode: 'bus' } }] };
  find.wanted.departAt = later;
  assert.equal(routeTo(find, known(find, 'a')), '/places/a/route?mode=bus&departAt=2100-01-01T10%3A00%3A00Z');
  assert.equal(known(find, 'b'), null);
});

const vendor = { name: 'Soup', kind: 'other', acceptsStamps: 'no', accessibility: { doorCentimeters: 80, lift: true } };
/** The fields of the form about it. */
const values = {
  name: 'Soup',
  address: '',
  phone: '',
  website: '',
  openingHours: '',
  kind: 'other',
  acceptsStamps: 'no',
  stepCentimeters: '',
  doorCentimeters: '80',
  slopePercent: '',
  surface: '',
  toilet: '',
  lift: 'yes',
  note: '',
};
const refuse = (errors) => {
  throw new Error(Object.keys(errors)[0]);
};

test('a suggestion has only what differs from the place', () => {
  const changes = (change, draft = {}) => changesOf(vendor, draft, { ...values, ...change }, refuse);
  assert.deepEqual(changes({ name: ' Soup ' }), {});
  assert.deepEqual(changes({ kind: 'church', note: ' It moved. ' }, { isGone: true }), {
    kind: 'church',
    isGone: true,
    note: 'It moved.',
  });
  assert.deepEqual(changes({ doorCentimeters: '90', lift: 'no' }).accessibility, { doorCentimeters: 90, lift: false });
  assert.deepEqual(changes({}, { position: { latitude: 1, longitude: 2 } }), {
    position: { latitude: 1, longitude: 2 },
  });
});

test('a suggestion refuses measurements that are no numbers, and a surface that was emptied', () => {
  const changes = (change, of = vendor) => changesOf(of, {}, { ...values, ...change }, refuse);
  assert.throws(() => changes({ stepCentimeters: '3 cm' }), /stepCentimeters/);
  assert.throws(() => changes({ doorCentimeters: '' }), /doorCentimeters/);
  const paved = { ...vendor, accessibility: { ...vendor.accessibility, surface: 'stone' } };
  assert.throws(() => changes({}, paved), /surface/);
});

test('mobility sends changed fields in the server’s units, and numbers that are none as typed', () => {
  const base = { modes: { bus: true }, acceptsStampsOnly: false, maxSeconds: 1_800, maxMeters: 5_000 };
  Object.assign(base, { maxWalkMeters: 800, radiusMeters: 2_000, passes: ['HSL'] });
  const draft = {
    modes: { bus: true },
    acceptsStampsOnly: false,
    home: null,
    maxSeconds: '45',
    maxMeters: 'far',
    maxWalkMeters: '800',
    radiusMeters: '',
    passes: '',
    stops: 'A \n\n B',
  };
  assert.deepEqual(mobilityChanges(base, draft), {
    maxSeconds: 2_700,
    maxMeters: 'far',
    radiusMeters: '',
    passes: null,
    stops: ['A', 'B'],
  });
});
