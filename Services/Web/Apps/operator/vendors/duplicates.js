// Possible duplicates: one vendor is linked to the one that remains.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { button, empty, toast } from '/apps/shared/ui.js';
import { sourcesText } from '/apps/shared/vendors.js';
import { api, redraw } from '../context.js';
import { createResource, shown, table } from '../parts.js';
import { kindText } from './words.js';

export function createDuplicates(onlinked) {
  const pairs = createResource(() => api.get('/v1/admin/vendor-duplicates'));
  let isBusy = false;

  async function keep(one, other) {
    if (isBusy) return;
    isBusy = true;
    redraw();
    try {
      await api.put(escaped`/v1/admin/vendors/${other.id}/duplicate`, { of: one.id });
      toast(t('op.duplicates.done', { name: one.name }), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    isBusy = false;
    pairs.reload();
    onlinked();
  }

  const side = (one, other) =>
    h(
      'div',
      { class: 'stack tight' },
      h(
        'span',
        null,
        one.name,
        h(
          'span',
          { class: 'muted small block' },
          [kindText(one.kind), one.address, sourcesText(one.sources)].filter(Boolean).join(' · '),
        ),
      ),
      button(t('op.duplicates.keep'), {
        isBusy,
        'aria-label': t('op.duplicates.keep.of', { name: one.name, address: one.address || one.kind }),
        onclick: () => keep(one, other),
      }),
    );
  const columns = () => [
    { label: t('op.name'), isHead: true, cell: ({ one, other }) => side(one, other) },
    { label: t('op.duplicates.other'), cell: ({ one, other }) => side(other, one) },
    { label: t('op.duplicates.apart'), isAmount: true, cell: ({ meters }) => distance(meters) },
  ];

  return {
    reload: pairs.reload,
    get at() {
      return pairs.at;
    },
    view: () =>
      shown(pairs, ({ items }) =>
        items.length
          ? table(t('op.vendors.view.duplicates'), columns(), items, {
              key: ({ one, other }) => `${one.id} ${other.id}`,
            })
          : empty('check', t('op.duplicates.none')),
      ),
  };
}
