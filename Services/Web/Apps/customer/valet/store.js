// The app's copy of the server's state: the order, its track, route and price, the areas, the lists. Stored on the
// device, so that the last state can be read offline; every value has the time when it was current.

import { serverNow } from '/apps/shared/clock.js';
import { createState } from '/apps/shared/state.js';
import { recall, remember } from '/apps/shared/storage.js';
import { Offline, Problem, escaped } from '/apps/shared/api.js';
import { metersBetween } from '/apps/shared/position.js';
import { network } from '/apps/shared/shell.js';

const KEPT = 'openvalet.customer.kept';
/** Positions older than this are no longer shown as current, in ms; the server uses the same age. */
export const STALE = 60_000;
/** A valet within this distance has arrived, in metres. */
const ARRIVED = 35;
/** Intervals of loading, in ms. */
const PACE = { look: 1_000, order: 8_000, track: 15_000, route: 20_000, quote: 20_000, areas: 600_000 };

export const isMoving = ({ status, returnValet }) =>
  ['droppingOff', 'parking', 'returningBack'].includes(status) || (status === 'requestingBack' && Boolean(returnValet));
/** A hand-over or a return is near, so the valet may see the customer's position. */
const isMeeting = ({ status, returnValet }) =>
  ['droppingOff', 'returningBack'].includes(status) || (status === 'requestingBack' && Boolean(returnValet));
export const isEnded = ({ status }) => ['finished', 'cancelled', 'unfulfilled'].includes(status);
/** The next destination of the valet, or the vehicle. */
export const targetOf = (order) =>
  ({ droppingOff: order.dropOff, requestingBack: order.parked, returningBack: order.returnTo })[order.status] ?? null;
const timeZero = { order: 0, track: 0, route: 0, quote: 0, areas: 0 };
/** Pause before a failed request is retried, in ms. */
const RETRY = 10_000;

