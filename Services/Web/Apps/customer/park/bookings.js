// The person's own bookings: current and past ones, and each with its possible actions.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { save } from '/apps/shared/account.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { button, choices, confirm, empty, facts, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { bookingBadge, lineOf, period, units } from '/apps/shared/car-parks.js';

const HOUR = 3_600_000;
const MORE = [
  ['/parked', 'car', 'parkedVehicle.title'],
  ['/stays', 'clock', 'stays.title'],
  ['/fines', 'receipt', 'fines.title'],
  ['/points', 'star', 'points.title'],
];

export function createBookings(park) {
  const { api, redraw, resources } = park;
  let shown = 'current';
  let isBusy = false;

  // MARK: The list

  const line = (booking) =>
    h(
      'li',
      { key: booking.id },
      h(
        'a',
        { class: 'card stack tight', href: `#${escaped`/bookings/${booking.id}`}` },
        h(
          'span',
          { class: 'row between' },
          h('span', { class: 'strong' }, booking.carPark.name),
          bookingBadge(booking),
        ),
        h('span', null, period(booking.start, booking.end, booking.carPark.timeZone)),
        h(
          'span',
          { class: 'row between small' },
          h('span', { class: 'ticket muted' }, booking.reference),
          h('span', { class: 'strong numbers' }, money(booking.total)),
        ),
      ),
    );

  function items() {
    const entry = resources.list(`/v1/bookings?state=${shown}`);
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(5);
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      value.items.length
        ? h('ul', { class: 'list', key: shown }, value.items.map(line))
        : empty(
            'parking',
            t(`bookings.none.${shown}`),
            null,
            h('a', { class: 'button primary', href: '#/park' }, t('bookings.find')),
          ),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  const list = () => ({
    title: t('bookings.mine'),
    view: screen(
      t('bookings.mine'),
      { back: '/park' },
      choices({
        name: 'shown',
        label: t('bookings.mine'),
        hideLabel: true,
        value: shown,
        options: [
          ['current', t('bookings.current')],
          ['past', t('bookings.past')],
        ],
        onchange: (state) => {
          shown = state;
          redraw();
        },
      }),
      items(),
      h(
        'nav',
        { key: 'more', 'aria-label': t('bookings.more') },
        h(
          'ul',
          { class: 'list lined' },
          MORE.map(([path, name, word]) =>
            h(
              'li',
              { key: path },
              h(
                'a',
                { class: 'list-item', href: `#${path}` },
                icon(name),
                h('span', { class: 'grow' }, t(word)),
                icon('next'),
              ),
            ),
          ),
        ),
      ),
    ),
  });

  // MARK: One booking

  /** The refund by the accepted terms, in minor units. */
  function refundOf({ status, paid, start, cancellation: { freeUntilHours, lateRefundPercent } }) {
    const left = Date.parse(start) - serverNow();
    if (status === 'held' || left <= 0) return 0;
    return left > freeUntilHours * HOUR ? paid.amount : Math.floor((paid.amount * lateRefundPercent) / 100);
  }

  async function cancel(booking) {
    const { id, paid } = booking;
    const refund = refundOf(booking);
    const lead = refund
      ? t('booking.cancel.refund', { amount: money({ ...paid, amount: refund }) })
      : t(paid.amount ? 'booking.cancel.nothing' : 'booking.cancel.free');
    if (
      !(await confirm(t('booking.cancel.title'), lead, {
        yes: t('booking.cancel'),
        no: t('action.keep'),
        look: 'danger',
      }))
    )
      return;
    isBusy = true;
    redraw();
    try {
      const answer = await api.post(escaped`/v1/bookings/${id}/cancel`);
      resources.keep(escaped`/v1/bookings/${id}`, answer.booking);
      if (park.choice.held?.id === id) park.choose({ held: null });
      if (park.booked === id) park.booked = null;
      toast(
        answer.refund.amount ? t('booking.cancelled.refund', { amount: money(answer.refund) }) : t('booking.cancelled'),
        'success',
      );
    } catch (problem) {
      toast(tProblem(problem), 'danger');
    }
    isBusy = false;
    resources.reload('/v1/bookings');
  }

  /** The actions that are possible now. */
  function actions(booking) {
    const {
      id,
      status,
      editableUntil,
      carPark: { timeZone },
    } = booking;
    const isEditable = serverNow() < Date.parse(editableUntil);
    const link = (name, look = 'button') =>
      h('a', { class: look, href: `#${escaped`/bookings/${id}`}/${name}` }, t(`booking.${name}`));
    return h(
      'div',
      { class: 'stack tight', key: 'actions' },
      status === 'held' ? link('pay', 'button primary') : null,
      status === 'confirmed' && isEditable
        ? [
            link('change'),
            h(
              'p',
              { class: 'muted small', key: 'until' },
              t('booking.editable', { time: dateTime(editableUntil, timeZone) }),
            ),
          ]
        : null,
      status === 'confirmed' && !isEditable ? h('p', { class: 'muted small' }, t('problem.booking.too_late')) : null,
      status === 'active'
        ? [
            link('extend', 'button primary'),
            h('a', { class: 'button', key: 'parked', href: '#/parked' }, icon('car'), t('parkedVehicle.title')),
          ]
        : null,
      ['held', 'confirmed'].includes(status)
        ? button(t('booking.cancel'), { look: 'quiet danger-text', isBusy, onclick: () => cancel(booking) })
        : null,
    );
  }

  /** Loaded as soon as it exists, because gates may be underground without a network. */
  const ticketOf = ({ id, status }) =>
    ['confirmed', 'active'].includes(status) ? resources.get(escaped`/v1/bookings/${id}/ticket`) : null;

  /** The code for a gate that doesn't recognise the plate. */
  function ticket(entry) {
    if (!entry) return null;
    const { path, value, error } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(path)) : skeleton(4);
    const { size, path: dark } = value.qrCode;
    const toCalendar = async () => {
      try {
        save(await api.get(path, { headers: { accept: 'text/calendar' } }), `${value.reference}.ics`);
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
          viewBox: `0 0 ${size} ${size}`,
          role: 'img',
          'aria-label': t('booking.ticket.code'),
          'shape-rendering': 'crispEdges',
        },
        h('path', { d: dark }),
      ),
      button(t('booking.ticket.calendar'), { icon: 'clock', wide: true, onclick: toCalendar }),
    );
  }

  function content(booking) {
    const { id, reference, carPark, product, quantity, start, end, spaces, vehicles, lines, total, paid, status } =
      booking;
    const { timeZone } = carPark;
    const entry = ticketOf(booking);
    return [
      park.booked === id && status === 'confirmed' ? notice('success', t('booking.booked', { reference })) : null,
      h(
        'section',
        { class: 'card stack', key: 'facts' },
        h('div', { class: 'row between' }, h('span', { class: 'ticket reference' }, reference), bookingBadge(booking)),
        facts([
          [t('booking.start'), dateTime(start, timeZone)],
          [t('booking.end'), dateTime(end, timeZone)],
          [t('book.product'), `${product.name} · ${units(product.kind, quantity)}`],
          [t('booking.spaces'), `${spaces} · ${t(`park.class.${booking.class}`)}`],
          [t('vehicle'), vehicles.map(({ plate }) => plate).join(', ')],
        ]),
        h('a', { class: 'button', href: `#${escaped`/park/${carPark.id}`}` }, icon('parking'), t('booking.place')),
      ),
      ticket(entry),
      h(
        'section',
        { class: 'card stack', key: 'bill' },
        facts([...lines.map(lineOf), [t('bill.total'), money(total)], [t('booking.paid'), money(paid)]]),
      ),
      // The ticket above would move them from under a finger.
      !entry || entry.value || entry.error ? actions(booking) : null,
    ];
  }

  function detail({ id }) {
    const path = escaped`/v1/bookings/${id}`;
    const { value, error, at } = resources.get(path);
    const title = value?.carPark.name ?? t('booking.one');
    return {
      title,
      view: screen(
        title,
        { back: '/bookings' },
        value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
        value ? content(value) : error ? problemNotice(error, () => resources.reload(path)) : skeleton(6),
      ),
    };
  }

  return { list, detail };
}
