// Pieces of the operator's screens: data that loads, lists with pages, tables, ages, dialogs with a form.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { withQuery } from '/apps/shared/api.js';
import { createMapSlot as createSlot } from '/apps/shared/map-slot.js';
import { clock, dateTime, duration, fullName, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, field, problemNotice, skeleton } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { store } from './store.js';

export { formDialog } from '/apps/shared/form-dialog.js';

// MARK: Data

/** One answer of the API with its error and age; `reload` calls `load` again. */
export function createResource(load) {
  const resource = { value: undefined, error: null, isBusy: false, at: null };
  let turn = 0;
  resource.reload = async () => {
    const mine = (turn += 1);
    resource.isBusy = true;
    redraw();
    try {
      const value = await load();
      if (mine !== turn) return;
      Object.assign(resource, { value, error: null, at: serverNow() });
    } catch (error) {
      if (mine !== turn) return;
      resource.error = error;
    }
    resource.isBusy = false;
    redraw();
  };
  resource.reload();
  return resource;
}

/** A list in pages: `more()` loads the next one, `reload()` starts again. */
export function createPages(path, query = {}, limit = 50) {
  const pages = { items: [], next: null, error: null, isBusy: false, at: null, query, limit };
  let turn = 0;
  async function load(after) {
    const mine = (turn += 1);
    pages.isBusy = true;
    redraw();
    try {
      const answer = await api.get(withQuery(path, { ...pages.query, after, limit }));
      if (mine !== turn) return;
      pages.items = after ? [...pages.items, ...answer.items] : answer.items;
      Object.assign(pages, { next: answer.next, error: null, at: serverNow() });
    } catch (error) {
      if (mine !== turn) return;
      pages.error = error;
    }
    pages.isBusy = false;
    redraw();
  }
  pages.reload = (change) => {
    if (change) Object.assign(pages, { query: change, items: [], next: null, at: null });
    return load();
  };
  pages.more = () => load(pages.next);
  load();
  return pages;
}

/** A skeleton, the problem, or the value drawn by `draw`. */
export function shown(resource, draw, lines = 4) {
  if (resource.value !== undefined) return draw(resource.value);
  if (resource.error) return problemNotice(resource.error, resource.reload);
  return skeleton(lines);
}

/** The same for pages, with a button for the next one. */
export function shownPages(pages, draw, ifEmpty) {
  if (pages.error && !pages.items.length) return problemNotice(pages.error, () => pages.reload());
  if (!pages.at) return skeleton(6);
  if (!pages.items.length) return ifEmpty;
  return h(
    'div',
    { class: 'stack' },
    draw(pages.items),
    pages.error ? problemNotice(pages.error, pages.more) : null,
    pages.next
      ? h('div', { class: 'more' }, button(t('action.more'), { onclick: pages.more, isBusy: pages.isBusy }))
      : null,
  );
}

/** Reloads the first page, unless older ones are loaded, which would be dropped. */
export const reloadNewest = (pages) => pages.items.length <= pages.limit && !pages.isBusy && pages.reload();

/** Reloads the newest every `pace` ms; returns a function that stops it. */
export const follow = (pages, pace) => every(pace, () => reloadNewest(pages));

/** Runs `task` every `pace` ms while the page is visible; returns a function that stops it. */
export function every(pace, task) {
  const timer = setInterval(() => document.hidden || task(), pace);
  return () => clearInterval(timer);
}

// MARK: Time

const words = {
  age: (seconds) => (seconds < 2 ? t('op.age.now') : t('op.age', { time: shortDuration(seconds) })),
  span: (seconds) => shortDuration(seconds),
  clock,
};

/** 40 s, 12 min, 3 h 5 min, 2 d: short enough for a list. */
export function shortDuration(seconds) {
  if (seconds < 60) return t('duration.seconds', { seconds: Math.max(0, Math.floor(seconds)) });
  if (seconds < 3_600) return t('duration.minutes', { minutes: Math.floor(seconds / 60) });
  if (seconds < 86_400) return duration(seconds - (seconds % 60));
  return t('op.days', { count: Math.floor(seconds / 86_400) });
}

