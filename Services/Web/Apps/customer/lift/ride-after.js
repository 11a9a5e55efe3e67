// After a ride: whether the passenger was in the car, the open bill, the rating, and reports.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { starInput } from '/apps/shared/forms.js';
import { button, field, notice, toast } from '/apps/shared/ui.js';
import { billPath } from '../shared/charge.js';
import { isOwed, owedBill } from '../shared/owed.js';
import { answer } from './confirm.js';
import { conductButtons } from './contact.js';
import { requestPath, ridePath } from './paths.js';
import { step } from './steps.js';
import { nameOf, when } from './words.js';

const LONGEST = 1_000;

// MARK: Whether the passenger was in the car

/** What this person has to answer about a seat, before all else: `again`, `driver`, `passenger`; null for nothing. */
export function questionOf({ role, status: rideStatus }, { asks, confirmation, status }) {
  const hasSaid = (side) => typeof confirmation?.[side] === 'boolean';
  if (status === 'pending' && asks === 'passenger' && role === 'passenger') return 'again';
  if (status !== 'accepted' || rideStatus !== 'ended' || confirmation?.isDisputed) return null;
  if (role === 'driver') return hasSaid('driver') ? null : 'driver';
  return confirmation?.driver === false && !hasSaid('passenger') ? 'passenger' : null;
}

export function question(screen, ride, seat) {
  const what = questionOf(ride, seat);
  if (what === 'again') return changedTrip(screen, seat);
  if (what === 'driver') {
    const name = nameOf(seat.passenger);
    return yesNo(screen, seat, t('lift.confirm.question', { name }), t('lift.confirm.why'));
  }
  return what === 'passenger' ? yesNo(screen, seat, t('lift.confirm.mine'), t('lift.confirm.driverSaysNo')) : null;
}

const changedTrip = (screen, seat) =>
  h(
    'section',
    { class: 'card stack', key: `again-${seat.id}` },
    h('h2', null, t('lift.asks.you')),
    h(
      'p',
      { class: 'muted' },
      t('lift.asks.again', { time: when(seat.pickUp.at, seat.timeZone), walk: distance(seat.pickUp.walkMeters) }),
    ),
    h(
      'div',
      { class: 'actions' },
      step(screen, requestPath(seat, 'decline'), t('lift.decline'), { wide: false }),
      step(screen, requestPath(seat, 'accept'), t('lift.accept.change'), { wide: false, look: 'primary' }),
    ),
  );

const yesNo = (screen, seat, title, why) =>
  h(
    'section',
    { class: 'card stack', key: `ask-${seat.id}` },
    h('h2', null, title),
    h('p', { class: 'muted' }, why),
    h(
      'div',
      { class: 'actions' },
      answerButton(screen, seat, false, t('action.no')),
      answerButton(screen, seat, true, t('action.yes'), { look: 'primary' }),
    ),
  );

const answerButton = ({ act, app }, { id }, inTheCar, text, more) =>
  button(text, {
    ...more,
    ...act.button(`confirm ${id}`),
    onclick: () => act(`confirm ${id}`, async () => void (await answer(app.api, id, inTheCar))),
  });

/** The answers on whether a passenger was in the car, and the result. */
export function settled(screen, ride, seat) {
  const { confirmation, status } = seat;
  const isDriver = ride.role === 'driver';
  if (typeof confirmation?.decided === 'boolean')
    return notice('neutral', t(confirmation.decided ? 'lift.decided.yes' : 'lift.decided.no'));
  if (confirmation?.isDisputed) return notice('warning', t('lift.disputed'));
  if (status === 'accepted' && ride.status === 'ended') {
    if (questionOf(ride, seat)) return null;
    const mine = isDriver ? confirmation?.driver : confirmation?.passenger;
    return notice('neutral', t(typeof mine === 'boolean' ? 'lift.confirm.other' : 'lift.confirm.waiting'));
  }
  // The driver confirmed a passenger who says that they weren't there.
  if (status === 'rode' && !isDriver && confirmation?.driver === true && confirmation.passenger === null)
    return h(
      'details',
      { class: 'fold', key: `disagree-${seat.id}` },
      h('summary', null, t('lift.confirm.disagree'), icon('next')),
      h(
        'div',
        { class: 'stack' },
        h('p', { class: 'muted' }, t('lift.confirm.disagree.text')),
        answerButton(screen, seat, false, t('lift.confirm.notMe')),
      ),
    );
  return null;
}

