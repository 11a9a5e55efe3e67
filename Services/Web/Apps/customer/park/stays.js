// The person's stays, and the amounts due: for driving up without a booking, or overstaying.

import { escaped } from '/apps/shared/api.js';
import { lineText } from '/apps/shared/bill-lines.js';
import { sumOf } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, duration, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, empty, facts, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { taxRow } from '../shared/charge.js';
import { createCards } from '../shared/payment.js';
import { loadedList } from './loaded.js';
import { pathOf } from './place.js';
import { createPlateCode } from './plate-code.js';

const STAYS = '/v1/me/parking-sessions';
/** How soon a stay is asked for again whose payment was continued, in ms. */
const AGAIN = 2_000;
/** How a stay is paid; `isContinued` unless its payment was begun on this page. */
const NOTHING = { isBusy: false, isContinued: true, problem: null, payment: null };
const pathOfDue = (id) => escaped`/v1/parking-sessions/${id}/due`;

export function createStays(park) {
  /** `paying` is about the stay that was paid last. */
  const stays = {
    park,
    cards: createCards(park, { onchange: () => (stays.paying.payment = null) }),
    paying: { of: null, ...NOTHING },
  };
  const plateCode = createPlateCode(park, 'stay');
  return {
    draw: () => ({
      title: t('stays.title'),
      view: screen(t('stays.title'), { back: '/bookings' }, list(stays), plateCode()),
    }),
  };
}

/** Pays `due`, which was shown. The price grows with time: another one is shown first. */
const pay = (stays, { id }, due) =>
  run(stays, id, false, async () => {
    const { cards, park } = stays;
    const now = await park.api.get(pathOfDue(id));
    park.resources.keep(pathOfDue(id), now);
    if (hasOtherPrice(now, due)) throw Object.assign(new Error('price'), { code: 'booking.price_changed' });
    return (await cards.pay(escaped`/v1/parking-sessions/${id}/pay`)).payment;
  });

/** Continues a payment that was begun elsewhere, with the card and the amount that it has. */
const goOn = (stays, { id }, { bill }) => run(stays, id, true, () => stays.cards.confirm({ bill }));

/** Runs one payment at a time. `send` returns how it stands. */
async function run(stays, id, isContinued, send) {
  const { park } = stays;
  if (stays.paying.isBusy) return;
  const paying = (stays.paying = { ...NOTHING, of: id, isContinued, isBusy: true });
  park.redraw();
  try {
    const payment = await send();
    paying.payment = payment;
    if (payment.status === 'succeeded') toast(t('stay.paid', { amount: money(payment.amount) }), 'success');
  } catch (error) {
    paying.problem = error;
  }
  paying.isBusy = false;
  const refresh = () => [pathOfDue(id), STAYS].forEach(park.resources.reload);
  refresh();
  // Car parks learn of a payment that payments has confirmed a moment later.
  if (isContinued) setTimeout(refresh, AGAIN);
}

/** Whether the amount due is not what was shown. Nothing is due after a payment whose answer was lost. */
export const hasOtherPrice = ({ due }, shown) => Boolean(due) && due.amount !== shown.amount;

/** Whether an amount is or may be due, which is then asked for. */
const isOpen = ({ due, leftAt, booking, isPaid }) => Boolean(due) || !(leftAt || booking || isPaid);

/** What is due for the only open stay; zero of several, whose prices differ. */
function dueOf({ park }, [stay, ...others]) {
  const { currency } = park.resources.get(pathOf(stay.carPark), { anonymous: true }).value ?? {};
  const due = others.length ? null : park.resources.get(pathOfDue(stay.id), { isBrief: true }).value?.due;
  return due ?? (currency && { amount: 0, currency });
}

const list = (stays) =>
  loadedList(stays.park, stays.park.resources.list(STAYS), (items) => [
    items.some(isOpen) ? stays.cards.view(dueOf(stays, items.filter(isOpen))) : null,
    items.length
      ? h(
          'ul',
          { class: 'list', key: 'stays' },
          items.map((stay) => line(stays, stay)),
        )
      : empty('parking', t('stays.none'), t('stays.none.lead')),
  ]);

function line(stays, stay) {
  const { id, carPark, plate, enteredAt, leftAt, booking, paidBills, refunded, refundedTax } = stay;
  const price = isOpen(stay) ? stays.park.resources.get(pathOfDue(id), { isBrief: true }) : null;
  const { name, timeZone } = stays.park.resources.get(pathOf(carPark), { anonymous: true }).value ?? {};
  return h(
    'li',
    { key: id, class: 'card stack tight' },
    h('span', { class: 'row between' }, h('span', { class: 'strong' }, name ?? t('park.one')), stateBadge(stay)),
    facts([
      [t('vehicle'), plate],
      [t('stay.in'), dateTime(enteredAt, timeZone)],
      [t('stay.out'), leftAt && dateTime(leftAt, timeZone)],
      ...(price?.value?.lines ?? []).map((one) => [lineText(one), money(one.amount)]),
      taxRow(price?.value),
      [t('stay.due'), price?.value?.due && money(price.value.due)],
      [t('park.refunded'), refunded && money(sumOf(refunded, refundedTax))],
    ]),
    paidBills?.map((bill) =>
      h('a', { class: 'button quiet', key: bill, href: `#${escaped`/receipts/bill/${bill}`}` }, t('receipt.open')),
    ),
    booking ? h('a', { class: 'button quiet', href: `#${escaped`/bookings/${booking}`}` }, t('booking.open')) : null,
    payment(stays, stay, price),
  );
}

function stateBadge({ due, leftAt, isPaid }) {
  if (due) return badge(t('stay.due'), 'warning');
  if (isPaid) return badge(t('booking.paid'), 'success');
  return leftAt ? badge(t('booking.status.completed')) : badge(t('booking.status.active'), 'success');
}

function payment(stays, stay, price) {
  const { cards, paying } = stays;
  const { isBusy, isContinued, payment: last, problem } = paying.of === stay.id ? paying : NOTHING;
  const onclick = () => pay(stays, stay, price.value.due);
  const waiting = last ?? (isContinued ? price?.value?.payment : null);
  const onward = isContinued ? () => goOn(stays, stay, waiting) : onclick;
  return [
    cards.standing(waiting, { isBusy, onclick: onward }, problem),
    price ? payButton(stays, stay, price, { isBusy, disabled: !cards.chosen(), onclick }) : null,
  ];
}

function payButton({ park }, { due, id, secondsToLeave = 900 }, { value, error }, props) {
  if (!value) return error ? problemNotice(error, () => park.resources.reload(pathOfDue(id))) : skeleton(2);
  if (!value.due) return h('p', { class: 'muted small', key: 'lead' }, t('problem.parking_session.nothing_due'));
  return [
    due ? null : h('p', { class: 'muted small', key: 'lead' }, t('stay.now.lead', { time: duration(secondsToLeave) })),
    button(t('pay.button', { amount: money(value.due) }), {
      key: 'pay',
      look: 'primary',
      wide: true,
      icon: 'card',
      ...props,
    }),
  ];
}
