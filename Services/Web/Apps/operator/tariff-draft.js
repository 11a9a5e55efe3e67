// The draft of a tariff: the texts of its fields, the tariff that they make, and examples of its bills.

import { minorUnits, money, t } from '/apps/shared/i18n.js';
import { read, shownAmount } from './detail-parts.js';

const AMOUNTS = ['baseFee', 'incrementPrice', 'dailyCap', 'cancellationFee', 'noShowFee'];
const TIMES = ['freeMinutes', 'incrementMinutes', 'cancellationGraceSeconds', 'waitingSeconds'];
export const EXTRAS = ['wash', 'refuel'];
export const isTime = (key) => TIMES.includes(key);
export const isExtra = (key) => EXTRAS.includes(key);
const memberOf = (tariff, key) => (isExtra(key) ? tariff.extras : tariff)[key];

const SECONDS_A_DAY = 86_400;
const started = (seconds, unit) => Math.ceil(seconds / unit);

/**
 * The bill of a stay without extras: base fee and each started increment after the free time, at most the daily cap
 * in each started 24 hours. The server's own rule is `Services/Orders/OrderBill.swift`.
 */
export function billOf(tariff, seconds) {
  const time =
    started(Math.max(0, seconds - tariff.freeMinutes * 60), tariff.incrementMinutes * 60) * tariff.incrementPrice;
  const cap = Math.max(1, started(seconds, SECONDS_A_DAY)) * tariff.dailyCap;
  const saved = Math.max(0, tariff.baseFee + time - cap);
  return { time, saved, total: tariff.baseFee + time - saved };
}

export function draftOf(tariff) {
  const textOf = (key) => {
    const value = memberOf(tariff, key);
    if (value === undefined) return '';
    return isTime(key) ? String(value) : shownAmount(value, tariff.currency);
  };
  const fields = [...AMOUNTS, ...TIMES, ...EXTRAS].map((key) => [key, textOf(key)]);
  return { currency: tariff.currency, ...Object.fromEntries(fields) };
}

/** The tariff in the fields; null while one of them is not a number. */
export function parsed(draft) {
  if (!/^[A-Z]{3}$/.test(draft.currency)) return null;
  const unit = minorUnits(draft.currency);
  const tariff = { currency: draft.currency, extras: {} };
  for (const key of AMOUNTS) tariff[key] = Math.round(read(draft[key]) * unit);
  for (const key of TIMES) tariff[key] = Math.round(read(draft[key]));
  for (const key of EXTRAS) if (draft[key].trim() !== '') tariff.extras[key] = Math.round(read(draft[key]) * unit);
  const numbers = [...AMOUNTS, ...TIMES].map((key) => tariff[key]).concat(Object.values(tariff.extras));
  return numbers.every(Number.isFinite) && tariff.incrementMinutes > 0 ? tariff : null;
}

/** What differs between two tariffs, in words. */
export function changes(old, tariff) {
  const words = (value, key, currency) => {
    if (value === undefined) return '–';
    return isTime(key) ? String(value) : money({ amount: value, currency });
  };
  return [...AMOUNTS, ...TIMES, ...EXTRAS]
    .filter((key) => {
      const isSameUnit = isTime(key) || old.currency === tariff.currency;
      return memberOf(old, key) !== memberOf(tariff, key) || !isSameUnit;
    })
    .map((key) => {
      const [before, after] = [old, tariff].map((one) => words(memberOf(one, key), key, one.currency));
      return `${t(`op.tariff.${key}`)}: ${before} → ${after}`;
    });
}
