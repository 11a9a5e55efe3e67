// What a bill comes to: its lines, and where prices don't include it, tax on top of them.

import { escaped } from '/apps/shared/api.js';
import { money, t } from '/apps/shared/i18n.js';

/** How soon a bill is asked for again that payments does not know yet, in ms. */
const AGAIN = 1_000;
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

/** The person's bill as a resource. One that was issued just now may reach payments a moment later. */
export function billEntry({ resources }, id) {
  const entry = resources.get(billPath(id), { isBrief: true });
  if (!entry.value && entry.error?.code === 'payment.bill_unknown' && !timers.has(id))
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        resources.reload(billPath(id));
      }, AGAIN),
    );
  return entry;
}
