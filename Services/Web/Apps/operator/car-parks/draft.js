// The draft of a car park: the texts of its fields, and the body of a request made of them.

import { minorUnits, t } from '/apps/shared/i18n.js';
import { CLASSES } from '/apps/shared/car-parks.js';
import { read, shownAmount } from '../detail-parts.js';

export const AXES = ['latitude', 'longitude'];

export function draftOf(park) {
  const counts = (of) => Object.fromEntries(CLASSES.map((kind) => [kind, String(of[kind] ?? '')]));
  return {
    name: park.name,
    address: park.address,
    position: { ...park.position },
    entrances: park.entrances.map((one) => ({ kind: one.kind, position: { ...one.position } })),
    timeZone: park.timeZone,
    currency: park.currency,
    openingHours: park.openingHours,
    holidays: park.holidays.join(', '),
    maxHeightMeters: String(park.maxHeightMeters ?? ''),
    features: [...park.features],
    phone: park.phone ?? '',
    capacity: counts(park.capacity),
    bookable: counts(park.bookable),
    terms: park.terms.text,
    freeUntilHours: String(park.cancellation.freeUntilHours),
    lateRefundPercent: String(park.cancellation.lateRefundPercent),
    overstayFee: shownAmount(park.overstayFee, park.currency),
  };
}

export const newDraft = (currency = 'EUR') =>
  draftOf({
    name: '',
    address: '',
    position: {},
    entrances: [],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    currency,
    openingHours: '24/7',
    holidays: [],
    features: [],
    capacity: {},
    bookable: {},
    terms: { text: '' },
    cancellation: { freeUntilHours: 24, lateRefundPercent: 50 },
    overstayFee: 0,
  });

/** The body of the request, and the errors of fields that are not numbers. */
export function parsed(draft) {
  const errors = {};
  const numeric = (name, text, isNeeded = true) => {
    const value = read(text);
    if (String(text ?? '').trim() === '' && !isNeeded) return null;
    if (!Number.isFinite(value)) errors[name] = t('op.park.number');
    return value;
  };
  const counts = (name) =>
    Object.fromEntries(
      CLASSES.map((kind) => [kind, numeric(`${name}.${kind}`, draft[name][kind], false)]).filter(([, count]) => count),
    );
  const point = (name, { latitude, longitude }) => ({
    latitude: numeric(`${name}.latitude`, latitude),
    longitude: numeric(`${name}.longitude`, longitude),
  });
  const body = {
    name: draft.name,
    address: draft.address,
    position: point('position', draft.position),
    entrances: draft.entrances.map(({ kind, position }, i) => ({
      kind,
      position: point(`entrances[${i}].position`, position),
    })),
    timeZone: draft.timeZone.trim(),
    currency: draft.currency.trim().toUpperCase(),
    openingHours: draft.openingHours,
    holidays: draft.holidays.split(/[\s,]+/).filter(Boolean),
    maxHeightMeters: numeric('maxHeightMeters', draft.maxHeightMeters, false),
    features: draft.features,
    phone: draft.phone.trim() || null,
    capacity: counts('capacity'),
    bookable: counts('bookable'),
    terms: draft.terms,
    cancellation: {
      freeUntilHours: numeric('cancellation.freeUntilHours', draft.freeUntilHours),
      lateRefundPercent: numeric('cancellation.lateRefundPercent', draft.lateRefundPercent),
    },
  };
  const isCurrency = /^[A-Z]{3}$/.test(body.currency);
  const fee = numeric('overstayFee', draft.overstayFee);
  body.overstayFee = Math.round(fee * (isCurrency ? minorUnits(body.currency) : 100));
  return { body, errors };
}

/** The names of the fields that differ. */
export const differing = (theirs, mine) =>
  Object.keys(mine).filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(mine[name]));

export const entranceName = (i) => t('op.park.entrance', { number: i + 1 });

/** The car park and its entrances, as far as they have a position. */
export const markersOf = ({ name, position, entrances }) =>
  [
    { id: 'self', ...typed(position), kind: 'parked', icon: 'parking', title: name || t('op.park') },
    ...entrances.map((one, i) => ({
      id: String(i),
      ...typed(one.position),
      kind: 'place',
      icon: one.kind === 'vehicle' ? 'car' : 'user',
      title: entranceName(i),
    })),
  ].filter(({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude));

const typed = (position) => Object.fromEntries(AXES.map((axis) => [axis, read(position[axis])]));
