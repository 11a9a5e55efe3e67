// The words of an order's sheet.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/customer/valet/texts');
