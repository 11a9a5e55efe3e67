// The words of the first view. Those of an order are in texts-journey.js, those of the other screens in texts-more.js.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/customer/texts');
