// Pieces of the screens that show orders.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { ticketOf } from './store.js';
import { placeText, shortID } from './parts.js';

/** When an order entered its current state. */
export const stateSince = (order) =>
  ({
    requested: order.createdAt,
    droppingOff: order.assignedAt,
    parking: order.collectedAt,
    parked: order.parkedAt,
    requestingBack: order.recalledAt,
    returningBack: order.retrievedAt,
    waitingForPayment: order.returnedAt,
  })[order.status] ??
  order.endedAt ??
  order.createdAt;

/** The valet who works on an order now. */
export const activeValet = (order) =>
  ['droppingOff', 'parking'].includes(order.status)
    ? order.dropOffValet
    : ['requestingBack', 'returningBack'].includes(order.status)
      ? order.returnValet
      : null;

/** Where a vehicle is parked, with the tag of its key. */
export const parkedText = (parked) =>
  [parked.address, parked.lot, parked.level, parked.bay, parked.keyTag && `${t('parked.keyTag')} ${parked.keyTag}`]
    .filter(Boolean)
    .join(' / ');

/** The plate, and where the vehicle is. */
export const vehicleText = ({ vehicle, parked, dropOff }) =>
  [vehicle?.plate, parked ? parkedText(parked) : placeText(dropOff)].filter(Boolean).join(' · ');

export const ticketLink = (id, ticket) => h('a', { class: 'ticket', href: `#/orders/${id}` }, ticket);

/** A link to an order of which only the id is known. */
export const orderLink = (id) =>
  h('a', { href: `#/orders/${id}` }, ticketOf(id) ? h('span', { class: 'ticket' }, ticketOf(id)) : shortID(id));
