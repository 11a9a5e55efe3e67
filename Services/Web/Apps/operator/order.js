// One order with all its details and an operator's actions.

import { h } from '/apps/shared/dom.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { statusBadge } from '/apps/shared/status.js';
import { button, empty, pictureEvents, problemNotice } from '/apps/shared/ui.js';
import { api } from './context.js';
import { endStates, everyPage, keep, store } from './store.js';
import { createMapSlot, createResource, every, head, section, shown, since } from './parts.js';
import { activeValet, stateSince } from './order-parts.js';
import { alertNotice, bill, parties, places } from './order-details.js';
import { custodyView, photosView, timelineView, verdict } from './order-history.js';
import { decisionsView } from './order-matching.js';
import { overrideDialog, refundDialog, withdrawDialog } from './actions.js';
import { receiveButton } from './receive.js';

/** Time between two polls of the order, in ms; changes from the stream are shown at once. */
const PACE = 5_000;

export function orderScreen({ id }) {
  const screen = { id, resources: createResources(id), verification: null, version: null, isFitted: false };
  screen.slot = createMapSlot('order-map', { label: () => t('op.order.map'), onready: () => drawMap(screen) });
  const stops = [
    every(PACE, () => poll(screen)),
    store.listen(({ orders }) => hear(screen, orders)),
    pictureEvents.on('expired', () => reload(screen, 'order', 'photos')),
  ];
  return {
    title: () => screen.resources.order.value?.ticket ?? t('op.order'),
    view: () => view(screen),
    leave() {
      for (const stop of stops) stop();
      screen.slot.leave();
    },
  };
}

// MARK: Data

/** The answer, or null where the API says that there is none (yet). */
const orNone = (path) => async () => {
  try {
    return await api.get(path);
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 409)) return null;
    throw error;
  }
};

/** The order and what belongs to it, which loads at once; a receipt follows once the order has ended. */
function createResources(id) {
  const resources = {
    order: createResource(async () => {
      const order = await api.get(escaped`/v1/orders/${id}`);
      keep(order);
      // A receipt exists only after the end, so it is not requested before.
      if (endStates.includes(order.status) && !resources.receipt)
        resources.receipt = createResource(orNone(escaped`/v1/orders/${id}/receipt`));
      return order;
    }),
    track: createResource(orNone(escaped`/v1/orders/${id}/track`)),
    route: createResource(orNone(escaped`/v1/orders/${id}/route`)),
    quote: createResource(orNone(escaped`/v1/orders/${id}/quote`)),
    custody: createResource(async () => (await api.get(escaped`/v1/orders/${id}/custody?limit=200`)).items),
    photos: createResource(async () => (await api.get(escaped`/v1/orders/${id}/photos?limit=200`)).items),
    matching: createResource(orNone(escaped`/v1/orders/${id}/matching`)),
    acts: createResource(async () => (await api.get(escaped`/v1/admin/audit?subject=${id}`)).items),
    payments: createResource(async () =>
      (await everyPage('/v1/payments')).filter((entry) => (entry.payment ?? entry.refund).order === id),
    ),
  };
  return resources;
}

const reload = ({ resources }, ...names) => names.forEach((name) => resources[name]?.reload());
const reloadAll = (screen) => reload(screen, ...Object.keys(screen.resources));

function poll(screen) {
  const order = screen.resources.order.value;
  if (order && !endStates.includes(order.status)) reload(screen, 'order', 'track', 'quote');
}

/** Reloads the order if the stream reports a newer version. */
function hear({ id, resources: { order } }, orders) {
  const heard = orders.find((one) => one.id === id);
  if (heard && order.value && heard.version > order.value.version && !order.isBusy) order.reload();
}

/** Reloads what may have changed together with the order. */
function follow(screen, { version }) {
  if (screen.version !== null && version !== screen.version)
    queueMicrotask(() =>
      reload(screen, 'custody', 'photos', 'matching', 'acts', 'receipt', 'payments', 'quote', 'route'),
    );
  screen.version = version;
}

// MARK: Actions

const withdraw = async (screen, order) => (await withdrawDialog(order)) && reloadAll(screen);
const override = async (screen, order) => (await overrideDialog(order)) && reloadAll(screen);
const refund = async (screen, payment) =>
  (await refundDialog(payment)) && reload(screen, 'payments', 'receipt', 'acts');

