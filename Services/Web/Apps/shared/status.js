// How the state of an order looks.

import { t } from './i18n.js';
import { badge } from './ui.js';

/** Tones of order states in all apps. */
export const statusTone = {
  requested: 'warning',
  scheduled: 'neutral',
  droppingOff: 'accent',
  parking: 'accent',
  parked: 'success',
  requestingBack: 'warning',
  returningBack: 'accent',
  waitingForPayment: 'warning',
  finished: 'neutral',
  cancelled: 'neutral',
  unfulfilled: 'danger',
};
export const statusBadge = (status) => badge(t(`status.${status}`), statusTone[status]);