/** A running age: text that follows the clock without drawing anything else again. */
export function since(date, kind = 'span') {
  if (!date) return null;
  const at = new Date(date).getTime();
  return h(
    'span',
    { class: 'since numbers', 'data-since': at, 'data-kind': kind, keep: true, title: dateTime(date) },
    words[kind]((serverNow() - at) / 1000),
  );
}

setInterval(() => {
  if (document.hidden) return;
  for (const node of document.querySelectorAll('[data-since]')) {
    const text = words[node.dataset.kind]((serverNow() - Number(node.dataset.since)) / 1000);
    if (node.textContent !== text) node.textContent = text;
  }
}, 1_000);

export const moment = (date) => h('span', { class: 'nowrap' }, dateTime(date));

// MARK: Views

/** A screen's head: title, age of the data, actions. */
export const head = (title, { back = null, actions = null, age = null, lead = null } = {}) =>
  h(
    'header',
    { class: 'page-head' },
    back ? h('a', { class: 'icon-button', href: `#${back}`, 'aria-label': t('action.back') }, icon('back')) : null,
    h(
      'div',
      { class: 'page-title' },
      h('h1', { 'data-focus': true }, title),
      lead ? h('p', { class: 'muted' }, lead) : null,
    ),
    age ? h('p', { class: 'muted small page-age' }, since(age, 'age')) : null,
    actions ? h('div', { class: 'page-actions' }, actions) : null,
  );

/** Columns `{ label, cell, isAmount, isHead }`; on a narrow screen each row becomes a card. */
export function table(caption, columns, rows, { key = (row, _i) => row.id, isTight = false } = {}) {
  return h(
    'div',
    { class: 'table-box', role: 'group', 'aria-label': caption, tabindex: '0' },
    h(
      'table',
      { class: `data${isTight ? ' tight' : ''}`, role: 'table' },
      h('caption', { class: 'visually-hidden' }, caption),
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          columns.map(({ label, isAmount }) =>
            h(
              'th',
              { scope: 'col', role: 'columnheader', class: isAmount ? 'amount' : null },
              label || h('span', { class: 'visually-hidden' }, t('op.actions')),
            ),
          ),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        rows.map((row, i) =>
          h(
            'tr',
            { key: key(row, i), role: 'row' },
            columns.map(({ label, cell, isAmount, isHead }) =>
              h(
                isHead ? 'th' : 'td',
                {
                  scope: isHead ? 'row' : null,
                  role: isHead ? 'rowheader' : 'cell',
                  'data-label': label || null,
                  class: isAmount ? 'amount' : null,
                },
                cell(row, i),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

export const section = (title, { id, actions = null }, ...content) =>
  h(
    'section',
    { class: 'panel', 'aria-labelledby': `h-${id}`, key: `section-${id}` },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', { id: `h-${id}` }, title),
      actions ? h('div', { class: 'row' }, actions) : null,
    ),
    content,
  );

export const callLink = (person) =>
  person?.phone
    ? h(
        'a',
        {
          class: 'call',
          href: `tel:${person.phone}`,
          'aria-label': t('action.callPerson', { name: `${fullName(person)}, ${person.phone}` }),
        },
        icon('phone'),
        person.phone,
      )
    : null;

/** Instead of a value that is not there. */
export const nothing = () => h('span', { class: 'muted' }, '–');
export const shortID = (id) => h('code', { class: 'id', title: id }, id.slice(-8));
export const placeText = (place) =>
  place && (place.address || `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`);
export const areaName = (id) => store.value.areas.find((area) => area.properties.id === id)?.properties.name ?? id;
/** A field for a number that is not negative. */
export const numberField = (form, id, label, value, step = 'any') =>
  field({
    id,
    label,
    type: 'number',
    inputmode: 'decimal',
    min: 0,
    step,
    required: true,
    value: String(value),
    error: form.errors[id],
  });

export const dialogActions = (form, close, yes, look = 'primary') =>
  h(
    'div',
    { class: 'actions' },
    button(t('action.cancel'), { onclick: () => close() }),
    button(yes, { type: 'submit', look, isBusy: form.isBusy }),
  );

/** A map in a screen of the operator app. */
export function createMapSlot(name, options) {
  const slot = createSlot(name, redraw, options);
  return {
    ...slot,
    get map() {
      return slot.map;
    },
    view: (className = '') => slot.view(`map-host ${className}`),
  };
}