function verify(screen) {
  screen.verification = createResource(() => api.get(escaped`/v1/admin/orders/${screen.id}/custody/verification`));
  screen.resources.custody.reload();
}

// MARK: View

function view(screen) {
  const { order, acts } = screen.resources;
  if (!order.value) return missing(order);
  follow(screen, order.value);
  queueMicrotask(() => drawMap(screen));
  return [
    orderHead(screen, order),
    order.error ? problemNotice(order.error, order.reload) : null,
    alertNotice(order.value),
    h(
      'div',
      { class: 'columns', key: 'columns' },
      h('div', { class: 'stack column-main' }, past(screen, order.value, acts.value ?? [])),
      h('div', { class: 'stack column-side' }, present(screen, order.value)),
    ),
  ];
}

const missing = (order) => [
  head(t('op.order'), { back: '/orders' }),
  order.error?.status === 404
    ? empty('search', t('op.order.unknown'), t('op.order.unknown.text'))
    : shown(order, () => null, 10),
];

function orderHead(screen, { value: order, at }) {
  const isOver = endStates.includes(order.status);
  const isWithValet = activeValet(order) && ['droppingOff', 'requestingBack'].includes(order.status);
  return head(order.ticket, {
    back: '/orders',
    lead: [
      statusBadge(order.status),
      ' ',
      isOver ? dateTime(order.endedAt ?? order.createdAt) : since(stateSince(order)),
    ],
    age: at,
    actions: [
      isWithValet ? button(t('op.withdraw'), { onclick: () => withdraw(screen, order) }) : null,
      isOver
        ? null
        : button(t('op.override'), { look: 'danger', icon: 'edit', onclick: () => override(screen, order) }),
    ],
  });
}

const past = (screen, order, acts) => [
  section(t('op.order.timeline'), { id: 'timeline' }, timelineView(order, acts)),
  section(t('op.order.matching'), { id: 'matching' }, shown(screen.resources.matching, decisionsView)),
  custody(screen, order),
  section(
    t('op.order.photos'),
    { id: 'photos' },
    shown(screen.resources.photos, (photos) => photosView(photos, order)),
  ),
];

const custody = (screen, order) =>
  section(
    t('op.order.custody'),
    {
      id: 'custody',
      actions: button(t('op.custody.verify'), {
        icon: 'shield',
        onclick: () => verify(screen),
        isBusy: screen.verification?.isBusy,
      }),
    },
    screen.verification ? shown(screen.verification, verdict, 1) : null,
    shown(screen.resources.custody, (lines) => custodyView(lines, order)),
  );

const present = (screen, order) => [
  h('div', { class: 'panel flush' }, screen.slot.view('small')),
  section(t('op.order.parties'), { id: 'parties' }, parties(order)),
  section(t('op.order.places'), { id: 'places' }, places(order)),
  section(
    t('op.order.money'),
    { id: 'money', actions: order.status === 'waitingForPayment' ? receiveFor(screen, order) : null },
    bill(order, screen.resources, (payment) => refund(screen, payment)),
  ),
];

/** Paid at the desk, in cash or by terminal; the order then finishes by itself. */
const receiveFor = (screen, { id, ticket, charge }) =>
  receiveButton(
    ticket,
    charge,
    (body, key) => api.post(escaped`/v1/admin/bills/${id}/receive`, body, { key }),
    () => reloadAll(screen),
  );

// MARK: Map

const point = (place, kind, icon, name) => place && { ...place, kind, icon, title: t(name), text: t(name) };

function drawMap(screen) {
  const { map } = screen.slot;
  const { order, track, route } = screen.resources;
  if (!map || map.isPlain || !order.value) return;
  const { serviceArea, dropOff, parked, returnTo } = order.value;
  const valet = track.value?.valet;
  map.setAreas(store.value.areas.filter((area) => area.properties.id === serviceArea));
  map.setMarker('dropOff', point(dropOff, 'order', 'key', 'op.point.dropOff'));
  map.setMarker('parked', point(parked, 'parked', 'parking', 'op.point.parked'));
  map.setMarker('return', point(returnTo, 'return', 'back', 'op.point.return'));
  map.setMarker('valet', valet && { ...valet, kind: 'crew busy', icon: 'car', title: t('role.valet') });
  map.setRoute('way', valet && route.value?.geometry ? route.value : null);
  if (!screen.isFitted) map.fit([dropOff, parked, returnTo, valet].filter(Boolean), { maxZoom: 16 });
  screen.isFitted = true;
}
