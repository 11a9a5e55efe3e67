// A made-up receipt, to show how real ones will look.

import { t } from '/apps/shared/i18n.js';

const HOUR = 3_600_000;

/** A zone may be half typed. */
export function knownZone(timeZone) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** With the company as it is being edited. */
export function sample(seller, { receiptPrefix, timeZone }) {
  const amount = (value) => ({ amount: value, currency: 'EUR' });
  const until = new Date(Date.UTC(2026, 0, 15, 14, 30));
  return {
    kind: 'receipt',
    number: `${receiptPrefix.trim()}2026-000123`,
    title: t('op.company.sample.title'),
    reference: 'K7-42',
    seller,
    buyer: null,
    refersTo: null,
    details: [],
    place: t('op.company.sample.place'),
    from: new Date(until.getTime() - 3 * HOUR).toISOString(),
    until: until.toISOString(),
    issuedAt: until.toISOString(),
    paidAt: until.toISOString(),
    timeZone: knownZone(timeZone),
    lines: [
      {
        text: t('op.company.sample.line'),
        quantity: 3,
        unit: t('op.company.sample.unit'),
        unitPrice: amount(450),
        amount: amount(1_350),
      },
    ],
    charge: amount(1_350),
    tax: null,
    tip: null,
    taxes: [{ name: t('op.company.sample.tax'), percentThousandths: 20_000, net: amount(1_125), tax: amount(225) }],
    total: amount(1_350),
    means: 'card',
    brand: 'visa',
    last4: '4242',
    refunded: null,
    notes: [],
  };
}
