// All vendors: found by words and kind, added, changed, removed; duplicates are unlinked.

import { escaped } from '/apps/shared/api.js';
import { save } from '/apps/shared/account.js';
import { wallTime } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { badge, button, confirm, empty, field, select, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createPages, shownPages, table } from '../parts.js';
import { vendorDialog } from './edit.js';
import { KINDS, VENDORS, kindText } from './words.js';

/** Thousands of vendors are many bytes; in ms. */
const EXPORT_TIME_LIMIT = 120_000;

export function createVendorList() {
  const wanted = { q: '', kind: '' };
  const pages = createPages(VENDORS);
  let busy = null;
  let isExporting = false;

  const reload = () => pages.reload();
  function search(event) {
    event?.preventDefault();
    pages.reload({ q: wanted.q.trim(), kind: wanted.kind });
  }

  async function exportAll() {
    isExporting = true;
    redraw();
    try {
      const all = await api.get(`${VENDORS}/export`, { timeout: EXPORT_TIME_LIMIT });
      save(
        new Blob([JSON.stringify(all)], { type: 'application/geo+json' }),
        `vendors-${wallTime(serverNow()).slice(0, 10)}.geojson`,
      );
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    isExporting = false;
    redraw();
  }

  async function edit(vendor) {
    if (!(await vendorDialog(vendor))) return;
    toast(t('action.saved'), 'success');
    reload();
  }
  async function act(vendor, call, said) {
    if (busy) return;
    busy = vendor.id;
    redraw();
    try {
      await call();
      toast(said, 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    busy = null;
    reload();
  }
  async function remove(vendor) {
    const { id, name } = vendor;
    if (
      !(await confirm(t('op.vendor.remove.sure', { name }), t('op.vendor.remove.text'), {
        yes: t('op.vendor.remove'),
        no: t('action.cancel'),
        look: 'danger',
      }))
    )
      return;
    await act(vendor, () => api.delete(escaped`/v1/admin/vendors/${id}`), t('op.vendor.removed', { name }));
  }
  const unlink = (vendor) =>
    act(
      vendor,
      () => api.delete(escaped`/v1/admin/vendors/${vendor.id}/duplicate`),
      t('op.vendor.unlinked', { name: vendor.name }),
    );

  const columns = [
    {
      label: t('op.name'),
      isHead: true,
      cell: ({ name, address, duplicateOf }) =>
        h(
          'span',
          null,
          name,
          ' ',
          duplicateOf ? badge(t('op.vendors.duplicate'), 'warning') : null,
          h('span', { class: 'muted small block' }, address),
        ),
    },
    { label: t('places.suggest.kind'), cell: ({ kind }) => kindText(kind) },
    {
      label: t('places.hours'),
      cell: ({ openingHours, isOpen }) =>
        openingHours
          ? h(
              'span',
              null,
              openingHours,
              isOpen === null ? h('span', { class: 'muted small block' }, t('places.hours.unknown')) : null,
            )
          : '–',
    },
    {
      label: t('places.stamps'),
      cell: ({ acceptsStamps }) => h('span', { class: 'nowrap' }, t(`places.stamps.${acceptsStamps}`)),
    },
    {
      label: '',
      cell: (one) =>
        h(
          'div',
          { class: 'row wrap' },
          button(t('action.edit'), { 'aria-label': t('op.vendor.edit', { name: one.name }), onclick: () => edit(one) }),
          one.duplicateOf
            ? button(t('op.vendor.unlink'), {
                isBusy: busy === one.id,
                'aria-label': t('op.vendor.unlink.of', { name: one.name }),
                onclick: () => unlink(one),
              })
            : null,
          button(t('op.vendor.remove'), {
            look: 'quiet danger-text',
            isBusy: busy === one.id,
            'aria-label': t('op.vendor.remove.of', { name: one.name }),
            onclick: () => remove(one),
          }),
        ),
    },
  ];

  return {
    actions: () => [
      button(t('op.vendors.export'), { isBusy: isExporting, onclick: exportAll }),
      button(t('op.vendor.new'), { look: 'primary', icon: 'plus', onclick: () => edit() }),
    ],
    reload,
    get at() {
      return pages.at;
    },
    view: () => [
      h(
        'form',
        { class: 'panel inline-form', role: 'search', key: 'search', onsubmit: search },
        field({
          id: 'vendor-q',
          label: t('places.search'),
          type: 'search',
          value: wanted.q,
          maxlength: 100,
          autocomplete: 'off',
          oninput: ({ target }) => {
            wanted.q = target.value;
          },
        }),
        select({
          id: 'vendor-kind',
          label: t('places.suggest.kind'),
          value: wanted.kind,
          options: [['', t('op.vendors.kind.all')], ...KINDS.map((kind) => [kind, kindText(kind)])],
          onchange: ({ target }) => {
            wanted.kind = target.value;
            search();
          },
        }),
        button(t('op.search'), { type: 'submit', icon: 'search' }),
      ),
      shownPages(
        pages,
        (items) => table(t('op.nav.vendors'), columns, items),
        pages.query.q || pages.query.kind
          ? empty('search', t('op.vendors.noneFound'))
          : empty('pin', t('op.vendors.none'), t('op.vendors.none.text')),
      ),
    ],
  };
}
