// Paths of the API that several screens of lifts use.

import { escaped } from '/apps/shared/api.js';

export const pathOf = (id) => escaped`/v1/trips/${id}`;
export const ridePath = (id) => escaped`/v1/rides/${id}`;
export const requestPath = ({ id }, what) => escaped`/v1/seat-requests/${id}/${what}`;
export const REQUESTS = '/v1/me/seat-requests';
