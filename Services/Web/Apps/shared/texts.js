// Loads the texts that all apps share, and those of the app that the page names.

import { loadTexts } from './i18n.js';

await loadTexts('/apps/shared/texts', `/apps/${document.documentElement.dataset.app}/texts`);
