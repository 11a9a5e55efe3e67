// The person's stays, and the amounts due: for driving up without a booking, or overstaying.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, duration, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, empty, facts, toast } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { loadedList } from './loaded.js';
import { pathOf } from './place.js';
import { createPlateCode } from './plate-code.js';

const STAYS = '/v1/me/parking-sessions';

export function createStays(park) {
  /** `paying` is about the stay that was paid last. */
  const stays = {
    park,
    cards: createCards(park, { onchange: () => (stays.paying.payment = null) }),
    once: createOnce(park.api),
    paying: { of: null, isBusy: false, problem: null, payment: null },
  };
  const plateCode = createPlateCode(park, 'stay');
  return {
    draw: () => ({
      title: t('stays.title'),
      view: screen(t('stays.title'), { back: '/bookings' }, list(stays), plateCode()),
    }),
  };
}

async function pay(stays, { id }) {
  const { cards, once, park } = stays;
  if (stays.paying.isBusy) return;
  const paying = (stays.paying = { of: id, isBusy: true, problem: null, payment: null });
  park.redraw();
  try {
    const { payment } = await cards.complete(() =>
      once(escaped`/v1/parking-sessions/${id}/pay`, { paymentMethodId: cards.chosen() }),
    );
    paying.payment = payment;
    if (payment.status === 'succeeded') toast(t('stay.paid', { amount: money(payment.amount) }), 'success');
  } catch (error) {
    paying.problem = error;
  }
  paying.isBusy = false;
  park.resources.reload(STAYS);
}

/** Whether an amount is or may be due; a drive-up's is calculated when it is paid or when the gate asks. */
const isOpen = ({ due, leftAt, booking, isPaid }) => Boolean(due) || !(leftAt || booking || isPaid);

const list = (stays) =>
  loadedList(stays.park, stays.park.resources.list(STAYS), (items) => [
    items.some(isOpen) ? stays.cards.view() : null,
    items.length
      ? h(
          'ul',
          { class: 'list', key: 'stays' },
          items.map((stay) => line(stays, stay)),
        )
      : empty('parking', t('stays.none'), t('stays.none.lead')),
  ]);

function line(stays, stay) {
  const { id, carPark, plate, enteredAt, leftAt, booking, due, isPaid, refunded } = stay;
  const { name, timeZone } = stays.park.resources.get(pathOf(carPark), { anonymous: true }).value ?? {};
  return h(
    'li',
    { key: id, class: 'card stack tight' },
    h('span', { class: 'row between' }, h('span', { class: 'strong' }, name ?? t('park.one')), stateBadge(stay)),
    facts([
      [t('vehicle'), plate],
      [t('stay.in'), dateTime(enteredAt, timeZone)],
      [t('stay.out'), leftAt && dateTime(leftAt, timeZone)],
      [t('stay.due'), due && money(due)],
      [t('park.refunded'), refunded && money(refunded)],
    ]),
    isPaid ? h('a', { class: 'button quiet', href: '#/receipts' }, t('menu.receipts')) : null,
    booking ? h('a', { class: 'button quiet', href: `#${escaped`/bookings/${booking}`}` }, t('booking.open')) : null,
    payment(stays, stay),
  );
}

function stateBadge({ due, leftAt, isPaid }) {
  if (due) return badge(t('stay.due'), 'warning');
  if (isPaid) return badge(t('booking.paid'), 'success');
  return leftAt ? badge(t('booking.status.completed')) : badge(t('booking.status.active'), 'success');
}

function payment(stays, stay) {
  const { cards, paying } = stays;
  const { id, due, secondsToLeave = 900 } = stay;
  const isMine = paying.of === id;
  const isBusy = isMine && paying.isBusy;
  const onclick = () => pay(stays, stay);
  return [
    isMine ? cards.confirmStep(paying.payment, { isBusy, onclick }) : null,
    isMine ? refusal(paying.problem) : null,
    isOpen(stay)
      ? [
          due
            ? null
            : h('p', { class: 'muted small', key: 'lead' }, t('stay.now.lead', { time: duration(secondsToLeave) })),
          button(due ? t('pay.button', { amount: money(due) }) : t('stay.now'), {
            key: 'pay',
            look: 'primary',
            wide: true,
            icon: 'card',
            isBusy,
            disabled: !cards.chosen(),
            onclick,
          }),
        ]
      : null,
  ];
}
