// Charts as inline SVG: bars over hours, rows, shares of a whole.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { frame, isPointed, item, measure, textWidth, tip } from './chart-parts.js';

const HEIGHT = 220;
const MARGIN = { top: 28, right: 8, bottom: 26, left: 52 };
/** Height of a row of a horizontal chart, in pixels. */
const ROW = 30;
/** Smallest distance between two labels of the time axis, in pixels. */
const LABEL = 46;

/**
 * Bars over hours. `series`: `[{ name, look }]`, `hours`: `[{ label, values }]`, where a value may be
 * null; `words(value)` for tooltips and the table, `axis(value)` for the lines, which are drawn at the
 * first of `steps` that needs four of them at most.
 */
export function barChart({ id, title, lead = null, hours, series, words, axis = words, ...options }) {
  const plot = plotOf({ width: measure(id), hours, series, ...options });
  const { width, height } = plot;
  const valueText = (value, i) => {
    const name = series.length > 1 ? `${series[i].name} ` : '';
    return name + (value === null ? t('op.chart.nothing') : words(value));
  };
  const says = ({ label, values }) => `${label}: ${values.map(valueText).join(', ')}`;
  const body = h(
    'svg',
    { class: 'chart-svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': title },
    grid(plot, axis),
    hours.map((hour, i) => item(id, i, hours.length, says(hour), bars(plot, series, hour, i))),
    hourLabels(plot, hours),
    hours.map((hour, i) =>
      isPointed(id, i)
        ? tip(says(hour), plot.middle(i), plot.y(Math.max(0, ...hour.values.map((value) => value ?? 0))), width)
        : null,
    ),
  );
  return frame(
    id,
    title,
    [series.length > 1 ? legend(series) : null, body],
    [t('op.chart.hour'), ...series.map(({ name }) => name)],
    hours.map((hour) => [hour.label, ...hour.values.map((value) => (value === null ? '–' : words(value)))]),
    lead,
  );
}

/** Where everything is in a bar chart: the values of its lines, and functions from values and hours to pixels. */
export function plotOf({ width, height = HEIGHT, hours, series, least = 1, grain = 0, steps = null }) {
  const most = Math.max(least, ...hours.flatMap((hour) => hour.values.map((value) => value ?? 0)));
  const gap = Math.max(steps?.find((one) => one * 4 >= most) ?? step(most), grain);
  const top = Math.ceil(most / gap) * gap;
  const plotHeight = height - MARGIN.top - MARGIN.bottom;
  const slotWidth = (width - MARGIN.left - MARGIN.right) / Math.max(1, hours.length);
  const left = (i) => MARGIN.left + slotWidth * i;
  return {
    width,
    height,
    plotHeight,
    slotWidth,
    barWidth: Math.max(2, Math.min(28, (slotWidth * 0.72) / series.length)),
    lines: Array.from({ length: Math.round(top / gap) + 1 }, (_, i) => i * gap),
    y: (value) => MARGIN.top + plotHeight * (1 - value / top),
    left,
    middle: (i) => left(i + 0.5),
  };
}

/** A step of 1, 2 or 5 times a power of ten, so that at most four lines are drawn. */
function step(most) {
  const rough = Math.max(most, 1e-9) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
}

const grid = ({ width, lines, y }, axis) =>
  h(
    'g',
    { key: 'grid', 'aria-hidden': 'true' },
    lines.map((value) => [
      h('line', {
        key: `l${value}`,
        class: 'chart-line',
        x1: MARGIN.left,
        x2: width - MARGIN.right,
        y1: y(value),
        y2: y(value),
      }),
      h(
        'text',
        { key: `t${value}`, class: 'chart-axis', x: MARGIN.left - 8, y: y(value) + 4, 'text-anchor': 'end' },
        axis(value),
      ),
    ]),
  );

/** The bars of an hour, in an area that can be pointed at. */
function bars({ plotHeight, slotWidth, barWidth, y, left }, series, { values }, i) {
  const start = left(i) + (slotWidth - barWidth * series.length) / 2;
  return [
    h('rect', { class: 'chart-hit', x: left(i), y: MARGIN.top, width: slotWidth, height: plotHeight }),
    values.map((value, j) =>
      value
        ? h('rect', {
            key: j,
            class: `bar ${series[j].look}`,
            x: start + barWidth * j,
            y: y(value),
            width: Math.max(1, barWidth - 1),
            height: y(0) - y(value),
            rx: Math.min(3, barWidth / 3),
          })
        : null,
    ),
  ];
}

