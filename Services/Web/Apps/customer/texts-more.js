// The words of the screens that are loaded when they are opened.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/customer/texts/more');
