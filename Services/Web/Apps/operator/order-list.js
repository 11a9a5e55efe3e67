// The list of orders with its filters: beside the map and on its own screen.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { fullName, money, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { statusBadge } from '/apps/shared/status.js';
import { button, empty, field, iconButton, problemNotice, select, skeleton } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { endStates, openStates, store } from './store.js';
import { areaName, createPages, moment, nothing, placeText, since, table } from './parts.js';
import { activeValet, stateSince, ticketLink, vehicleText } from './order-parts.js';

/** Rows drawn at once; more on demand. */
const STEP = 50;

/**
 * `state` is `open` or one open state, which the store watches, or `all` or one end state, which come in pages; then
 * `pages` is not null. `rows` is how many are drawn.
 */
export const createOrderList = (state) => ({
  filter: { state, area: '', text: '' },
  pages: pagesOf(state),
  rows: STEP,
});

const isWatched = (state) => state === 'open' || openStates.includes(state);
const pagesOf = (state) =>
  isWatched(state) ? null : createPages('/v1/admin/orders', { status: state === 'all' ? '' : state });

function setFilter(list, change) {
  const { state } = list.filter;
  Object.assign(list.filter, change);
  list.rows = STEP;
  if (list.filter.state !== state) list.pages = pagesOf(list.filter.state);
  redraw();
}

// MARK: Search

/** The loaded orders that match the filter. */
export function shownOrders({ filter, pages }) {
  const wanted = folded(filter.text);
  return loadedOrders(filter.state, pages).filter(
    (order) => (!filter.area || order.serviceArea === filter.area) && fits(order, wanted),
  );
}

/** Orders in pages are shown in the store's version if that is newer. */
function loadedOrders(state, pages) {
  const watched = store.value.orders;
  if (pages)
    return pages.items.map(
      (order) => watched.find(({ id, version }) => id === order.id && version > order.version) ?? order,
    );
  return state === 'open' ? watched : watched.filter((order) => order.status === state);
}

const folded = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\s\-+()]/g, '');

/** Whether ticket, plate, a name or a phone number of the order contains the search text. */
function fits(order, wanted) {
  if (!wanted) return true;
  const people = [order.customer, order.dropOffValet, order.returnValet].filter(Boolean);
  const texts = [
    order.ticket,
    order.vehicle?.plate,
    order.vehicle?.make,
    order.vehicle?.model,
    order.dropOff.address,
    order.id,
    ...people.flatMap((person) => [
      `${person.firstName} ${person.lastName}`,
      `${person.lastName}${person.firstName}`,
      person.phone,
    ]),
  ];
  return texts.some((text) => text && folded(text).includes(wanted));
}

// MARK: Views

export const orderFilters = (list) =>
  h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
    field({
      id: 'order-search',
      label: t('op.search'),
      type: 'search',
      value: list.filter.text,
      placeholder: t('op.search.hint'),
      autocomplete: 'off',
      oninput: (event) => setFilter(list, { text: event.target.value }),
    }),
    h(
      'div',
      { class: 'pair' },
      select({
        id: 'order-state',
        label: t('op.state'),
        value: list.filter.state,
        onchange: (event) => setFilter(list, { state: event.target.value }),
        options: [
          ['open', t('op.state.open')],
          ['all', t('op.state.all')],
          ...[...openStates, ...endStates].map((status) => [status, t(`status.${status}`)]),
        ],
      }),
      select({
        id: 'order-area',
        label: t('op.area'),
        value: list.filter.area,
        onchange: (event) => setFilter(list, { area: event.target.value }),
        options: [
          ['', t('op.area.all')],
          ...store.value.areas.map(({ properties }) => [properties.id, properties.name]),
        ],
      }),
    ),
  );

