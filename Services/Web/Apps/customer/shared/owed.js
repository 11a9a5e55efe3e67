// A bill that a card failed to pay, on the screen of what it is for.

import { money, t } from '/apps/shared/i18n.js';
import { button, notice } from '/apps/shared/ui.js';
import { billPath, chargeOf } from './charge.js';

/** Whether a bill, which may not be loaded yet, is still to be paid, and no card is being charged for it. */
export const isOwed = (bill) => ['due', 'overdue'].includes(bill?.status) && bill.payment?.status !== 'processing';

/** Says what is due, with the text `key`, and takes another card for it. `state.payment` is the last payment. */
export function owedBill({ act, cards, state }, bill, key) {
  const { id } = bill;
  const price = money(chargeOf(bill));
  const pay = () =>
    act('pay', async (current) => {
      current.payment = (await cards.pay(`${billPath(id)}/pay`)).payment;
    });
  const goOn = () =>
    act('pay', async (current) => {
      current.payment = null;
      current.payment = await cards.confirm({ bill: id });
    });
  const last = state.payment?.bill === id ? state.payment : bill.payment;
  return [
    last?.status === 'requiresAction' ? null : notice('warning', t(key, { price })),
    cards.view(chargeOf(bill)),
    cards.standing(last, { ...act.button('pay'), onclick: goOn }, state.problem),
    button(t('pay.button', { amount: price }), {
      look: 'primary',
      wide: true,
      ...act.button('pay', !cards.chosen()),
      onclick: pay,
    }),
  ];
}
