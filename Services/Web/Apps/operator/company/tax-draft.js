// The form of tax rates: from the settings, and as the body of a change.

import { momentOf } from '/apps/shared/car-parks.js';

const MOST_THOUSANDTHS = 100_000;
/** Fields that have another name than the server's. */
const FIELDS = { percentThousandths: 'percent' };

export const emptyRate = (country = '') => ({ country, product: '', kind: '', name: '', percent: '' });

/** `settings` are those that apply now, or null. */
export const taxDraftOf = (settings) => ({
  pricesIncludeTax: settings?.pricesIncludeTax ?? true,
  validFrom: '',
  rates: (settings?.rates ?? []).map(({ country, product, kind, name, percentThousandths }) => ({
    country,
    product: product ?? '',
    kind: kind ?? '',
    name,
    percent: String(percentThousandths / 1_000),
  })),
});

/** "8.875" or "8,875" as thousandths of a percent; NaN for anything else. */
export function thousandths(text) {
  const match = /^(\d{1,3})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) return NaN;
  const value = Number(match[1]) * 1_000 + Number((match[2] ?? '').padEnd(3, '0'));
  return value <= MOST_THOUSANDTHS ? value : NaN;
}

/** Names of wrong fields of each rate, by its index: `{ 0: ['country'] }`. */
export function wrongFields({ rates }) {
  const wrong = {};
  rates.forEach(({ country, name, percent }, i) => {
    const names = [];
    if (!/^[a-z]{2}$/i.test(country.trim())) names.push('country');
    if (!name.trim()) names.push('name');
    if (Number.isNaN(thousandths(percent))) names.push('percent');
    if (names.length) wrong[i] = names;
  });
  return wrong;
}

/** The id of the element for a field that the server names, for example `name-0` for `rates.0.name`. */
export const fieldOf = (field = '') =>
  field.replace(/^rates\.(\d+)\.(\w+)$/, (_, i, name) => `${FIELDS[name] ?? name}-${i}`);

/** The body of `PUT /v1/admin/taxes`; `validFrom` is local to the time zone. */
export const taxBodyOf = ({ pricesIncludeTax, validFrom, rates }, timeZone) => ({
  ...(validFrom ? { validFrom: momentOf(validFrom, timeZone) } : {}),
  pricesIncludeTax,
  rates: rates.map(({ country, product, kind, name, percent }) => ({
    country: country.trim().toUpperCase(),
    ...(product ? { product } : {}),
    ...(kind.trim() ? { kind: kind.trim() } : {}),
    name: name.trim(),
    percentThousandths: thousandths(percent),
  })),
});
