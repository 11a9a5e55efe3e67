// The facts of a spot, as its seller, its buyer and others see them.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { clock, dateTime, distance, minutes, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { noPicture, picture, rating } from '/apps/shared/people.js';
import { facts, notice } from '/apps/shared/ui.js';
import { spotBadge } from './status.js';
import { lessCommission, termsAt } from './terms.js';

export const nameOf = (person) => person?.firstName || t('spots.somebody');
export const priceOf = ({ price }) => (price.amount ? money(price) : t('spots.free'));
export const secondsLeft = (time) => Math.max(0, (Date.parse(time) - serverNow()) / 1_000);

export const timeLeft = (time, key) =>
  h(
    'p',
    { class: 'signal', key },
    icon('clock'),
    h('span', { role: 'timer' }, t(key, { time: clock(secondsLeft(time)) })),
  );

/** How far it is to a spot, or from a buyer to it. */
export const about = ({ distanceMeters, drivingSeconds, meterSecondsLeft }) =>
  h(
    'span',
    { class: 'muted small' },
    [
      distanceMeters === null ? null : distance(distanceMeters),
      drivingSeconds === null ? null : t('spots.drive', { time: minutes(drivingSeconds) }),
      meterSecondsLeft ? t('spots.meter.left', { time: minutes(meterSecondsLeft) }) : null,
    ]
      .filter(Boolean)
      .join(' · '),
  );

export const card = (spot) =>
  h(
    'section',
    { class: 'card stack', key: 'facts' },
    h('div', { class: 'row between' }, h('span', { class: 'strong price numbers' }, priceOf(spot)), spotBadge(spot)),
    facts([
      [t('spots.seller'), spot.isMine ? null : nameOf(spot.seller)],
      [t('spots.leaves.at'), dateTime(spot.leavesAt)],
      [t('spots.size'), spot.sizeMeters && t('spots.meters', { meters: spot.sizeMeters })],
      [t('spots.meter'), spot.meterPaidUntil && dateTime(spot.meterPaidUntil)],
      [t('spots.permit'), spot.permit],
      [t('spots.restrictions'), spot.restrictions],
      [t('spots.note'), spot.note],
    ]),
    spot.isMine ? null : h('p', { class: 'row' }, rating(spot.seller.rating)),
    spot.photoURL ? picture(spot.photoURL, noPicture, { class: 'photo-large', alt: t('spots.photo.alt') }) : null,
  );

export const auctionCard = ({ auction }) =>
  auction &&
  h(
    'section',
    { class: 'card stack tight', key: 'auction' },
    h('h2', null, t('spots.auction')),
    facts([
      [t('spots.auction.current'), money(auction.current)],
      [t('spots.auction.bids'), String(auction.bids)],
    ]),
    auction.leading ? notice('success', t('spots.leading')) : null,
    timeLeft(auction.closesAt, 'spots.auction.left'),
  );

/** What the seller gets, or has earned. */
export function earning(spot, resources) {
  const isEarning = spot.isMine && spot.price.amount && ['offered', 'reserved', 'handedOver'].includes(spot.status);
  const terms = isEarning ? termsAt(resources, spot.position).value : null;
  if (!terms) return null;
  const isBid = spot.auction && spot.status === 'offered';
  const key = spot.status === 'handedOver' ? 'spots.earned' : isBid ? 'spots.get.least' : 'spots.get';
  return h('p', { class: 'strong', key: 'get' }, t(key, { price: money(lessCommission(spot.price, terms.policy)) }));
}
