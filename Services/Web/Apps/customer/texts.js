// The words of the first view. Those of a product are in its room, those of the other screens in texts-more.js.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/customer/texts');
