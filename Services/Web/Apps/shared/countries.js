// The countries to choose from.

import { format, language } from './i18n.js';

/** For a field without a proposal; a code that is no country of the list is kept. */
export const countryOptions = (chosen) => [
  ['', '–'],
  ...(chosen && !countries().some(([code]) => code === chosen) ? [[chosen, chosen]] : []),
  ...countries(),
];

const lists = new Map();
export const countries = () => lists.get(language()) ?? lists.set(language(), list()).get(language());

/** `[code, name]` of each country (ISO 3166-1), sorted by name, if the browser has one. */
function list() {
  const names = format('DisplayNames', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !notCountries.has(code) && !isFormer(code));
  return codes
    .map((code) => [code, names.of(code)])
    .filter(([, name]) => name)
    .sort(([, one], [, other]) => one.localeCompare(other, language()));
}

/** A code that another has replaced, such as DY (Dahomey) by BJ. */
const isFormer = (code) => new Intl.Locale(`und-${code}`).region !== code;

/** CLDR codes that are not countries. */
const notCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
