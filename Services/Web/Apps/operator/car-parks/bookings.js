// Bookings of all car parks or of one, by plate and day; and one booking in detail.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { empty, facts } from '/apps/shared/ui.js';
import { bookingBadge, lineOf, sumOf, units } from '/apps/shared/car-parks.js';
import { api } from '../context.js';
import { createPages, createResource, head, section, shownPages, table } from '../parts.js';
import { loaded } from '../detail-parts.js';
import { receiveButton } from '../receive.js';
import { PAGE, cancellationText, createList, filterPanel, parkLink, reloading } from './parts.js';

const plates = ({ vehicles }) => h('span', { class: 'plate' }, vehicles.map(({ plate }) => plate).join(', '));

/** Each links to the vehicles with that plate, where operators verify one. */
const plateLinks = ({ vehicles }) =>
  vehicles.map(({ id, plate }, i) => [
    i ? ', ' : null,
    h('a', { key: id, class: 'plate', href: `#/car-parks/plates?plate=${encodeURIComponent(plate)}` }, plate),
  ]);

export function bookingsScreen() {
  const filter = { carParkId: address().query.get('carPark') ?? '', plate: '', day: '', state: 'current' };
  const list = createList(createPages('/v1/bookings', { ...filter }, PAGE), filter);
  return {
    title: () => t('op.parks.bookings'),
    view: () => [
      head(t('op.parks.bookings'), {
        back: filter.carParkId ? `/car-parks/${filter.carParkId}` : '/car-parks',
        age: list.pages.at,
      }),
      filterPanel(list, {
        name: 'booking-state',
        states: [
          ['current', t('bookings.current')],
          ['past', t('bookings.past')],
        ],
        hint: t('op.booking.day.hint'),
      }),
      shownPages(
        list.pages,
        (items) => table(t('op.parks.bookings'), columns(), items),
        empty('parking', t('op.bookings.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: list.stop,
  };
}

const columns = () => [
  {
    label: t('op.booking.reference'),
    isHead: true,
    cell: ({ id, reference }) => h('a', { class: 'ticket', href: `#/car-parks/bookings/${id}` }, reference),
  },
  { label: t('op.park'), cell: ({ carPark }) => parkLink(carPark) },
  { label: t('vehicle.plate'), cell: plates },
  {
    label: t('booking.start'),
    cell: ({ start, carPark }) => h('span', { class: 'nowrap' }, dateTime(start, carPark.timeZone)),
  },
  {
    label: t('booking.end'),
    cell: ({ end, carPark }) => h('span', { class: 'nowrap' }, dateTime(end, carPark.timeZone)),
  },
  { label: t('op.state'), cell: bookingBadge },
  { label: t('bill.total'), isAmount: true, cell: ({ total }) => money(total) },
];

export function bookingScreen({ booking: id }) {
  const source = createResource(() => api.get(escaped`/v1/bookings/${id}`));
  const titleOf = () => source.value?.reference ?? t('booking.one');
  return {
    title: titleOf,
    view: () => [
      head(titleOf(), { back: '/car-parks/bookings', age: source.at }),
      loaded(source, (one) => content(one, source.reload), empty('parking', t('op.bookings.none')), 6),
    ],
    leave: reloading(source),
  };
}

/** Paid at the desk while its spaces are held. */
const receiveFor = ({ id, reference, total }, done) =>
  receiveButton(reference, total, (body, key) => api.post(escaped`/v1/admin/bills/${id}/receive`, body, { key }), done);

const content = (one, reload) =>
  h(
    'div',
    { class: 'columns even', key: 'columns' },
    section(
      t('booking.one'),
      { id: 'booking', actions: bookingBadge(one) },
      facts([
        [t('op.park'), parkLink(one.carPark)],
        [t('booking.start'), dateTime(one.start, one.carPark.timeZone)],
        [t('booking.end'), dateTime(one.end, one.carPark.timeZone)],
        [t('op.what'), `${one.product.name} · ${units(one.product.kind, one.quantity)}`],
        [t('op.product.version.label'), one.product.version],
        [t('booking.spaces'), `${one.spaces} · ${t(`park.class.${one.class}`)}`],
        [t('vehicle.plate'), plateLinks(one)],
        [t('op.booking.made'), dateTime(one.createdAt)],
        [t('op.booking.held'), one.status === 'held' ? dateTime(one.holdExpiresAt) : null],
      ]),
    ),
    section(
      t('op.order.money'),
      { id: 'money', actions: one.status === 'held' && one.total.amount ? receiveFor(one, reload) : null },
      facts([
        ...one.lines.map(lineOf),
        [t('bill.total'), money(one.total)],
        [t('booking.paid'), money(sumOf(one.paid, one.paidTax))],
      ]),
      cancellationText(one),
    ),
  );
