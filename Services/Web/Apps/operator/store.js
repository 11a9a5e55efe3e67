// The data that the whole app watches: open orders, valets, alerts, areas. The stream reports each change of
// an order; everything else is polled while the page is visible.

import { serverNow } from '/apps/shared/clock.js';
import { collect } from '/apps/shared/collect.js';
import { createParts, keepOnDevice } from '/apps/shared/parts.js';
import { recall } from '/apps/shared/storage.js';
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
  valetsAt: null,
  alerts: [],
  areas: [],
  isLoaded: false,
  at: null,
  error: null,
  isStreaming: false,
};
export const store = createState({ ...fresh, ...recall(LAST) });
keepOnDevice({
  api,
  state: store,
  key: LAST,
  pick: ({ error, isStreaming, valetsAt, ...kept }) => ({ ...kept, orders: kept.orders.slice(0, MOST_KEPT) }),
  pace: PACE_OF_KEEPING,
});

/**
 * All pages of a list, as far as `MOST_PAGES`.
 * @type {<Path extends string>(path: Path, query?: object) => Promise<Api.Answer<'GET', Path>['items']>}
 */
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

const parts = {
  // An open stream reports each change of an order.
  orders: { load: loadOrders, every: () => (live.isOpen ? 30_000 : 5_000), on: ['open', 'closed'] },
  valets: { load: loadValets, every: 5_000 },
  alerts: { load: loadAlerts, every: 10_000, on: ['notification'] },
  areas: { load: loadAreas, every: 60_000 },
};
const data = createParts({ api, live, parts, settled: () => store.set({ error: data.error }) });
export const refresh = data.ask;
// The network may be back.
addEventListener('online', data.start);

/** Tickets of all orders seen so far, by id. */
const tickets = new Map();
export const ticketOf = (id) => tickets.get(id);
export function learn(orders) {
  for (const { id, ticket } of orders) tickets.set(id, ticket);
}
store.listen(({ orders }) => learn(orders));

// MARK: Hearing

/** Loads changed orders, several together. */
const fetchSoon = collect(250, (ids) => {
  if (ids.length > MOST_SINGLE) refresh('orders');
  else for (const id of ids) fetchOrder(id);
});

const fetchOrder = (id) => api.get(escaped`/v1/orders/${id}`).then(keep, () => refresh('orders'));

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
  if (openStates.includes(heard.status)) fetchSoon(heard.id);
  else if (known) keep({ ...known, status: heard.status, version: heard.version });
}

live.events.on('order', hear);
live.events.on('open', () => store.set({ isStreaming: true }));
live.events.on('closed', () => store.set({ isStreaming: false }));

// MARK: Beginning and end

export function startStore() {
  live.start();
  data.start();
}

export function stopStore() {
  live.stop();
  heardAt.clear();
  store.set(fresh);
}
