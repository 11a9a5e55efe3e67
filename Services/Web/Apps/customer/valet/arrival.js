// When the valet, or the vehicle, arrives.

import { metersBetween } from '/apps/shared/position.js';
import { targetOf } from './store.js';

/** A valet within this distance has arrived, in metres. */
const ARRIVED = 35;

/** Seconds until the valet, or the vehicle, arrives: by the last route, or else by the estimate at assignment. */
export function secondsLeft({ order, route, isWayUnknown, now }) {
  if (isWayUnknown) return null;
  if (route) return Math.max(0, route.durationSeconds - (now - route.at) / 1000);
  if (order.etaSeconds === null) return null;
  return order.status === 'droppingOff' && order.assignedAt
    ? Math.max(0, order.etaSeconds - (now - Date.parse(order.assignedAt)) / 1000)
    : order.etaSeconds;
}

/** Whether the valet is at the meeting point. */
export function hasArrived({ order, track }) {
  const target = targetOf(order);
  return Boolean(target && track.valet && metersBetween(track.valet, target) <= ARRIVED);
}
