// What all apps show of a person, with what only customers set.

import { createAccount } from '/apps/shared/account.js';
import { loadTexts } from '/apps/shared/i18n.js';
import { createSpending } from './park/spending.js';

await loadTexts('/apps/shared/texts/car-parks');

export const create = (app) => createAccount(app.api, { redraw: app.redraw, back: '/menu', sections: createSpending(app).draw });
