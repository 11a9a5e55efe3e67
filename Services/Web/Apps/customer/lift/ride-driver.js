// A ride as its driver sees it: its start and end, and the passengers.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { facts } from '/apps/shared/ui.js';
import { contact } from './contact.js';
import { requestPath, ridePath } from './paths.js';
import { conduct, opinion, settled } from './ride-after.js';
import { isOpen, isShared } from './ride-live.js';
import { step } from './steps.js';
import { clockText, nameOf, person, seatBadge, when } from './words.js';

/** How early a driver may start, in ms. */
const EARLY = 3_600_000;

export function driving(screen, ride) {
  const shown = ride.passengers.filter(({ status }) => !['declined', 'expired', 'cancelled'].includes(status));
  return [
    isShared(ride)
      ? h('p', { class: 'signal', role: 'status', key: 'shared' }, icon('locate'), t('lift.shared'))
      : null,
    ...startAndEnd(screen, ride),
    h('h2', { key: 'title' }, t('lift.passengers')),
    shown.length
      ? h(
          'ul',
          { class: 'list', key: 'passengers', 'aria-label': t('lift.passengers') },
          shown.map((seat) => passenger(screen, ride, seat)),
        )
      : h('p', { class: 'muted', key: 'none' }, t('lift.passengers.none')),
    ride.status === 'planned'
      ? step(screen, `${ridePath(ride.id)}/cancel`, t('lift.skip'), {
          look: 'quiet danger-text',
          question: {
            title: t('lift.skip.ride'),
            text: shown.length ? t('lift.skip.passengers', { count: shown.length }) : null,
          },
        })
      : null,
  ];
}

function startAndEnd(screen, ride) {
  const isPlanned = ride.status === 'planned';
  const untilDeparture = Date.parse(ride.departsAt) - serverNow();
  const mayEnd = ride.status === 'underWay' || (isPlanned && untilDeparture <= 0);
  return [
    isPlanned && untilDeparture <= EARLY
      ? step(screen, `${ridePath(ride.id)}/start`, t('lift.start'), { look: 'primary', icon: 'car' })
      : isPlanned
        ? h(
            'p',
            { class: 'muted', key: 'early' },
            t('lift.start.from', { time: when(Date.parse(ride.departsAt) - EARLY, ride.timeZone) }),
          )
        : null,
    mayEnd
      ? step(screen, `${ridePath(ride.id)}/end`, t('lift.end.ride'), {
          look: ride.status === 'underWay' ? 'primary' : 'plain',
          icon: 'check',
        })
      : null,
  ];
}

const passenger = (screen, ride, seat) =>
  h(
    'li',
    { class: 'card stack', key: seat.id },
    h(
      'div',
      { class: 'row between' },
      person(seat.passenger, escaped`/lift/people/${seat.passenger.id}`),
      seatBadge(seat, ride.role),
    ),
    facts([
      [t('lift.pickUp'), clockText(seat.pickUp.at, seat.timeZone)],
      [t('lift.dropOff'), clockText(seat.dropOff.at, seat.timeZone)],
      [t('lift.seats'), String(seat.seats)],
      [t('lift.price'), seat.price && `${money(seat.price)} · ${t(`lift.payment.${seat.payment}`)}`],
      [t('lift.message'), seat.message],
    ]),
    seat.status === 'pending' ? pending(screen, seat) : null,
    seat.status === 'accepted' ? accepted(screen, ride, seat) : null,
    settled(screen, ride, seat),
    opinion(screen, ride, seat, seat.passenger),
    isOpen(ride) && seat.status !== 'pending' ? null : conduct(screen, ride, seat.passenger),
  );

const pending = (screen, seat) =>
  seat.asks === 'driver'
    ? h(
        'div',
        { class: 'actions' },
        step(screen, requestPath(seat, 'decline'), t('lift.decline'), { wide: false }),
        step(screen, requestPath(seat, 'accept'), t('lift.accept'), { wide: false, look: 'primary' }),
      )
    : h('p', { class: 'muted small' }, t('lift.asks.passenger'));

const accepted = (screen, ride, seat) =>
  ride.status === 'planned'
    ? h(
        'div',
        { class: 'row between' },
        contact(seat.passenger),
        step(screen, requestPath(seat, 'cancel'), t('lift.notAlong'), {
          wide: false,
          look: 'quiet danger-text',
          question: { title: t('lift.notAlong.sure', { name: nameOf(seat.passenger) }) },
        }),
      )
    : contact(seat.passenger);
