// The search and filters of payments, their sums, and files to download.

import { save } from '/apps/shared/account.js';
import { withQuery } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { format, money, number, t } from '/apps/shared/i18n.js';
import { PRODUCTS } from '/apps/shared/products.js';
import { button, field, problemNotice, select } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';

/** Time without typing until a search begins, in ms. */
const PAUSE = 300;

/** Time that a file may take, in ms. */
const FILE_TIMEOUT = 300_000;

/** A filter whose changes call `onchange(values)`, after a pause while somebody types. */
export function createFilter(onchange) {
  const filter = { values: {}, timer: null };
  filter.set = (change, pause = 0) => {
    Object.assign(filter.values, change);
    clearTimeout(filter.timer);
    filter.timer = setTimeout(() => onchange({ ...filter.values }), pause);
    redraw();
  };
  return filter;
}

export const isFiltered = ({ values }) => Object.values(values).some(Boolean);

export const textField = (filter, id, label, props = {}) =>
  field({
    id,
    label,
    type: 'search',
    autocomplete: 'off',
    maxlength: 100,
    value: filter.values[id] ?? '',
    oninput: (event) => filter.set({ [id]: event.target.value.trim() }, PAUSE),
    ...props,
  });

export const choiceField = (filter, id, label, all, options) =>
  select({
    id,
    label,
    value: filter.values[id] ?? '',
    options: [['', all], ...options],
    onchange: (event) => filter.set({ [id]: event.target.value }),
  });

export const dayField = (filter, id, label) =>
  field({
    id,
    label,
    type: 'date',
    value: filter.values[id] ?? '',
    onchange: (event) => filter.set({ [id]: event.target.value }),
  });

export const periodFields = (filter) =>
  h('div', { class: 'pair' }, dayField(filter, 'from', t('op.from')), dayField(filter, 'to', t('op.to')));

export const searchField = (filter, hint) => textField(filter, 'q', t('op.search'), { placeholder: hint });

const named = (list, key) => list.map((one) => [one, t(`${key}.${one}`)]);

/** The areas and car parks of accounts of the ledger, each once, by name. */
export const sitesOf = (accounts) =>
  [...new Map(accounts.filter(({ site }) => site).map(({ site, siteName }) => [site, siteName ?? site]))].sort(
    ([, one], [, other]) => one.localeCompare(other),
  );

/** `sites` are pairs of an id and a name. */
export const paymentFilters = (filter, sites = []) =>
  h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': t('op.filter') },
    searchField(filter, t('op.payments.search.hint')),
    periodFields(filter),
    h(
      'div',
      { class: 'pair' },
      choiceField(
        filter,
        'kind',
        t('op.payments.kind'),
        t('op.state.all'),
        named(['payment', 'refund'], 'op.payments.kind'),
      ),
      choiceField(
        filter,
        'state',
        t('op.state'),
        t('op.state.all'),
        named(['succeeded', 'processing', 'requiresAction', 'held', 'declined', 'released', 'failed'], 'op.payment'),
      ),
    ),
    h(
      'div',
      { class: 'pair' },
      productField(filter),
      choiceField(filter, 'means', t('op.means'), t('op.state.all'), named(['card', 'cash', 'terminal'], 'op.means')),
    ),
    siteField(filter, sites),
  );

const productField = (filter) =>
  choiceField(filter, 'product', t('op.product'), t('op.state.all'), named(PRODUCTS, 'op.product'));

const siteField = (filter, sites) =>
  sites.length ? choiceField(filter, 'site', t('op.site'), t('op.state.all'), sites) : null;

export const placeFields = (filter, sites) =>
  h('div', { class: sites.length ? 'pair' : null }, productField(filter), siteField(filter, sites));

/** Today in a time zone, without one on this device: `2026-11-30`. */
export const today = (timeZone) =>
  format('DateTimeFormat', { dateStyle: 'short', timeZone }, 'sv-SE').format(new Date(serverNow()));

/** Sums by currency. */
export const totalsView = ({ count, currencies }) =>
  h(
    'div',
    { class: 'row wrap', role: 'status' },
    h('span', { class: 'muted' }, t('op.payments.count', { count })),
    currencies.map((sum) =>
      h(
        'span',
        { key: sum.paid.currency, class: 'row wrap' },
        [
          `${t('op.payments.paid')} ${money(sum.paid)} (${number(sum.payments)})`,
          `${t('op.bill.refunded')} ${money(sum.refunded)} (${number(sum.refunds)})`,
          `${t('bill.tip')} ${money(sum.tips)}`,
          `${t('op.tax')} ${money(sum.tax)}`,
          sum.refundedTax.amount ? `${t('op.tax.refunded')} ${money(sum.refundedTax)}` : null,
        ]
          .filter(Boolean)
          .map((text) => h('span', { key: text, class: 'numbers' }, text)),
      ),
    ),
  );

/** A button that saves a file of `load()`, and a notice if that fails. */
export function createDownload(label, load, name) {
  const file = { isBusy: false, error: null };
  file.load = async () => {
    Object.assign(file, { isBusy: true, error: null });
    redraw();
    try {
      save(await load(), name());
    } catch (error) {
      file.error = error;
    }
    file.isBusy = false;
    redraw();
  };
  file.button = () => button(t(label), { onclick: file.load, isBusy: file.isBusy });
  file.problem = () => (file.error ? problemNotice(file.error, file.load) : null);
  return file;
}

/** The same with a list as CSV; `queryOf` selects its lines. */
export const createFile = (path, name, queryOf = () => ({}), label = 'op.file.csv') =>
  createDownload(
    label,
    () => api.get(withQuery(path, queryOf()), { timeout: FILE_TIMEOUT }),
    () => `${name}-${today()}.csv`,
  );
