// What the person searches for: a lift on a day, or one of every week.

import { momentOf } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { t } from '/apps/shared/i18n.js';
import { pointOf } from '../shared/place-field.js';
import { WEEKDAYS, dateIn, later, zoneHere } from './words.js';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const DAY_MINUTES = 1_440;
const QUARTER = 900_000;
/** The start lies at least this far ahead, in ms. */
const LEAD = 300_000;
const MANY = 100;
const NAME_LENGTH = 60;
/** How long after the given time the lift may start, in hours; the rest of the day, or a week. */
export const WINDOWS = ['1', '3', 'day', 'week'];

export function newSearch() {
  const soon = new Date(Math.ceil((serverNow() + LEAD) / QUARTER) * QUARTER);
  return {
    repeat: 'once',
    date: dateIn(soon),
    time: `${String(soon.getHours()).padStart(2, '0')}:${String(soon.getMinutes()).padStart(2, '0')}`,
    window: '3',
    weekdays: WEEKDAYS.slice(0, 5),
    from: '07:00',
    until: '09:00',
    seats: '1',
    walk: '1000',
  };
}

export const isWeekly = ({ repeat }) => repeat === 'weekly';
const minuteOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const momentHere = (date, time) => Date.parse(momentOf(`${date}T${time}`, zoneHere()));

export function errorsOf(wanted, ends) {
  const errors = {};
  if (!ends.from.place) errors.from = t('lift.end.choose');
  if (!ends.to.place) errors.to = t('lift.end.choose');
  if (isWeekly(wanted)) {
    if (!wanted.weekdays.length) errors.weekdays = t('lift.weekdays.none');
    if (wanted.from >= wanted.until) errors.until = t('lift.until.wrong');
  } else if (wanted.window !== 'week' && momentHere(wanted.date, wanted.time) < serverNow() - HOUR)
    errors.date = t('lift.date.past');
  return errors;
}

// MARK: The search

const routeOf = ({ seats, walk }, { from, to }) => ({
  from: pointOf(from.place),
  to: pointOf(to.place),
  seats: Number(seats),
  maxWalkMeters: Number(walk),
});

/** The earliest and latest departure. A weekly lift is searched in the coming week, whatever its time. */
function departures(wanted, now) {
  if (isWeekly(wanted)) return [now, now + WEEK];
  const { date, time, window } = wanted;
  const start = Math.max(momentHere(date, time), now);
  if (window === 'day') return [start, momentHere(later(date, 1), '00:00')];
  return [start, start + (window === 'week' ? WEEK : Number(window) * HOUR)];
}

export function queryOf(wanted, ends) {
  const [after, before] = departures(wanted, serverNow());
  return {
    ...routeOf(wanted, ends),
    departAfter: new Date(after).toISOString(),
    departBefore: new Date(before).toISOString(),
    ...(isWeekly(wanted) ? { limit: MANY } : {}),
  };
}

/** Each weekly trip once, with the days and the time that fit the search. */
export function weeklyTrips(items, { weekdays, from, until }) {
  const seen = new Set();
  return items.filter(({ tripId, repeats, pickUp }) => {
    const at = new Date(pickUp.at);
    const minute = at.getHours() * 60 + at.getMinutes();
    const fits =
      repeats &&
      weekdays.some((day) => repeats.weekdays.includes(day)) &&
      minute >= minuteOf(from) &&
      minute <= minuteOf(until) &&
      !seen.has(tripId);
    if (fits) seen.add(tripId);
    return fits;
  });
}

// MARK: The alert

/** The minutes of the day between which an alert's trips start. */
function minutesOf(wanted) {
  if (isWeekly(wanted)) return [minuteOf(wanted.from), minuteOf(wanted.until)];
  if (wanted.window === 'week') return [0, DAY_MINUTES];
  const start = minuteOf(wanted.time);
  return [start, wanted.window === 'day' ? DAY_MINUTES : Math.min(DAY_MINUTES, start + Number(wanted.window) * 60)];
}

/** The search as it is stored, for alerts. */
export function savedSearch(wanted, ends) {
  const [from, to] = [ends.from, ends.to].map(({ place }) => place.address ?? t('lift.point'));
  const [fromMinute, untilMinute] = minutesOf(wanted);
  return {
    name: t('lift.fromTo', { from, to }).slice(0, NAME_LENGTH),
    ...routeOf(wanted, ends),
    timeZone: zoneHere(),
    fromMinute,
    untilMinute,
    ...(isWeekly(wanted) ? { weekdays: wanted.weekdays } : wanted.window === 'week' ? {} : { date: wanted.date }),
  };
}
