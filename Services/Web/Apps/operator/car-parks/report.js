// Use and revenue of a car park: a day, a week, 31 days.

import { h } from '/apps/shared/dom.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { day, duration, money, number, t, time } from '/apps/shared/i18n.js';
import { choices, empty } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { createResource, every, head } from '../parts.js';
import { loaded } from '../detail-parts.js';
import { barChart } from '../charts.js';

const PACE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SPANS = { day: 1, week: 7, month: 31 };
/** The most hours that have a bar each; beyond it each day has one. */
const MOST_BARS = 48;

/** Bars of hours, or of days with the peak of their hours. */
function bars({ hours }, timeZone) {
  if (hours.length <= MOST_BARS)
    return hours.map(({ at, vehicles }) => ({ label: time(at, timeZone), values: [vehicles] }));
  const days = new Map();
  for (const { at, vehicles } of hours)
    days.set(day(at, timeZone), Math.max(vehicles, days.get(day(at, timeZone)) ?? 0));
  return [...days].map(([label, most]) => ({ label: label.replace(/[ ,]*\d{4}年?/, ''), values: [most] }));
}

export function reportScreen({ id }) {
  let span = 'day';
  const park = createResource(() => api.get(escaped`/v1/car-parks/${id}`));
  const report = createResource(() => {
    // Bars of full hours.
    const until = Math.ceil(Date.now() / HOUR) * HOUR;
    return api.get(
      withQuery(escaped`/v1/admin/car-parks/${id}/report`, {
        from: new Date(until - SPANS[span] * DAY).toISOString(),
        until: new Date(until).toISOString(),
      }),
    );
  });
  // Revenue of this car park in the ledger, its price on the bills of valet orders included.
  const earned = createResource(() => {
    const to = Date.now();
    return api.get(
      withQuery('/v1/admin/statistics/revenue', {
        from: new Date(to - SPANS[span] * DAY).toISOString(),
        to: new Date(to).toISOString(),
        by: 'site',
      }),
    );
  });
  const stop = every(PACE, () => {
    if (!report.isBusy) report.reload();
    if (!earned.isBusy) earned.reload();
  });
  const choose = (value) => {
    span = value;
    report.value = undefined;
    report.reload();
    earned.value = undefined;
    earned.reload();
  };

  const rows = () => (earned.value?.rows ?? []).filter(({ site }) => site === id);
  const content = (one) => [tiles(one, rows()), chart(one, park.value?.timeZone)];
  return {
    title: () => t('op.report'),
    view: () => [
      head(t('op.report'), { back: `/car-parks/${id}`, lead: park.value?.name, age: report.at }),
      choices({
        name: 'span',
        label: t('op.today.range'),
        hideLabel: true,
        value: span,
        options: Object.keys(SPANS).map((one) => [one, t(`op.report.${one}`)]),
        onchange: choose,
      }),
      loaded(report, content, empty('parking', t('op.park.gone'))),
    ],
    leave: stop,
  };
}

const tiles = (one, earned) =>
  h(
    'dl',
    { class: 'tiles' },
    [
      ['revenue', money(one.revenue), t('op.report.bookings', { count: one.bookings })],
      ...earned.map(({ revenue: { amount, currency }, refunded }) => [
        `ledger.${currency}`,
        money({ amount: amount - (refunded?.amount ?? 0), currency }),
        t('op.report.ledger.text'),
      ]),
      ['arrivals', number(one.arrivals), t('op.report.spaces', { count: one.spaces })],
      ['turnover', one.turnover === null ? '–' : number(one.turnover, 2), t('op.report.turnover.text')],
      [
        'stay',
        one.averageStaySeconds === null ? '–' : duration(one.averageStaySeconds),
        t(one.averageStaySeconds === null ? 'op.report.stay.none' : 'op.report.stay.text'),
      ],
    ].map(([name, value, more]) =>
      h(
        'div',
        { key: name, class: 'tile' },
        h('dt', null, t(`op.report.${name.split('.')[0]}`)),
        h('dd', { class: 'numbers' }, value),
        h('dd', { class: 'muted small' }, more),
      ),
    ),
  );

const chart = (one, timeZone) =>
  barChart({
    id: 'chart-inside',
    title: t('op.report.inside'),
    lead: t('op.report.inside.lead', { count: one.spaces }),
    series: [{ name: t('op.report.vehicles'), look: 'accent' }],
    hours: bars(one, timeZone),
    words: (value) => number(value),
    grain: 1,
  });
