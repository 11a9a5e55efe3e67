// The map of the live screen: valets and orders, a legend that hides some of them, and a card of the chosen one.

import { gather } from '/apps/shared/clusters.js';
import { h } from '/apps/shared/dom.js';
import { fullName, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { statusBadge } from '/apps/shared/status.js';
import { rating } from '/apps/shared/people.js';
import { badge, button, iconButton } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { store } from './store.js';
import { callLink, since } from './parts.js';
import { activeValet, stateSince, ticketLink, vehicleText } from './order-parts.js';
import { isStale, jobOf, STALE, valetTone } from './valet-parts.js';
import { shownOrders } from './order-list.js';

/** What the legend can hide, with the icons of its markers. */
const layers = {
  available: 'check',
  busy: 'car',
  onBreak: 'cup',
  waiting: 'key',
  parked: 'parking',
  returns: 'back',
};

/** Shows the card of a valet, an order or several; null closes it. */
export function choose(screen, chosen) {
  screen.chosen = chosen;
  redraw();
}

// MARK: Markers

const isChosen = ({ chosen }, kind, id) => chosen?.kind === kind && chosen.id === id;

/** Valets and orders as they are now. */
const markers = (screen) => [...valetMarkers(screen), ...orderMarkers(screen)];

const valetMarkers = (screen) =>
  store.value.valets
    .filter((valet) => isOnMap(valet) && !screen.hidden.has(valet.status))
    .map((valet) => {
      const chosen = isChosen(screen, 'valet', valet.id);
      return {
        ...valet.position,
        id: `valet-${valet.id}`,
        kind: `crew ${valet.status}${chosen ? ' chosen' : ''}`,
        icon: layers[valet.status],
        isStale: isStale(valet),
        text: chosen ? fullName(valet) : '',
        title: [fullName(valet), t(`op.valet.${valet.status}`), isStale(valet) && t('op.valet.stale')]
          .filter(Boolean)
          .join(', '),
        onclick: () => choose(screen, { kind: 'valet', id: valet.id }),
      };
    });

const isOnMap = ({ position, status, suspended }) => position && status && status !== 'offline' && !suspended;

/** Those of the list beside the map. */
const orderMarkers = (screen) => {
  const listed = new Set(shownOrders(screen.list).map((order) => order.id));
  return store.value.orders
    .filter((order) => listed.has(order.id))
    .map((order) => ({ order, ...orderMarker(order) }))
    .filter(({ layer, latitude }) => latitude !== undefined && !screen.hidden.has(layer))
    .map(({ order, kind, ...marker }) => {
      const chosen = isChosen(screen, 'order', order.id);
      return {
        ...marker,
        id: `order-${order.id}`,
        kind: `${kind}${chosen ? ' chosen' : ''}`,
        text: chosen ? order.ticket : '',
        title: `${order.ticket}, ${t(`status.${order.status}`)}`,
        onclick: () => choose(screen, { kind: 'order', id: order.id }),
      };
    });
};

/** Where an order is shown on the map, and with which marker. */
export function orderMarker({ status, dropOff, parked, returnTo }) {
  if (status === 'parked' || (status === 'parking' && parked))
    return { ...parked, kind: 'parked', icon: layers.parked, layer: 'parked' };
  const target = returnTo ?? parked;
  if (['requestingBack', 'returningBack', 'waitingForPayment'].includes(status) && target)
    return { ...target, kind: 'return', icon: layers.returns, layer: 'returns' };
  const kind = status === 'requested' ? 'order waiting' : 'order';
  return { ...dropOff, kind, icon: layers.waiting, layer: 'waiting' };
}

// MARK: Map

export function drawMap(screen) {
  const { map } = screen.slot;
  if (!map || map.isPlain) return;
  const { areas } = store.value;
  const outlines = areas.map((area) => JSON.stringify(area.geometry)).join();
  if (outlines !== screen.outlines) map.setAreas(areas);
  screen.outlines = outlines;
  map.setMarkers(
    'live-',
    gather(map, markers(screen), {
      titleOf: (count) => t('op.map.several', { count }),
      onclick(members) {
        choose(screen, { kind: 'several', id: members.map(({ id }) => id) });
        map.fit(members, { maxZoom: 18 });
      },
    }),
  );
  if (screen.isFitted || !areas.length) return;
  // Set before fitting, which moves the map and so draws again.
  screen.isFitted = true;
  fit(map);
}

function fit(map) {
  const { areas, orders, valets } = store.value;
  const seen = [...orders.map(orderMarker), ...valets.map((valet) => valet.position)].filter(
    (place) => place?.latitude !== undefined,
  );
  if (seen.length > 1) map.fit(seen, { maxZoom: 15 });
  else map.fitAreas(areas);
}

export const mapView = (screen) =>
  h('div', { class: 'live-map', key: 'map' }, screen.slot.view(), legend(screen), card(screen));

const legend = ({ hidden }) =>
  h(
    'div',
    { class: 'map-legend' },
    h(
      'details',
      { open: innerWidth > 900 },
      h('summary', null, t('op.legend')),
      h(
        'ul',
        null,
        Object.keys(layers).map((layer) => h('li', { key: layer }, layerChoice(layer, hidden))),
        h(
          'li',
          null,
          h('span', { class: 'swatch stale', 'aria-hidden': 'true' }),
          t('op.legend.stale', { seconds: STALE }),
        ),
      ),
    ),
  );

const layerChoice = (layer, hidden) =>
  h(
    'label',
    null,
    h('input', {
      type: 'checkbox',
      checked: !hidden.has(layer),
      onchange: (event) => {
        hidden[event.target.checked ? 'delete' : 'add'](layer);
        redraw();
      },
    }),
    h('span', { class: `swatch ${layer}`, 'aria-hidden': 'true' }, icon(layers[layer])),
    t(`op.legend.${layer}`),
  );

// MARK: Card

function card(screen) {
  const { chosen } = screen;
  if (!chosen) return null;
  if (chosen.kind === 'several') return cardBox(screen, 'several', severalList(screen, chosen.id));
  const one = store.value[`${chosen.kind}s`].find(({ id }) => id === chosen.id);
  return one ? cardBox(screen, chosen.id, chosen.kind === 'valet' ? valetCard(one) : orderCard(one)) : null;
}

const cardBox = (screen, key, content) =>
  h(
    'aside',
    { class: 'map-card', key, 'aria-label': t('op.map.chosen') },
    content,
    iconButton('close', t('action.close'), () => choose(screen, null)),
  );

const severalList = (screen, ids) =>
  h(
    'ul',
    { class: 'list grow' },
    markers(screen)
      .filter(({ id }) => ids.includes(id))
      .map(({ id, title, onclick }) => h('li', { key: id }, button(title, { look: 'quiet', onclick }))),
  );

function valetCard(valet) {
  const job = jobOf(valet);
  return h(
    'div',
    { class: 'stack tight grow' },
    h(
      'div',
      { class: 'row wrap' },
      h('strong', null, fullName(valet)),
      badge(t(`op.valet.${valet.status ?? 'unknown'}`), valetTone[valet.status]),
    ),
    h(
      'p',
      { class: 'small muted' },
      isStale(valet) ? `${t('op.valet.stale')} · ` : '',
      t('op.position.age', { time: Math.round(valet.positionAgeSeconds ?? 0) }),
    ),
    job
      ? h('p', { class: 'row wrap small' }, t('op.valet.job'), ticketLink(job.id, job.ticket), statusBadge(job.status))
      : null,
    h('div', { class: 'row wrap' }, callLink(valet), h('a', { href: `#/valets/${valet.id}` }, t('op.valet.open'))),
  );
}

function orderCard(order) {
  const valet = activeValet(order);
  return h(
    'div',
    { class: 'stack tight grow' },
    h(
      'div',
      { class: 'row wrap' },
      h('span', { class: 'ticket' }, order.ticket),
      statusBadge(order.status),
      since(stateSince(order)),
    ),
    h(
      'p',
      null,
      fullName(order.customer),
      valet ? [' · ', fullName(valet), ' ', valet.rating ? rating(valet.rating) : null] : null,
    ),
    h('p', { class: 'small muted' }, vehicleText(order)),
    h(
      'div',
      { class: 'row wrap' },
      h('a', { class: 'button', href: `#/orders/${order.id}` }, t('op.order.open')),
      callLink(order.customer),
    ),
  );
}
