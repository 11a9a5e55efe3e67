// How the sources of what is known of vendors are said.

import { hasText, t } from './i18n.js';

/** The name of a source: the office, people, a map or a file. */
export function sourceText(source) {
  if (hasText(`places.source.${source}`)) return t(`places.source.${source}`);
  return /^osm(:|$)/.test(source) ? t('places.source.map') : source.replace(/^file:/, '');
}

/** All of them, each once. */
export const sourcesText = (sources) => [...new Set(sources.map(sourceText))].join(', ');
