// The words of the valet app; only those of the person's language are fetched.

import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/valet/texts');
