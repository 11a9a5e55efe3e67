// One of the person's bookings: its ticket, its bill, and what can be done with it now.

import { save } from '/apps/shared/account.js';
import { escaped } from '/apps/shared/api.js';
import { bookingBadge, closedText, lineOf, sumOf, units } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button, facts, notice, toast } from '/apps/shared/ui.js';
import { taxRow } from '../shared/charge.js';
import { loaded, loadedScreen } from './loaded.js';

const HOUR = 3_600_000;

export function createBooking(park) {
  const screen = { park, isBusy: false };
  return {
    draw({ id }) {
      const entry = park.resources.get(escaped`/v1/bookings/${id}`);
      const title = entry.value?.carPark.name ?? t('booking.one');
      return loadedScreen(park, entry, { title, back: '/bookings', bars: 6 }, (booking) => content(screen, booking));
    },
  };
}

function content(screen, booking) {
  const { park } = screen;
  const { id, reference, status } = booking;
  const entry = ticketOf(park, booking);
  return [
    park.booked === id && status === 'confirmed' ? notice('success', t('booking.booked', { reference })) : null,
    overview(booking),
    entry ? loaded(park, entry, (ticket) => ticketCard(park, entry, ticket), 4) : null,
    bill(booking),
    // The ticket above would move them from under a finger.
    !entry || entry.value || entry.error ? actions(screen, booking) : null,
  ];
}

function overview(booking) {
  const { carPark, end, product, quantity, reference, spaces, start, status, vehicles } = booking;
  return h(
    'section',
    { class: 'card stack', key: 'facts' },
    h('div', { class: 'row between' }, h('span', { class: 'ticket reference' }, reference), bookingBadge(booking)),
    facts([
      [t('booking.start'), dateTime(start, carPark.timeZone)],
      [t('booking.end'), dateTime(end, carPark.timeZone)],
      [t('booking.closed'), closedText(booking, carPark.timeZone)],
      [t('book.product'), `${product.name} · ${units(product.kind, quantity)}`],
      [t('booking.spaces'), `${spaces} · ${t(`park.class.${booking.class}`)}`],
      [t('vehicle'), vehicles.map(({ plate }) => plate).join(', ')],
      [t('booking.cancellation'), ['held', 'confirmed'].includes(status) ? ruleText(booking, serverNow()) : null],
    ]),
    h('a', { class: 'button', href: `#${escaped`/park/${carPark.id}`}` }, icon('parking'), t('booking.place')),
  );
}

/** Paid, and what came back, with tax on top: `paid` and its tax are less refunds. */
const bill = ({ id, lines, paid, paidTax, refunded, refundedTax, total }) => {
  const received = sumOf(paid, paidTax, refunded, refundedTax);
  return h(
    'section',
    { class: 'card stack', key: 'bill' },
    facts([
      ...lines.map(lineOf),
      [t('bill.total'), money(total)],
      taxRow({ tax: paidTax && sumOf(paidTax, refundedTax) }),
      [t('booking.paid'), money(received)],
      [t('park.refunded'), refunded && money(sumOf(refunded, refundedTax))],
    ]),
    received.amount
      ? h('a', { class: 'button', href: `#${escaped`/receipts/bill/${id}`}` }, icon('receipt'), t('receipt.open'))
      : null,
  );
};

// MARK: Ticket

/** Loaded as soon as it exists, because gates may be underground without a network. */
const ticketOf = ({ resources }, { id, status }) =>
  ['confirmed', 'active'].includes(status) ? resources.get(escaped`/v1/bookings/${id}/ticket`) : null;

/** The code for a gate that doesn't recognise the plate. */
function ticketCard({ api }, { path }, { qrCode, reference }) {
  const toCalendar = async () => {
    try {
      save(await api.get(path, { headers: { accept: 'text/calendar' } }), `${reference}.ics`);
    } catch (problem) {
      toast(tProblem(problem), 'danger');
    }
  };
  return h(
    'section',
    { class: 'card stack', key: 'ticket' },
    h('h2', null, t('booking.ticket')),
    h('p', { class: 'muted small' }, t('booking.ticket.lead')),
    h(
      'svg',
      {
        class: 'qr',
        viewBox: `0 0 ${qrCode.size} ${qrCode.size}`,
        role: 'img',
        'aria-label': t('booking.ticket.code'),
        'shape-rendering': 'crispEdges',
      },
      h('path', { d: qrCode.path }),
    ),
    button(t('booking.ticket.calendar'), { icon: 'clock', wide: true, onclick: toCalendar }),
  );
}

