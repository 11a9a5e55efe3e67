// A ride as its passenger sees it: their seat, and where the driver is.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { facts } from '/apps/shared/ui.js';
import { contact } from './contact.js';
import { requestPath } from './paths.js';
import { conduct, opinion, owed, receiptLink, settled } from './ride-after.js';
import { isOpen, isShared } from './ride-live.js';
import { step } from './steps.js';
import { person, seatBadge, when } from './words.js';

export function riding(screen, ride) {
  const seat = ride.passengers[0];
  if (!seat) return null;
  return [
    seatCard(ride, seat),
    whereabouts(screen, ride, seat),
    h(
      'section',
      { class: 'card row between', key: 'driver' },
      person(ride.driver, escaped`/lift/people/${ride.driver.id}`),
      contact(ride.driver),
    ),
    seat.status === 'pending' && seat.asks === 'driver'
      ? h('p', { class: 'muted', role: 'status', key: 'waits' }, t('lift.asks.driver'))
      : null,
    settled(screen, ride, seat),
    owed(screen, seat),
    receiptLink(seat),
    opinion(screen, ride, seat, ride.driver),
    ['pending', 'accepted'].includes(seat.status) && ride.status === 'planned'
      ? step(screen, requestPath(seat, 'cancel'), t('lift.cancel'), {
          look: 'quiet danger-text',
          question: { title: t('lift.cancel.sure'), text: t('lift.cancel.text') },
        })
      : null,
    conduct(screen, ride, ride.driver),
  ];
}

function seatCard(ride, seat) {
  const price = seat.price ? `${money(seat.price)} · ${t(`lift.payment.${seat.payment}`)}` : t('lift.free');
  const waitsUntil = seat.status === 'pending' && seat.expiresAt;
  return h(
    'section',
    { class: 'card stack', key: 'mine' },
    h('div', { class: 'row between' }, h('h2', null, t('lift.yourSeat')), seatBadge(seat, ride.role)),
    facts([
      [t('lift.pickUp'), when(seat.pickUp.at, seat.timeZone)],
      [t('lift.walk.label'), distance(seat.pickUp.walkMeters)],
      [t('lift.dropOff'), when(seat.dropOff.at, seat.timeZone)],
      [t('lift.seats'), String(seat.seats)],
      [t('lift.price'), price],
      [t('lift.answer.until'), waitsUntil ? when(seat.expiresAt, seat.timeZone) : null],
    ]),
  );
}

function whereabouts({ track }, ride, seat) {
  const driver = track?.driver;
  if (!isOpen(ride) || seat.status !== 'accepted') return null;
  const text = driver
    ? t(driver.isStale ? 'lift.driver.stale' : 'lift.driver.live')
    : isShared(ride)
      ? t('lift.driver.unknown')
      : ride.sharedFrom
        ? t('lift.driver.from', { time: when(ride.sharedFrom, ride.timeZone) })
        : null;
  return text && h('p', { class: 'signal', role: 'status', key: 'where' }, icon('car'), text);
}
