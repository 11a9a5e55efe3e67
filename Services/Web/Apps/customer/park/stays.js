// The person's stays, and the amounts due: for driving up without a booking, or overstaying.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, empty, facts, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { pathOf } from './place.js';

const STAYS = '/v1/me/parking-sessions';

export function createStays(park) {
  const { api, redraw, resources } = park;
  const cards = createCards(park);
  const once = createOnce(api);
  let state = { of: null, isBusy: false, problem: null, payment: null };

  async function pay({ id }) {
    if (state.isBusy) return;
    const mine = (state = { of: id, isBusy: true, problem: null, payment: null });
    redraw();
    try {
      const { payment } = await once(escaped`/v1/parking-sessions/${id}/pay`, { paymentMethodId: cards.chosen() });
      mine.payment = payment;
      if (payment.status === 'succeeded') toast(t('stay.paid', { amount: money(payment.amount) }), 'success');
    } catch (error) {
      mine.problem = error;
    }
    mine.isBusy = false;
    resources.reload(STAYS);
  }

  /** Whether an amount is or may be due; a drive-up's is calculated when it is paid or when the gate asks. */
  const isOpen = ({ due, leftAt, booking, isPaid }) => Boolean(due) || !(leftAt || booking || isPaid);

  function stateOf({ due, leftAt, isPaid }) {
    if (due) return badge(t('stay.due'), 'warning');
    if (isPaid) return badge(t('booking.paid'), 'success');
    return leftAt ? badge(t('booking.status.completed')) : badge(t('booking.status.active'), 'success');
  }

  function line(stay) {
    const { id, carPark, plate, enteredAt, leftAt, booking, due, refunded } = stay;
    const isMine = state.of === id;
    const { name, timeZone } = resources.get(pathOf(carPark), { anonymous: true }).value ?? {};
    const again = () => pay(stay);
    return h(
      'li',
      { key: id, class: 'card stack tight' },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, name ?? t('park.one')), stateOf(stay)),
      facts([
        [t('vehicle'), plate],
        [t('stay.in'), dateTime(enteredAt, timeZone)],
        [t('stay.out'), leftAt && dateTime(leftAt, timeZone)],
        [t('stay.due'), due && money(due)],
        [t('park.refunded'), refunded && money(refunded)],
      ]),
      booking ? h('a', { class: 'button quiet', href: `#${escaped`/bookings/${booking}`}` }, t('booking.open')) : null,
      isMine && state.payment?.status === 'requiresAction'
        ? notice('warning', t('pay.action'), button(t('pay.action.check'), { isBusy: state.isBusy, onclick: again }))
        : null,
      isMine ? refusal(state.problem) : null,
      isOpen(stay)
        ? [
            due ? null : h('p', { class: 'muted small', key: 'lead' }, t('stay.now.lead')),
            button(due ? t('pay.button', { amount: money(due) }) : t('stay.now'), {
              key: 'pay',
              look: 'primary',
              wide: true,
              icon: 'card',
              isBusy: isMine && state.isBusy,
              disabled: !cards.chosen(),
              onclick: again,
            }),
          ]
        : null,
    );
  }

  function items() {
    const entry = resources.list(STAYS);
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(5);
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      value.items.some(isOpen) ? cards.view() : null,
      value.items.length
        ? h('ul', { class: 'list', key: 'stays' }, value.items.map(line))
        : empty('parking', t('stays.none'), t('stays.none.lead')),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  return { draw: () => ({ title: t('stays.title'), view: screen(t('stays.title'), { back: '/bookings' }, items()) }) };
}