export function createStore({ api, live, outbox, position }) {
  const kept = recall(KEPT) ?? {};
  const state = createState({
    areas: kept.areas ?? null,
    areasProblem: null,
    order: kept.order ?? null,
    quote: kept.quote ?? null,
    photos: [],
    track: {},
    route: null,
    isWayUnknown: false,
    /** When the order was last confirmed, and whether it is current. */
    at: kept.at ?? null,
    isFresh: false,
    isKnown: false,
    isLive: false,
    problem: null,
    news: 0,
    now: serverNow(),
    rated: kept.rated ?? {},
    paid: kept.paid ?? {},
  });
  let last = { ...timeZero };
  let running = null;
  let isWanted = false;

  const value = () => state.value;
  const keep = () => {
    const { areas, order, quote, at, rated, paid } = value();
    if (api.isSignedIn) remember(KEPT, { areas, order, quote, at, rated, paid });
  };
  const set = (change) => {
    state.set(change);
    keep();
  };

  function setOrder(order) {
    const before = value().order;
    if (before && order && before.id === order.id && before.version > order.version) return;
    const isOther = before?.id !== order?.id || before?.status !== order?.status;
    set({
      order,
      at: serverNow(),
      isFresh: true,
      isKnown: true,
      problem: null,
      ...(isOther ? { route: null, isWayUnknown: false, track: {} } : {}),
    });
    if (before?.id !== order?.id) set({ quote: null, photos: [] });
    if (isOther) last = { ...last, track: 0, route: 0, quote: 0 };
    position.start({ reports: Boolean(order && isMeeting(order)) });
    position.setOnJob(Boolean(order && isMoving(order)));
  }

  /** Loads the order; a call meanwhile gets the next answer. */
  function refresh() {
    if (running) {
      isWanted = true;
      return running;
    }
    running = ask().finally(() => {
      running = null;
      if (isWanted) {
        isWanted = false;
        refresh();
      }
    });
    return running;
  }

  async function ask() {
    if (!api.isSignedIn) return;
    last.order = Date.now();
    try {
      const shown = value().order;
      const current = await api.get('/v1/orders/current?as=customer');
      const ended = current ? null : shown && (await api.get(escaped`/v1/orders/${shown.id}`));
      // An answer from before the network was lost must not mark it as online.
      network.set({ isOnline: navigator.onLine });
      // A dismissed order stays dismissed, and a placed one stays shown.
      setOrder(current ?? (value().order?.id === shown?.id ? ended : value().order) ?? null);
    } catch (error) {
      if (!api.isSignedIn) return;
      if (error instanceof Offline) network.set({ isOnline: false });
      if (error instanceof Problem && error.status === 404) setOrder(null);
      else state.set({ isFresh: false, isKnown: true, problem: error });
    }
  }

  async function loadAreas() {
    last.areas = Date.now();
    try {
      set({ areas: (await api.get('/v1/service-areas')).features, areasProblem: null });
    } catch (error) {
      last.areas = Date.now() - PACE.areas + RETRY;
      state.set({ areasProblem: error });
    }
  }

  // MARK: Parts of the shown order

  const isStill = ({ id, status }) => value().order?.id === id && value().order.status === status;

  /** Loads a part of the order, and drops an answer that belongs to another one. */
  async function about(part, then, refused = () => {}) {
    const { order } = value();
    try {
      const answer = await api.get(escaped`/v1/orders/${order.id}/${part}`);
      if (isStill(order)) then(answer);
    } catch (error) {
      // Shown with its age, or not at all; loaded again at its interval.
      if (error.status === 409 && isStill(order)) refused();
    }
  }

  const seen = (tracked) => tracked && { ...tracked, at: serverNow() - tracked.ageSeconds * 1000 };
  const setTrack = ({ valet, vehicle }) => {
    state.set({
      track: { valet: newer(value().track.valet, seen(valet)), vehicle: newer(value().track.vehicle, seen(vehicle)) },
    });
  };
  const newer = (a, b) => (!a || (b && b.at >= a.at) ? b : a);

  function follow(now) {
    const { order } = value();
    const due = (name) => now - last[name] >= PACE[name] && (last[name] = now);
    if (!(live.isOpen && value().isFresh) && due('order')) refresh();
    if (network.value.isOnline && due('areas')) loadAreas();
    if (!order || !network.value.isOnline) return;
    if ((isMoving(order) || order.status === 'parked') && due('track')) about('track', setTrack);
    if (isMoving(order) && targetOf(order) && due('route')) {
      // The valet's position is unknown, so the last route is no longer valid.
      about(
        'route',
        (route) => state.set({ route: { ...route, at: serverNow() }, isWayUnknown: false }),
        () => state.set({ route: null, isWayUnknown: true }),
      );
    }
    if (order.collectedAt && !order.returnedAt && due('quote'))
      about('quote', (quote) => set({ quote: { ...quote, at: serverNow() } }));
    else if (
      (order.status === 'waitingForPayment' || (order.status === 'cancelled' && order.charge?.amount)) &&
      value().quote?.version !== order.version &&
      due('quote')
    )
      about('quote', (quote) => set({ quote: { ...quote, at: serverNow(), version: order.version } }));
  }

  live.events.on('open', () => {
    state.set({ isLive: true });
    network.set({ isOnline: navigator.onLine });
    last = { ...timeZero, areas: last.areas };
    refresh();
  });
  live.events.on('woken', () => {
    last = { ...timeZero };
    // The network may be back.
    network.set({ isOnline: navigator.onLine });
    state.set({ isFresh: false });
    refresh();
  });
  live.events.on('closed', () => state.set({ isLive: false }));
  live.events.on('order', () => refresh());
  live.events.on('position', (point) => {
    const { order, track } = value();
    if (!order || point.order !== order.id || point.role !== 'valet') return;
    const heard = { ...point, at: Math.min(serverNow(), Date.parse(point.recordedAt)) };
    const drives = order.status === 'parking' || order.status === 'returningBack';
    state.set({ track: { ...track, valet: heard, ...(drives ? { vehicle: heard } : {}) } });
  });
  network.listen(({ isOnline }) => !isOnline && state.set({ isFresh: false }));
  outbox.events.on('sent', ({ item }) => item.subject && refresh());

  setInterval(() => {
    if (document.hidden || !api.isSignedIn) return;
    const now = Date.now();
    follow(now);
    // The clocks of a running order are redrawn each second.
    if (value().order && !isEnded(value().order)) state.set({ now: serverNow() });
  }, PACE.look);

  return {
    state,
    refresh,
    loadAreas,
    setOrder,
    get value() {
      return value();
    },
    area: (id) => value().areas?.find((area) => area.properties.id === id) ?? null,
    /** Sends an action for the order now, or when online. */
    async act(order, name, label, body) {
      const answer = await outbox.perform({
        path: escaped`/v1/orders/${order.id}/${name}`,
        body,
        label,
        subject: order.id,
      });
      if (answer.value) setOrder(answer.value);
      return answer;
    },
    loadPhotos: () => about('photos', ({ items }) => state.set({ photos: items })),
    /** The customer has seen how an ended order ended. */
    dismiss: () => set({ order: null, quote: null, photos: [] }),
    setPaid: (id) => set({ paid: { ...value().paid, [id]: true } }),
    setRated: (id, opinion) => set({ rated: { ...value().rated, [id]: opinion } }),
    reset() {
      last = { ...timeZero };
      state.set({
        order: null,
        quote: null,
        photos: [],
        track: {},
        route: null,
        isWayUnknown: false,
        at: null,
        isFresh: false,
        isKnown: false,
        problem: null,
        news: 0,
        rated: {},
        paid: {},
      });
    },
    start() {
      loadAreas();
      refresh();
    },
  };
}

/** Seconds until the valet, or the vehicle, arrives: by the last route, or else by the estimate at assignment. */
export function secondsLeft({ order, route, isWayUnknown, now }) {
  if (isWayUnknown) return null;
  if (route) return Math.max(0, route.durationSeconds - (now - route.at) / 1000);
  if (order.etaSeconds === null) return null;
  return order.status === 'droppingOff' && order.assignedAt
    ? Math.max(0, order.etaSeconds - (now - Date.parse(order.assignedAt)) / 1000)
    : order.etaSeconds;
}

/** Whether the valet is at the meeting point. */
export function hasArrived({ order, track }) {
  const target = targetOf(order);
  return Boolean(target && track.valet && metersBetween(track.valet, target) <= ARRIVED);
}
