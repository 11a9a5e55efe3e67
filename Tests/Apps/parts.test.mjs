import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { Ended } from '/apps/shared/api.js';
import { collect } from '/apps/shared/collect.js';
import { createParts, keepOnDevice } from '/apps/shared/parts.js';
import { createEvents, createState } from '/apps/shared/state.js';
import { recall } from '/apps/shared/storage.js';

const turn = () => new Promise(setImmediate);
const open = () => {
  const waiting = [];
  return { waiting, load: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })) };
};

/** Parts of an app of its own, with a clock that the test moves. */
function started(t, parts) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now: 1_000_000 });
  const [api, live, settled] = [{ isSignedIn: true, events: createEvents() }, { events: createEvents() }, []];
  const data = createParts({ api, live, parts, settled: (name, error) => settled.push([name, error]) });
  const pass = async (ms) => {
    for (let at = 0; at < ms; at += 1_000) {
      t.mock.timers.tick(1_000);
      await turn();
    }
  };
  return { api, live, data, settled, pass };
}

beforeEach(() => {
  document.hidden = false;
});

test('a part is loaded at the start, at its interval, and when an event or sleep asks for it', async (t) => {
  const counts = { a: 0, b: 0 };
  const { data, live, pass } = started(t, {
    a: { load: async () => (counts.a += 1), every: 5_000 },
    b: { load: async () => (counts.b += 1), on: ['order'] },
  });
  await data.start();
  assert.deepEqual(counts, { a: 1, b: 1 });
  await pass(4_000);
  assert.deepEqual(counts, { a: 1, b: 1 });
  await pass(6_000);
  assert.deepEqual(counts, { a: 3, b: 1 });
  live.events.emit('order');
  await turn();
  assert.deepEqual(counts, { a: 3, b: 2 });
  live.events.emit('woken');
  await turn();
  assert.deepEqual(counts, { a: 4, b: 3 });
});

test('requests of one turn lead to one load, and those during a load to one more', async (t) => {
  const { waiting, load } = open();
  const parts = { a: { load } };
  const { data } = started(t, parts);
  data.ask('a');
  data.ask('a');
  await turn();
  assert.equal(waiting.length, 1);
  let isAnswered = false;
  data.ask('a').then(() => (isAnswered = true));
  data.ask('a');
  waiting[0].resolve();
  await turn();
  assert.deepEqual([waiting.length, isAnswered, Boolean(parts.a.running)], [2, false, true]);
  waiting[1].resolve();
  await turn();
  assert.deepEqual([waiting.length, isAnswered, Boolean(parts.a.running)], [2, true, false]);
});

test('an interval that ends during a load leads to no other', async (t) => {
  const { waiting, load } = open();
  const { data, pass } = started(t, { a: { load, every: 2_000 } });
  data.start();
  await pass(9_000);
  waiting[0].resolve();
  await turn();
  assert.equal(waiting.length, 1);
});

test('failures are kept by part, and retried after a while', async (t) => {
  let isAway = true;
  const away = new Error('away');
  const load = async () => {
    if (isAway) throw away;
  };
  const { data, pass, settled } = started(t, { a: { load }, b: { load: async () => {} } });
  await data.start();
  assert.equal(data.error, away);
  assert.deepEqual(new Map(settled), new Map(Object.entries({ a: away, b: null })));
  isAway = false;
  await pass(9_000);
  assert.equal(data.error, away);
  await pass(1_000);
  assert.deepEqual([data.error, settled.length, settled.at(-1)], [null, 3, ['a', null]]);
});

test('a part that is not needed stays due', async (t) => {
  let [count, pace] = [0, 0];
  const parts = { a: { load: async () => (count += 1), every: () => pace } };
  const { data, pass } = started(t, parts);
  await data.start();
  await pass(3_000);
  assert.equal(count, 0);
  pace = 60_000;
  await pass(1_000);
  assert.equal(count, 1);
  parts.a.isDue = true;
  assert.equal(count, 1);
  await pass(1_000);
  assert.equal(count, 2);
});

test('a hidden page loads what is due when it is seen again', async (t) => {
  const counts = { a: 0, b: 0 };
  const { data, live, pass } = started(t, {
    a: { load: async () => (counts.a += 1), every: 2_000, on: ['order'] },
    b: { load: async () => (counts.b += 1), every: 2_000, inBackground: true },
  });
  await data.start();
  document.hidden = true;
  await pass(4_000);
  assert.deepEqual(counts, { a: 1, b: 3 });
  live.events.emit('order');
  await turn();
  assert.deepEqual(counts, { a: 2, b: 3 });
  await pass(2_000);
  document.hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await turn();
  assert.deepEqual(counts, { a: 3, b: 4 });
});

test('a clock that is set back does not stop the intervals', async (t) => {
  let count = 0;
  const { data, pass } = started(t, { a: { load: async () => (count += 1), every: 2_000 } });
  await data.start();
  t.mock.method(Date, 'now', () => 1);
  await pass(1_000);
  assert.equal(count, 2);
});

test('the end of the session is no failure, and the next one asks for everything', async (t) => {
  const { waiting, load } = open();
  const { api, data, pass, settled } = started(t, { a: { load } });
  data.start();
  await turn();
  api.isSignedIn = false;
  api.events.emit('signed-out');
  waiting[0].reject(new Ended('asked'));
  await pass(20_000);
  assert.deepEqual([waiting.length, settled, data.error], [1, [], null]);
  api.isSignedIn = true;
  data.start();
  await turn();
  // Another account signs in before the answer.
  api.events.emit('signed-out');
  data.start();
  waiting[1].reject(new Ended('replaced'));
  await turn();
  assert.deepEqual([waiting.length, settled], [3, []]);
});

test('what is picked of a state is kept at each change, until the end of the session', async () => {
  const api = { isSignedIn: true };
  const state = createState({ a: 1, b: 1 });
  keepOnDevice({ api, state, key: 'test.kept', pick: ({ a }) => ({ a }) });
  state.set({ b: 2 });
  await turn();
  assert.deepEqual(recall('test.kept'), { a: 1 });
  localStorage.removeItem('test.kept');
  state.set({ b: 3 });
  await turn();
  assert.equal(recall('test.kept'), undefined);
  state.set({ a: 2 });
  await turn();
  assert.deepEqual(recall('test.kept'), { a: 2 });
  api.isSignedIn = false;
  state.set({ a: 3 });
  await turn();
  assert.deepEqual(recall('test.kept'), { a: 2 });
});

test('a large state is kept at an interval, and when the page closes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const state = createState({ a: 1 });
  keepOnDevice({ api: { isSignedIn: true }, state, key: 'test.large', pick: ({ a }) => ({ a }), pace: 20_000 });
  await turn();
  assert.equal(recall('test.large'), undefined);
  t.mock.timers.tick(20_000);
  assert.deepEqual(recall('test.large'), { a: 1 });
  state.set({ a: 2 });
  dispatchEvent(new Event('pagehide'));
  assert.deepEqual(recall('test.large'), { a: 2 });
});

test('values that come together are taken together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const taken = [];
  const add = collect(100, (values) => taken.push(values));
  add('a', 'b');
  t.mock.timers.tick(90);
  add('a', 'c');
  t.mock.timers.tick(10);
  add('a');
  t.mock.timers.tick(100);
  assert.deepEqual(taken, [['a', 'b', 'c'], ['a']]);
});