/** `onlocate(order)` shows an order on the map, where the one whose id is `chosen` is chosen. */
export function listView(list, { onlocate = null, chosen = null, isWide = false } = {}) {
  const { pages } = list;
  const { isLoaded, error } = store.value;
  if (pages ? !pages.at && !pages.error : !isLoaded && !error) return skeleton(8);
  const problem = pages?.error ?? (isLoaded ? null : error);
  if (problem) return problemNotice(problem, pages ? () => pages.reload() : null);
  const found = shownOrders(list);
  return [
    h(
      'p',
      { class: 'muted small list-count', role: 'status' },
      t('op.orders.count', { count: found.length }),
      pages?.next ? ` ${t('op.orders.loaded', { count: pages.items.length })}` : null,
    ),
    found.length ? rows(found.slice(0, list.rows), { onlocate, chosen, isWide }) : noneFound(list.filter),
    more(list, found.length),
  ];
}

const rows = (orders, { onlocate, chosen, isWide }) =>
  isWide
    ? ordersTable(orders)
    : h(
        'ul',
        { class: 'list lined orders', 'aria-label': t('op.nav.orders') },
        orders.map((order) => row(order, { onlocate, isChosen: order.id === chosen })),
      );

function noneFound({ text, area, state }) {
  const key = text || area || state !== 'open' ? 'op.orders.noneFound' : 'op.orders.none';
  return empty('list', t(key), t(`${key}.text`));
}

/** A button for more of the loaded orders, or else for the next page. */
function more(list, count) {
  const { pages } = list;
  const showMore = () => {
    list.rows += STEP;
    redraw();
  };
  if (count > list.rows) return h('div', { class: 'more' }, button(t('action.more'), { onclick: showMore }));
  return pages?.next
    ? h('div', { class: 'more' }, button(t('op.orders.older'), { onclick: pages.more, isBusy: pages.isBusy }))
    : null;
}

function row(order, { onlocate, isChosen }) {
  const valet = activeValet(order);
  const isAhead = order.status === 'requested' && order.scheduledFor && Date.parse(order.scheduledFor) > serverNow();
  const details = vehicleText(order);
  return h(
    'li',
    { key: order.id, class: `order-row${isChosen ? ' chosen' : ''}` },
    h(
      'a',
      { class: 'order-link', href: `#/orders/${order.id}` },
      h(
        'span',
        { class: 'order-line' },
        h('span', { class: 'ticket' }, order.ticket),
        statusBadge(order.status),
        h(
          'span',
          { class: 'order-age muted small' },
          isAhead ? t('op.order.ahead', { time: time(order.scheduledFor) }) : since(stateSince(order)),
        ),
      ),
      h(
        'span',
        { class: 'order-line' },
        h('span', { class: 'strong clip' }, fullName(order.customer)),
        valet
          ? h('span', { class: 'order-valet muted small clip' }, icon('user'), fullName(valet))
          : h('span', { class: 'order-valet muted small clip' }, areaName(order.serviceArea)),
      ),
      details ? h('span', { class: 'muted small clip' }, details) : null,
    ),
    onlocate ? iconButton('locate', t('op.order.locate', { ticket: order.ticket }), () => onlocate(order)) : null,
  );
}

const ordersTable = (orders) =>
  table(
    t('op.nav.orders'),
    [
      { label: t('op.order'), isHead: true, cell: (order) => ticketLink(order.id, order.ticket) },
      { label: t('op.state'), cell: (order) => statusBadge(order.status) },
      { label: t('op.time'), cell: (order) => moment(order.createdAt) },
      { label: t('role.customer'), cell: (order) => fullName(order.customer) },
      {
        label: t('role.valet'),
        cell: (order) => {
          const valet = order.returnValet ?? order.dropOffValet;
          return valet ? fullName(valet) : nothing();
        },
      },
      {
        label: t('vehicle.plate'),
        cell: (order) => (order.vehicle ? h('span', { class: 'plate nowrap' }, order.vehicle.plate) : nothing()),
      },
      { label: t('op.area'), cell: (order) => h('span', { class: 'small nowrap' }, areaName(order.serviceArea)) },
      { label: t('op.point.dropOff'), cell: (order) => h('span', { class: 'small' }, placeText(order.dropOff)) },
      { label: t('bill.total'), isAmount: true, cell: (order) => (order.charge ? money(order.charge) : nothing()) },
    ],
    orders,
    { isTight: true },
  );
