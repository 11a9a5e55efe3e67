// Texts of car parks: hours, spaces and prices; and times on a car park's clock.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, day, format, minutes, money, t, time } from '/apps/shared/i18n.js';
import { badge } from '/apps/shared/ui.js';

export const CLASSES = ['general', 'disabled', 'electric', 'family', 'motorcycle'];
/** Seconds of a unit; the minimum if its length varies. */
export const UNITS = { hourly: 3_600, daily: 86_400, weekly: 604_800, monthly: 28 * 86_400, yearly: 365 * 86_400 };
/** Shortest unit first. */
export const byUnit = (products) => [...products].sort((a, b) => UNITS[a.kind] - UNITS[b.kind] || a.price - b.price);

/** `shut` by the opening hours, `closed` by its operator; `unsure` if the opening hours don't say. */
export function stateOf({ status, isOpenNow, openingState }) {
  if (status === 'closed' || isOpenNow) return status;
  return openingState === 'unknown' ? 'unsure' : 'shut';
}
const tones = { open: 'success', full: 'warning', shut: 'neutral', unsure: 'neutral', closed: 'danger' };
export const stateBadge = (carPark) => badge(t(`park.state.${stateOf(carPark)}`), tones[stateOf(carPark)]);

/** Free spaces and the age of that count; a count too old to trust is left out. */
export function spacesText({ free, capacity, at, freshness }) {
  if (free === null || freshness === 'unknown') return t('park.free.unknown', { capacity });
  const seconds = at ? (serverNow() - Date.parse(at)) / 1_000 : 0;
  const age = seconds < 60 ? t('park.justNow') : t('park.ago', { time: minutes(seconds) });
  return `${t('park.free', { free, capacity })} · ${age}`;
}

export const unitPrice = (price, unit) => (unit ? t(`park.per.${unit}`, { price: money(price) }) : money(price));

/** For example "3 hours". */
export const units = (kind, count) => t(`park.units.${kind}`, { count });

/** The end of a vehicle's id, by which staff and its owner tell vehicles with one plate apart. */
export const vehicleNumber = (id) => id.slice(-8).toUpperCase();

const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WORDS = ['open', 'unknown', 'sunrise', 'sunset', 'dawn', 'dusk', 'easter', 'week', 'day', 'days', 'sh'];
/** Comments, which are shown as they are, or words. */
const NAMES = /"[^"]*"|24\/7|[a-z]+/gi;
/** Rules between `;` or `||`, which comments may have, too. */
const RULES = /(?:"[^"]*"|[^;|])+/g;

/** The names of days and other words of `opening_hours` in the person's language. */
function hourNames() {
  const named = (parts, names, at) => {
    const words = format('DateTimeFormat', { ...parts, timeZone: 'UTC' });
    return names.map((name, i) => [name, words.format(at(i))]);
  };
  return new Map([
    ...named({ weekday: 'short' }, DAYS, (i) => Date.UTC(2024, 0, 1 + i)),
    ...named({ month: 'short' }, MONTHS, (i) => Date.UTC(2024, i, 1)),
    ...WORDS.map((word) => [word, t(`hours.${word}`)]),
    ...['off', 'closed'].map((word) => [word, t('park.state.closed')]),
    ['ph', t('park.holidays')],
    ['24/7', t('park.always')],
  ]);
}

/** One line per rule of OpenStreetMap's `opening_hours`, with the days' names; a text with other words as it is. */
export function hours(rules) {
  if (rules === '24/7') return t('park.always');
  const names = hourNames();
  const nameOf = (word) => (word.startsWith('"') ? word : names.get(word.toLowerCase()));
  if ((rules.match(NAMES) ?? []).some((word) => !nameOf(word))) return rules;
  return (rules.match(RULES) ?? [])
    .filter((rule) => rule.trim())
    .map((rule) =>
      h('span', { class: 'block', key: rule }, rule.trim().replaceAll(/, */g, ', ').replace(NAMES, nameOf)),
    );
}

/** The time in which the car park is closed during a booking; null if it isn't known to close. */
export function closedText({ closesAt, opensAt }, timeZone) {
  if (!closesAt) return null;
  return opensAt
    ? period(closesAt, opensAt, timeZone)
    : t('booking.closed.from', { time: dateTime(closesAt, timeZone) });
}

/** The local time in a time zone for a time input: 2026-12-01T09:30. */
export const wallTime = (date, timeZone) =>
  format(
    'DateTimeFormat',
    { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    'sv-SE',
  )
    .format(new Date(date))
    .replace(' ', 'T');

/** The moment of this local time in a time zone. */
export function momentOf(wall, timeZone) {
  const asUTC = Date.parse(`${wall}:00Z`);
  const ahead = (at) => Date.parse(`${wallTime(at, timeZone)}:00Z`) - at;
  return new Date(asUTC - ahead(asUTC - ahead(asUTC))).toISOString();
}

/** A hint if the time zone differs from the device's; otherwise null. */
export const zoneHint = (timeZone, now = serverNow()) =>
  wallTime(now, timeZone) === wallTime(now) ? null : t('book.zone');

/** The time alone when it is today. */
export const timeOrDay = (at, timeZone) =>
  (day(at, timeZone) === day(serverNow(), timeZone) ? time : dateTime)(at, timeZone);

/** A period; a single day is named once. */
export function period(from, until, timeZone) {
  const ends = day(from, timeZone) === day(until, timeZone) ? time : dateTime;
  return `${dateTime(from, timeZone)} – ${ends(until, timeZone)}`;
}

const QUARTER = 900_000;
export const nextQuarter = () => Math.ceil((serverNow() + 60_000) / QUARTER) * QUARTER;

const bookingTones = {
  held: 'warning',
  confirmed: 'accent',
  active: 'success',
  completed: 'neutral',
  expired: 'neutral',
  cancelled: 'neutral',
  noShow: 'danger',
};
export const bookingBadge = ({ status }) =>
  badge(bookingTones[status] ? t(`booking.status.${status}`) : t('status.undefined'), bookingTones[status]);

const fineTones = { issued: 'warning', appealed: 'accent', upheld: 'danger', paid: 'success', cancelled: 'neutral' };
export const FINE_STATES = Object.keys(fineTones);
export const fineBadge = ({ status }) =>
  badge(fineTones[status] ? t(`fine.status.${status}`) : t('status.undefined'), fineTones[status]);

/** A line of a bill: parking as in "3 hours × €4.50", or by its product if the server doesn't count its units. */
export const lineOf = ({ kind, text, amount, quantity, unit, unitPrice }) => {
  if (kind !== 'parking') return [t(`booking.line.${kind}`), money(amount)];
  return [unit ? t('park.times', { units: units(unit, quantity), price: money(unitPrice) }) : text, money(amount)];
};

/** An amount together with others of its currency, of which each may be absent. */
export const sumOf = (first, ...others) => ({
  ...first,
  amount: others.reduce((sum, other) => sum + (other?.amount ?? 0), first.amount),
});
