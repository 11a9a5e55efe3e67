// The state of the valet app, from the API, the live stream and the device.

import { serverNow } from '/apps/shared/clock.js';
import { Problem, createApi, escaped } from '/apps/shared/api.js';
import { createOutbox } from '/apps/shared/outbox.js';
import { createLive } from '/apps/shared/live.js';
import { createPosition, metersBetween } from '/apps/shared/position.js';
import { collect } from '/apps/shared/collect.js';
import { createParts, keepOnDevice } from '/apps/shared/parts.js';
import { createState } from '/apps/shared/state.js';
import { recall } from '/apps/shared/storage.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { toast } from '/apps/shared/ui.js';
import { cityOf, isDemo } from '/apps/shared/demo.js';
import { isActive, legOf, targetOf } from './jobs.js';
import { createPretence } from './pretence.js';

export const api = createApi('valet');
export const outbox = createOutbox(api);
export const live = createLive(api);
export const position = createPosition(
  api,
  isDemo ? createPretence({ city: () => cityOf(state.value.areas), way: () => wayAhead() }) : undefined,
);

/** Arrival radius around the meeting point in metres, as on the server. */
const ARRIVED_WITHIN = 30;
/** Time without a position after which a valet gets no jobs, in ms. */
export const SILENCE = 60_000;
/** Time after which the list of shifts surely includes a tap of the shift, in ms. */
const SHIFT_HEARD = 30_000;
/** Time until that list is loaded again, in ms. */
const SHIFT_PACE = 10_000;
const TICK = 1_000;
const PAGE = 50;

const CACHE = 'openvalet.valet.cache';
const empty = {
  now: serverNow(),
  isLoaded: false,
  problem: null,
  asOf: null,
  shift: null,
  shiftWanted: null,
  shiftProblem: null,
  onShiftSince: null,
  current: null,
  jobs: [],
  orders: {},
  offers: [],
  tasks: [],
  areas: [],
  route: null,
  customer: null,
  position: null,
  positionFailure: null,
  arrival: null,
  waiting: [],
};

export const state = createState({ ...empty, ...recall(CACHE), waiting: outbox.items });
const { set } = state;
const kept = ['shift', 'current', 'jobs', 'tasks', 'areas', 'asOf', 'arrival'];
const pick = (value) => Object.fromEntries(kept.map((name) => [name, value[name]]));
keepOnDevice({ api, state, key: CACHE, pick });

// MARK: Orders

/** Takes over an order's newer state. */
export function takeOrder(order) {
  const known = state.value.orders[order.id];
  if (known && known.version > order.version) return;
  const me = api.account.id;
  const mine = isActive(order, me);
  const { current, jobs } = state.value;
  set({
    orders: { ...state.value.orders, [order.id]: order },
    current: mine ? order : current?.id === order.id ? null : current,
    jobs: [order, ...jobs.filter(({ id }) => id !== order.id)]
      .filter((job) => legOf(job, me))
      .sort((a, b) => (a.id < b.id ? 1 : -1)),
  });
  follow();
  // A valet who is already there sends no new position.
  if (mine && position.last) watchArrival(position.last);
}

/** Takes over the newer orders of a list. */
export function know(list) {
  const { orders } = state.value;
  set({
    orders: {
      ...orders,
      ...Object.fromEntries(
        list.filter(({ id, version }) => version >= (orders[id]?.version ?? 0)).map((order) => [order.id, order]),
      ),
    },
  });
}

export const orderOf = (id) =>
  state.value.orders[id] ??
  (state.value.current?.id === id ? state.value.current : state.value.jobs.find((job) => job.id === id));

export async function loadOrder(id) {
  try {
    takeOrder(await api.get(escaped`/v1/orders/${id}`));
  } catch (error) {
    const known = state.value.orders[id];
    if (error.status !== 404 || !known) throw error;
    // The valet was withdrawn: the known order is no longer theirs.
    takeOrder({ ...known, dropOffValet: null, returnValet: null, version: known.version + 1 });
  }
}

