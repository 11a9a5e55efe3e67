// Pieces of the screens of one thing, such as an area or a car park: until it is loaded, numbers in its fields,
// a change by someone else.

import { h } from '/apps/shared/dom.js';
import { minorUnits, t } from '/apps/shared/i18n.js';
import { button, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';

/** What a screen shows while its resource has no value; `gone` if it doesn't exist. */
export function loading({ error, reload }, gone, lines = 8) {
  if (!error) return skeleton(lines);
  return error.status === 404 ? gone : problemNotice(error, reload);
}

/** The value of a resource, below the problem of its last reload. */
export const loaded = (resource, draw, gone, lines) =>
  resource.value
    ? [resource.error ? problemNotice(resource.error, resource.reload) : null, draw(resource.value)]
    : loading(resource, gone, lines);

/** The number in a field, with a point or a comma; NaN if there is none. */
export const read = (text) => (String(text ?? '').trim() === '' ? NaN : Number(String(text).trim().replace(',', '.')));

/** An amount in minor units as the text of a field. */
export function shownAmount(amount, currency) {
  const unit = minorUnits(currency);
  return (amount / unit).toFixed(Math.round(Math.log10(unit)));
}

/** An answer with its `ETag`, which a change sends as `If-Match`. */
export async function readTagged(path) {
  let tag = null;
  const value = await api.get(path, {
    onResponse: (response) => {
      tag = response.headers.get('etag');
    },
  });
  return { value, tag };
}

/** Someone else has saved first: take their version, or save one's own over it. */
export const conflictNotice = (text, differences, { theirs, mine }) =>
  notice(
    'warning',
    text,
    differences,
    h(
      'div',
      { class: 'actions' },
      button(t('op.conflict.theirs'), { onclick: theirs }),
      button(t('op.conflict.mine'), { look: 'danger', onclick: mine }),
    ),
  );

/** The two ways out of a screen's conflict, for `conflictNotice`. */
export const waysOut = (screen, { take, save }) => ({
  theirs() {
    take(screen, screen.conflict);
    redraw();
  },
  mine() {
    Object.assign(screen, { tag: screen.conflict.tag, conflict: null });
    save(screen);
  },
});

/** Focuses an element of the next drawing. */
export const focusLater = (find) => requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));

/** Shows what is wrong at the fields with these ids, and goes to the first one. */
export function showErrors(screen, errors) {
  screen.errors = errors;
  focusLater(() => document.getElementById(Object.keys(errors)[0]));
}
