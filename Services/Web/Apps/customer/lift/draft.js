// The trip that is being edited. Its points are address fields; the `place` of one is null until it is chosen.

import { amountOf } from '/apps/shared/amounts.js';
import { serverNow } from '/apps/shared/clock.js';
import { minorUnits, t } from '/apps/shared/i18n.js';
import { pointOf } from '../shared/place-field.js';
import { dateIn, weekdayOf, zoneHere } from './words.js';

const DAY = 86_400_000;

/** A draft of a stored trip, or of a new one. */
export function draftOf(trip, { origin, destination, via }) {
  const { repeats, pricePerSeat: price } = trip ?? {};
  return {
    id: trip?.id ?? null,
    origin,
    destination,
    via,
    wasWeekly: Boolean(repeats),
    nextDate: trip?.nextDate ?? null,
    date: trip?.departsAt.slice(0, 10) ?? dateIn(serverNow() + DAY),
    time: trip?.departsAt.slice(11, 16) ?? '08:00',
    isWeekly: Boolean(repeats),
    weekdays: repeats?.weekdays ?? [],
    until: repeats?.until ?? '',
    exceptions: repeats?.exceptions ?? [],
    seats: trip?.seats ?? 3,
    detour: Math.round((trip?.maxDetourSeconds ?? 0) / 60),
    payment: trip?.payment ?? 'nothing',
    price: price ? String(price.amount / minorUnits(price.currency)) : '',
    vehicle: null,
    storedVehicle: trip?.vehicle?.id ?? null,
    isAutomatic: trip?.acceptsAutomatically ?? false,
    note: trip?.note ?? '',
    preferences: trip?.preferences ?? [],
    timeZone: trip?.timeZone ?? zoneHere(),
    isTouched: false,
  };
}

/** The ends and the chosen stops, in the order of the route. */
export const fieldsOf = ({ origin, via, destination }) => [origin, ...via.filter(({ place }) => place), destination];

/** Adds a stop before the field `next`. */
export function addStop(draft, stop, next) {
  const index = next === draft.destination ? draft.via.length : draft.via.indexOf(next);
  draft.via = [...draft.via.slice(0, index), stop, ...draft.via.slice(index)];
}

/** Switches between a single date and every week. */
export const repeating = ({ date, nextDate, weekdays }, isWeekly) => ({
  isWeekly,
  weekdays: isWeekly && !weekdays.length ? [weekdayOf(date)] : weekdays,
  date: isWeekly ? date : (nextDate ?? date),
});

/** The vehicle of a stored trip changes only if another one is chosen. */
export const vehicleOf = ({ id, vehicle, storedVehicle }, vehicles) =>
  vehicles.find((one) => one.id === (vehicle ?? storedVehicle)) ?? (id ? null : vehicles[0]);

const hasPrice = ({ payment }, currency) => payment !== 'nothing' && currency;
/** In the currency's smallest unit; `currency` is null while the trip may have no price. */
const priceOf = (draft, currency) => (hasPrice(draft, currency) ? amountOf(draft.price, currency) : 0);

export function errorsOf(draft, currency) {
  const errors = {};
  if (!draft.origin.place) errors.origin = t('lift.end.choose');
  if (!draft.destination.place) errors.destination = t('lift.end.choose');
  if (draft.isWeekly && !draft.weekdays.length) errors.weekdays = t('lift.weekdays.none');
  if (hasPrice(draft, currency) && !(priceOf(draft, currency) > 0)) errors.price = t('lift.price.missing');
  return errors;
}

/** Skipped dates stay skipped if they still belong to the trip. */
const repeatsOf = ({ weekdays, until, exceptions, date: first }) => ({
  weekdays,
  ...(until ? { until } : {}),
  exceptions: exceptions.filter(
    (date) => weekdays.includes(weekdayOf(date)) && date >= first && (!until || date <= until),
  ),
});

/** What the server stores. */
export function bodyOf(draft, currency, vehicles) {
  const amount = priceOf(draft, currency);
  const vehicleId = draft.vehicle ?? (draft.id ? null : vehicleOf(draft, vehicles)?.id);
  return {
    origin: draft.origin.place,
    destination: draft.destination.place,
    via: draft.via.filter(({ place }) => place).map(({ place }) => pointOf(place)),
    departsAt: `${draft.date}T${draft.time}:00`,
    ...(draft.isWeekly ? { repeats: repeatsOf(draft) } : draft.wasWeekly ? { repeats: null } : {}),
    seats: draft.seats,
    maxDetourSeconds: draft.detour * 60,
    pricePerSeat: amount,
    payment: amount ? draft.payment : 'nothing',
    acceptsAutomatically: draft.isAutomatic,
    ...(vehicleId ? { vehicleId } : {}),
    note: draft.note.trim(),
    preferences: draft.preferences,
  };
}