async function loadShift() {
  const before = shiftTaps;
  const [shift] = (await api.get('/v1/me/shifts?limit=1')).items;
  // A request sent before a tap does not include it.
  if (state.value.shiftWanted || shiftTaps !== before) return;
  const isOn = shift && !shift.endedAt;
  const last = shift?.breaks.at(-1);
  const told = !isOn ? 'offline' : last && !last.endedAt ? 'onBreak' : 'available';
  // Right after a tap the list of shifts may not include it yet: load it again.
  if (told !== state.value.shift && Date.now() - shiftTappedAt < SHIFT_HEARD)
    return void setTimeout(() => data.ask('shift'), SHIFT_PACE);
  set({ shift: told });
}

async function loadCurrent() {
  const order = await api.get('/v1/orders/current?as=valet');
  if (order) takeOrder(order);
  else set({ current: null });
}

async function loadJobs() {
  const { items } = await api.get(`/v1/orders?as=valet&limit=${PAGE}`);
  set({ jobs: items });
  know(items);
}

const loadOffers = async () => takeOffers((await api.get('/v1/me/offers')).items);
const loadTasks = async () =>
  set({ tasks: (await api.get('/v1/tasks?limit=100')).items.filter(({ task }) => task.status !== 'done') });
const loadAreas = async () => set({ areas: (await api.get('/v1/service-areas')).features });

/** Polled while the stream is down, even with the phone in a pocket. */
const streamed = {
  every: () => (live.isOpen || state.value.shift === 'offline' ? Infinity : 5_000),
  inBackground: true,
  on: ['open'],
};
/** @type {Record<string, Ui.Part>} */
const parts = {
  current: { ...streamed, load: loadCurrent },
  jobs: { load: loadJobs, on: ['open'] },
  offers: { ...streamed, load: loadOffers },
  // The stream does not report them to every valet.
  tasks: { load: loadTasks, every: 30_000, on: ['open'] },
  shift: { load: loadShift },
  areas: { load: loadAreas },
  // Of an order that is known to be current.
  route: { load: loadRoute, every: () => (parts.current.running ? 0 : 20_000) },
};
const data = createParts({ api, live, parts, settled });
export const refresh = data.ask;
const refreshSoon = collect(120, (names) => refresh(...names));

/** Whether everything has been asked for since the sign-in. */
let isBegun = false;
function settled() {
  const { error: problem } = data;
  if (!isBegun) return set({ problem });
  set(problem ? { problem } : { problem, isLoaded: true, asOf: serverNow() });
  follow();
}

/** The step whose route was last asked for. */
let routedStep = null;
/** Applies the effects of having a job: pace of positions, screen lock, route. */
function follow() {
  const order = state.value.current;
  position.setOnJob(Boolean(order));
  keepAwake(Boolean(order));
  if (state.value.shift && state.value.shift !== 'offline') startReports();
  else if (reports && !state.value.shiftWanted) stopReports();
  const arrival = state.value.arrival;
  if (arrival && arrival.order !== order?.id) set({ arrival: null });
  if (!order) set({ route: null, customer: null });
  const step = order && routeStep(order);
  if (step && step !== routedStep) refresh('route');
  routedStep = step;
}

// MARK: Steps of a job

/**
 * Sends a step, or keeps it for later; resolves with true when the server has it. Its subject
 * is an order's id.
 */
export async function tap(order, path, body, label) {
  const { sent, value } = await outbox.perform({
    path: escaped`/v1/orders/${order.id}/${path}`,
    body,
    label,
    subject: order.id,
  });
  if (!sent) {
    toast(t('state.queued'));
    return false;
  }
  if (value?.id) takeOrder(value);
  return true;
}

/** A step that the server has to answer at once, such as a code that it checks. */
export async function step(order, path, body) {
  takeOrder(await api.post(escaped`/v1/orders/${order.id}/${path}`, body));
}

