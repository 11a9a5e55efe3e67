import assert from 'node:assert/strict';
import test from 'node:test';
import { contactOf, phoneOf } from '/apps/shared/auth-parts.js';
import { h } from '/apps/shared/dom.js';
import { samePlate } from '/apps/shared/forms.js';
import { match } from '/apps/shared/shell.js';
import { createEvents, createState } from '/apps/shared/state.js';
import { alone, forget, recall, remember, storageEvents } from '/apps/shared/storage.js';
import { createAct } from '/apps/customer/shared/actions.js';
import { lessCommission } from '/apps/customer/spots/terms.js';
import { isActive, jobsOf, legOf, placeText, stepOf, targetOf } from '/apps/valet/jobs.js';

const turn = () => new Promise(setImmediate);

test('a state tells of all changes of a turn once', async () => {
  const state = createState({ a: 1, b: 1 });
  const seen = [];
  const stop = state.listen((value) => seen.push(value));
  state.set({ a: 2 });
  state.set(({ a }) => ({ b: a + 1 }));
  assert.deepEqual([state.value, seen], [{ a: 2, b: 3 }, []]);
  await turn();
  assert.deepEqual(seen, [{ a: 2, b: 3 }]);
  stop();
  state.set({ a: 3 });
  await turn();
  assert.equal(seen.length, 1);
});

test('a listener may leave while an event is told', () => {
  const events = createEvents();
  const heard = [];
  const stop = events.on('x', () => {
    heard.push('first');
    stop();
  });
  events.on('x', (value) => heard.push(value));
  events.emit('x', 'second');
  events.emit('x', 'third');
  assert.deepEqual(heard, ['first', 'second', 'third']);
});

test('an app works when the browser stores nothing', () => {
  const { setItem } = localStorage;
  let refusals = 0;
  const stop = storageEvents.on('refused', () => (refusals += 1));
  Object.getPrototypeOf(localStorage).setItem = () => {
    throw new Error('QuotaExceededError');
  };
  remember('kept.a', { n: 1 });
  Object.getPrototypeOf(localStorage).setItem = setItem;
  stop();
  assert.deepEqual([recall('kept.a'), refusals], [{ n: 1 }, 1]);
  remember('kept.b', false);
  assert.equal(recall('kept.b'), false);
  remember('other.b', 0);
  forget('kept.', (key) => key === 'kept.b');
  assert.deepEqual(['kept.a', 'kept.b', 'other.b'].map(recall), [undefined, false, 0]);
  localStorage.setItem('kept.c', '{broken');
  assert.equal(recall('kept.c'), undefined);
});

