// The third step of a booking: paying while its space is held.

import { escaped } from '/apps/shared/api.js';
import { lineOf } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { clock, dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, facts, notice } from '/apps/shared/ui.js';
import { billEntry, billPath, chargeOf, taxRow } from '../shared/charge.js';
import { ruleText } from './booking.js';
import { stepLine, totalLine } from './booking-parts.js';
import { enter } from './choice.js';
import { loaded } from './loaded.js';

const POINTS = '/v1/me/loyalty';

export function pay(book, id) {
  enter(book, `pay ${id}`);
  const { park } = book;
  const entry = park.resources.get(escaped`/v1/bookings/${id}`);
  const title = entry.value?.carPark.name ?? t('booking.one');
  return {
    title,
    view: screen(
      title,
      { back: backOf(park, id, entry.value) },
      loaded(park, entry, (booking) => content(book, booking)),
    ),
  };
}

const secondsLeft = ({ holdExpiresAt }) => (Date.parse(holdExpiresAt) - serverNow()) / 1_000;
const isExpired = (booking) => booking.status === 'expired' || (booking.status === 'held' && secondsLeft(booking) <= 0);

function backOf({ choice }, id, booking) {
  if (booking && isExpired(booking)) return escaped`/park/${booking.carPark.id}`;
  const isBeingMade = choice.held?.id === id && (!booking || booking.status === 'held');
  return isBeingMade ? escaped`/park/${choice.held.carPark}/vehicle` : escaped`/bookings/${id}`;
}

function content(book, booking) {
  const { id, carPark, status } = booking;
  if (isExpired(booking)) {
    const again = h('a', { class: 'button', href: `#${escaped`/park/${carPark.id}/when`}` }, t('book.again'));
    return [stepLine(3), notice('warning', t('problem.booking.hold_expired'), again)];
  }
  if (status === 'held') return payment(book, booking);
  return notice(
    'neutral',
    t('book.done'),
    h('a', { class: 'button', href: `#${escaped`/bookings/${id}`}` }, t('booking.open')),
  );
}

function payment(book, booking) {
  const { cards, isBusy, problem } = book;
  const { total } = booking;
  const onclick = () => send(book, booking);
  // Its bill has the tax that comes on top of the price.
  const known = total.amount ? billEntry(book.park, booking.id, total) : null;
  const charge = known?.value ? chargeOf(known.value) : total;
  return [
    stepLine(3),
    h(
      'p',
      { class: 'signal', key: 'hold' },
      icon('clock'),
      h('span', null, t('book.held', { time: clock(secondsLeft(booking)) })),
    ),
    bill(booking, known?.value, charge),
    total.amount ? cards.view(charge) : null,
    cards.standing(
      book.payment ?? known?.value?.payment,
      { isBusy, onclick: book.payment ? onclick : () => goOn(book, booking) },
      problem,
      problem?.code === 'payment.declined' ? h('p', null, t('book.stillHeld')) : null,
    ),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(total.amount ? t('pay.button', { amount: money(charge) }) : t('book.free'), {
        look: 'primary',
        class: 'button primary wide big',
        icon: 'card',
        isBusy,
        disabled: total.amount > 0 && !(cards.chosen() && known.value),
        onclick,
      }),
    ),
  ];
}

function bill(booking, known, charge) {
  const { carPark, start, end, vehicles, lines, total } = booking;
  const at = (time) => dateTime(time, carPark.timeZone);
  return h(
    'section',
    { class: 'card stack tight', key: 'bill' },
    facts([
      [t('booking.start'), at(start)],
      [t('booking.end'), at(end)],
      [t('vehicle'), vehicles.map(({ plate }) => plate).join(', ')],
      [t('booking.cancellation'), total.amount ? ruleText(booking, serverNow()) : null],
      ...lines.map(lineOf),
      taxRow(known),
    ]),
    totalLine(t('bill.total'), money(charge)),
  );
}

const send = (book, { id, total }) =>
  run(book, id, async () => {
    const { cards, once, park } = book;
    const entry = park.resources.get(escaped`/v1/bookings/${id}`);
    const path = escaped`/v1/bookings/${id}/pay`;
    const { booking, payment } = total.amount ? await cards.pay(path) : await once(path, {});
    book.payment = payment;
    entry.value = booking;
    if (booking.status !== 'held') paid(park, booking);
  });

/** Continues a payment that was begun before this page was opened, with the card that it has. */
const goOn = (book, booking) =>
  run(book, booking.id, async () => {
    const { status } = await book.cards.confirm({ bill: booking.id });
    if (status === 'succeeded') paid(book.park, booking);
  });

async function run(book, id, task) {
  const { redraw, resources } = book.park;
  if (book.isBusy) return;
  Object.assign(book, { isBusy: true, problem: null });
  redraw();
  try {
    await task();
  } catch (error) {
    book.problem = error;
    if (error.code === 'booking.hold_expired') resources.reload('/v1/bookings');
  }
  book.isBusy = false;
  resources.reload(billPath(id));
  redraw();
}

function paid(park, { id }) {
  park.booked = id;
  park.choose({
    carPark: null,
    held: null,
    vehicles: null,
    start: undefined,
    quantity: undefined,
    points: undefined,
  });
  for (const path of ['/v1/bookings', POINTS, '/v1/car-parks/']) park.resources.reload(path);
  go(escaped`/bookings/${id}`);
}
