// What the lists of the person's own lifts have in common.

import { h } from '/apps/shared/dom.js';
import { screen as page } from '/apps/shared/shell.js';
import { moreButton } from '../shared/entries.js';
import { asOf, missing } from './entries.js';

export const listPage = (title, ...content) => ({ title, view: page(title, { back: '/lift' }, content) });

/** Lists are stored on the device without routes, which their lines don't show. */
export const withoutWays = (answer) => ({ ...answer, items: answer.items.map(({ way, ...line }) => line) });

/** The list at a path: `line` draws one item, `none` is shown if there are none. */
export function list({ resources }, { path, title, line, none }) {
  const entry = resources.list(path, { kept: withoutWays });
  if (!entry.value) return missing(resources, entry);
  const { items } = entry.value;
  return [
    asOf(entry),
    items.length ? h('ul', { class: 'list', key: path, 'aria-label': title }, items.map(line)) : none,
    moreButton(resources, entry),
  ];
}