outbox.events.on('change', (waiting) => set({ waiting }));
outbox.events.on('sent', ({ item, value }) => {
  if (value?.id && value.ticket) takeOrder(value);
  if (item.subject === 'shift') takeShift(value);
  refreshSoon('jobs', 'current', 'tasks');
});
outbox.events.on('refused', ({ item, problem }) => {
  toast(`${item.label}: ${tProblem(problem)}`, 'danger');
  set({ shiftWanted: null });
  refreshSoon('jobs', 'current', 'tasks', 'shift');
});
outbox.events.on('expired', (item) => toast(t('outbox.expired', { label: item.label }), 'danger'));

// MARK: The shift

/** A valet who is `busy` is on shift and has a job. */
const onShift = (status) => (status === 'busy' ? 'available' : status);

let shiftTaps = 0;
let shiftTappedAt = -Infinity;

/** Takes over the server's answer to a tap. */
function takeShift({ status }) {
  shiftTappedAt = Date.now();
  set({ shift: onShift(status), shiftWanted: null });
}

export async function setShift(wanted) {
  if (state.value.shiftWanted || wanted === state.value.shift) return;
  shiftTaps++;
  set({ shiftWanted: wanted, shiftProblem: null });
  if (wanted === 'available') startReports();
  try {
    const { sent, value } = await outbox.perform({
      method: 'PUT',
      path: '/v1/me/availability',
      body: { status: wanted },
      label: t(`shift.${wanted}`),
      subject: 'shift',
    });
    if (sent) takeShift(value);
    else toast(t('state.queued'));
    if (sent && wanted === 'available') position.ask();
  } catch (error) {
    set({ shiftWanted: null, shiftProblem: api.isSignedIn ? error : null });
  }
  refreshSoon('offers', 'tasks');
  follow();
}

let reports = false;
function startReports() {
  if (reports) return;
  reports = true;
  set({ onShiftSince: serverNow() });
  position.start({ reports: true });
}

/** Stops sending the position, which stays on the map. */
function stopReports() {
  reports = false;
  set({ onShiftSince: null });
  position.start({ reports: false });
}

/** Tries again after the person has allowed it in the browser's settings. */
export function retryPosition() {
  set({ positionFailure: null });
  position.stop();
  position.start({ reports });
}

position.events.on('change', (here) => {
  set({ position: here, positionFailure: null });
  watchArrival(here);
  if (reports && !position.sentAt) position.report();
});
position.events.on('sent', () => set({}));
position.events.on('error', (positionFailure) => set({ positionFailure }));

/** Notes the arrival for display; the server decides by its own record. */
function watchArrival(here) {
  const order = state.value.current;
  const target = order && targetOf(order);
  if (!target || isAt(order) || metersBetween(here, target) > ARRIVED_WITHIN) return;
  set({ arrival: { order: order.id, step: routeStep(order), at: serverNow() } });
}

const routeStep = (order) => `${order.id} ${order.status}`;

/** Whether the valet has arrived at the destination of this step. */
export const isAt = (order) => state.value.arrival?.step === routeStep(order);

// MARK: The way

async function loadRoute() {
  const order = state.value.current;
  if (!order) return;
  const wanted = routeStep(order);
  const target = targetOf(order);
  if (!target) return void set({ route: { step: wanted } });
  let answer = null;
  try {
    answer = await api.get(escaped`/v1/orders/${order.id}/route`);
  } catch {
    const here = state.value.position;
    const ends = here && [here, target].map(({ latitude, longitude }) => [longitude, latitude]);
    if (ends)
      answer = {
        geometry: { type: 'LineString', coordinates: ends },
        distanceMeters: metersBetween(here, target),
        source: 'straightLine',
      };
  }
  if (state.value.current && routeStep(state.value.current) === wanted) set({ route: { ...answer, step: wanted } });
}

