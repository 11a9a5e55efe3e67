// The live screen: alerts on top, open orders in a list, valets and orders on the map.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, choices } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { store } from './store.js';
import { createMapSlot, since } from './parts.js';
import { ticketLink } from './order-parts.js';
import { isStale } from './valet-parts.js';
import { createOrderList, listView, orderFilters } from './order-list.js';
import { choose, drawMap, mapView, orderMarker } from './overview-map.js';
import { acknowledge } from './actions.js';

/** Alerts shown above the list; the rest has its own screen. */
const MOST_ALERTS = 3;

/**
 * `side` is what a phone shows, `chosen` what has a card on the map, `hidden` the layers that the legend hides,
 * `outlines` the areas that the map shows.
 */
export function liveScreen() {
  const screen = {
    list: createOrderList('open'),
    side: 'map',
    chosen: null,
    hidden: new Set(),
    outlines: null,
    isFitted: false,
  };
  screen.slot = createMapSlot('live-map', {
    label: () => t('op.map'),
    // Which markers are grouped depends on the zoom.
    onmove: () => drawMap(screen),
    onready(map) {
      // The legend is in the corner.
      if (innerWidth > 900) map.setInset({ left: 250 });
      drawMap(screen);
    },
  });
  return {
    get look() {
      return `live side-${screen.side}`;
    },
    title: () => t('op.nav.live'),
    view() {
      queueMicrotask(() => drawMap(screen));
      return [listColumn(screen), mapView(screen)];
    },
    leave: () => screen.slot.leave(),
  };
}

function locate(screen, order) {
  screen.side = 'map';
  choose(screen, { kind: 'order', id: order.id });
  screen.slot.map?.go(orderMarker(order));
}

const listColumn = (screen) =>
  h(
    'div',
    { class: 'live-list', key: 'list' },
    h('header', { class: 'live-head' }, h('h1', { 'data-focus': true }, t('op.nav.live')), freshness()),
    alertStrip(),
    summary(),
    h('div', { class: 'side-choice' }, sideChoice(screen)),
    h(
      'div',
      { class: 'live-orders' },
      orderFilters(screen.list),
      listView(screen.list, { onlocate: (order) => locate(screen, order), chosen: screen.chosen?.id }),
    ),
  );

const sideChoice = (screen) =>
  choices({
    name: 'side',
    label: t('op.side'),
    hideLabel: true,
    options: ['map', 'list'].map((side) => [side, t(`op.side.${side}`)]),
    value: screen.side,
    onchange: (side) => {
      screen.side = side;
      redraw();
    },
  });

function freshness() {
  const { at, error, isStreaming } = store.value;
  const valetsAt = store.value.valetsAt ?? at;
  // The stream keeps the orders fresh between two polls.
  const age = isStreaming && !error ? valetsAt : Math.min(at, valetsAt);
  return h(
    'p',
    { class: `freshness small ${error ? 'bad' : isStreaming ? 'good' : ''}` },
    h('span', { class: 'pulse', 'aria-hidden': 'true' }),
    error ? t('op.fresh.away') : t(isStreaming ? 'op.fresh.live' : 'op.fresh.asking'),
    at ? [' · ', since(age, 'age')] : null,
  );
}

function summary() {
  const { orders, valets } = store.value;
  const count = (...states) => orders.filter((order) => states.includes(order.status)).length;
  const crew = (status) =>
    valets.filter((valet) => valet.status === status && !valet.suspended && !isStale(valet)).length;
  return h(
    'dl',
    { class: 'summary' },
    [
      ['op.sum.waiting', count('requested', 'requestingBack')],
      ['op.sum.onTheWay', count('droppingOff', 'parking', 'returningBack')],
      ['op.sum.parked', count('parked')],
      ['op.sum.free', crew('available')],
      ['op.sum.busy', crew('busy')],
    ].map(([key, value]) => h('div', { key }, h('dt', null, t(key)), h('dd', { class: 'numbers' }, value))),
  );
}

// MARK: Alerts

function alertStrip() {
  const { alerts } = store.value;
  const count = alerts.length;
  // Only the number is announced: the ages change every second.
  return [
    h(
      'p',
      { class: 'visually-hidden', role: 'status', key: 'alerts-said' },
      count ? t('op.alert.count', { count }) : null,
    ),
    h(
      'div',
      { class: 'alerts', role: 'group', key: 'alerts', 'aria-label': t('op.nav.alerts') },
      alerts.slice(0, MOST_ALERTS).map(alertLine),
      count > MOST_ALERTS
        ? h('a', { href: '#/alerts', class: 'small alerts-more' }, t('op.alert.more', { count: count - MOST_ALERTS }))
        : null,
    ),
  ];
}

const alertLine = (alert) =>
  h(
    'div',
    { class: 'alert', key: alert.id },
    icon('alert'),
    h(
      'p',
      { class: 'grow' },
      ticketLink(alert.order, alert.ticket),
      ' ',
      t(`op.alert.text.${alert.kind}`, { status: t(`status.${alert.status}`) }),
      ' ',
      since(alert.raisedAt),
    ),
    button(t('op.alert.acknowledge'), {
      look: 'quiet',
      onclick: () => acknowledge(alert),
      'aria-label': t('op.alert.acknowledge.of', { ticket: alert.ticket }),
    }),
  );