// MARK: The open bill

const billOf = ({ resources }, seat) => (seat.isOwed ? resources.get(billPath(seat.id)) : null);

export function owed(screen, seat) {
  const bill = billOf(screen.app, seat)?.value;
  return isOwed(bill) ? owedBill(screen, bill, 'lift.owed') : null;
}

/** Of a paid ride. */
export const receiptLink = (seat) =>
  seat.status === 'rode' && !seat.isOwed && seat.payment === 'app' && seat.price?.amount
    ? h('a', { class: 'button', href: `#${escaped`/receipts/bill/${seat.id}`}`, key: 'receipt' }, t('receipt.open'))
    : null;

// MARK: The rating

const mayRate = (seat) => seat.status === 'rode' && !seat.confirmation?.isDisputed;
const ratingPath = (ride) => `${ridePath(ride.id)}/rating`;
const ratings = ({ resources }, ride) => resources.get(ratingPath(ride), { isBrief: true });

/** The stars and comment for a person of this seat: to be given, or thanks for them. */
export function opinion(screen, ride, seat, to) {
  if (!mayRate(seat)) return null;
  const { value, error } = ratings(screen.app, ride);
  if (!value && !error) return null;
  const given = value?.items.find((one) => one.to === to.id);
  const mine = (screen.state.opinions[to.id] ??= {
    given,
    stars: given?.stars ?? null,
    comment: given?.comment ?? '',
    isOpen: !given,
  });
  return mine.isOpen ? ratingForm(screen, ride, to, mine) : thanks(screen, mine);
}

function thanks({ app }, mine) {
  const change = () => {
    mine.isOpen = true;
    app.redraw();
  };
  return notice(
    'success',
    t('rate.thanks', { stars: t('rating.stars', { count: mine.given.stars }) }),
    button(t('rate.change'), { look: 'quiet', onclick: change }),
  );
}

const ratingForm = (screen, ride, to, mine) =>
  h(
    'section',
    { class: 'card stack rate', key: `rate-${to.id}` },
    h('h2', null, t('lift.rate', { name: nameOf(to) })),
    starInput({
      name: `stars-${to.id}`,
      value: mine.stars,
      onchange: (stars) => {
        mine.stars = stars;
        screen.app.redraw();
      },
    }),
    field({
      id: `comment-${to.id}`,
      label: t('rate.comment'),
      isOptional: true,
      multiline: true,
      maxlength: LONGEST,
      value: mine.comment,
      oninput: ({ target }) => {
        mine.comment = target.value;
      },
    }),
    button(t('rate.send'), {
      wide: true,
      ...screen.act.button(`rate ${to.id}`, !mine.stars),
      onclick: () => sendRating(screen, ride, to, mine),
    }),
  );

const sendRating = ({ act, app: { api } }, ride, to, mine) =>
  act(`rate ${to.id}`, async () => {
    mine.given = await api.put(ratingPath(ride), {
      stars: mine.stars,
      ...(mine.comment?.trim() ? { comment: mine.comment.trim() } : {}),
      to: to.id,
    });
    mine.isOpen = false;
    toast(t('lift.rated'), 'success');
  });

// MARK: Reports

/** Whether content above the buttons has loaded: later it would move them from under a finger. */
const isStill = (app, ride) =>
  ride.passengers
    .flatMap((seat) => [
      ride.role === 'passenger' ? billOf(app, seat) : null,
      mayRate(seat) ? ratings(app, ride) : null,
    ])
    .every((entry) => !entry || entry.value || entry.error);

export const conduct = ({ app }, ride, person) =>
  isStill(app, ride) && conductButtons(app.api, person, { subject: { product: 'carpool', id: ride.id } });
