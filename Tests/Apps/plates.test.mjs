import assert from 'node:assert/strict';
import test from 'node:test';
import { vehicleWith } from '/apps/customer/park/invitation.js';
import { knownProof, wordOf } from '/apps/customer/park/plate-code.js';
import { linkOf, proofOf } from '/apps/customer/park/plate-proof.js';
import { vehicleNumber } from '/apps/shared/car-parks.js';
import { match } from '/apps/shared/shell.js';

const proof = (vehicleId, isProven = false) => ({ vehicleId, isProven });

test('plates are compared by their letters and digits', () => {
  const vehicles = [
    { id: 'a', plate: '191-D-12345' },
    { id: 'b', plate: '品川 500 あ 12-34' },
  ];
  const found = (plate) => vehicleWith(vehicles, plate)?.id;
  assert.deepEqual(['191d12345', '191 D 12345', '品川500あ1234', '191D1234', ''].map(found), [
    'a',
    'a',
    'b',
    undefined,
    undefined,
  ]);
});

test('what a code has opened is said', () => {
  const none = { session: null, fine: null };
  assert.deepEqual(
    [
      wordOf({ ...none, isProven: true }),
      wordOf({ ...none, isProven: true, session: 's' }),
      wordOf({ ...none, isProven: true, fine: 'f' }),
      wordOf({ ...none, isProven: false, session: 's' }),
      wordOf({ ...none, isProven: false, fine: 'f' }),
    ],
    ['shared', 'proven', 'proven', 'opened', 'openedFine'],
  );
});

test('a vehicle that car parks do not know yet is not taken for an unverified one', () => {
  const entry = { value: undefined };
  const of = (id) => proofOf({ resources: { get: () => entry } }, id);
  assert.equal(of('a'), undefined);
  entry.value = { items: [proof('a')] };
  assert.deepEqual([of('a'), of('b')], [proof('a'), null]);
});

test('a code waits until car parks know of the vehicle', async () => {
  const answers = [[], [proof('b')], [proof('b'), proof('a', true)]];
  const api = { get: async () => ({ items: answers.shift() ?? [] }) };
  assert.deepEqual(await knownProof(api, 'a', 0), proof('a', true));
  assert.equal(answers.length, 0);
  await assert.rejects(knownProof(api, 'a', 0), { code: 'vehicle.unknown' });
});

test('the link of an invitation leads to its plate and code', () => {
  Object.defineProperty(globalThis, 'location', { value: { origin: 'https://valet.example' }, configurable: true });
  const [origin, path] = linkOf('AB/1 2%', 'K7Q-2MX').split('/#');
  assert.equal(origin, 'https://valet.example');
  const { params } = match([['/stays/invitation/:plate/:code', null]], path);
  assert.deepEqual(params, { plate: 'AB/1 2%', code: 'K7Q-2MX' });
});

test('a vehicle has a short number', () => {
  assert.equal(vehicleNumber('0193f7c1-0000-7000-8000-00a1b2c3d4e5'), 'B2C3D4E5');
});
