// Vendors: list, suggestions, duplicates, imports, and how much is known.

import { t } from '/apps/shared/i18n.js';
import { choices } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createResource, head, shown, table } from '../parts.js';
import { createDuplicates } from './duplicates.js';
import { createImports } from './imports.js';
import { createVendorList } from './list.js';
import { createSuggestions } from './suggestions.js';
import { kindText } from './words.js';

/** How much is known about the vendors of each kind. */
function createCoverage() {
  const coverage = createResource(() => api.get('/v1/admin/vendor-coverage'));
  const count = (name) => (one) =>
    t('op.coverage.of', { count: one[name], percent: one.vendors ? Math.round((one[name] / one.vendors) * 100) : 0 });
  const columns = [
    { label: t('places.suggest.kind'), isHead: true, cell: ({ kind }) => kindText(kind) },
    { label: t('op.coverage.vendors'), isAmount: true, cell: ({ vendors }) => String(vendors) },
    { label: t('op.coverage.hours'), isAmount: true, cell: count('withReadableHours') },
    { label: t('op.coverage.stamps'), isAmount: true, cell: count('withStampsKnown') },
    { label: t('op.coverage.access'), isAmount: true, cell: count('withAccessibility') },
    { label: t('op.coverage.stale'), isAmount: true, cell: count('stale') },
  ];
  return {
    reload: coverage.reload,
    get at() {
      return coverage.at;
    },
    view: () =>
      shown(coverage, ({ items }) => table(t('op.vendors.view.coverage'), columns, items, { key: ({ kind }) => kind })),
  };
}

export function vendorsScreen() {
  const list = createVendorList();
  const made = { list };
  const makers = {
    suggestions: () => createSuggestions(list.reload),
    duplicates: () => createDuplicates(list.reload),
    imports: () => createImports(list.reload),
    coverage: createCoverage,
  };
  let view = 'list';

  function choose(name) {
    view = name;
    if (made[name]) made[name].reload();
    else made[name] = makers[name]();
    redraw();
  }
  return {
    title: () => t('op.nav.vendors'),
    view: () => [
      head(t('op.nav.vendors'), { lead: t('op.vendors.lead'), age: made[view].at, actions: list.actions() }),
      choices({
        name: 'vendors-view',
        label: t('op.vendors.view'),
        hideLabel: true,
        value: view,
        options: ['list', ...Object.keys(makers)].map((one) => [one, t(`op.vendors.view.${one}`)]),
        onchange: choose,
      }),
      made[view].view(),
    ],
    leave: () => made.imports?.leave(),
  };
}
