// Points: their number, their value, and how they were earned.

import { h } from '/apps/shared/dom.js';
import { dateTime, format, money, number, t } from '/apps/shared/i18n.js';
import { empty, facts } from '/apps/shared/ui.js';
import { totalLine } from './booking-parts.js';
import { loadedScreen } from './loaded.js';

export const createPoints = (park) => ({
  draw: () =>
    loadedScreen(park, park.resources.get('/v1/me/loyalty'), { title: t('points.title'), back: '/bookings' }, content),
});

const content = ({ points, balances, entries }) => [
  h(
    'section',
    { class: 'card stack', key: 'balance' },
    totalLine(t('points.mine'), number(points)),
    facts(
      balances.filter((one) => one.points).map((one) => [t('points.worth', { count: one.points }), money(one.worth)]),
    ),
    h('p', { class: 'muted small' }, t('points.lead')),
  ),
  entries.length
    ? h('ul', { class: 'list lined', key: 'entries', 'aria-label': t('points.entries') }, entries.map(line))
    : empty('star', t('points.none'), t('points.none.lead')),
];

const line = ({ kind, points, at }, i) =>
  h(
    'li',
    { key: `${at} ${i}`, class: 'list-item still' },
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'block' }, t(`points.${kind}`)),
      h('span', { class: 'muted small' }, dateTime(at)),
    ),
    h('span', { class: 'strong numbers' }, format('NumberFormat', { signDisplay: 'exceptZero' }).format(points)),
  );
