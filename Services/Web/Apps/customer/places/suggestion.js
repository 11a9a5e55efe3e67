// A suggestion about a place: what was typed, which stays until it is sent or discarded, and what it changes.

import { t } from '/apps/shared/i18n.js';
import { begun } from '/apps/shared/storage.js';
import { pointOf } from '../shared/place-field.js';

const DRAFTS = 'openvalet.places.suggestions';
const TEXTS = ['name', 'address', 'phone', 'website', 'openingHours'];
export const NUMBERS = ['stepCentimeters', 'doorCentimeters', 'slopePercent'];
export const FLAGS = ['toilet', 'lift'];

/** The drafts of this device, by place; `suggest` has them, and the `id` of its place. */
export const recallDrafts = () => begun.recall(DRAFTS) ?? {};
export const draftOf = ({ drafts, id }) => drafts[id] ?? {};

export function keep(suggest, change) {
  suggest.drafts = { ...suggest.drafts, [suggest.id]: { ...draftOf(suggest), ...change } };
  begun.remember(DRAFTS, suggest.drafts);
}
export function drop(suggest, id) {
  suggest.drafts = Object.fromEntries(Object.entries(suggest.drafts).filter(([other]) => other !== id));
  begun.remember(DRAFTS, suggest.drafts);
}
export function dropAll(suggest) {
  suggest.drafts = {};
  begun.remember(DRAFTS);
}

/** Moves the place on the map; without a position, back to where it was. */
export function move(suggest, position) {
  keep(suggest, { position: position && pointOf(position) });
  suggest.app.redraw();
}

/** A measurement as it is shown in its field. */
export const measureText = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? ''));

/** The values of the form and the draft that differ from the place; `refuse` gets the error of a field, and throws. */
export function changesOf(vendor, { position, isGone }, values, refuse) {
  const texts = TEXTS.map((name) => [name, values[name].trim(), vendor[name] ?? '']);
  const chosen = ['kind', 'acceptsStamps'].map((name) => [name, values[name], vendor[name]]);
  const changes = Object.fromEntries(
    [...texts, ...chosen].filter(([, value, before]) => value !== before).map(([name, value]) => [name, value]),
  );
  const measured = [...NUMBERS, 'surface', ...FLAGS].filter(
    (name) => values[name].trim() !== measureText(vendor.accessibility[name]),
  );
  if (measured.length)
    changes.accessibility = Object.fromEntries(
      measured.map((name) => [name, measureOf(name, values[name].trim(), refuse)]),
    );
  if (position) changes.position = position;
  if (values.duplicateOf) changes.duplicateOf = values.duplicateOf;
  if (isGone) changes.isGone = true;
  if (values.note.trim()) changes.note = values.note.trim();
  return changes;
}

function measureOf(name, text, refuse) {
  if (FLAGS.includes(name)) return text === 'yes';
  if (name === 'surface') return text || refuse({ surface: t('form.required') });
  if (!/^\d+$/.test(text)) refuse({ [name]: t('places.suggest.number') });
  return Number(text);
}
