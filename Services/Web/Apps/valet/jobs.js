// An order from the valet's point of view: which of its two jobs is theirs, and its current step.

/** `dropOff`, `return`, or null when the order is none of theirs. */
export function legOf(order, me) {
  if (
    ['requestingBack', 'returningBack', 'waitingForPayment', 'finished'].includes(order.status) &&
    order.returnValet?.id === me
  )
    return 'return';
  if (order.dropOffValet?.id === me) return 'dropOff';
  return order.returnValet?.id === me ? 'return' : null;
}

/**
 * The valet's step: `toCustomer`, `parking`, `toVehicle`, `returning` are steps of an active
 * job; then `parked`, `handedBack`, `ended`, and `lost` when it is no longer theirs.
 */
export function stepOf(order, me) {
  const leg = legOf(order, me);
  if (!leg) return 'lost';
  switch (order.status) {
    case 'droppingOff':
      return 'toCustomer';
    case 'parking':
      return 'parking';
    case 'requestingBack':
      return leg === 'return' ? 'toVehicle' : 'parked';
    case 'returningBack':
      return leg === 'return' ? 'returning' : 'parked';
    case 'parked':
      return 'parked';
    case 'waitingForPayment':
      return leg === 'return' ? 'handedBack' : 'parked';
    case 'finished':
      return leg === 'return' ? 'handedBack' : 'parked';
    case 'cancelled':
      return 'ended';
    default:
      return 'lost';
  }
}

const ACTIVE = ['toCustomer', 'parking', 'toVehicle', 'returning'];
export const isActive = (order, me) => ACTIVE.includes(stepOf(order, me));

/** The steps of each job, for the progress bar. */
export const stepsOf = (leg) =>
  leg === 'return' ? ['toVehicle', 'returning', 'handedBack'] : ['toCustomer', 'parking', 'parked'];

/** Where the valet goes now; null when they decide themselves. */
export function targetOf(order) {
  switch (order.status) {
    case 'droppingOff':
      return order.dropOff;
    case 'requestingBack':
      return order.parked;
    case 'returningBack':
      return order.returnTo;
    default:
      return null;
  }
}

/** This valet's jobs in some orders; an order in which they did both counts twice. */
export function jobsOf(orders, me) {
  return orders.flatMap((order) => {
    const found = [];
    if (order.dropOffValet?.id === me) {
      found.push({
        order,
        leg: 'dropOff',
        startedAt: order.assignedAt,
        doneAt: order.parkedAt ?? (order.status === 'cancelled' ? order.endedAt : null),
      });
    }
    if (order.returnValet?.id === me)
      found.push({ order, leg: 'return', startedAt: order.recalledAt, doneAt: order.returnedAt });
    return found;
  });
}

/** Address, lot, level, bay as people say them; empty when nothing is known. */
export const placeText = (parked, t) =>
  [
    parked?.address,
    parked?.lot,
    parked?.level && `${t('parked.level')} ${parked.level}`,
    parked?.bay && `${t('parked.bay')} ${parked.bay}`,
  ]
    .filter(Boolean)
    .join(' · ');

export const vehicleText = (vehicle) =>
  vehicle ? [vehicle.colour, vehicle.make, vehicle.model].filter(Boolean).join(' ') : '';
