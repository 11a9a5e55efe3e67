// Stays of vehicles, by state, car park, plate and day.

import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { badge, button, choices, empty, field, select } from '/apps/shared/ui.js';
import { everyPage } from '../store.js';
import { createPages, createResource, every, head, shownPages, table } from '../parts.js';
import { endStayDialog } from './dialogs.js';

const PACE = 15_000;
const PAGE = 50;

const price = ({ due, isPaid }) =>
  due
    ? h('span', null, money(due), ' ', badge(t('op.stay.due'), 'warning'))
    : isPaid
      ? badge(t('booking.paid'), 'success')
      : '–';

export function staysScreen() {
  const filter = { carParkId: address().query.get('carPark') ?? '', plate: '', day: '', state: 'inside' };
  const pages = createPages('/v1/admin/parking-sessions', { ...filter }, PAGE);
  const parks = createResource(() => everyPage('/v1/car-parks'));
  const stop = every(PACE, () => pages.items.length <= PAGE && !pages.isBusy && pages.reload());
  const set = (change) => {
    Object.assign(filter, change);
    pages.reload({ ...filter });
  };
  const nameOf = (id) => parks.value?.find((one) => one.id === id)?.name ?? t('op.park');
  const columns = [
    { label: t('vehicle.plate'), isHead: true, cell: ({ plate }) => h('span', { class: 'plate' }, plate || '–') },
    { label: t('op.park'), cell: ({ carPark }) => h('a', { href: `#/car-parks/${carPark}` }, nameOf(carPark)) },
    { label: t('stay.in'), cell: ({ enteredAt }) => h('span', { class: 'nowrap' }, dateTime(enteredAt)) },
    {
      label: t('stay.out'),
      cell: ({ leftAt }) => (leftAt ? h('span', { class: 'nowrap' }, dateTime(leftAt)) : badge(t('op.stay.inside'))),
    },
    {
      label: t('booking.one'),
      cell: ({ booking }) =>
        booking ? h('a', { href: `#/car-parks/bookings/${booking}` }, t('op.stay.booked')) : t('op.stay.driveUp'),
    },
    { label: t('op.stay.price'), isAmount: true, cell: price },
    {
      label: '',
      cell: (stay) =>
        stay.leftAt
          ? null
          : button(t('op.stay.end'), {
              'aria-label': t('op.stay.end.of', stay),
              onclick: async () => (await endStayDialog(stay)) && pages.reload(),
            }),
    },
  ];
  return {
    title: () => t('op.stays'),
    view: () => [
      head(t('op.stays'), { back: filter.carParkId ? `/car-parks/${filter.carParkId}` : '/car-parks', age: pages.at }),
      h(
        'div',
        { class: 'panel stack', role: 'search', 'aria-label': t('op.filter') },
        choices({
          name: 'stay-state',
          label: t('op.state'),
          hideLabel: true,
          value: filter.state,
          options: [
            ['inside', t('op.stay.inside')],
            ['ended', t('op.stay.ended')],
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
            hint: t('op.stay.day.hint'),
            type: 'date',
            value: filter.day,
            onchange: ({ target }) => set({ day: target.value }),
          }),
        ),
      ),
      shownPages(
        pages,
        (items) => table(t('op.stays'), columns, items),
        empty('parking', t('op.stays.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: stop,
  };
}
