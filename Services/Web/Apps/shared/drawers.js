// Cash drawers and pouches: what is typed when they are opened and counted.

import { amountOf } from './amounts.js';
import { t } from './i18n.js';

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
