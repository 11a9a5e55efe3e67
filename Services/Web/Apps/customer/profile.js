// The profile of all apps, with the settings of customers.

import { createAccount } from '/apps/shared/account.js';
import { loadTexts } from '/apps/shared/i18n.js';
import { createAutoPay } from './park/auto-pay.js';
import { createSpending } from './park/spending.js';
import { createReceiptMails } from './receipts/by-mail.js';
import { createBlocked } from './blocked.js';

await loadTexts('/apps/shared/texts/car-parks', '/apps/shared/texts/conduct', '/apps/shared/texts/receipts');

export function create(app) {
  const cards = [createSpending(app), createAutoPay(app), createReceiptMails(app), createBlocked(app)];
  return createAccount(app.api, {
    redraw: app.redraw,
    back: '/menu',
    sections: () => cards.map((card) => card.draw()),
  });
}
