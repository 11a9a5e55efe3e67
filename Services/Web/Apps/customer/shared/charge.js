// What a bill comes to: its lines, and where prices don't include it, tax on top of them.

import { escaped } from '/apps/shared/api.js';
import { money, t } from '/apps/shared/i18n.js';

/** How soon a bill is asked for again that payments does not know yet, in ms. */
const AGAIN = 1_000;
const UNKNOWN = 'payment.bill_unknown';
/** By the bill's id. */
const timers = new Map();

/** Currencies of which only multiples of so many minor units can be charged, as on the server. */
const STEPS = { BHD: 10, JOD: 10, KWD: 10, MGA: 100, OMR: 10, TND: 10 };

/** The nearest amount in minor units that can be charged; a half is rounded up. */
export function chargeable(amount, currency) {
  const step = STEPS[currency] ?? 1;
  return Math.round(amount / step) * step;
}

export const billPath = (id) => escaped`/v1/bills/${id}`;

/** What is charged for a bill, a tip aside. */
export const chargeOf = ({ total, totalWithTax }) => totalWithTax ?? total;

/** The row of `facts` with the tax on top; nothing if the prices include it. */
export const taxRow = (bill) => [t('bill.tax'), bill?.tax?.amount ? money(bill.tax) : null];

/**
 * The person's bill as `{ value, error }`. `total` is what the product says that it comes to: what it has issued just
 * now reaches payments a moment later, so that a bill which is unknown or comes to something else is asked for again.
 */
export function billEntry({ resources }, id, total) {
  const path = billPath(id);
  const { value, error } = resources.get(path, { isBrief: true });
  const isCurrent = value?.total.amount === total.amount && value.total.currency === total.currency;
  const isLate = !isCurrent && (error ? error.code === UNKNOWN : Boolean(value));
  if (isLate && !timers.has(id))
    timers.set(
      id,
      setTimeout(() => askAgain(resources, id), AGAIN),
    );
  return { value: isCurrent ? value : null, error: isLate || isCurrent ? null : error };
}

function askAgain(resources, id) {
  timers.delete(id);
  resources.reload(billPath(id));
}
