// The data that the whole app watches: open orders, valets, alerts, areas. The stream reports each change of
// an order; everything else is polled, and nothing while the page is hidden.

import { serverNow } from '/apps/shared/clock.js';
import { recall, remember } from '/apps/shared/storage.js';
import { createState } from '/apps/shared/state.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { api, live } from './context.js';

export const openStates = [
  'requested',
  'droppingOff',
  'parking',
  'parked',
  'requestingBack',
  'returningBack',
  'waitingForPayment',
];
export const endStates = ['finished', 'cancelled', 'unfulfilled'];

/** Time between two polls, in ms. */
const PACE = 5_000;
const PACE_OF_ALERTS = 10_000;
const PACE_OF_AREAS = 60_000;
/** Time between two reloads of all orders while the stream is open, which reports each change already; in ms. */
const PACE_OF_STREAMED_ORDERS = 30_000;
const PAGE = 200;
/** The most pages of one list that are loaded. */
const MOST_PAGES = 10;
/** The most changed orders that are loaded one by one; beyond it, all are reloaded. */
const MOST_SINGLE = 12;
const LAST = 'openvalet.operator.last';
/** Time between two saves of the state for an offline start, in ms. */
const PACE_OF_KEEPING = 20_000;
/** The most orders kept on the device. */
const MOST_KEPT = 300;

const fresh = {
  orders: [],
  valets: [],
  alerts: [],
  areas: [],
  isLoaded: false,
  at: null,
  error: null,
  isStreaming: false,
};
export const store = createState(fresh);

/** All pages of a list, as far as `MOST_PAGES`. */
export async function everyPage(path, query = {}) {
  const items = [];
  let after;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await api.get(withQuery(path, { ...query, after, limit: PAGE }));
    items.push(...answer.items);
    after = answer.next;
    if (!after) break;
  }
  return items;
}

// MARK: Asking

/** The error of each task's last run. */
const failures = new Map();

/** Repeats a task while the page is visible; `now()` runs it at once, or once more after the current run. */
function createPoll(task, pace) {
  let timer = null;
  let isOn = false;
  let isRunning = false;
  let isWanted = false;
  async function turn() {
    clearTimeout(timer);
    if (!isOn || document.hidden) return;
    // The answer in flight may be older than this request.
    isWanted = isRunning;
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      failures.delete(task);
    } catch (error) {
      // The end of the session is not a failure.
      if (isOn) failures.set(task, error);
    }
    store.set({ error: [...failures.values()][0] ?? null });
    isRunning = false;
    if (isOn && isWanted) turn();
    else if (isOn) timer = setTimeout(turn, typeof pace === 'function' ? pace() : pace);
  }
  document.addEventListener('visibilitychange', turn);
  addEventListener('online', turn);
  return {
    now: turn,
    start() {
      isOn = true;
      turn();
    },
    stop() {
      isOn = false;
      clearTimeout(timer);
    },
  };
}

const sorted = (orders) =>
  [...orders].sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));

const heardAt = new Map();

async function loadOrders() {
  const startedAt = Date.now();
  const lists = await Promise.all(openStates.map((status) => everyPage('/v1/admin/orders', { status })));
  const known = new Map(store.value.orders.map((order) => [order.id, order]));
  const next = new Map();
  for (const order of lists.flat()) {
    const rivals = [order, next.get(order.id), known.get(order.id)].filter(Boolean);
    next.set(
      order.id,
      rivals.reduce((best, other) => (other.version > best.version ? other : best)),
    );
  }
  // Events since the request was sent are newer than its answer.
  for (const [id, order] of known) if (!next.has(id) && (heardAt.get(id) ?? 0) >= startedAt) next.set(id, order);
  for (const [id, at] of heardAt) if (at < startedAt) heardAt.delete(id);
  store.set({
    orders: sorted([...next.values()].filter((order) => openStates.includes(order.status))),
    isLoaded: true,
    at: serverNow(),
  });
}

const loadValets = async () => store.set({ valets: await everyPage('/v1/admin/valets'), valetsAt: serverNow() });
const loadAlerts = async () => store.set({ alerts: await everyPage('/v1/admin/alerts', { status: 'open' }) });
const loadAreas = async () => store.set({ areas: (await api.get('/v1/service-areas')).features });

const polls = {
  orders: createPoll(loadOrders, () => (live.isOpen ? PACE_OF_STREAMED_ORDERS : PACE)),
  valets: createPoll(loadValets, PACE),
  alerts: createPoll(loadAlerts, PACE_OF_ALERTS),
  areas: createPoll(loadAreas, PACE_OF_AREAS),
};
export const refresh = (name) => polls[name].now();

/** Tickets of all orders seen so far, by id. */
const tickets = new Map();
export const ticketOf = (id) => tickets.get(id);
export function learn(orders) {
  for (const { id, ticket } of orders) tickets.set(id, ticket);
}
store.listen(({ orders }) => learn(orders));

// MARK: Hearing

let wanted = new Set();
async function fetchWanted() {
  const ids = [...wanted];
  wanted = new Set();
  if (ids.length > MOST_SINGLE) return polls.orders.now();
  await Promise.all(
    ids.map(async (id) => {
      try {
        keep(await api.get(escaped`/v1/orders/${id}`));
      } catch {
        polls.orders.now();
      }
    }),
  );
  return undefined;
}

function want(id) {
  if (!wanted.size) setTimeout(fetchWanted, 250);
  wanted.add(id);
}

/** Takes over an order that any screen has loaded. */
export function keep(order) {
  const known = store.value.orders.find((one) => one.id === order.id);
  if (known && known.version > order.version) return;
  heardAt.set(order.id, Date.now());
  const others = store.value.orders.filter((one) => one.id !== order.id);
  store.set({ orders: openStates.includes(order.status) ? sorted([...others, order]) : others });
}

/** An event names the changed order; the orders are then loaded, several together. */
function hear({ order: heard }) {
  if (!heard) return;
  const known = store.value.orders.find((one) => one.id === heard.id);
  if (known && known.version >= heard.version) return;
  if (openStates.includes(heard.status)) want(heard.id);
  else if (known) keep({ ...known, status: heard.status, version: heard.version });
}

live.events.on('order', hear);
live.events.on('notification', () => polls.alerts.now());
live.events.on('open', () => {
  store.set({ isStreaming: true });
  polls.orders.now();
});
live.events.on('closed', () => {
  store.set({ isStreaming: false });
  polls.orders.now();
});

// MARK: Beginning and end

let keeping = null;
function keepOnDevice() {
  const { orders, valets, alerts, areas, at } = store.value;
  if (at) remember(LAST, { orders: orders.slice(0, MOST_KEPT), valets, alerts, areas, at });
}

/** Starts with the state kept on this device, with its age, until the first answer arrives. */
export function startStore() {
  if (keeping) return;
  const last = recall(LAST);
  store.set({ ...fresh, ...(last ? { ...last, isLoaded: true } : {}) });
  for (const poll of Object.values(polls)) poll.start();
  live.start();
  keeping = setInterval(keepOnDevice, PACE_OF_KEEPING);
  addEventListener('pagehide', keepOnDevice);
}

export function stopStore() {
  for (const poll of Object.values(polls)) poll.stop();
  live.stop();
  clearInterval(keeping);
  removeEventListener('pagehide', keepOnDevice);
  keeping = null;
  heardAt.clear();
  failures.clear();
  store.set(fresh);
}
