// Cash drawers and pouches: what is typed when they are opened and counted.

import { amountOf } from './amounts.js';
import { t } from './i18n.js';
import { field } from './ui.js';

export const amountField = (form, id, label) =>
  field({ id, label, inputmode: 'decimal', autocomplete: 'off', error: form.errors[id] });

/** The amount in a field, in minor units; refuses anything but a number that is not negative. */
export function typedAmount(form, name, text, currency) {
  const amount = amountOf(text, currency);
  if (!(amount >= 0)) form.refuse({ [name]: t('amount.wrong') });
  return { amount, currency };
}

/** The currencies that are counted in a drawer: those that were or should be in it, or else the usual one. */
export function countedIn({ expected, float }, usual) {
  const known = new Set([...expected, ...float].map(({ currency }) => currency));
  return known.size ? [...known] : usual.slice(0, 1);
}

/** A field for each of these currencies; `label` names one. */
export const countFields = (form, codes, label) => codes.map((code) => amountField(form, countOf(code), label(code)));

/** What was typed into these fields and the note, as the request that closes a drawer. */
export const closingOf = (form, codes, values) => ({
  counted: codes.map((code) => typedAmount(form, countOf(code), values[countOf(code)], code)),
  note: values.note.trim() || undefined,
});

const countOf = (currency) => `counted.${currency}`;