/** The route to the destination of this step; null while there is none. */
function wayAhead() {
  const { current, route } = state.value;
  const target = current && targetOf(current);
  if (!target || !route?.geometry || route.step !== routeStep(current)) return null;
  return {
    step: route.step,
    points: [...route.geometry.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })), target],
  };
}

// MARK: Offers

const delivered = new Map();

/** The time to answer an offer starts when the phone confirms its delivery. */
function takeOffers(items) {
  set({ offers: items.map((offer) => ({ ...offer, ...delivered.get(offer.order + offer.offeredAt) })) });
  for (const offer of items) confirmDelivery(offer);
}

async function confirmDelivery(offer) {
  const key = offer.order + offer.offeredAt;
  if (delivered.has(key)) return;
  delivered.set(key, {});
  try {
    const answer = await api.post(escaped`/v1/orders/${offer.order}/offer-delivered`, {});
    // Measured on the device's own clock from here on, whatever it shows.
    const seconds = (Date.parse(answer.expiresAt) - Date.parse(answer.deliveredAt ?? answer.offeredAt)) / 1_000;
    delivered.set(key, { ...answer, deadline: serverNow() + seconds * 1_000, seconds });
    set({
      offers: state.value.offers.map((it) => (it.order + it.offeredAt === key ? { ...it, ...delivered.get(key) } : it)),
    });
  } catch (error) {
    delivered.delete(key);
    if (error instanceof Problem && !error.isPassing) dropOffer(offer);
  }
}

const dropOffer = ({ order }) => set({ offers: state.value.offers.filter((offer) => offer.order !== order) });

export async function answerOffer(offer, isYes) {
  try {
    const order = await api.post(escaped`/v1/orders/${offer.order}/${isYes ? 'accept' : 'decline'}`, {});
    dropOffer(offer);
    if (isYes) takeOrder(order);
    return isYes;
  } catch (error) {
    if (error instanceof Problem && !error.isPassing) dropOffer(offer);
    toast(tProblem(error), 'danger');
    return false;
  }
}

// MARK: Light

let lock = null;
async function keepAwake(isWanted) {
  if (!isWanted || document.hidden) {
    if (!isWanted) lock?.release().catch(() => {});
    if (!isWanted) lock = null;
    return;
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock?.request('screen');
  } catch {
    lock = null; // Low battery, or not supported: the screen turns off as usual.
  }
}

// MARK: Beginning and end

live.events.on('order', (item) => {
  const isOffer = /offer/.test(item.event);
  if (isOffer) refreshSoon('offers');
  else refreshSoon('current', 'jobs', 'offers', 'tasks');
  if (item.order && state.value.orders[item.order.id] && !isOffer) loadOrder(item.order.id).catch(() => {});
});
live.events.on('notification', ({ title, text, event }) => {
  // An offer has its card; an assigned job is on the home screen.
  if (/valet-offered/.test(event) || (/valet-assigned/.test(event) && address().path === '/')) return;
  toast(`${title}. ${text}`);
});
live.events.on('position', (seen) => {
  if (seen.role === 'customer' && seen.order === state.value.current?.id)
    set({ customer: { ...seen, at: serverNow() } });
});

setInterval(() => document.hidden || !api.isSignedIn || set({ now: serverNow() }), TICK);

export async function begin() {
  // Steps that waited when the session ended by itself are resumed for the same person.
  set({ now: serverNow(), waiting: outbox.items });
  outbox.flush();
  live.start();
  await data.start();
  if (!api.isSignedIn) return;
  isBegun = true;
  settled();
  // Ask for the position only when a shift starts, unless it is allowed already.
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null);
  if ((isDemo || permission?.state === 'granted') && !reports) position.start({ reports: false });
}

export function end() {
  live.stop();
  position.stop();
  isBegun = false;
  reports = false;
  shiftTappedAt = -Infinity;
  keepAwake(false);
  delivered.clear();
  set({ ...empty, waiting: outbox.items });
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && api.isSignedIn) keepAwake(Boolean(state.value.current));
});
