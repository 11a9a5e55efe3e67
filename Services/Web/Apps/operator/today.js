// Today in numbers: orders, waiting times, acceptance and revenue.

import { serverNow, timeLearnt } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { Problem, withQuery } from '/apps/shared/api.js';
import { duration, minorUnits, money, number, t, time } from '/apps/shared/i18n.js';
import { network } from '/apps/shared/shell.js';
import { statusTone } from '/apps/shared/status.js';
import { choices, empty, problemNotice, skeleton } from '/apps/shared/ui.js';
import { api } from './context.js';
import { endStates, openStates } from './store.js';
import { createResource, every, head, shortDuration } from './parts.js';
import { barChart, rowChart, shareChart } from './charts.js';

const PACE = 30_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The most hours that a chart has. */
const MOST_HOURS = 200;
/** Distances of lines in a chart of times, in seconds. */
const timeSteps = [5, 10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400];

const span = {
  today: () => new Date(new Date(serverNow()).setHours(0, 0, 0, 0)),
  day: () => new Date(serverNow() - DAY + 60_000),
};

export function todayScreen() {
  let range = 'today';
  const ask = (path) => async () => {
    if (network.value.isOnline) await timeLearnt;
    return api.get(withQuery(path, { from: span[range]().toISOString(), to: new Date(serverNow()).toISOString() }));
  };
  const orders = createResource(ask('/v1/admin/statistics/orders'));
  const revenue = createResource(ask('/v1/admin/statistics/revenue'));
  const both = [orders, revenue];
  const stop = every(PACE, () => both.forEach((one) => one.isBusy || one.reload()));

  return {
    title: () => t('op.nav.today'),
    view: () => [
      head(t('op.nav.today'), { age: orders.at, lead: t('op.today.lead') }),
      choices({
        name: 'range',
        label: t('op.today.range'),
        hideLabel: true,
        value: range,
        options: ['today', 'day'].map((one) => [one, t(`op.range.${one}`)]),
        onchange: (value) => {
          range = value;
          both.forEach((one) => one.reload());
        },
      }),
      tiles(orders.value, revenue.value),
      h('div', { class: 'charts' }, part(orders, orderCharts), part(revenue, revenueCharts)),
    ],
    leave: stop,
  };
}

/** The numbers, a skeleton, or why there are none. */
function part(resource, draw) {
  if (resource.value) return draw(resource.value);
  if (!resource.error) return h('div', { class: 'panel' }, skeleton(6));
  if (resource.error instanceof Problem && resource.error.status === 404)
    return h('div', { class: 'panel' }, empty('chart', t('op.stats.none'), t('op.stats.none.text')));
  return problemNotice(resource.error, resource.reload);
}

function tiles(orders, revenue) {
  if (!orders && !revenue) return null;
  const waiting = orders?.waiting;
  const asked = orders ? orders.acceptance.matched + orders.acceptance.unfulfilled : 0;
  const list = [
    orders && [
      'op.tile.placed',
      number(orders.placed),
      t('op.tile.finished', { count: orders.byStatus.finished ?? 0 }),
    ],
    orders && [
      'op.tile.wait',
      waiting.medianSeconds === null ? '–' : duration(waiting.medianSeconds),
      waiting.p90Seconds === null
        ? t('op.tile.wait.none')
        : t('op.tile.wait.p90', { time: duration(waiting.p90Seconds) }),
    ],
    orders && [
      'op.tile.accepted',
      asked ? `${Math.round((100 * orders.acceptance.matched) / asked)}%` : '–',
      t('op.tile.unfulfilled', { count: orders.acceptance.unfulfilled }),
    ],
    ...(revenue?.currencies ?? []).map((one) => [
      'op.tile.revenue',
      money(one.charged),
      t('op.tile.revenue.more', { tips: money(one.tips), refunded: money(one.refunded) }),
    ]),
    revenue && !revenue.currencies.length && ['op.tile.revenue', '–', t('op.tile.revenue.none')],
  ];
  return h(
    'dl',
    { class: 'tiles' },
    list
      .filter(Boolean)
      .map(([key, value, more], i) =>
        h(
          'div',
          { key: i, class: 'tile' },
          h('dt', null, t(key)),
          h('dd', { class: 'numbers' }, value),
          h('dd', { class: 'muted small' }, more),
        ),
      ),
  );
}

