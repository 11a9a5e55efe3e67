// Bookings of all car parks or of one, by plate and day; and one booking in detail.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { choices, empty, facts, field, problemNotice, select, skeleton } from '/apps/shared/ui.js';
import { bookingBadge, lineOf, units } from '/apps/shared/car-parks.js';
import { api } from '../context.js';
import { everyPage } from '../store.js';
import { createPages, createResource, every, head, section, shownPages, table } from '../parts.js';

const PACE = 15_000;
const PAGE = 50;

const parkLink = ({ id, name }) => h('a', { href: `#/car-parks/${id}` }, name);
const plates = ({ vehicles }) => h('span', { class: 'plate' }, vehicles.map(({ plate }) => plate).join(', '));

export function bookingsScreen() {
  const filter = { carParkId: address().query.get('carPark') ?? '', plate: '', day: '', state: 'current' };
  const pages = createPages('/v1/bookings', { ...filter }, PAGE);
  const parks = createResource(() => everyPage('/v1/car-parks'));
  const stop = every(PACE, () => pages.items.length <= PAGE && !pages.isBusy && pages.reload());
  const set = (change) => {
    Object.assign(filter, change);
    pages.reload({ ...filter });
  };
  const columns = [
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
  return {
    title: () => t('op.parks.bookings'),
    view: () => [
      head(t('op.parks.bookings'), {
        back: filter.carParkId ? `/car-parks/${filter.carParkId}` : '/car-parks',
        age: pages.at,
      }),
      h(
        'div',
        { class: 'panel stack', role: 'search', 'aria-label': t('op.filter') },
        choices({
          name: 'booking-state',
          label: t('op.state'),
          hideLabel: true,
          value: filter.state,
          options: [
            ['current', t('bookings.current')],
            ['past', t('bookings.past')],
            ['', t('op.state.all')],
          ],
          onchange: (state) => set({ state }),
        }),
        h(
          'div',
          { class: 'form-grid' },
          select({
            id: 'carParkId',
            label: t('op.park'),
            value: filter.carParkId,
            options: [['', t('op.state.all')], ...(parks.value ?? []).map(({ id, name }) => [id, name])],
            onchange: ({ target }) => set({ carParkId: target.value }),
          }),
          field({
            id: 'plate',
            label: t('vehicle.plate'),
            type: 'search',
            value: filter.plate,
            maxlength: 20,
            autocomplete: 'off',
            spellcheck: 'false',
            onchange: ({ target }) => set({ plate: target.value.trim() }),
          }),
          field({
            id: 'day',
            label: t('op.booking.day'),
            hint: t('op.booking.day.hint'),
            type: 'date',
            value: filter.day,
            onchange: ({ target }) => set({ day: target.value }),
          }),
        ),
      ),
      shownPages(
        pages,
        (items) => table(t('op.parks.bookings'), columns, items),
        empty('parking', t('op.bookings.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: stop,
  };
}

export function bookingScreen({ booking: id }) {
  const source = createResource(() => api.get(escaped`/v1/bookings/${id}`));
  const stop = every(PACE, () => source.isBusy || source.reload());
  const content = (one) =>
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
          [t('vehicle.plate'), plates(one)],
          [t('op.booking.made'), dateTime(one.createdAt)],
          [t('op.booking.held'), one.status === 'held' ? dateTime(one.holdExpiresAt) : null],
        ]),
      ),
      section(
        t('op.order.money'),
        { id: 'money' },
        facts([...one.lines.map(lineOf), [t('bill.total'), money(one.total)], [t('booking.paid'), money(one.paid)]]),
        h(
          'p',
          { class: 'muted small' },
          t('park.cancellation', {
            count: one.cancellation.freeUntilHours,
            percent: one.cancellation.lateRefundPercent,
          }),
        ),
      ),
    );
  return {
    title: () => source.value?.reference ?? t('booking.one'),
    view() {
      const { value, error } = source;
      return [
        head(value?.reference ?? t('booking.one'), { back: '/car-parks/bookings', age: source.at }),
        value
          ? [error ? problemNotice(error, source.reload) : null, content(value)]
          : error
            ? error.status === 404
              ? empty('parking', t('op.bookings.none'))
              : problemNotice(error, source.reload)
            : skeleton(6),
      ];
    },
    leave: stop,
  };
}
