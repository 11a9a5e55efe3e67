// The dialog of a payment that a person received: how, how much was given, into which drawer, and the change.

import { h, uuid } from '/apps/shared/dom.js';
import { amountOf } from '/apps/shared/amounts.js';
import { money, t } from '/apps/shared/i18n.js';
import { button, choices, field, notice, select } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { dialogActions, formDialog } from '../parts.js';

const isOwn = ({ keeper }) => keeper === api.account?.id;

/** Names of drawers alone don't tell one valet's pouch from another's. */
export const drawerName = ({ name, keeperName }) => [name, keeperName].filter(Boolean).join(' · ');

/** The change in minor units: NaN if no number was typed, negative if too little was given. */
export const changeOf = (typed, due) => (String(typed).trim() === '' ? 0 : amountOf(typed, due.currency) - due.amount);

/** The body of the request; `due` may be null if only the server knows it. */
export function bodyOf({ means, given, drawerId, note }, due) {
  const body = { means };
  if (note?.trim()) body.note = note.trim();
  if (means !== 'cash') return body;
  if (drawerId) body.drawerId = drawerId;
  if (due && String(given).trim() !== '') body.given = due.amount + changeOf(given, due);
  return body;
}

/** The drawers to choose from, the operator's own first: cash goes into somebody else's only if that is chosen. */
export function drawersFor(items, isMine) {
  const own = items.filter(isMine);
  const others = items.filter((one) => !isMine(one));
  const none = own.length || !others.length ? [] : [{ id: '', name: t('op.receive.drawer.choose') }];
  return { drawers: [...own, ...none, ...others], means: own.length ? 'cash' : 'terminal' };
}

/** Resolves with the payment and the change, once the operator has read it. */
export async function receiveDialog(name, due, send) {
  const { items } = await api.get('/v1/admin/drawers?state=open');
  const { drawers, means } = drawersFor(items, isOwn);
  const draft = { means, given: '', key: uuid(), received: null };
  return formDialog(
    t('op.receive.of', { name }),
    (form, close) => (draft.received ? change(draft, close) : question({ draft, drawers, due, form, close, send })),
    { fieldOf: { 'drawer.required': 'drawerId', 'drawer.closed': 'drawerId' } },
  );
}

function question({ draft, drawers, due, form, close, send }) {
  const { means } = draft;
  const submit = async (values) => {
    if (means === 'cash' && due) refuseLess(form, changeOf(values.given, due));
    if (means === 'cash' && drawers.length && !values.drawerId)
      form.refuse({ drawerId: t('op.receive.drawer.choose') });
    draft.received = await send(bodyOf({ ...values, means }, due), draft.key);
  };
  return form.view(
    { onsubmit: form.submit(submit) },
    due ? h('p', null, t('op.receive.due'), ' ', h('strong', null, money(due))) : null,
    choices({
      name: 'means',
      label: t('op.receive.means'),
      value: means,
      options: [
        ['cash', t('op.means.cash')],
        ['terminal', t('op.means.terminal')],
      ],
      onchange: (value) => {
        draft.means = value;
        form.draw();
      },
    }),
    means === 'cash' ? cashFields({ draft, drawers, due, form }) : null,
    field({ id: 'note', label: t('op.receive.note'), isOptional: true, maxlength: 500, error: form.errors.note }),
    means === 'cash' && !drawers.length
      ? h('div', { class: 'actions' }, button(t('action.cancel'), { onclick: () => close() }))
      : dialogActions(form, close, t('op.receive')),
  );
}

/** Refuses what is no amount, or less than is due. */
function refuseLess(form, back) {
  if (Number.isNaN(back)) form.refuse({ given: t('amount.wrong') });
  if (back < 0) form.refuse({ given: t('op.receive.little') });
}

function cashFields({ draft, drawers, due, form }) {
  if (!drawers.length)
    return notice('warning', t('op.drawers.needed'), h('a', { class: 'button', href: '#/cash' }, t('op.nav.cash')));
  const back = due ? changeOf(draft.given, due) : 0;
  return [
    due
      ? field({
          id: 'given',
          label: t('op.receive.given', { currency: due.currency }),
          hint: t('op.receive.given.hint'),
          inputmode: 'decimal',
          autocomplete: 'off',
          value: draft.given,
          error: form.errors.given,
          oninput: ({ target }) => {
            draft.given = target.value;
            form.draw();
          },
        })
      : null,
    back > 0 ? h('p', { role: 'status' }, t('op.receive.change', { amount: money({ ...due, amount: back }) })) : null,
    select({
      id: 'drawerId',
      label: t('op.drawer'),
      value: drawers[0].id,
      options: drawers.map((one) => [one.id, drawerName(one)]),
      error: form.errors.drawerId,
    }),
  ];
}

function change({ received }, close) {
  const { payment, change: back } = received;
  return h(
    'div',
    { class: 'stack' },
    notice('success', t('op.receive.done', { amount: money(payment.amount) })),
    back.amount > 0
      ? h('p', { class: 'big' }, h('strong', null, t('op.receive.change', { amount: money(back) })))
      : null,
    h('div', { class: 'actions' }, button(t('action.done'), { look: 'primary', onclick: () => close(received) })),
  );
}
