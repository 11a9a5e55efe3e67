// The list of orders with its filters: beside the map and on its own screen.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, fullName, money, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, empty, field, iconButton, problemNotice, select, skeleton, statusBadge } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { endStates, openStates, store } from './store.js';
import { activeValet, areaName, createPages, placeText, since, stateSince, table } from './parts.js';

/** Rows drawn at once; more on demand. */
const STEP = 50;

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

/** `state` is `open` (what the store watches), `all`, or one state; the latter two come in pages. */
export function createOrderList({ state = 'open' } = {}) {
  const filter = { state, area: '', text: '' };
  let pages = null;
  let rows = STEP;

  const set = (change) => {
    const before = filter.state;
    Object.assign(filter, change);
    rows = STEP;
    if (filter.state !== before)
      pages = isWatched()
        ? null
        : createPages('/v1/admin/orders', { status: filter.state === 'all' ? '' : filter.state });
    redraw();
  };
  const isWatched = () => filter.state === 'open' || openStates.includes(filter.state);
  if (!isWatched()) pages = createPages('/v1/admin/orders', {});

  const list = {
    filter,
    set,
    /** The loaded orders that match the filter. */
    get orders() {
      const wanted = folded(filter.text);
      const watched = store.value.orders;
      const source = pages
        ? pages.items.map((order) => watched.find((one) => one.id === order.id && one.version > order.version) ?? order)
        : filter.state === 'open'
          ? watched
          : watched.filter((order) => order.status === filter.state);
      return source.filter((order) => (!filter.area || order.serviceArea === filter.area) && fits(order, wanted));
    },
    /** Reloads the newest, unless older ones were loaded, which would be dropped, even if few match the search. */
    follow: () => pages && pages.items.length <= STEP && !pages.isBusy && pages.reload(),
    filters: () =>
      h(
        'div',
        { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
        field({
          id: 'order-search',
          label: t('op.search'),
          type: 'search',
          value: filter.text,
          placeholder: t('op.search.hint'),
          autocomplete: 'off',
          oninput: (event) => set({ text: event.target.value }),
        }),
        h(
          'div',
          { class: 'pair' },
          select({
            id: 'order-state',
            label: t('op.state'),
            value: filter.state,
            onchange: (event) => set({ state: event.target.value }),
            options: [
              ['open', t('op.state.open')],
              ['all', t('op.state.all')],
              ...[...openStates, ...endStates].map((status) => [status, t(`status.${status}`)]),
            ],
          }),
          select({
            id: 'order-area',
            label: t('op.area'),
            value: filter.area,
            onchange: (event) => set({ area: event.target.value }),
            options: [
              ['', t('op.area.all')],
              ...store.value.areas.map(({ properties }) => [properties.id, properties.name]),
            ],
          }),
        ),
      ),
    view({ onlocate, chosen, isWide } = {}) {
      if (pages ? !pages.at && !pages.error : !store.value.isLoaded && !store.value.error) return skeleton(8);
      const problem = pages?.error ?? (store.value.isLoaded ? null : store.value.error);
      if (problem) return problemNotice(problem, pages ? () => pages.reload() : null);
      const found = list.orders;
      const isFiltered = filter.text || filter.area || filter.state !== 'open';
      return [
        h(
          'p',
          { class: 'muted small list-count', role: 'status' },
          t('op.orders.count', { count: found.length }),
          pages?.next ? ` ${t('op.orders.loaded', { count: pages.items.length })}` : null,
        ),
        found.length && isWide
          ? wide(found.slice(0, rows))
          : found.length
            ? h(
                'ul',
                { class: 'list lined orders', 'aria-label': t('op.nav.orders') },
                found.slice(0, rows).map((order) => row(order, { onlocate, isChosen: order.id === chosen })),
              )
            : empty(
                'list',
                isFiltered ? t('op.orders.noneFound') : t('op.orders.none'),
                isFiltered ? t('op.orders.noneFound.text') : t('op.orders.none.text'),
              ),
        found.length > rows
          ? h(
              'div',
              { class: 'more' },
              button(t('action.more'), {
                onclick: () => {
                  rows += STEP;
                  redraw();
                },
              }),
            )
          : pages?.next
            ? h('div', { class: 'more' }, button(t('op.orders.older'), { onclick: pages.more, isBusy: pages.isBusy }))
            : null,
      ];
    },
  };
  return list;
}

function row(order, { onlocate, isChosen }) {
  const valet = activeValet(order);
  const isAhead = order.status === 'requested' && order.scheduledFor && Date.parse(order.scheduledFor) > serverNow();
  const details = [order.vehicle?.plate, order.parked ? parkedText(order.parked) : placeText(order.dropOff)]
    .filter(Boolean)
    .join(' · ');
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

const nothing = () => h('span', { class: 'muted' }, '–');
const wide = (orders) =>
  table(
    t('op.nav.orders'),
    [
      {
        label: t('op.order'),
        isHead: true,
        cell: (order) => h('a', { class: 'ticket', href: `#/orders/${order.id}` }, order.ticket),
      },
      { label: t('op.state'), cell: (order) => statusBadge(order.status) },
      { label: t('op.time'), cell: (order) => h('span', { class: 'nowrap' }, dateTime(order.createdAt)) },
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

export const parkedText = (parked) =>
  [parked.address, parked.lot, parked.level, parked.bay, parked.keyTag && `${t('parked.keyTag')} ${parked.keyTag}`]
    .filter(Boolean)
    .join(' / ');
