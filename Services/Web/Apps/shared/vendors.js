// Texts for the sources of vendors' data.

import { hasText, t } from './i18n.js';

/** The name of a source: the operator, people, a map or a file. */
export function sourceText(source) {
  if (hasText(`places.source.${source}`)) return t(`places.source.${source}`);
  return /^osm(:|$)/.test(source) ? t('places.source.map') : source.replace(/^file:/, '');
}

/** All sources without repeats. */
export const sourcesText = (sources) => [...new Set(sources.map(sourceText))].join(', ');
