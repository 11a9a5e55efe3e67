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

const TIMES = String.raw`\d\d:\d\d-\s*\d\d:\d\d`;
const DAY = '(Mo|Tu|We|Th|Fr|Sa|Su)';
const DAYS = `(PH|${DAY}(-${DAY})?)`;
/** The supported part of `opening_hours`; other rules, which imports may bring, are shown as they are. */
const RULE = new RegExp(
  String.raw`^\s*(24/7|(${DAYS}(,\s*${DAYS})*)?\s*(off|closed|open|${TIMES}(,\s*${TIMES})*)?)\s*$`,
);
export const isReadable = (rules) => rules.split(';').every((rule) => rule.trim() && RULE.test(rule));

/** `shut` by the opening hours, `closed` by its operator; `unsure` if the opening hours are not understood. */
export function stateOf({ status, isOpenNow, openingHours }) {
  if (status === 'closed' || isOpenNow) return status;
  return openingHours && !isReadable(openingHours) ? 'unsure' : 'shut';
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

/** One line per rule of OpenStreetMap's `opening_hours`, with the days' names. */
export function hours(rules) {
  if (rules === '24/7') return t('park.always');
  if (!isReadable(rules)) return rules;
  const names = format('DateTimeFormat', { weekday: 'short', timeZone: 'UTC' });
  const days = Object.fromEntries(
    ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((day, i) => [day, names.format(Date.UTC(2024, 0, 1 + i))]),
  );
  const words = { ...days, PH: t('park.holidays'), off: t('park.state.closed'), '24/7': t('park.always') };
  return rules.split(';').map((rule) =>
    h(
      'span',
      { class: 'block', key: rule },
      rule
        .trim()
        .replaceAll(',', ', ')
        .replace(/24\/7|\b[A-Za-z]{2,3}\b/g, (word) => words[word] ?? word),
    ),
  );
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

/** A line of a bill; parking is named by its product. */
export const lineOf = ({ kind, text, amount }) => [
  kind === 'parking' ? text : t(`booking.line.${kind}`),
  money(amount),
];
