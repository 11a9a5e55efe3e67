// The live screen: alerts on top, open orders in a list, valets and orders on the map.

import { gather } from '/apps/shared/clusters.js';
import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { fullName, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge, button, choices, iconButton, rating, statusBadge, toast } from '/apps/shared/ui.js';
import { tProblem } from '/apps/shared/i18n.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import { activeValet, callLink, createMapSlot, placeText, since, STALE, stateSince } from './parts.js';
import { createOrderList, parkedText } from './order-list.js';
import { valetTone } from './valets.js';

/** Alerts shown above the list; the rest has its own screen. */
const MOST_ALERTS = 3;
const layers = ['available', 'busy', 'onBreak', 'waiting', 'parked', 'returns'];

const valetIcons = { available: 'check', busy: 'car', onBreak: 'cup', offline: 'offline' };
const isStale = (valet) => (valet.positionAgeSeconds ?? 0) > STALE;

/** Where an order is shown on the map, and with which marker. */
function orderMarker(order) {
  if (order.status === 'parked' || (order.status === 'parking' && order.parked))
    return { ...order.parked, kind: 'parked', icon: 'parking', layer: 'parked' };
  if (
    ['requestingBack', 'returningBack', 'waitingForPayment'].includes(order.status) &&
    (order.returnTo ?? order.parked)
  ) {
    return { ...(order.returnTo ?? order.parked), kind: 'return', icon: 'back', layer: 'returns' };
  }
  return {
    ...order.dropOff,
    kind: order.status === 'requested' ? 'order waiting' : 'order',
    icon: 'key',
    layer: 'waiting',
  };
}

export function liveScreen() {
  const list = createOrderList();
  const hidden = new Set();
  let chosen = null;
  let side = 'map';
  let isFitted = false;

  const slot = createMapSlot('live-map', {
    label: () => t('op.map'),
    // Which markers are grouped depends on the zoom.
    onmove: () => drawMap(),
    onready(map) {
      // The legend is in the corner.
      if (innerWidth > 900) map.setInset({ left: 250 });
      drawMap();
    },
  });
  const choose = (kind, id) => {
    chosen = kind ? { kind, id } : null;
    redraw();
  };

  /** Valets and orders as they are now. */
  function markers() {
    const { orders, valets } = store.value;
    const crew = valets
      .filter(
        (valet) =>
          valet.position && valet.status && valet.status !== 'offline' && !valet.suspended && !hidden.has(valet.status),
      )
      .map((valet) => ({
        ...valet.position,
        id: `valet-${valet.id}`,
        kind: `crew ${valet.status}${isChosen('valet', valet.id)}`,
        icon: valetIcons[valet.status],
        isStale: isStale(valet),
        text: chosen?.kind === 'valet' && chosen.id === valet.id ? fullName(valet) : '',
        title: [fullName(valet), t(`op.valet.${valet.status}`), isStale(valet) && t('op.valet.stale')]
          .filter(Boolean)
          .join(', '),
        onclick: () => choose('valet', valet.id),
      }));
    const shownOrders = new Set(list.orders.map((order) => order.id));
    const places = orders
      .filter((order) => shownOrders.has(order.id))
      .map((order) => ({ order, ...orderMarker(order) }))
      .filter(({ layer, latitude }) => latitude !== undefined && !hidden.has(layer))
      .map(({ order, kind, ...marker }) => ({
        ...marker,
        id: `order-${order.id}`,
        kind: `${kind}${isChosen('order', order.id)}`,
        text: chosen?.kind === 'order' && chosen.id === order.id ? order.ticket : '',
        title: `${order.ticket}, ${t(`status.${order.status}`)}`,
        onclick: () => choose('order', order.id),
      }));
    return [...crew, ...places];
  }

  function drawMap() {
    const { map } = slot;
    if (!map || map.isPlain) return;
    const { areas, orders, valets } = store.value;
    const key = areas.map((area) => JSON.stringify(area.geometry)).join();
    if (key !== drawMap.areas) map.setAreas(areas);
    drawMap.areas = key;
    map.setMarkers(
      'live-',
      gather(map, markers(), {
        titleOf: (count) => t('op.map.several', { count }),
        onclick(members) {
          choose(
            'several',
            members.map(({ id }) => id),
          );
          map.fit(members, { maxZoom: 18 });
        },
      }),
    );
    if (!isFitted && areas.length) {
      const seen = [...orders.map(orderMarker), ...valets.map((valet) => valet.position)].filter(
        (place) => place?.latitude !== undefined,
      );
      // Set before fitting, which moves the map and so draws again.
      isFitted = true;
      if (seen.length > 1) map.fit(seen, { maxZoom: 15 });
      else map.fitAreas(areas);
    }
  }

  const isChosen = (kind, id) => (chosen?.kind === kind && chosen.id === id ? ' chosen' : '');

  function locate(order) {
    side = 'map';
    choose('order', order.id);
    slot.map?.go(orderMarker(order));
  }

  const severalCard = (ids) =>
    h(
      'aside',
      { class: 'map-card', key: 'several', 'aria-label': t('op.map.chosen') },
      h(
        'ul',
        { class: 'list grow' },
        markers()
          .filter(({ id }) => ids.includes(id))
          .map(({ id, title, onclick }) => h('li', { key: id }, button(title, { look: 'quiet', onclick }))),
      ),
      iconButton('close', t('action.close'), () => choose(null)),
    );

  const card = () => {
    if (!chosen) return null;
    if (chosen.kind === 'several') return severalCard(chosen.id);
    const one = store.value[`${chosen.kind}s`].find(({ id }) => id === chosen.id);
    if (!one) return null;
    return h(
      'aside',
      { class: 'map-card', key: chosen.id, 'aria-label': t('op.map.chosen') },
      chosen.kind === 'valet' ? valetCard(one) : orderCard(one),
      iconButton('close', t('action.close'), () => choose(null)),
    );
  };

  return {
    get look() {
      return `live side-${side}`;
    },
    title: () => t('op.nav.live'),
    view() {
      queueMicrotask(drawMap);
      return [
        h(
          'div',
          { class: 'live-list', key: 'list' },
          h('header', { class: 'live-head' }, h('h1', { 'data-focus': true }, t('op.nav.live')), freshness()),
          alertStrip(),
          summary(),
          h(
            'div',
            { class: 'side-choice' },
            choices({
              name: 'side',
              label: t('op.side'),
              hideLabel: true,
              options: [
                ['map', t('op.side.map')],
                ['list', t('op.side.list')],
              ],
              value: side,
              onchange: (value) => {
                side = value;
                redraw();
              },
            }),
          ),
          h('div', { class: 'live-orders' }, list.filters(), list.view({ onlocate: locate, chosen: chosen?.id })),
        ),
        h(
          'div',
          { class: 'live-map', key: 'map' },
          slot.view(),
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
                layers.map((layer) =>
                  h(
                    'li',
                    { key: layer },
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
                      h(
                        'span',
                        { class: `swatch ${layer}`, 'aria-hidden': 'true' },
                        icon({ waiting: 'key', parked: 'parking', returns: 'back' }[layer] ?? valetIcons[layer]),
                      ),
                      t(`op.legend.${layer}`),
                    ),
                  ),
                ),
                h(
                  'li',
                  null,
                  h('span', { class: 'swatch stale', 'aria-hidden': 'true' }),
                  t('op.legend.stale', { seconds: STALE }),
                ),
              ),
            ),
          ),
          card(),
        ),
      ];
    },
    leave: () => slot.leave(),
  };
}

