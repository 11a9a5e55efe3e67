// The valet's pouch: what should be in it; it is opened with change, and counted when it is handed in.

import { escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { amountField, closingOf, countFields, countedIn, typedAmount } from '/apps/shared/drawers.js';
import { formDialog } from '/apps/shared/form-dialog.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { button, facts, field, select, toast } from '/apps/shared/ui.js';
import { api, state } from './store.js';

const POUCHES = '/v1/me/drawers';

/** The valet's open pouch; null without one. */
export const openPouch = async () => (await api.get(POUCHES)).items.find(({ closedAt }) => !closedAt) ?? null;

/** Opens a pouch with that change in it. */
export const beginPouch = (float = [], key = uuid()) => api.post(POUCHES, { name: t('cash.pouch'), float }, { key });

const sum = (amounts) => (amounts.length ? amounts.map((one) => money(one)).join(' + ') : '–');

/** Currencies of the areas, the first ones to offer. */
const currencies = () => [...new Set(state.value.areas.map(({ properties }) => properties.currency).filter(Boolean))];

/** `pouch` is the open one, or null; `done` loads it again. */
export const pouchCard = (pouch, done) =>
  h(
    'section',
    { class: 'card stack', key: 'pouch', 'aria-labelledby': 'pouch-title' },
    h('h2', { id: 'pouch-title' }, t('cash.pouch')),
    pouch
      ? [
          facts([
            [t('pouch.expected'), sum(pouch.expected)],
            [t('pouch.since'), dateTime(pouch.openedAt)],
          ]),
          h('p', { class: 'muted' }, t('cash.desk')),
        ]
      : h('p', { class: 'muted' }, t('pouch.none')),
    button(t(pouch ? 'pouch.close' : 'pouch.open'), {
      icon: 'wallet',
      onclick: async () => (await (pouch ? closeDialog(pouch) : openDialog())) && done(),
    }),
  );

const openDialog = (key = uuid()) =>
  formDialog(t('pouch.open'), (form, close) => {
    const codes = currencies();
    const send = async ({ float, currency = codes[0] }) =>
      close(await beginPouch(float?.trim() ? [typedAmount(form, 'float', float, currency)] : [], key));
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      codes.length > 1
        ? select({ id: 'currency', label: t('pouch.currency'), options: codes.map((code) => [code, code]) })
        : null,
      codes.length
        ? amountField(form, 'float', codes.length > 1 ? t('pouch.float') : `${t('pouch.float')} (${codes[0]})`)
        : null,
      button(t('pouch.open'), { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy }),
    );
  });

const closeDialog = (pouch, key = uuid()) => {
  const codes = countedIn(pouch, currencies());
  return formDialog(t('pouch.close'), (form, close) => {
    const send = async (values) => {
      const body = closingOf(form, codes, values);
      const closed = await api.post(escaped`/v1/drawers/${pouch.id}/close`, body, { key });
      toast(t('pouch.closed', { amount: sum(closed.differences) }), 'success');
      close(closed);
    };
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      h('p', null, t('pouch.close.text')),
      countFields(form, codes, (currency) => t('pouch.count', { currency })),
      field({ id: 'note', label: t('pouch.note'), isOptional: true, maxlength: 500, error: form.errors.note }),
      button(t('pouch.close'), { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy }),
    );
  });
};
