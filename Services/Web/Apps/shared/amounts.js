// Amounts that people type.

import { minorUnits } from './i18n.js';

/** A typed amount in minor units, with a point or a comma; NaN for anything else, and for nothing. */
export const amountOf = (text, currency) => {
  const typed = String(text ?? '').trim();
  return typed === '' ? NaN : Math.round(Number(typed.replace(',', '.')) * minorUnits(currency));
};