test('tasks of one name run one after the other, even if one fails', async () => {
  const order = [];
  const task = (name, fails) =>
    alone('x', async () => {
      order.push(`${name} starts`);
      await turn();
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const [first] = await Promise.allSettled([task('a', true), task('b')]);
  assert.equal(first.status, 'rejected');
  assert.deepEqual(order, ['a starts', 'a ends', 'b starts', 'b ends']);
});

test('the first pattern that fits a path gives its screen', () => {
  const routes = [
    ['/orders', 'list'],
    ['/orders/:id', 'order'],
    ['/orders/:id/photos/:photo', 'photo'],
  ];
  assert.deepEqual(match(routes, '/orders/a%2Fb'), { screen: 'order', params: { id: 'a/b' } });
  assert.deepEqual(match(routes, '/orders/1/photos/2'), { screen: 'photo', params: { id: '1', photo: '2' } });
  assert.deepEqual(match(routes, '/orders/%'), { screen: 'order', params: { id: '%' } });
  assert.equal(match(routes, '/orders/1/other'), null);
});

test('an element leaves out what is null or false', () => {
  const onclick = () => {};
  const node = h(
    'p',
    { class: 'muted', hidden: false, title: null, required: true, onclick },
    'one ',
    null,
    [2, false],
    h('b', null, ' three'),
  );
  assert.deepEqual(node.attributes, { class: 'muted', required: '' });
  assert.equal(node.textContent, 'one 2 three');
  assert.deepEqual(Object.keys(node.listeners), ['click']);
});

test('one action of a screen runs at a time', async () => {
  const state = { busy: null, problem: null };
  const act = createAct(() => state, { redraw: () => {} });
  let finish;
  const first = act(
    'pay',
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  assert.deepEqual(
    [act.button('pay'), act.button('cancel')],
    [
      { isBusy: true, disabled: true },
      { isBusy: false, disabled: true },
    ],
  );
  let hasRun = false;
  await act('cancel', async () => {
    hasRun = true;
  });
  finish();
  await first;
  assert.deepEqual([hasRun, state.busy], [false, null]);
  await act('cancel', async () => {
    throw new Error('refused');
  });
  assert.equal(state.problem.message, 'refused');
});

test('a commission is rounded down', () => {
  assert.deepEqual(lessCommission({ amount: 905, currency: 'EUR' }, { commissionPercent: 10 }), {
    amount: 815,
    currency: 'EUR',
  });
  assert.deepEqual(lessCommission({ amount: 9, currency: 'EUR' }, { commissionPercent: 10 }), {
    amount: 9,
    currency: 'EUR',
  });
});

test('a valet has the step of their own leg of an order', () => {
  const order = (status) => ({
    status,
    dropOffValet: { id: 'una' },
    returnValet: { id: 'vic' },
    dropOff: 'A',
    parked: 'P',
    returnTo: 'B',
  });
  const steps = (me) =>
    [
      'droppingOff',
      'parking',
      'parked',
      'requestingBack',
      'returningBack',
      'waitingForPayment',
      'finished',
      'cancelled',
    ].map((status) => stepOf(order(status), me));
  assert.deepEqual(steps('una'), ['toCustomer', 'parking', 'parked', 'parked', 'parked', 'parked', 'parked', 'ended']);
  assert.deepEqual(steps('vic').slice(3), ['toVehicle', 'returning', 'handedBack', 'handedBack', 'ended']);
  assert.equal(stepOf(order('parking'), 'bob'), 'lost');
  assert.deepEqual([isActive(order('returningBack'), 'vic'), isActive(order('returningBack'), 'una')], [true, false]);
  assert.deepEqual(
    ['droppingOff', 'requestingBack', 'returningBack', 'parked'].map((status) => targetOf(order(status))),
    ['A', 'P', 'B', null],
  );
});

test('a valet who did both legs has two jobs', () => {
  const both = {
    status: 'finished',
    dropOffValet: { id: 'una' },
    returnValet: { id: 'una' },
    parkedAt: '1',
    returnedAt: '2',
  };
  assert.deepEqual(
    jobsOf([both], 'una').map(({ leg, doneAt }) => [leg, doneAt]),
    [
      ['dropOff', '1'],
      ['return', '2'],
    ],
  );
  assert.equal(legOf(both, 'una'), 'return');
  assert.equal(legOf({ ...both, status: 'parked' }, 'una'), 'dropOff');
  assert.deepEqual(jobsOf([both], 'vic'), []);
});

test('plates are compared without spaces and punctuation', () => {
  assert.ok(samePlate('abc-123', 'ABC 123'));
  assert.ok(samePlate('粤Z 1234', '粤z1234'));
  assert.ok(!samePlate('ABC-123', 'ABC-124'));
  assert.ok(!samePlate('品川 500 あ 12-34', '品川 500 い 12-34'));
  assert.ok(!samePlate('АВ 1234', 'ОР 1234'));
  assert.equal(
    placeText({ address: 'Katu 1', level: '-1', bay: '' }, (key) => key),
    'Katu 1 · parked.level -1',
  );
});

test('a phone number goes to the server as typed, with the country of the device', () => {
  assert.deepEqual(contactOf(' 040 1234567 '), { phone: '040 1234567', country: 'IE' });
  assert.deepEqual(contactOf('+44 (0)7700 900557'), { phone: '+44 (0)7700 900557', country: 'IE' });
  assert.deepEqual(contactOf(' ada@example.org '), { email: 'ada@example.org' });
  assert.deepEqual(phoneOf('55 1234 5678', '419'), { phone: '55 1234 5678' });
  assert.deepEqual(phoneOf('040 1234567', undefined), { phone: '040 1234567', country: 'IE' });
});
