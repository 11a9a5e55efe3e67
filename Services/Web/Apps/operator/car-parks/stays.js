// Stays of vehicles, by state, car park, plate and day.

import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { badge, button, empty } from '/apps/shared/ui.js';
import { createPages, head, shownPages, table } from '../parts.js';
import { endStayDialog, receiveForStay } from './stay-dialogs.js';
import { PAGE, createList, filterPanel, parkLink } from './parts.js';

const price = ({ due, isPaid }) =>
  due
    ? h('span', null, money(due), ' ', badge(t('op.stay.due'), 'warning'))
    : isPaid
      ? badge(t('booking.paid'), 'success')
      : '–';

export function staysScreen() {
  const filter = { carParkId: address().query.get('carPark') ?? '', plate: '', day: '', state: 'inside' };
  const list = createList(createPages('/v1/admin/parking-sessions', { ...filter }, PAGE), filter);
  return {
    title: () => t('op.stays'),
    view: () => [
      head(t('op.stays'), {
        back: filter.carParkId ? `/car-parks/${filter.carParkId}` : '/car-parks',
        age: list.pages.at,
      }),
      filterPanel(list, {
        name: 'stay-state',
        states: [
          ['inside', t('op.stay.inside')],
          ['ended', t('op.stay.ended')],
        ],
        hint: t('op.stay.day.hint'),
      }),
      shownPages(
        list.pages,
        (items) => table(t('op.stays'), columns(list), items),
        empty('parking', t('op.stays.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: list.stop,
  };
}

const columns = ({ pages, parks }) => [
  { label: t('vehicle.plate'), isHead: true, cell: ({ plate }) => h('span', { class: 'plate' }, plate || '–') },
  {
    label: t('op.park'),
    cell: ({ carPark: id }) => parkLink(parks.value?.find((park) => park.id === id) ?? { id, name: t('op.park') }),
  },
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
      h(
        'div',
        { class: 'row' },
        !stay.leftAt || stay.due
          ? button(t('op.receive'), {
              'aria-label': t('op.receive.of', { name: stay.plate }),
              onclick: async () => (await receiveForStay(stay)) && pages.reload(),
            })
          : null,
        stay.leftAt
          ? null
          : button(t('op.stay.end'), {
              'aria-label': t('op.stay.end.of', stay),
              onclick: async () => (await endStayDialog(stay)) && pages.reload(),
            }),
      ),
  },
];
