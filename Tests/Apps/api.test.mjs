import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Ended, Offline, Problem, createApi, escaped, unverified, withQuery } from '/apps/shared/api.js';
import { createOutbox } from '/apps/shared/outbox.js';
import { createLatest } from '/apps/customer/places/latest.js';
import { createOnce } from '/apps/customer/shared/once.js';
import { recall, remember } from '/apps/shared/storage.js';

const ANNA = { id: 'u-anna', phone: '+358401', phoneVerified: true };
const BERT = { id: 'u-bert' };
const tokens = (name) => ({ accessToken: `access-${name}`, refreshToken: `refresh-${name}`, expiresInSeconds: 600 });
const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** Requests since the start of a test, and the server's answers: the function is called for each request. */
let requests = [];
let answer;
globalThis.fetch = async (path, { method, headers, body }) => {
  const request = { path, method, headers, body: body && JSON.parse(body) };
  requests.push(request);
  return answer(request);
};
const lost = () => {
  throw new TypeError('fetch failed');
};
let apps = 0;
/** An app of its own for each test, with what it keeps on the device. */
function signedIn(account = ANNA) {
  const api = createApi(`test-${(apps += 1)}`);
  api.begin({ ...tokens('old'), account });
  return api;
}

beforeEach(() => {
  requests = [];
  answer = () => json({});
});

test('a path has its values escaped', () => {
  assert.equal(escaped`/v1/orders/${'a/b c'}/photos`, '/v1/orders/a%2Fb%20c/photos');
});

test('a query has values that are there, and no plus for a space', () => {
  assert.equal(
    withQuery('/v1/places', { query: 'P Yrjönkatu + 1', limit: 5, latitude: null, near: undefined, text: '' }),
    '/v1/places?query=P%20Yrj%C3%B6nkatu%20%2B%201&limit=5',
  );
  assert.equal(withQuery('/v1/orders?as=valet', { after: 0 }), '/v1/orders?as=valet&after=0');
  assert.equal(withQuery('/v1/orders', {}), '/v1/orders');
});

test('a problem tells whether it passes', () => {
  assert.deepEqual(
    [400, 408, 409, 429, 500, 503].filter((status) => new Problem(status, {}).isPassing),
    [408, 429, 500, 503],
  );
  const problem = new Problem(422, { code: 'request.invalid', field: 'phone', detail: 'No.' });
  assert.deepEqual([problem.code, problem.field, problem.message], ['request.invalid', 'phone', 'No.']);
  assert.equal(new Problem(409, { code: 'account.order_unfinished' }).code, 'account.engagement_open');
  assert.equal(new Problem(502, {}).code, 'service.unavailable');
});

test('an account has one contact to confirm, its phone first', () => {
  assert.equal(unverified({ phone: '+358', phoneVerified: false, emailVerified: false }), 'phone');
  assert.equal(unverified({ phone: '+358', phoneVerified: true, emailVerified: false }), 'email');
  assert.equal(unverified({ email: 'a@b.example', emailVerified: true }), null);
});

test('a call has the token, and a post a key of its own', async () => {
  const api = signedIn();
  await api.post('/v1/orders', { a: 1 });
  await api.post('/v1/orders', { a: 1 });
  const [first, second] = requests;
  assert.deepEqual([first.method, first.path, first.body], ['POST', '/v1/orders', { a: 1 }]);
  assert.equal(first.headers.authorization, 'Bearer access-old');
  assert.notEqual(first.headers['idempotency-key'], second.headers['idempotency-key']);
  await api.call('GET', '/v1/demo', { anonymous: true });
  assert.equal(requests[2].headers.authorization, undefined);
});

test('a refused token is renewed once, and the call repeated with the new one', async () => {
  const api = signedIn();
  answer = ({ path, headers }) =>
    path === '/v1/sessions/refresh'
      ? json(tokens('new'))
      : headers.authorization === 'Bearer access-new'
        ? json({ ok: true })
        : json({ code: 'auth.token_invalid' }, 401);
  assert.deepEqual(await Promise.all([api.get('/v1/me'), api.get('/v1/orders')]), [{ ok: true }, { ok: true }]);
  assert.equal(requests.filter(({ path }) => path === '/v1/sessions/refresh').length, 1);
  assert.equal(await api.token(), 'access-new');
});

test('a renewal whose answer was lost is repeated with the same key', async () => {
  const api = signedIn();
  let isLost = true;
  answer = ({ path }) => (path !== '/v1/sessions/refresh' ? json({}, 401) : isLost ? lost() : json(tokens('new')));
  await assert.rejects(api.renew(), Offline);
  isLost = false;
  await api.renew();
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  assert.ok(keys[0]);
  assert.deepEqual(keys, [keys[0], keys[0]]);
});

test('a session that the server refuses ends, and the account may come back', async () => {
  const api = signedIn();
  const reasons = [];
  api.events.on('signed-out', (reason) => reasons.push(reason));
  answer = () => json({ code: 'auth.token_invalid' }, 401);
  await assert.rejects(api.get('/v1/me'), Ended);
  assert.deepEqual(reasons, ['ended']);
  assert.deepEqual([api.isSignedIn, api.hasEnded], [false, true]);
  assert.equal(api.begin({ ...tokens('x'), account: BERT }), true);
});

test('nothing stays on the device after a sign-out', async () => {
  const api = signedIn();
  await api.signOut();
  assert.deepEqual([api.isSignedIn, api.hasEnded, api.account], [false, false, undefined]);
  assert.deepEqual(
    Object.keys(localStorage).filter((key) => key.startsWith(`openvalet.${api.app}.`)),
    [],
  );
  assert.deepEqual([requests[0].method, requests[0].path], ['DELETE', '/v1/sessions/current']);
});