const freshness = () => {
  const { at, valetsAt = at, error, isStreaming } = store.value;
  // The stream keeps the orders fresh between two polls.
  const age = isStreaming && !error ? valetsAt : Math.min(at, valetsAt);
  return h(
    'p',
    { class: `freshness small ${error ? 'bad' : isStreaming ? 'good' : ''}` },
    h('span', { class: 'pulse', 'aria-hidden': 'true' }),
    error ? t('op.fresh.away') : t(isStreaming ? 'op.fresh.live' : 'op.fresh.asking'),
    at ? [' · ', since(age, 'age')] : null,
  );
};

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

export async function acknowledge(alert) {
  try {
    await api.post(escaped`/v1/admin/alerts/${alert.id}/acknowledge`);
    toast(t('op.alert.acknowledged', { ticket: alert.ticket }), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  refresh('alerts');
}

const alertStrip = () => {
  const { alerts } = store.value;
  // Only the number is announced: the ages change every second.
  return [
    h(
      'p',
      { class: 'visually-hidden', role: 'status', key: 'alerts-said' },
      alerts.length ? t('op.alert.count', { count: alerts.length }) : null,
    ),
    h(
      'div',
      { class: 'alerts', role: 'group', key: 'alerts', 'aria-label': t('op.nav.alerts') },
      alerts.slice(0, MOST_ALERTS).map((alert) =>
        h(
          'div',
          { class: 'alert', key: alert.id },
          icon('alert'),
          h(
            'p',
            { class: 'grow' },
            h('a', { class: 'ticket', href: `#/orders/${alert.order}` }, alert.ticket),
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
        ),
      ),
      alerts.length > MOST_ALERTS
        ? h(
            'a',
            { href: '#/alerts', class: 'small alerts-more' },
            t('op.alert.more', { count: alerts.length - MOST_ALERTS }),
          )
        : null,
    ),
  ];
};

function valetCard(valet) {
  const job = store.value.orders.find((order) => activeValet(order)?.id === valet.id);
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
      ? h(
          'p',
          { class: 'row wrap small' },
          t('op.valet.job'),
          h('a', { class: 'ticket', href: `#/orders/${job.id}` }, job.ticket),
          statusBadge(job.status),
        )
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
    h(
      'p',
      { class: 'small muted' },
      [order.vehicle?.plate, order.parked ? parkedText(order.parked) : placeText(order.dropOff)]
        .filter(Boolean)
        .join(' · '),
    ),
    h(
      'div',
      { class: 'row wrap' },
      h('a', { class: 'button', href: `#/orders/${order.id}` }, t('op.order.open')),
      callLink(order.customer),
    ),
  );
}
