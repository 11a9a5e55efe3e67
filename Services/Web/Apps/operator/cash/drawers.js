// Cash drawers: who keeps which, what should be in them, their counts, and refunds that wait to be handed out.

import { escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { amountField, closingOf, countFields, countedIn, typedAmount } from '/apps/shared/drawers.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { badge, button, empty, field, select, toast } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { createPages, dialogActions, formDialog, head, section, shownPages, table } from '../parts.js';
import { store } from '../store.js';

const DRAWERS = '/v1/admin/drawers';
const sum = (amounts) => (amounts?.length ? amounts.map((one) => money(one)).join(' · ') : '–');

export function drawersScreen() {
  const pages = createPages(DRAWERS);
  const refunds = createPages('/v1/admin/cash-refunds');
  const change = async (made) => {
    if (!(await made)) return;
    pages.reload();
    refunds.reload();
  };
  return {
    title: () => t('op.nav.cash'),
    view: () => [
      head(t('op.nav.cash'), {
        lead: t('op.drawers.lead'),
        age: pages.at,
        actions: button(t('op.drawer.open'), { icon: 'plus', look: 'primary', onclick: () => change(openDialog()) }),
      }),
      refunds.items.length || refunds.error
        ? section(
            t('op.cashRefunds'),
            { id: 'cash-refunds' },
            shownPages(refunds, (items) => table(t('op.cashRefunds'), refundColumns(change), items), null),
          )
        : null,
      shownPages(
        pages,
        (items) => table(t('op.nav.cash'), columns(change), items),
        empty('wallet', t('op.drawers.none'), t('op.drawers.none.text')),
      ),
    ],
  };
}

const keeperOf = ({ keeper, keeperName }) =>
  keeper === api.account?.id ? t('op.drawer.mine') : (keeperName ?? t('op.drawer.other'));

const columns = (change) => [
  { label: t('op.name'), isHead: true, cell: ({ name }) => name },
  { label: t('op.drawer.keeper'), cell: keeperOf },
  { label: t('op.drawer.openedAt'), cell: ({ openedAt }) => h('span', { class: 'nowrap' }, dateTime(openedAt)) },
  { label: t('op.drawer.expected'), isAmount: true, cell: ({ expected }) => sum(expected) },
  { label: t('op.drawer.counted'), isAmount: true, cell: ({ counted }) => sum(counted) },
  { label: t('op.drawer.difference'), isAmount: true, cell: difference },
  {
    label: '',
    cell: (one) =>
      one.closedAt
        ? badge(t('op.drawer.closed'))
        : h(
            'div',
            { class: 'row' },
            button(t('op.drawer.deposit'), { onclick: () => change(depositDialog(one)) }),
            button(t('op.drawer.close'), { onclick: () => change(closeDialog(one)) }),
          ),
  },
];

const difference = ({ differences }) =>
  differences
    ? differences.some(({ amount }) => amount)
      ? h('strong', null, sum(differences))
      : badge(t('op.drawer.right'), 'success')
    : '–';

const refundColumns = (change) => [
  { label: t('op.time'), isHead: true, cell: ({ createdAt }) => dateTime(createdAt) },
  { label: t('op.reason'), cell: ({ reason }) => reason },
  { label: t('op.amount'), isAmount: true, cell: ({ amount }) => money(amount) },
  { label: '', cell: (refund) => button(t('op.handOut'), { onclick: () => change(handOutDialog(refund)) }) },
];

// MARK: Dialogs

/** Currencies of the areas, the first ones to offer. */
const currencies = () => {
  const known = store.value.areas.map(({ properties }) => properties.tariff?.currency).filter(Boolean);
  return [...new Set(known.length ? known : ['EUR'])];
};

const openDialog = (key = uuid()) =>
  formDialog(t('op.drawer.open'), (form, close) => {
    const send = async ({ name, currency, float }) => {
      const put = String(float).trim() === '' ? [] : [typedAmount(form, 'float', float, currency)];
      close(await api.post(DRAWERS, { name: name.trim(), float: put }, { key }));
    };
    return form.view(
      { onsubmit: form.submit(send) },
      field({
        id: 'name',
        label: t('op.name'),
        value: t('op.drawer.name'),
        required: true,
        maxlength: 60,
        error: form.errors.name,
      }),
      select({
        id: 'currency',
        label: t('op.drawer.currency'),
        options: currencies().map((code) => [code, code]),
      }),
      amountField(form, 'float', t('op.drawer.float')),
      dialogActions(form, close, t('op.drawer.open')),
    );
  });

const closeDialog = (drawer, key = uuid()) => {
  const codes = countedIn(drawer, currencies());
  return formDialog(t('op.drawer.close.of', drawer), (form, close) => {
    const send = async (values) => {
      const body = closingOf(form, codes, values);
      const closed = await api.post(escaped`/v1/drawers/${drawer.id}/close`, body, { key });
      toast(t('op.drawer.closed.done', { amount: sum(closed.differences) }), 'success');
      close(closed);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.drawer.close.text')),
      countFields(form, codes, (currency) => t('op.drawer.count', { currency })),
      field({ id: 'note', label: t('op.receive.note'), isOptional: true, maxlength: 500, error: form.errors.note }),
      dialogActions(form, close, t('op.drawer.close')),
    );
  });
};

const depositDialog = (drawer, key = uuid()) =>
  formDialog(t('op.drawer.deposit.of', drawer), (form, close) => {
    const known = drawer.expected.map(({ currency }) => currency);
    const send = async ({ amount, currency, note }) => {
      const body = { amount: typedAmount(form, 'amount', amount, currency), note: note.trim() || undefined };
      close(await api.post(escaped`/v1/drawers/${drawer.id}/deposits`, body, { key }));
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.drawer.deposit.text')),
      select({
        id: 'currency',
        label: t('op.drawer.currency'),
        options: (known.length ? known : currencies()).map((code) => [code, code]),
      }),
      amountField(form, 'amount', t('op.amount')),
      field({ id: 'note', label: t('op.receive.note'), isOptional: true, maxlength: 500, error: form.errors.note }),
      dialogActions(form, close, t('op.drawer.deposit')),
    );
  });

const handOutDialog = (refund, key = uuid()) =>
  formDialog(t('op.handOut'), (form, close) => {
    const send = async ({ means }) =>
      close(await api.post(escaped`/v1/admin/cash-refunds/${refund.id}/hand-out`, { means }, { key }));
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.handOut.text', { amount: money(refund.amount) })),
      select({
        id: 'means',
        label: t('op.handOut.means'),
        options: [
          ['cash', t('op.means.cash')],
          ['terminal', t('op.means.terminal')],
        ],
      }),
      dialogActions(form, close, t('op.handOut')),
    );
  });