const hourName = (hour) => time(hour.startsAt);

function orderCharts(stats) {
  return [
    rowChart({
      id: 'chart-states',
      title: t('op.chart.states'),
      lead: t('op.chart.states.lead'),
      valueName: t('op.chart.count'),
      rows: [...openStates, ...endStates].map((status) => ({
        name: t(`status.${status}`),
        value: stats.byStatus[status] ?? 0,
        look: statusTone[status],
        words: number(stats.byStatus[status] ?? 0),
      })),
    }),
    barChart({
      id: 'chart-placed',
      title: t('op.chart.placed'),
      series: [
        { name: t('op.chart.placed.placed'), look: 'accent' },
        { name: t('op.chart.placed.finished'), look: 'success' },
      ],
      hours: stats.hours.map((hour) => ({ label: hourName(hour), values: [hour.placed, hour.finished] })),
      words: (value) => number(value),
      grain: 1,
      height: 290,
    }),
    barChart({
      id: 'chart-wait',
      title: t('op.chart.wait'),
      lead: t('op.chart.wait.lead'),
      series: [{ name: t('op.chart.median'), look: 'warning' }],
      least: 10,
      hours: stats.hours.map((hour) => ({ label: hourName(hour), values: [hour.medianWaitSeconds] })),
      words: duration,
      steps: timeSteps,
      axis: shortDuration,
    }),
    shareChart({
      id: 'chart-acceptance',
      title: t('op.chart.acceptance'),
      lead: t('op.chart.acceptance.lead'),
      wholes: [
        {
          title: t('op.chart.dropOffs'),
          parts: [
            { name: t('op.chart.matched'), value: stats.acceptance.matched, look: 'success' },
            { name: t('op.chart.unfulfilled'), value: stats.acceptance.unfulfilled, look: 'danger' },
          ],
        },
        {
          title: t('op.chart.offers'),
          parts: [
            { name: t('op.chart.accepted'), value: stats.acceptance.offersAccepted, look: 'success' },
            {
              name: t('op.chart.declined'),
              value: Math.max(0, stats.acceptance.offersMade - stats.acceptance.offersAccepted),
              look: 'warning',
            },
          ],
        },
      ],
    }),
  ];
}

/** A chart for each currency, with each hour of the span, also those without a payment. */
function revenueCharts({ currencies: sums, hours, from, to }) {
  const currencies = [...new Set([...sums, ...hours].map(({ charged }) => charged.currency))];
  if (!currencies.length)
    return h('div', { class: 'panel' }, empty('wallet', t('op.chart.revenue.none'), t('op.chart.revenue.none.text')));
  const starts = hoursBetween(from, to);
  const chargedAt = (at, currency) =>
    hours.find(({ startsAt, charged }) => new Date(startsAt).getTime() === at && charged.currency === currency)?.charged
      .amount ?? 0;
  return currencies.map((currency) =>
    barChart({
      id: `chart-revenue-${currency}`,
      title: t('op.chart.revenue', { currency }),
      lead: t('op.chart.revenue.lead'),
      series: [{ name: t('op.chart.charged'), look: 'accent' }],
      least: 100,
      hours: starts.map((at) => ({ label: time(at), values: [chargedAt(at, currency)] })),
      words: (amount) => money({ amount, currency }),
      axis: (amount) => number(amount / minorUnits(currency)),
    }),
  );
}

/** Starts of the server's hours, which are full ones in UTC; some clocks on walls show half past then. */
export function hoursBetween(from, to) {
  const starts = [];
  const until = new Date(to).getTime();
  for (
    let at = Math.floor(new Date(from).getTime() / HOUR) * HOUR;
    at < until && starts.length < MOST_HOURS;
    at += HOUR
  )
    starts.push(at);
  return starts;
}
