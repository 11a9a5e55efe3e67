// Words that all apps share and that no first view shows, loaded with the parts that do.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/shared/texts/more');
