// The terms for a spot at a place: price limits, and the commission.

import { withQuery } from '/apps/shared/api.js';

/** In degrees: the terms are loaded for a new place, not for every step. */
const GRAIN = 0.002;
const rounded = (degrees) => (Math.round(degrees / GRAIN) * GRAIN).toFixed(4);

export const termsAt = (resources, { latitude, longitude }) =>
  resources.get(withQuery('/v1/spot-terms', { latitude: rounded(latitude), longitude: rounded(longitude) }));

/** The seller's part of the price. */
export const lessCommission = ({ amount, currency }, { commissionPercent }) => ({
  amount: amount - Math.floor((amount * commissionPercent) / 100),
  currency,
});
