// The draft of parking: its fields and the place, kept on the device until the vehicle is parked.

import { recall, remember } from '/apps/shared/storage.js';
import { samePlate } from '/apps/shared/forms.js';

const DRAFT = 'openvalet.valet.draft';
export const VEHICLE = ['plate', 'make', 'model', 'colour'];
export const PLACE = ['lot', 'level', 'bay', 'keyTag'];

/** The draft of an order: its fields with the customer's vehicle, and where it is parked. */
export function openDraft(order) {
  const draft = recall(`${DRAFT}.${order.id}`) ?? {};
  const given = order.vehicle ?? {};
  return {
    values: Object.fromEntries([...VEHICLE, ...PLACE].map((name) => [name, draft[name] ?? given[name] ?? ''])),
    /** How sure the recogniser is of its proposals, from 0 to 1. */
    confidence: {},
    place: draft.place ?? null,
    /** Whether the place was chosen, rather than found by the phone. */
    isMoved: Boolean(draft.place),
    carPark: draft.carPark ?? null,
  };
}

export const keepDraft = ({ id, values, place, isMoved, carPark }) =>
  remember(`${DRAFT}.${id}`, { ...values, place: isMoved ? place : undefined, carPark: carPark ?? undefined });

export const dropDraft = ({ id }) => remember(`${DRAFT}.${id}`, undefined);

/** Fills the fields from the recogniser's answer. If the customer gave the vehicle, only empty ones are filled. */
export function propose({ values, confidence }, answer, isGiven) {
  for (const name of VEHICLE) {
    const value = answer[name];
    if (!value) continue;
    const isSame =
      name === 'plate' ? samePlate(value, values.plate) : value.toLowerCase() === values[name].toLowerCase();
    if (!isSame && values[name] && isGiven) continue;
    if (!isSame || !values[name]) values[name] = value;
    confidence[name] = answer[name === 'plate' ? 'confidence' : `${name}Confidence`] ?? undefined;
  }
}

/** The body for the server, without empty fields. */
export function bodyOf({ values, place, carPark, recognition }) {
  const words = (names) => Object.fromEntries(names.map((name) => [name, values[name].trim() || undefined]));
  const { latitude, longitude } = place;
  return {
    latitude,
    longitude,
    ...words(PLACE),
    carParkId: carPark?.id,
    vehicle: words(VEHICLE),
    recognitionId: recognition?.answer?.id,
  };
}
