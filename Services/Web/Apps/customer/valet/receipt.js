// The receipt of an order: to read, to print, to save.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t, tProblem } from '/apps/shared/i18n.js';
import { save } from '/apps/shared/account.js';
import { screen } from '/apps/shared/shell.js';
import { button, facts, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { cardText } from '../shared/payment.js';

const pathOf = (id) => escaped`/v1/orders/${id}/receipt`;

export function receipt({ api, resources, store }, id) {
  const { value, error } = resources.get(pathOf(id));
  return {
    title: t('receipt.title'),
    view: screen(
      t('receipt.title'),
      { back: store.value.order?.id === id ? '/' : `/orders/${id}` },
      value
        ? [
            card(value),
            h(
              'div',
              { class: 'row wrap no-print' },
              button(t('receipt.print'), { onclick: () => print() }),
              button(t('receipt.save'), { onclick: () => download(api, id, value.ticket) }),
            ),
          ]
        : error
          ? problemNotice(error, () => resources.reload(pathOf(id)))
          : skeleton(6),
    ),
  };
}

const card = ({ ticket, paidAt, vehicle, collectedAt, returnedAt, lines, tip, paid, brand, last4, refunded }) =>
  h(
    'section',
    { class: 'card stack receipt', key: 'receipt' },
    h(
      'div',
      { class: 'row between' },
      h('span', { class: 'ticket' }, ticket),
      h('span', { class: 'muted numbers' }, paidAt ? dateTime(paidAt) : ''),
    ),
    facts([
      [t('vehicle'), vehicle && [vehicle.plate, vehicle.make, vehicle.model].filter(Boolean).join(' · ')],
      [t('receipt.collected'), collectedAt && dateTime(collectedAt)],
      [t('receipt.returned'), returnedAt && dateTime(returnedAt)],
    ]),
    h('hr', null),
    facts([...lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)]), [t('bill.tip'), tip && money(tip)]]),
    h(
      'p',
      { class: 'row between strong total' },
      h('span', null, t('receipt.paid')),
      h('span', { class: 'numbers' }, money(paid)),
    ),
    facts([
      [t('pay.card'), brand && cardText({ brand, last4 })],
      [t('receipt.refunded'), refunded.amount ? money(refunded) : null],
    ]),
  );

async function download(api, id, ticket) {
  try {
    save(await api.get(pathOf(id), { headers: { accept: 'text/html' } }), `openvalet-${ticket}.html`);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
}
