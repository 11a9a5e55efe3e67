// Pieces of the charts: their width, bars that can be pointed at or reached by arrow keys, the frame with its table.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { redraw } from './context.js';
import { focusLater } from './detail-parts.js';

/** Measured after drawing: text keeps its size whatever the width of the window. */
const widths = new Map();
const active = new Map();
let pointed = null;

/** The width of a chart's box; 480 pixels until it is drawn. */
export function measure(id) {
  queueMicrotask(() => {
    const width = document.getElementById(id)?.clientWidth;
    if (!width || width === widths.get(id)) return;
    widths.set(id, width);
    redraw();
  });
  return Math.max(240, widths.get(id) ?? 480);
}
addEventListener('resize', () => widths.size && redraw());

/** Whether a bar is pointed at or focused. */
export const isPointed = (id, i) => pointed === `${id}:${i}`;

const point = (id, i) => {
  const next = id === null ? null : `${id}:${i}`;
  if (pointed === next) return;
  pointed = next;
  redraw();
};

/** One bar or row. Tab reaches one per chart, the arrow keys the others; a focused one is announced. */
export function item(id, i, count, words, ...shapes) {
  const isActive = (active.get(id) ?? 0) === i;
  const move = (to) => {
    active.set(id, Math.max(0, Math.min(count - 1, to)));
    redraw();
    focusLater(() => document.querySelector(`#${id} [data-i="${active.get(id)}"]`));
  };
  const keys = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: count - 1 };
  return h(
    'g',
    {
      key: i,
      class: `chart-item${isPointed(id, i) ? ' pointed' : ''}`,
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
export const textWidth = (text) => [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 0x2e80 ? 13 : 7), 0);

export function tip(text, x, y, width) {
  const wide = textWidth(text) + 16;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  return h(
    'g',
    { key: 'tip', class: 'chart-tip', 'aria-hidden': 'true' },
    h('rect', { x: left, y: Math.max(0, y - 30), width: wide, height: 24, rx: 6 }),
    h('text', { x: left + 8, y: Math.max(0, y - 30) + 16 }, text),
  );
}

/** A chart with its title, and the same numbers as a table. */
export const frame = (id, title, body, head, rows, lead) =>
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
