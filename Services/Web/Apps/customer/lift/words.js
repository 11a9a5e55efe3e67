// Texts of trips, rides and seats, and of their days.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { format, money, t, time } from '/apps/shared/i18n.js';
import { avatar, rating } from '/apps/shared/people.js';
import { badge } from '/apps/shared/ui.js';

export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
const DAY = 86_400_000;
const at = (date) => Date.parse(`${date}T00:00:00Z`);

/** Dates such as `2026-12-24`, without a time zone. */
export const later = (date, days) => new Date(at(date) + days * DAY).toISOString().slice(0, 10);
export const weekdayOf = (date) => WEEKDAYS[(new Date(at(date)).getUTCDay() + 6) % 7];
/** The date in a time zone, or on this device. */
export const dateIn = (moment, timeZone) =>
  format('DateTimeFormat', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE').format(
    new Date(moment),
  );
/** The device's time zone. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
export const today = (timeZone) => dateIn(serverNow(), timeZone);
export const dayText = (date) =>
  format('DateTimeFormat', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(at(date)),
  );
/** 1 January 2024 was a Monday. */
export const weekdayText = (name, width = 'short') =>
  format('DateTimeFormat', { weekday: width, timeZone: 'UTC' }).format(
    new Date(at(`2024-01-0${WEEKDAYS.indexOf(name) + 1}`)),
  );
export const weekdaysText = (names) =>
  names.length === WEEKDAYS.length
    ? t('lift.daily')
    : WEEKDAYS.filter((name) => names.includes(name))
        .map((name) => weekdayText(name))
        .join(' ');
/** Each of a trip's days, as a choice. */
export function everyText({ weekdays }) {
  if (weekdays.length === WEEKDAYS.length) return t('lift.ask.daily');
  const names = WEEKDAYS.filter((name) => weekdays.includes(name)).map((name) => weekdayText(name, 'long'));
  return t('lift.ask.every', { days: format('ListFormat', { type: 'conjunction' }).format(names) });
}
const zoneName = (moment, timeZone) =>
  format('DateTimeFormat', { timeZone, timeZoneName: 'shortGeneric' })
    .formatToParts(new Date(moment))
    .find(({ type }) => type === 'timeZoneName').value;
const wallClock = (moment, timeZone) => `${dateIn(moment, timeZone)} ${time(moment, timeZone)}`;
/** Local time, or a zone's; the zone is named if its time differs from local time. */
export const clockText = (moment, timeZone) =>
  wallClock(moment, timeZone) === wallClock(moment)
    ? time(moment)
    : `${time(moment, timeZone)} ${zoneName(moment, timeZone)}`;
/** The same with the weekday. */
export const when = (moment, timeZone) => `${dayText(dateIn(moment, timeZone))} · ${clockText(moment, timeZone)}`;

export const repeatsText = (repeats) =>
  repeats
    ? [
        repeats.weekdays.length === WEEKDAYS.length
          ? t('lift.daily')
          : t('lift.every', { days: weekdaysText(repeats.weekdays) }),
        repeats.until ? t('lift.until', { day: dayText(repeats.until) }) : null,
      ]
        .filter(Boolean)
        .join(' ')
    : t('lift.once');
export const priceText = ({ pricePerSeat, payment }) =>
  pricePerSeat ? `${money(pricePerSeat)} · ${t(`lift.payment.${payment}`)}` : t('lift.free');
let streetOf = null;
/** For points without an address, `find` may know the street. */
export const findStreetsBy = (find) => {
  streetOf = find;
};
export const placeText = (place) =>
  place.address || streetOf?.(place) || `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`;
export const wayText = ({ origin, destination }) =>
  t('lift.fromTo', { from: placeText(origin), to: placeText(destination) });
export const nameOf = ({ firstName }) => firstName || t('lift.somebody');

/** The next dates of a trip, up to `most`. */
export function datesOf({ nextDate, repeats }, most = 10) {
  if (!nextDate || !repeats) return nextDate ? [nextDate] : [];
  const found = [];
  for (
    let date = nextDate;
    found.length < most && date < later(nextDate, 7 * most) && !(repeats.until && date > repeats.until);
    date = later(date, 1)
  ) {
    if (repeats.weekdays.includes(weekdayOf(date)) && !repeats.exceptions.includes(date)) found.push(date);
  }
  return found;
}

const TRIP = { open: 'success', removed: 'danger' };
const RIDE = { planned: 'accent', underWay: 'success', cancelled: 'danger' };
const SEAT = { pending: 'warning', accepted: 'accent', rode: 'success', didNotRide: 'danger' };
export const tripBadge = ({ status }) => badge(t(`lift.trip.${status}`), TRIP[status]);
export const rideBadge = ({ status }) => badge(t(`lift.ride.${status}`), RIDE[status]);
/** The badge for the driver or the passenger; a pending one says who has to answer. */
export const seatBadge = ({ status, asks }, side) =>
  badge(
    t(status !== 'pending' ? `lift.seat.${status}` : asks === side ? 'lift.seat.asked' : `lift.seat.waits.${asks}`),
    SEAT[status],
  );

/** A person with stars; with `href`, a link to their page. */
export const person = (one, href) =>
  h(
    href ? 'a' : 'span',
    { class: 'person', href: href ? `#${href}` : null },
    avatar(one, 'small'),
    h('span', { class: 'strong' }, nameOf(one)),
    rating(one.rating),
  );