function hourLabels({ height, slotWidth, middle }, hours) {
  const every = Math.ceil(LABEL / slotWidth);
  return h(
    'g',
    { key: 'labels', 'aria-hidden': 'true' },
    hours.map(({ label }, i) =>
      i % every
        ? null
        : h('text', { key: i, class: 'chart-axis', x: middle(i), y: height - 8, 'text-anchor': 'middle' }, label),
    ),
  );
}

const legend = (series) =>
  h(
    'ul',
    { class: 'chart-legend small', 'aria-hidden': 'true' },
    series.map(({ name, look }) => h('li', { key: name }, h('span', { class: `key ${look}` }), name)),
  );

/** Rows with a bar each: `[{ name, value, look, words }]`. */
export function rowChart({ id, title, lead = null, rows, valueName }) {
  const width = measure(id);
  const most = Math.max(1, ...rows.map((row) => row.value));
  const nameWidth = Math.min(width * 0.42, Math.max(...rows.map((row) => textWidth(row.name))) + 12);
  const room = width - nameWidth - 44;
  const body = h(
    'svg',
    {
      class: 'chart-svg',
      width,
      height: rows.length * ROW,
      viewBox: `0 0 ${width} ${rows.length * ROW}`,
      role: 'group',
      'aria-label': title,
    },
    rows.map((row, i) =>
      item(
        id,
        i,
        rows.length,
        `${row.name}: ${row.words}`,
        h('rect', { class: 'chart-hit', x: 0, y: i * ROW, width, height: ROW }),
        h('text', { class: 'chart-name', x: 0, y: i * ROW + ROW / 2 + 5 }, row.name),
        h('rect', { class: 'bar track', x: nameWidth, y: i * ROW + 7, width: room, height: ROW - 14, rx: 4 }),
        row.value
          ? h('rect', {
              class: `bar ${row.look}`,
              x: nameWidth,
              y: i * ROW + 7,
              width: Math.max(3, (room * row.value) / most),
              height: ROW - 14,
              rx: 4,
            })
          : null,
        h(
          'text',
          { class: 'chart-value', x: width - 2, y: i * ROW + ROW / 2 + 5, 'text-anchor': 'end' },
          row.short ?? row.words,
        ),
      ),
    ),
  );
  return frame(
    id,
    title,
    body,
    ['', valueName],
    rows.map((row) => [row.name, row.words]),
    lead,
  );
}

/** Shares of a whole: `[{ title, parts: [{ name, value, look }] }]`. */
export function shareChart({ id, title, lead, wholes }) {
  const width = measure(id);
  const parts = wholes.flatMap((whole) => whole.parts.map((part) => ({ ...part, whole })));
  let index = -1;
  const sum = (whole) => whole.parts.reduce((all, part) => all + part.value, 0);
  const says = (part) =>
    t('op.chart.share', {
      name: part.name,
      value: part.value,
      percent: Math.round((100 * part.value) / Math.max(1, sum(part.whole))),
    });
  const body = wholes.map((whole) => {
    const all = sum(whole);
    let left = 0;
    return h(
      'div',
      { key: whole.title, class: 'share' },
      h(
        'p',
        { class: 'row between' },
        h('span', null, whole.title),
        h('strong', { class: 'numbers' }, all ? `${Math.round((100 * whole.parts[0].value) / all)}%` : '–'),
      ),
      h(
        'svg',
        { class: 'chart-svg', width, height: 24, viewBox: `0 0 ${width} 24`, role: 'group', 'aria-label': whole.title },
        h('rect', { class: 'bar track', x: 0, y: 2, width, height: 20, rx: 5 }),
        whole.parts.map((part) => {
          index += 1;
          const wide = all ? (width * part.value) / all : 0;
          const x = left;
          left += wide;
          return item(
            id,
            index,
            parts.length,
            says({ ...part, whole }),
            h('rect', {
              class: `bar ${part.look}`,
              x,
              y: 2,
              width: Math.max(0, wide - (left < width - 1 ? 2 : 0)),
              height: 20,
              rx: 5,
            }),
          );
        }),
      ),
      h(
        'ul',
        { class: 'chart-legend small' },
        whole.parts.map((part) =>
          h('li', { key: part.name }, h('span', { class: `key ${part.look}` }), `${part.name} ${part.value}`),
        ),
      ),
    );
  });
  return frame(
    id,
    title,
    body,
    ['', t('op.chart.count'), t('op.chart.percent')],
    parts.map((part) => [
      `${part.whole.title}: ${part.name}`,
      part.value,
      `${Math.round((100 * part.value) / Math.max(1, sum(part.whole)))}%`,
    ]),
    lead,
  );
}