test('an answer of 204 is undefined, and no answer is offline', async () => {
  const api = signedIn();
  answer = () => new Response(null, { status: 204 });
  assert.equal(await api.delete('/v1/me/photo'), undefined);
  answer = lost;
  await assert.rejects(api.get('/v1/me'), Offline);
});

test('a tap made offline waits, and is sent later with its first key', async () => {
  const api = signedIn();
  const outbox = createOutbox(api);
  answer = lost;
  assert.deepEqual(
    await outbox.perform({ path: '/v1/orders/1/park', body: { bay: 'A' }, label: 'Parked', subject: '1' }),
    { queued: true },
  );
  await outbox.flush();
  assert.equal(outbox.items.length, 1);
  answer = () => json({ status: 'parked' });
  const sent = new Promise((resolve) => outbox.events.on('sent', resolve));
  await outbox.flush();
  assert.deepEqual((await sent).value, { status: 'parked' });
  assert.equal(outbox.items.length, 0);
  assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('taps of one subject stay in order', async () => {
  const outbox = createOutbox(signedIn());
  answer = lost;
  await outbox.perform({ path: '/v1/orders/1/park', subject: '1' });
  answer = ({ path }) => (path.includes('/orders/1/') ? json({}, 503) : json({}));
  assert.deepEqual(await outbox.perform({ path: '/v1/orders/1/withdraw', subject: '1' }), { queued: true });
  assert.equal((await outbox.perform({ path: '/v1/orders/2/park', subject: '2' })).sent, true);
  await outbox.flush();
  assert.deepEqual(
    outbox.items.map(({ path }) => path),
    ['/v1/orders/1/park', '/v1/orders/1/withdraw'],
  );
  requests = [];
  await outbox.flush();
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/v1/orders/1/park'],
  );
});

test('a tap that the server refuses is dropped', async () => {
  const outbox = createOutbox(signedIn());
  answer = lost;
  await outbox.perform({ path: '/v1/orders/1/park', label: 'Parked', subject: '1' });
  await outbox.flush();
  answer = () => json({ code: 'order.status' }, 409);
  const refused = new Promise((resolve) => outbox.events.on('refused', resolve));
  await outbox.flush();
  const { item, problem } = await refused;
  assert.deepEqual([item.label, problem.code, outbox.items.length], ['Parked', 'order.status', 0]);
  await assert.rejects(outbox.perform({ path: '/v1/orders/1/park', subject: '1' }), Problem);
});

test('taps of another account are neither shown nor sent', async () => {
  const api = signedIn();
  const outbox = createOutbox(api);
  answer = lost;
  await outbox.perform({ path: '/v1/orders/1/park', subject: '1' });
  await outbox.flush();
  assert.deepEqual(
    outbox.items.map(({ account }) => account),
    [ANNA.id],
  );
  answer = () => json({}, 401);
  await assert.rejects(api.get('/v1/me'), Ended);
  const stored = recall(`openvalet.${api.app}.outbox`);
  assert.equal(stored.length, 1);
  api.begin({ ...tokens('bert'), account: BERT });
  // As if another tab stored it.
  remember(`openvalet.${api.app}.outbox`, stored);
  requests = [];
  await outbox.flush();
  assert.deepEqual([outbox.items, requests], [[], []]);
});

test('a tap older than twelve hours is not sent', async () => {
  const api = signedIn();
  const outbox = createOutbox(api);
  const old = {
    id: 'k',
    method: 'POST',
    path: '/v1/orders/1/park',
    subject: '1',
    account: ANNA.id,
    at: Date.now() - 12.1 * 3_600_000,
  };
  remember(`openvalet.${api.app}.outbox`, [old, { ...old, id: 'l', at: Date.now() - 11.9 * 3_600_000 }]);
  const expired = [];
  outbox.events.on('expired', ({ id }) => expired.push(id));
  await outbox.flush();
  assert.deepEqual([expired, requests.map(({ headers }) => headers['idempotency-key'])], [['k'], ['l']]);
});

test('fifty taps wait at most', async () => {
  const outbox = createOutbox(signedIn());
  answer = lost;
  for (let i = 0; i < 50; i += 1) await outbox.perform({ path: `/v1/orders/${i}/park`, subject: `${i}` });
  await assert.rejects(outbox.perform({ path: '/v1/orders/x/park', subject: 'x' }), Offline);
  assert.equal(outbox.items.length, 50);
  await outbox.flush();
});

test('a payment is repeated with its key only if its answer was lost', async () => {
  const once = createOnce(signedIn());
  const keys = async (...answers) => {
    requests = [];
    for (answer of answers) await once('/v1/bills/1/pay', { paymentMethodId: 'm' }).catch(() => {});
    return requests.map(({ headers }) => headers['idempotency-key']);
  };
  const [first, second, third] = await keys(
    lost,
    () => json({}, 503),
    () => json({}),
  );
  assert.deepEqual([second, third], [first, first]);
  const [refused, next] = await keys(
    () => json({}, 402),
    () => json({}),
  );
  assert.notEqual(refused, first);
  assert.notEqual(next, refused);
});

test('an answer that a later request has overtaken is dropped', async () => {
  const waiting = {};
  const api = {
    get: (path, { signal } = {}) =>
      new Promise((resolve, reject) => {
        waiting[path] = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const latest = createLatest(api, () => {});
  latest.ask('/a');
  latest.ask('/b');
  waiting['/a']?.({ items: ['a'] });
  waiting['/b']({ items: ['b'], next: 'n' });
  await new Promise(setImmediate);
  assert.deepEqual([latest.value.items, latest.isLoading], [['b'], false]);
  const more = latest.more();
  waiting['/b?after=n']({ items: ['c'], next: null });
  await more;
  assert.deepEqual(latest.value, { items: ['b', 'c'], next: null });
});
