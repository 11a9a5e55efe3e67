// The order and the areas, kept on the device, so that the last state can be read offline.

import { serverNow } from '/apps/shared/clock.js';
import { createParts, keepOnDevice } from '/apps/shared/parts.js';
import { createState } from '/apps/shared/state.js';
import { recall } from '/apps/shared/storage.js';
import { Offline, escaped } from '/apps/shared/api.js';
import { network } from '/apps/shared/shell.js';

const KEPT = 'openvalet.customer.kept';
/** Positions older than this are no longer shown as current, in ms; the server uses the same age. */
export const STALE = 60_000;
const SECOND = 1_000;

/** A hand-over or a return is near, so the valet may see the customer's position. */
const isMeeting = ({ status, returnValet }) =>
  ['droppingOff', 'returningBack'].includes(status) || (status === 'requestingBack' && Boolean(returnValet));
export const isMoving = (order) => isMeeting(order) || order.status === 'parking';
export const isEnded = ({ status }) => ['finished', 'cancelled', 'unfulfilled'].includes(status);
/** The next destination of the valet, or the vehicle. */
export const targetOf = (order) =>
  ({ droppingOff: order.dropOff, requestingBack: order.parked, returningBack: order.returnTo })[order.status] ?? null;

/** What belongs to a person. */
const personal = {
  order: null,
  quote: null,
  photos: [],
  track: {},
  route: null,
  isWayUnknown: false,
  /** When the order was last confirmed, and whether it is current. */
  at: null,
  isFresh: false,
  isKnown: false,
  problem: null,
  news: 0,
  rated: {},
  paid: {},
};

export function createStore({ api, live, outbox, position }) {
  const common = { areas: null, areasProblem: null, now: serverNow() };
  const state = createState({ ...common, ...personal, ...recall(KEPT) });
  const pick = ({ areas, order, quote, at, rated, paid }) => ({ areas, order, quote, at, rated, paid });
  keepOnDevice({ api, state, key: KEPT, pick });
  const store = { api, live, position, state };
  const loadAreas = async () => state.set({ areas: (await api.get('/v1/service-areas')).features });
  const parts = {
    order: {
      load: () => loadOrder(store),
      every: () => (live.isOpen && state.value.isFresh ? Infinity : 8_000),
      on: ['open', 'order'],
    },
    areas: { load: loadAreas, every: 600_000 },
  };
  const data = createParts({ api, live, parts, settled });
  const refresh = () => data.ask('order');
  function settled(name, error) {
    if (name === 'areas') state.set({ areasProblem: error });
    if (name !== 'order' || !error) return;
    if (error instanceof Offline) network.set({ isOnline: false });
    state.set({ isFresh: false, isKnown: true, problem: error });
  }
  listen(store);
  outbox.events.on('sent', ({ item }) => item.subject && refresh());

  return {
    state,
    refresh,
    get isLoading() {
      return Boolean(parts.order.running);
    },
    loadAreas: () => data.ask('areas'),
    setOrder: (order) => setOrder(store, order),
    get value() {
      return state.value;
    },
    area: (id) => state.value.areas?.find((area) => area.properties.id === id) ?? null,
    /** Sends an action for the order now, or when online. */
    async act(order, name, label, body) {
      const answer = await outbox.perform({
        path: escaped`/v1/orders/${order.id}/${name}`,
        body,
        label,
        subject: order.id,
      });
      if (answer.value) setOrder(store, answer.value);
      return answer;
    },
    /** The customer has seen how an ended order ended. */
    dismiss: () => state.set({ order: null, quote: null, photos: [] }),
    setPaid: (id) => state.set({ paid: { ...state.value.paid, [id]: true } }),
    setRated: (id, opinion) => state.set({ rated: { ...state.value.rated, [id]: opinion } }),
    reset: () => state.set(personal),
    start: data.start,
  };
}

async function loadOrder(store) {
  const { api, state } = store;
  const shown = state.value.order;
  try {
    const current = await api.get('/v1/orders/current?as=customer');
    const ended = current ? null : shown && (await api.get(escaped`/v1/orders/${shown.id}`));
    // An answer from before the network was lost must not mark it as online.
    network.set({ isOnline: navigator.onLine });
    // A dismissed order stays dismissed, and a placed one stays shown.
    setOrder(store, current ?? (state.value.order?.id === shown?.id ? ended : state.value.order) ?? null);
  } catch (error) {
    if (error.status !== 404) throw error;
    setOrder(store, null);
  }
}

function setOrder({ position, state }, order) {
  const before = state.value.order;
  if (order && before?.id === order.id && before.version > order.version) return;
  const isNew = before?.id !== order?.id;
  const isOther = isNew || before?.status !== order?.status;
  state.set({
    order,
    at: serverNow(),
    isFresh: true,
    isKnown: true,
    problem: null,
    ...(isOther && { route: null, isWayUnknown: false, track: {} }),
    ...(isNew && { quote: null, photos: [] }),
  });
  position.start({ reports: Boolean(order && isMeeting(order)) });
  position.setOnJob(Boolean(order && isMoving(order)));
}

function listen({ api, live, state }) {
  live.events.on('open', () => {
    network.set({ isOnline: navigator.onLine });
    state.set({});
  });
  live.events.on('woken', () => {
    // The network may be back.
    network.set({ isOnline: navigator.onLine });
    state.set({ isFresh: false });
  });
  live.events.on('closed', () => state.set({}));
  network.listen(({ isOnline }) => !isOnline && state.set({ isFresh: false }));

  setInterval(() => {
    const { order } = state.value;
    // The clocks of a running order are redrawn each second.
    if (!document.hidden && api.isSignedIn && order && !isEnded(order)) state.set({ now: serverNow() });
  }, SECOND);
}
