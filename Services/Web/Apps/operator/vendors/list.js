// All vendors: found by words and kind, added, changed, removed; duplicates are unlinked.

import { escaped } from '/apps/shared/api.js';
import { save } from '/apps/shared/account.js';
import { wallTime } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { badge, button, empty, field, select, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createPages, shownPages, table } from '../parts.js';
import { vendorDialog } from './edit.js';
import { KINDS, VENDORS, kindText } from './words.js';

/** Thousands of vendors are many bytes; in ms. */
const EXPORT_TIME_LIMIT = 120_000;

export function createVendorList() {
  const list = {
    wanted: { q: '', kind: '' },
    pages: createPages(VENDORS),
    /** The id of the vendor that is being changed. */
    busy: null,
    isExporting: false,
  };
  return {
    actions: () => [
      button(t('op.vendors.export'), { isBusy: list.isExporting, onclick: () => exportAll(list) }),
      button(t('op.vendor.new'), { look: 'primary', icon: 'plus', onclick: () => edit(list) }),
    ],
    reload: () => list.pages.reload(),
    get at() {
      return list.pages.at;
    },
    view: () => [searchForm(list), resultTable(list)],
  };
}

// MARK: Actions

const search = ({ pages, wanted }) => pages.reload({ q: wanted.q.trim(), kind: wanted.kind });

async function exportAll(list) {
  list.isExporting = true;
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
  list.isExporting = false;
  redraw();
}

/** Edits a vendor, or a new one. */
async function edit({ pages }, vendor) {
  if (!(await vendorDialog(vendor))) return;
  toast(t('action.saved'), 'success');
  pages.reload();
}

async function remove(list, vendor) {
  const { id, name } = vendor;
  if (
    !(await confirm(t('op.vendor.remove.sure', { name }), t('op.vendor.remove.text'), {
      yes: t('op.vendor.remove'),
      no: t('action.cancel'),
      look: 'danger',
    }))
  )
    return;
  await act(list, id, () => api.delete(escaped`/v1/admin/vendors/${id}`), t('op.vendor.removed', { name }));
}

const unlink = (list, { id, name }) =>
  act(list, id, () => api.delete(escaped`/v1/admin/vendors/${id}/duplicate`), t('op.vendor.unlinked', { name }));

async function act(list, id, call, said) {
  if (list.busy) return;
  list.busy = id;
  redraw();
  try {
    await call();
    toast(said, 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  list.busy = null;
  list.pages.reload();
}

// MARK: Drawing

function searchForm(list) {
  const { wanted } = list;
  return h(
    'form',
    {
      class: 'panel inline-form',
      role: 'search',
      key: 'search',
      onsubmit: (event) => {
        event.preventDefault();
        search(list);
      },
    },
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
        search(list);
      },
    }),
    button(t('op.search'), { type: 'submit', icon: 'search' }),
  );
}

function resultTable(list) {
  const { pages } = list;
  const columns = [
    { label: t('op.name'), isHead: true, cell: nameCell },
    { label: t('places.suggest.kind'), cell: ({ kind }) => kindText(kind) },
    { label: t('places.hours'), cell: hoursCell },
    {
      label: t('places.stamps'),
      cell: ({ acceptsStamps }) => h('span', { class: 'nowrap' }, t(`places.stamps.${acceptsStamps}`)),
    },
    { label: '', cell: (vendor) => actionsCell(list, vendor) },
  ];
  return shownPages(
    pages,
    (items) => table(t('op.nav.vendors'), columns, items),
    pages.query.q || pages.query.kind
      ? empty('search', t('op.vendors.noneFound'))
      : empty('pin', t('op.vendors.none'), t('op.vendors.none.text')),
  );
}

const nameCell = ({ name, address, duplicateOf }) =>
  h(
    'span',
    null,
    name,
    ' ',
    duplicateOf ? badge(t('op.vendors.duplicate'), 'warning') : null,
    h('span', { class: 'muted small block' }, address),
  );

const hoursCell = ({ openingHours, isOpen }) =>
  openingHours
    ? h(
        'span',
        null,
        openingHours,
        isOpen === null ? h('span', { class: 'muted small block' }, t('places.hours.unknown')) : null,
      )
    : '–';

function actionsCell(list, vendor) {
  const { id, name, duplicateOf } = vendor;
  const isBusy = list.busy === id;
  return h(
    'div',
    { class: 'row wrap' },
    button(t('action.edit'), { 'aria-label': t('op.vendor.edit', { name }), onclick: () => edit(list, vendor) }),
    duplicateOf
      ? button(t('op.vendor.unlink'), {
          isBusy,
          'aria-label': t('op.vendor.unlink.of', { name }),
          onclick: () => unlink(list, vendor),
        })
      : null,
    button(t('op.vendor.remove'), {
      look: 'quiet danger-text',
      isBusy,
      'aria-label': t('op.vendor.remove.of', { name }),
      onclick: () => remove(list, vendor),
    }),
  );
}
