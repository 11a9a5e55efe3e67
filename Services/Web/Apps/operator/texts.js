// Words of the operator app, after the shared ones, so that some of those are said differently here.

import '/apps/shared/texts.js';
import { loadTexts } from '/apps/shared/i18n.js';

await loadTexts('/apps/operator/texts');
