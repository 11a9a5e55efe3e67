// Words that all apps share, grouped by what they name; only those of the person's language are fetched.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/shared/texts');
