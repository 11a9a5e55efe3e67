// The person's requests for seats, as driver and as passenger.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { choices, empty, notice } from '/apps/shared/ui.js';
import { list, listPage } from './list-page.js';
import { REQUESTS, requestPath } from './paths.js';
import { step } from './steps.js';
import { nameOf, seatBadge, wayText, when } from './words.js';

export const requests = (screen) =>
  listPage(
    t('lift.requests'),
    choices({
      name: 'side',
      label: t('lift.requests'),
      hideLabel: true,
      value: screen.side,
      options: ['open', 'driver', 'passenger'].map((one) => [one, t(`lift.side.${one}`)]),
      onchange: (side) => screen.set({ side }),
    }),
    screen.problem ? notice('danger', tProblem(screen.problem)) : null,
    list(screen.app, {
      path: screen.side === 'open' ? `${REQUESTS}?open=true` : `${REQUESTS}?role=${screen.side}`,
      title: t('lift.requests'),
      line: (request) => requestLine(screen, request),
      none: empty('user', t('lift.requests.none'), t('lift.requests.none.lead')),
    }),
  );

function requestLine(screen, request) {
  const { every, expiresAt, message, pickUp, rideId, status, timeZone, tripId } = request;
  const side = request.driver.id === screen.app.api.account.id ? 'driver' : 'passenger';
  const isAsked = status === 'pending' && request.asks === side;
  const isOpen = ['pending', 'accepted'].includes(status);
  const time = when(pickUp.at, timeZone);
  return h(
    'li',
    { class: 'card stack tight', key: request.id },
    h(
      'div',
      { class: 'row between' },
      h('span', { class: 'strong' }, every ? t('lift.request.every', { time }) : time),
      seatBadge(request, side),
    ),
    h('p', null, wayText(request)),
    company(request, side),
    message ? h('p', { class: 'quote' }, message) : null,
    status === 'pending' && expiresAt
      ? h('p', { class: 'muted small' }, t('lift.answer.by', { time: when(expiresAt, timeZone) }))
      : null,
    isAsked ? answers(screen, request, side) : null,
    h(
      'div',
      { class: 'row wrap' },
      rideId
        ? h('a', { class: 'button quiet', href: `#${escaped`/lift/rides/${rideId}`}` }, t('lift.ride'))
        : h('a', { class: 'button quiet', href: `#${escaped`/lift/trips/${tripId}`}` }, t('lift.trip')),
      isOpen && !isAsked && Date.parse(pickUp.at) > serverNow() ? cancelButton(screen, request, side) : null,
    ),
  );
}

/** The other person, seats and price. */
function company({ driver, passenger, price, seats }, side) {
  const other = side === 'driver' ? passenger : driver;
  return h(
    'p',
    { class: 'row wrap small' },
    h('a', { href: `#${escaped`/lift/people/${other.id}`}` }, nameOf(other)),
    h(
      'span',
      { class: 'muted' },
      [
        t('lift.seats.count', { count: seats }),
        price ? money(price) : t('lift.free'),
        t(side === 'driver' ? 'lift.asYou.driver' : 'lift.asYou.passenger'),
      ].join(' · '),
    ),
  );
}

const answers = (screen, request, side) =>
  h(
    'div',
    { class: 'actions' },
    step(screen, requestPath(request, 'decline'), t('lift.decline'), { wide: false }),
    step(screen, requestPath(request, 'accept'), t(side === 'driver' ? 'lift.accept' : 'lift.accept.change'), {
      wide: false,
      look: 'primary',
    }),
  );

function cancelButton(screen, request, side) {
  const isDriver = side === 'driver';
  const title = isDriver
    ? t('lift.notAlong.sure', { name: nameOf(request.passenger) })
    : t(request.every ? 'lift.cancel.every' : 'lift.cancel.sure');
  return step(screen, requestPath(request, 'cancel'), t(isDriver ? 'lift.notAlong' : 'lift.cancel'), {
    wide: false,
    look: 'quiet danger-text',
    question: { title, yes: t('action.yes') },
  });
}
