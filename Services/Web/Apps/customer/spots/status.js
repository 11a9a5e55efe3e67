// The states of spots and of requests for them, and their paths.

import { escaped } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { badge } from '/apps/shared/ui.js';

export const MINE = '/v1/me/spots';
export const WANTED = '/v1/me/spot-requests';
export const pathOf = (id) => escaped`/v1/spots/${id}`;
const TONES = {
  offered: 'accent',
  reserved: 'warning',
  handedOver: 'success',
  failed: 'danger',
  pending: 'warning',
  authorising: 'warning',
  approved: 'accent',
};

export const spotBadge = ({ status }) => badge(t(`spot.status.${status}`), TONES[status]);
export const requestBadge = ({ status }) => badge(t(`spot.request.${status}`), TONES[status]);
export const isOpen = ({ status }) => ['offered', 'reserved'].includes(status);
export const isReserved = (spot) => Boolean(spot?.status === 'reserved' && spot.reservation);
/** Open, or approved. */
export const isWanted = ({ status }) => ['authorising', 'pending', 'approved'].includes(status);
