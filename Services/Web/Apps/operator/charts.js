// Charts as inline SVG: a title, bars that can be pointed at or reached by arrow keys, and the same
// numbers as a table.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { redraw } from './context.js';

const HEIGHT = 220;
const MARGIN = { top: 28, right: 8, bottom: 26, left: 52 };
/** Height of a row of a horizontal chart, in pixels. */
const ROW = 30;
/** Smallest distance between two labels of the time axis, in pixels. */
const LABEL = 46;

/** Measured after drawing: text keeps its size whatever the width of the window. */
const widths = new Map();
const active = new Map();
let pointed = null;

function measure(id) {
  queueMicrotask(() => {
    const width = document.getElementById(id)?.clientWidth;
    if (!width || width === widths.get(id)) return;
    widths.set(id, width);
    redraw();
  });
  return Math.max(240, widths.get(id) ?? 480);
}
addEventListener('resize', () => widths.size && redraw());

const point = (id, i) => {
  const next = id === null ? null : `${id}:${i}`;
  if (pointed === next) return;
  pointed = next;
  redraw();
};

/** One bar or row. Tab reaches one per chart, the arrow keys the others; a focused one is announced. */
function item(id, i, count, words, ...shapes) {
  const isActive = (active.get(id) ?? 0) === i;
  const move = (to) => {
    active.set(id, Math.max(0, Math.min(count - 1, to)));
    redraw();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(`#${id} [data-i="${active.get(id)}"]`)?.focus()),
    );
  };
  const keys = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: count - 1 };
  return h(
    'g',
    {
      key: i,
      class: `chart-item${pointed === `${id}:${i}` ? ' pointed' : ''}`,
      tabindex: isActive ? '0' : '-1',
      role: 'img',
      'aria-label': words,
      'data-i': i,
      onfocus: () => point(id, i),
      onblur: () => point(null),
      onmouseenter: () => point(id, i),
      onmouseleave: () => point(null),
      onkeydown: (event) => {
        if (!(event.key in keys)) return;
        event.preventDefault();
        move(keys[event.key]);
      },
    },
    shapes,
  );
}

/** Rough width in pixels: text of a tooltip is not measured. */
const textWidth = (text) => [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 0x2e80 ? 13 : 7), 0);

function tip(text, x, y, width) {
  const wide = textWidth(text) + 16;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  return h(
    'g',
    { key: 'tip', class: 'chart-tip', 'aria-hidden': 'true' },
    h('rect', { x: left, y: Math.max(0, y - 30), width: wide, height: 24, rx: 6 }),
    h('text', { x: left + 8, y: Math.max(0, y - 30) + 16 }, text),
  );
}

const frame = (id, title, body, head, rows, lead) =>
  h(
    'figure',
    { class: 'chart panel', key: id, 'aria-labelledby': `${id}-title` },
    h('figcaption', null, h('h2', { id: `${id}-title` }, title), lead ? h('p', { class: 'muted small' }, lead) : null),
    h('div', { id, class: 'chart-box' }, body),
    h(
      'details',
      { class: 'chart-table' },
      h('summary', null, t('op.chart.numbers')),
      h(
        'table',
        null,
        h('caption', { class: 'visually-hidden' }, title),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            head.map((text, i) => h('th', { key: i, scope: 'col', class: i ? 'amount' : null }, text)),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map(([name, ...values], i) =>
            h(
              'tr',
              { key: i },
              h('th', { scope: 'row' }, name),
              values.map((value, j) => h('td', { key: j, class: 'amount' }, value)),
            ),
          ),
        ),
      ),
    ),
  );

/** A step of 1, 2 or 5 times a power of ten, so that at most four lines are drawn. */
function step(most) {
  const rough = Math.max(most, 1e-9) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
}

/**
 * Bars over hours. `series`: `[{ name, look }]`, `hours`: `[{ label, values }]`, where a value may be
 * null; `words(value)` for tooltips and the table, `axis(value)` for the lines, which are drawn at the
 * first of `steps` that needs four of them at most.
 */
export function barChart({
  id,
  title,
  lead,
  hours,
  series,
  words,
  axis = words,
  least = 1,
  grain = 0,
  steps,
  height = HEIGHT,
}) {
  const width = measure(id);
  const most = Math.max(least, ...hours.flatMap((hour) => hour.values.map((value) => value ?? 0)));
  const gap = Math.max(steps?.find((one) => one * 4 >= most) ?? step(most), grain);
  const top = Math.ceil(most / gap) * gap;
  const [plotWidth, plotHeight] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  const slotWidth = plotWidth / Math.max(1, hours.length);
  const y = (value) => MARGIN.top + plotHeight * (1 - value / top);
  const barWidth = Math.max(2, Math.min(28, (slotWidth * 0.72) / series.length));
  const every = Math.ceil(LABEL / slotWidth);
  const named = (i) => (series.length > 1 ? `${series[i].name} ` : '');
  const valueText = (value) => (value === null ? t('op.chart.nothing') : words(value));
  const says = ({ label, values }) => `${label}: ${values.map((value, i) => named(i) + valueText(value)).join(', ')}`;
  const lines = Array.from({ length: Math.round(top / gap) + 1 }, (_, i) => i * gap);
  const body = h(
    'svg',
    { class: 'chart-svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': title },
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
    ),
    hours.map((hour, i) => {
      const left = MARGIN.left + slotWidth * i;
      const start = left + (slotWidth - barWidth * series.length) / 2;
      return item(
        id,
        i,
        hours.length,
        says(hour),
        h('rect', { class: 'chart-hit', x: left, y: MARGIN.top, width: slotWidth, height: plotHeight }),
        hour.values.map((value, j) =>
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
      );
    }),
    h(
      'g',
      { key: 'labels', 'aria-hidden': 'true' },
      hours.map((hour, i) =>
        i % every
          ? null
          : h(
              'text',
              {
                key: i,
                class: 'chart-axis',
                x: MARGIN.left + slotWidth * (i + 0.5),
                y: height - 8,
                'text-anchor': 'middle',
              },
              hour.label,
            ),
      ),
    ),
    hours.map((hour, i) =>
      pointed === `${id}:${i}`
        ? tip(
            says(hour),
            MARGIN.left + slotWidth * (i + 0.5),
            y(Math.max(0, ...hour.values.map((value) => value ?? 0))),
            width,
          )
        : null,
    ),
  );
  const legend =
    series.length > 1
      ? h(
          'ul',
          { class: 'chart-legend small', 'aria-hidden': 'true' },
          series.map(({ name, look }) => h('li', { key: name }, h('span', { class: `key ${look}` }), name)),
        )
      : null;
  return frame(
    id,
    title,
    [legend, body],
    [t('op.chart.hour'), ...series.map(({ name }) => name)],
    hours.map((hour) => [hour.label, ...hour.values.map((value) => (value === null ? '–' : words(value)))]),
    lead,
  );
}

/** Rows with a bar each: `[{ name, value, look, words }]`. */
export function rowChart({ id, title, lead, rows, valueName }) {
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
