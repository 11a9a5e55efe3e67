// Texts of the app named by the page, after the shared ones, some of which they replace.

import { loadTexts } from './i18n.js';

await loadTexts('/apps/shared/texts', `/apps/${document.documentElement.dataset.app}/texts`);
