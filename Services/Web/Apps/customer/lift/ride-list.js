// The person's rides, as driver and as passenger.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { choices, empty } from '/apps/shared/ui.js';
import { moreButton } from '../shared/entries.js';
import { asOf, missing } from './entries.js';
import { listPage, withoutWays } from './list-page.js';
import { nameOf, rideBadge, seatBadge, wayText, when } from './words.js';

/** Lines per page: should include all upcoming ones. */
const RIDES = 50;

export const rides = (screen) =>
  listPage(
    t('lift.rides.mine'),
    choices({
      name: 'role',
      label: t('lift.role'),
      hideLabel: true,
      value: screen.role,
      options: ['all', 'driver', 'passenger'].map((one) => [one, t(`lift.role.${one}`)]),
      onchange: (role) => screen.set({ role }),
    }),
    rideList(screen),
  );

const isOver = ({ status }) => ['ended', 'cancelled'].includes(status);

/** Upcoming rides, soonest first, then past ones, latest first. */
function rideList({ app: { resources }, role }) {
  const entry = resources.get(withQuery('/v1/rides', { role: role === 'all' ? null : role, limit: RIDES }), {
    kept: withoutWays,
  });
  if (!entry.value) return missing(resources, entry);
  const { items } = entry.value;
  if (!items.length)
    return empty(
      'clock',
      t('lift.rides.none'),
      t('lift.rides.none.lead'),
      h('a', { class: 'button primary', href: '#/lift' }, t('lift.search')),
    );
  return [
    asOf(entry),
    part('coming', items.filter((ride) => !isOver(ride)).reverse()),
    part('over', items.filter(isOver)),
    moreButton(resources, entry),
  ];
}

const part = (name, items) =>
  items.length
    ? h(
        'section',
        { class: 'stack tight', key: name, 'aria-labelledby': `rides-${name}` },
        h('h2', { id: `rides-${name}` }, t(`lift.rides.${name}`)),
        h('ul', { class: 'list', 'aria-labelledby': `rides-${name}` }, items.map(rideLine)),
      )
    : null;

const rideLine = (ride) =>
  h(
    'li',
    { key: ride.id },
    h(
      'a',
      { class: `card stack tight${isOver(ride) ? ' over' : ''}`, href: `#${escaped`/lift/rides/${ride.id}`}` },
      h(
        'span',
        { class: 'row between' },
        h('span', { class: 'strong' }, when(ride.departsAt, ride.timeZone)),
        rideBadge(ride),
      ),
      h('span', null, wayText(ride)),
      h('span', { class: 'row between small' }, h('span', { class: 'muted' }, companyText(ride)), seatState(ride)),
    ),
  );

const companyText = ({ role, driver, passengers }) =>
  role === 'driver'
    ? t('lift.youDrive', {
        count: passengers
          .filter(({ status }) => ['accepted', 'rode'].includes(status))
          .reduce((sum, one) => sum + one.seats, 0),
      })
    : t('lift.with', { name: nameOf(driver) });

/** The passenger's own seat, or that somebody asks the driver for one. */
function seatState({ role, passengers }) {
  if (role === 'passenger' && passengers[0]) return seatBadge(passengers[0], role);
  const isAsked = passengers.some(({ status, asks }) => status === 'pending' && asks === role);
  return isAsked ? seatBadge({ status: 'pending', asks: role }, role) : null;
}
