// The words of the app that the page names, after those that all apps share: some are said differently in one.

import { loadTexts } from './i18n.js';

await loadTexts('/apps/shared/texts', `/apps/${document.documentElement.dataset.app}/texts`);
