// The person's own bookings: current and past ones.

import { escaped } from '/apps/shared/api.js';
import { bookingBadge, period } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { choices, empty } from '/apps/shared/ui.js';
import { loadedList } from './loaded.js';

const MORE = [
  ['/parked', 'car', 'parkedVehicle.title'],
  ['/stays', 'clock', 'stays.title'],
  ['/fines', 'receipt', 'fines.title'],
  ['/points', 'star', 'points.title'],
];

export function createBookings(park) {
  let shown = 'current';
  const show = (state) => {
    shown = state;
    park.redraw();
  };
  return {
    draw: () => ({
      title: t('bookings.mine'),
      view: screen(t('bookings.mine'), { back: '/park' }, stateChoice(shown, show), list(park, shown), otherLists()),
    }),
  };
}

const stateChoice = (shown, show) =>
  choices({
    name: 'shown',
    label: t('bookings.mine'),
    hideLabel: true,
    value: shown,
    options: ['current', 'past'].map((state) => [state, t(`bookings.${state}`)]),
    onchange: show,
  });

const list = (park, shown) =>
  loadedList(park, park.resources.list(`/v1/bookings?state=${shown}`), (items) =>
    items.length
      ? h('ul', { class: 'list', key: shown }, items.map(line))
      : empty(
          'parking',
          t(`bookings.none.${shown}`),
          null,
          h('a', { class: 'button primary', href: '#/park' }, t('bookings.find')),
        ),
  );

const line = ({ id, carPark, reference, start, end, status, total }) =>
  h(
    'li',
    { key: id },
    h(
      'a',
      { class: 'card stack tight', href: `#${escaped`/bookings/${id}`}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, carPark.name), bookingBadge({ status })),
      h('span', null, period(start, end, carPark.timeZone)),
      h(
        'span',
        { class: 'row between small' },
        h('span', { class: 'ticket muted' }, reference),
        h('span', { class: 'strong numbers' }, money(total)),
      ),
    ),
  );

const otherLists = () =>
  h(
    'nav',
    { key: 'more', 'aria-label': t('bookings.more') },
    h(
      'ul',
      { class: 'list lined' },
      MORE.map(([path, name, word]) =>
        h(
          'li',
          { key: path },
          h(
            'a',
            { class: 'list-item', href: `#${path}` },
            icon(name),
            h('span', { class: 'grow' }, t(word)),
            icon('next'),
          ),
        ),
      ),
    ),
  );
