// What holds for a spot where it is: its price's limits, and what the house keeps of it.

import { withQuery } from '/apps/shared/api.js';

/** In degrees: what the terms are asked for changes with the place, and not with each step. */
const GRAIN = 0.002;
const rounded = (degrees) => (Math.round(degrees / GRAIN) * GRAIN).toFixed(4);

export const termsAt = (resources, { latitude, longitude }) => resources.get(withQuery('/v1/spot-terms', { latitude: rounded(latitude), longitude: rounded(longitude) }));

/** The seller's part of what a buyer pays. */
export const lessCommission = ({ amount, currency }, { commissionPercent }) => ({ amount: amount - Math.floor((amount * commissionPercent) / 100), currency });
