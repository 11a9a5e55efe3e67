// Points: their number, their value, and how they were earned.

import { h } from '/apps/shared/dom.js';
import { dateTime, format, money, number, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { empty, facts, notice, problemNotice, skeleton } from '/apps/shared/ui.js';

const POINTS = '/v1/me/loyalty';

export function createPoints({ resources }) {
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

  const content = ({ points, balances, entries }) => [
    h(
      'section',
      { class: 'card stack', key: 'balance' },
      h(
        'p',
        { class: 'row between strong total' },
        h('span', null, t('points.mine')),
        h('span', { class: 'numbers' }, number(points)),
      ),
      facts(
        balances.filter((one) => one.points).map((one) => [t('points.worth', { count: one.points }), money(one.worth)]),
      ),
      h('p', { class: 'muted small' }, t('points.lead')),
    ),
    entries.length
      ? h('ul', { class: 'list lined', key: 'entries', 'aria-label': t('points.entries') }, entries.map(line))
      : empty('star', t('points.none'), t('points.none.lead')),
  ];

  return {
    draw() {
      const { value, error, at } = resources.get(POINTS);
      return {
        title: t('points.title'),
        view: screen(
          t('points.title'),
          { back: '/bookings' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          value ? content(value) : error ? problemNotice(error, () => resources.reload(POINTS)) : skeleton(5),
        ),
      };
    },
  };
}
