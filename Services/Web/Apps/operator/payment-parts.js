// Pieces of the screens that show money: states of payments, and links to what was paid for.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { badge } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { learn, ticketOf } from './store.js';
import { shortID } from './parts.js';
import { orderLink } from './order-parts.js';

/** Time until a bill that could not be loaded is tried again, in ms. */
const PAUSE = 15_000;

export const paymentTone = {
  succeeded: 'success',
  declined: 'danger',
  processing: 'warning',
  requiresAction: 'warning',
};

export const isRefundable = ({ status, amount, refunded }) => status === 'succeeded' && refunded.amount < amount.amount;

/**
 * A refund that waits or has failed says so, with the provider's reason.
 *
 * @param {any} entry of the list of payments
 */
export const refundBadge = ({ refundState, refundFailure }) =>
  refundState === 'processing'
    ? badge(t('op.refund.processing'), 'warning')
    : refundState === 'failed'
      ? [
          badge(t('op.refund.failed'), 'danger'),
          refundFailure ? h('code', { class: 'small muted' }, refundFailure) : null,
        ]
      : badge(t('op.payment.refund'), 'accent');

// MARK: Links

/** Whether the newest orders are loaded: an id that is none of them may belong to another product. */
let areTicketsKnown = false;

/** Loads the tickets of the newest orders, since payments and entries have only ids; older ones keep their id. */
export async function learnTickets() {
  try {
    learn((await api.get('/v1/admin/orders?limit=200')).items);
  } catch {
    // Show the ids instead.
  }
  areTicketsKnown = true;
  redraw();
}

/** Bills by id; null while one is loading. */
const bills = new Map();

/** Loads the receipt, or else the bill, of an id that is no known order, to show what it is for. */
async function learnBill(id) {
  bills.set(id, null);
  const path = escaped`/v1/bills/${id}`;
  try {
    bills.set(id, await api.get(`${path}/receipt`).catch(() => api.get(path)));
    redraw();
  } catch {
    // Show the id for a while, then retry.
    setTimeout(() => bills.delete(id), PAUSE);
  }
}

/** The screen of a bill's booking or fine; null if it has none. */
export function placeOf({ id, booking, fine, lines }) {
  const paidBooking = booking ?? (lines.some(({ kind }) => kind === 'parking') ? id : null);
  if (paidBooking) return escaped`/car-parks/bookings/${paidBooking}`;
  return fine ? escaped`/car-parks/fines/${fine}` : null;
}

/** A link to the order, the booking or the fine. */
export function thingLink(id) {
  if (ticketOf(id)) return orderLink(id);
  if (areTicketsKnown && !bills.has(id)) learnBill(id);
  const bill = bills.get(id);
  if (!bill) return shortID(id);
  if (bill.product !== 'parking') return orderLink(id);
  const place = placeOf({ ...bill, id });
  return place
    ? h('a', { class: 'ticket', href: `#${place}` }, bill.reference)
    : h('span', { class: 'ticket' }, bill.reference);
}