// MARK: Actions

/** The actions that are possible now. */
function actions(screen, booking) {
  const { id, status, editableUntil, carPark } = booking;
  const isEditable = serverNow() < Date.parse(editableUntil);
  const link = (name, look = 'button') =>
    h('a', { class: look, href: `#${escaped`/bookings/${id}`}/${name}` }, t(`booking.${name}`));
  const until = () => t('booking.editable', { time: dateTime(editableUntil, carPark.timeZone) });
  return h(
    'div',
    { class: 'stack tight', key: 'actions' },
    status === 'held' ? link('pay', 'button primary') : null,
    status === 'confirmed' && isEditable
      ? [link('change'), h('p', { class: 'muted small', key: 'until' }, until())]
      : null,
    status === 'confirmed' && !isEditable ? h('p', { class: 'muted small' }, t('problem.booking.too_late')) : null,
    status === 'active'
      ? [
          link('extend', 'button primary'),
          h('a', { class: 'button', key: 'parked', href: '#/parked' }, icon('car'), t('parkedVehicle.title')),
        ]
      : null,
    ['held', 'confirmed'].includes(status)
      ? button(t('booking.cancel'), {
          look: 'quiet danger-text',
          isBusy: screen.isBusy,
          onclick: () => cancel(screen, booking),
        })
      : null,
  );
}

async function cancel(screen, booking) {
  if (!(await confirmCancelling(booking))) return;
  const { park } = screen;
  const { id } = booking;
  screen.isBusy = true;
  park.redraw();
  try {
    const answer = await park.api.post(escaped`/v1/bookings/${id}/cancel`);
    park.resources.keep(escaped`/v1/bookings/${id}`, answer.booking);
    if (park.choice.held?.id === id) park.choose({ held: null });
    if (park.booked === id) park.booked = null;
    toast(
      answer.refund.amount ? t('booking.cancelled.refund', { amount: money(answer.refund) }) : t('booking.cancelled'),
      'success',
    );
  } catch (problem) {
    toast(tProblem(problem), 'danger');
  }
  screen.isBusy = false;
  park.resources.reload('/v1/bookings');
}

function confirmCancelling(booking) {
  const { paid } = booking;
  const refund = refundOf(booking, serverNow());
  const lead = [
    refund ? t('booking.cancel.refund', { amount: money({ ...paid, amount: refund }) }) : null,
    paid.amount ? reasonText(booking, serverNow()) : t('booking.cancel.free'),
  ];
  return confirm(t('booking.cancel.title'), lead.filter(Boolean).join(' '), {
    yes: t('booking.cancel'),
    no: t('action.keep'),
    look: 'danger',
  });
}

/** The refund by the accepted terms, with its share of the tax on top, in minor units. */
export function refundOf({ status, paid, paidTax, start, cancellation }, now) {
  const { freeUntilHours, lateRefundPercent } = cancellation;
  const left = Date.parse(start) - now;
  if (status === 'held' || left <= 0) return 0;
  const part = left > freeUntilHours * HOUR ? paid.amount : Math.floor((paid.amount * lateRefundPercent) / 100);
  return part && paidTax ? part + Math.round((paidTax.amount * part) / paid.amount) : part;
}

/** Until when cancelling is free; in ms. */
const freeUntil = ({ start, cancellation: { freeUntilHours } }) => Date.parse(start) - freeUntilHours * HOUR;

/** Why that is the refund: by the rule of the car park, and the time left. */
export function reasonText(booking, now) {
  const { start, carPark, cancellation } = booking;
  const { freeUntilHours, lateRefundPercent } = cancellation;
  if (Date.parse(start) <= now) return t('booking.cancel.started');
  if (freeUntil(booking) > now)
    return t('booking.cancel.early', { time: dateTime(freeUntil(booking), carPark.timeZone) });
  return t(lateRefundPercent ? 'booking.cancel.late' : 'booking.cancel.late.nothing', {
    count: freeUntilHours,
    percent: lateRefundPercent,
  });
}

/** What cancelling this booking costs from now on. */
export function ruleText(booking, now) {
  const { start, carPark, cancellation } = booking;
  const time = (at) => dateTime(at, carPark.timeZone);
  const { lateRefundPercent: percent } = cancellation;
  if (Date.parse(start) <= now) return t('booking.rule.none');
  if (freeUntil(booking) > now) return t('booking.rule.free', { time: time(freeUntil(booking)) });
  return percent ? t('booking.rule.late', { percent, time: time(start) }) : t('booking.rule.none');
}
