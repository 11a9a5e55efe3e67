// What is loaded while an order is shown: where its valet and vehicle are, the route, and the price.

import { serverNow } from '/apps/shared/clock.js';
import { escaped } from '/apps/shared/api.js';
import { createParts } from '/apps/shared/parts.js';
import { network } from '/apps/shared/shell.js';
import { isMoving, targetOf } from './store.js';

/** Whether the price is still running, or the last one isn't known yet. */
const needsQuote = ({ charge, collectedAt, returnedAt, status, version }, quote) =>
  (collectedAt && !returnedAt) ||
  ((status === 'waitingForPayment' || (status === 'cancelled' && charge?.amount)) && quote?.version !== version);

export function followOrder(app) {
  const { api, live, store } = app;
  const { state } = store;
  /** Loads once the order itself is known, as long as it needs the part. */
  const every = (pace, isNeeded) => () => {
    const { order, quote } = state.value;
    return order && network.value.isOnline && !store.isLoading && isNeeded(order, quote) ? pace : 0;
  };
  const parts = {
    track: {
      load: () => loadTrack(app),
      every: every(15_000, (order) => isMoving(order) || order.status === 'parked'),
    },
    route: { load: () => loadRoute(app), every: every(20_000, (order) => isMoving(order) && targetOf(order)) },
    quote: { load: () => loadQuote(app), every: every(20_000, needsQuote) },
  };
  const expire = () => Object.values(parts).forEach((part) => (part.isDue = true));
  createParts({ api, live, parts });
  live.events.on('open', expire);
  live.events.on('position', (point) => hear(state, point));

  let last;
  state.listen(({ order }) => {
    const next = order && `${order.id} ${order.status}`;
    if (next !== last) expire();
    last = next;
  });
}

/** Asks for a part of the order, and drops an answer that belongs to another one. */
async function about({ api, store }, part, then, refused = () => {}) {
  const { order } = store.value;
  const isStill = () => store.value.order?.id === order.id && store.value.order.status === order.status;
  try {
    const answer = await api.get(escaped`/v1/orders/${order.id}/${part}`);
    if (isStill()) then(answer, order);
  } catch (error) {
    // Shown with its age, or not at all; loaded again at its interval.
    if (error.status === 409 && isStill()) refused();
  }
}

export const loadPhotos = (app) => about(app, 'photos', ({ items }) => app.store.state.set({ photos: items }));

const loadRoute = (app) =>
  about(
    app,
    'route',
    (route) => app.store.state.set({ route: { ...route, at: serverNow() }, isWayUnknown: false }),
    // The valet's position is unknown, so the last route is no longer valid.
    () => app.store.state.set({ route: null, isWayUnknown: true }),
  );

const loadQuote = (app) =>
  about(app, 'quote', (quote, { version }) => app.store.state.set({ quote: { ...quote, at: serverNow(), version } }));

const newer = (a, b) => (!a || (b && b.at >= a.at) ? b : a);
const seen = (tracked) => tracked && { ...tracked, at: serverNow() - tracked.ageSeconds * 1000 };
const loadTrack = (app) =>
  about(app, 'track', ({ valet, vehicle }) => {
    const { track } = app.store.value;
    const newest = { valet: newer(track.valet, seen(valet)), vehicle: newer(track.vehicle, seen(vehicle)) };
    app.store.state.set({ track: newest });
  });

/** Takes the valet's position from the stream. */
function hear(state, point) {
  const { order, track } = state.value;
  if (!order || point.order !== order.id || point.role !== 'valet') return;
  const heard = { ...point, at: Math.min(serverNow(), Date.parse(point.recordedAt)) };
  const drives = order.status === 'parking' || order.status === 'returningBack';
  state.set({ track: { ...track, valet: heard, ...(drives ? { vehicle: heard } : {}) } });
}
