// The person's own lifts: trips, rides, requests, favourites, saved searches; and help.

import { escaped, withQuery } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { distance, money, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { button, choices, confirm, empty, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { REQUESTS } from './paths.js';
import { tripLine } from './result.js';
import { dayText, nameOf, placeText, rideBadge, seatBadge, wayText, weekdaysText, when } from './words.js';

const SEARCHES = '/v1/me/saved-searches';
const DAY_MINUTES = 1_440;
const QUESTIONS = 6;
/** Lines per page: should include all upcoming ones. */
const RIDES = 50;
/** Lists are stored on the device without routes, which their lines don't show. */
const withoutWays = (page) => ({ ...page, items: page.items.map(({ way, ...line }) => line) });
const hourOf = (minute) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export function createLists(app) {
  const { api, changed, favourites, redraw, resources } = app;
  let role = 'all';
  let side = 'open';
  let busy = null;
  let problem = null;

  function list(path, title, line, none) {
    const entry = resources.list(path, { kept: withoutWays });
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(6);
    return [
      error ? notice('warning', t('state.asOf', { time: when(at) })) : null,
      value.items.length ? h('ul', { class: 'list', key: path, 'aria-label': title }, value.items.map(line)) : none,
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }
  const shown = (title, ...content) => ({ title, view: screen(title, { back: '/lift' }, content) });

  // MARK: Rides

  const isOver = ({ status }) => ['ended', 'cancelled'].includes(status);
  const rideLine = (ride) => {
    const seats = ride.passengers.filter(({ status }) => ['accepted', 'rode'].includes(status));
    const asking = ride.passengers.some(({ status, asks }) => status === 'pending' && asks === ride.role);
    return h(
      'li',
      { key: ride.id },
      h(
        'a',
        { class: `card stack tight${isOver(ride) ? ' over' : ''}`, href: `#${escaped`/lift/rides/${ride.id}`}` },
        h(
          'span',
          { class: 'row between' },
          h('span', { class: 'strong' }, when(ride.departsAt, ride.timeZone)),
          rideBadge(ride),
        ),
        h('span', null, wayText(ride)),
        h(
          'span',
          { class: 'row between small' },
          h(
            'span',
            { class: 'muted' },
            ride.role === 'driver'
              ? t('lift.youDrive', { count: seats.reduce((sum, one) => sum + one.seats, 0) })
              : t('lift.with', { name: nameOf(ride.driver) }),
          ),
          ride.role === 'passenger' && ride.passengers[0]
            ? seatBadge(ride.passengers[0], ride.role)
            : asking
              ? seatBadge({ status: 'pending', asks: ride.role }, ride.role)
              : null,
        ),
      ),
    );
  };
  /** Upcoming rides, soonest first, then past ones, latest first. */
  function rideList() {
    const entry = resources.get(withQuery('/v1/rides', { role: role === 'all' ? null : role, limit: RIDES }), {
      kept: withoutWays,
    });
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(6);
    if (!value.items.length)
      return empty(
        'clock',
        t('lift.rides.none'),
        t('lift.rides.none.lead'),
        h('a', { class: 'button primary', href: '#/lift' }, t('lift.search')),
      );
    const part = (name, items) =>
      items.length
        ? h(
            'section',
            { class: 'stack tight', key: name, 'aria-labelledby': `rides-${name}` },
            h('h2', { id: `rides-${name}` }, t(`lift.rides.${name}`)),
            h('ul', { class: 'list', 'aria-labelledby': `rides-${name}` }, items.map(rideLine)),
          )
        : null;
    return [
      error ? notice('warning', t('state.asOf', { time: when(at) })) : null,
      part('coming', value.items.filter((ride) => !isOver(ride)).reverse()),
      part('over', value.items.filter(isOver)),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }
  const rides = () =>
    shown(
      t('lift.rides.mine'),
      choices({
        name: 'role',
        label: t('lift.role'),
        hideLabel: true,
        value: role,
        options: ['all', 'driver', 'passenger'].map((one) => [one, t(`lift.role.${one}`)]),
        onchange: (one) => {
          role = one;
          redraw();
        },
      }),
      rideList(),
    );

  // MARK: Requests

  async function act(path, question) {
    if (busy) return;
    [busy, problem] = [path, null];
    redraw();
    try {
      if (!question || (await confirm(question, null, { yes: t('action.yes'), no: t('action.keep'), look: 'danger' })))
        await api.post(path);
    } catch (error) {
      problem = error;
    }
    busy = null;
    changed();
  }

  function requestLine(one) {
    const isDriver = one.driver.id === api.account.id;
    const path = (what) => escaped`/v1/seat-requests/${one.id}/${what}`;
    const tap = (what, text, props = {}) =>
      button(text, {
        isBusy: busy === path(what),
        disabled: busy,
        onclick: () => act(path(what), props.question),
        ...props,
      });
    const isAsked = one.status === 'pending' && one.asks === (isDriver ? 'driver' : 'passenger');
    const isOpen = ['pending', 'accepted'].includes(one.status);
    return h(
      'li',
      { class: 'card stack tight', key: one.id },
      h(
        'div',
        { class: 'row between' },
        h(
          'span',
          { class: 'strong' },
          one.every
            ? t('lift.request.every', { time: when(one.pickUp.at, one.timeZone) })
            : when(one.pickUp.at, one.timeZone),
        ),
        seatBadge(one, isDriver ? 'driver' : 'passenger'),
      ),
      h('p', null, wayText(one)),
      h(
        'p',
        { class: 'row wrap small' },
        h(
          'a',
          { href: `#${escaped`/lift/people/${(isDriver ? one.passenger : one.driver).id}`}` },
          nameOf(isDriver ? one.passenger : one.driver),
        ),
        h(
          'span',
          { class: 'muted' },
          [
            t('lift.seats.count', { count: one.seats }),
            one.price ? money(one.price) : t('lift.free'),
            t(isDriver ? 'lift.asYou.driver' : 'lift.asYou.passenger'),
          ].join(' · '),
        ),
      ),
      one.message ? h('p', { class: 'quote' }, one.message) : null,
      one.status === 'pending' && one.expiresAt
        ? h('p', { class: 'muted small' }, t('lift.answer.by', { time: when(one.expiresAt, one.timeZone) }))
        : null,
      isAsked
        ? h(
            'div',
            { class: 'actions' },
            tap('decline', t('lift.decline')),
            tap('accept', t(isDriver ? 'lift.accept' : 'lift.accept.change'), { look: 'primary' }),
          )
        : null,
      h(
        'div',
        { class: 'row wrap' },
        one.rideId
          ? h('a', { class: 'button quiet', href: `#${escaped`/lift/rides/${one.rideId}`}` }, t('lift.ride'))
          : h('a', { class: 'button quiet', href: `#${escaped`/lift/trips/${one.tripId}`}` }, t('lift.trip')),
        isOpen && !isAsked && Date.parse(one.pickUp.at) > serverNow()
          ? tap('cancel', t(isDriver ? 'lift.notAlong' : 'lift.cancel'), {
              look: 'quiet danger-text',
              question: isDriver
                ? t('lift.notAlong.sure', { name: nameOf(one.passenger) })
                : one.every
                  ? t('lift.cancel.every')
                  : t('lift.cancel.sure'),
            })
          : null,
      ),
    );
  }
  const requests = () =>
    shown(
      t('lift.requests'),
      choices({
        name: 'side',
        label: t('lift.requests'),
        hideLabel: true,
        value: side,
        options: ['open', 'driver', 'passenger'].map((one) => [one, t(`lift.side.${one}`)]),
        onchange: (one) => {
          side = one;
          redraw();
        },
      }),
      problem ? notice('danger', tProblem(problem)) : null,
      list(
        side === 'open' ? `${REQUESTS}?open=true` : `${REQUESTS}?role=${side}`,
        t('lift.requests'),
        requestLine,
        empty('user', t('lift.requests.none'), t('lift.requests.none.lead')),
      ),
    );

  // MARK: Trips

  const trips = () =>
    shown(
      t('lift.trips.mine'),
      h('a', { class: 'button primary wide', key: 'new', href: '#/lift/trips/new' }, icon('plus'), t('lift.drive')),
      list(
        '/v1/trips',
        t('lift.trips.mine'),
        (one) => tripLine(one, favourites),
        empty('car', t('lift.trips.none'), t('lift.trips.none.lead')),
      ),
    );
  const kept = () =>
    shown(
      t('lift.favourites'),
      list(
        '/v1/me/favourite-trips',
        t('lift.favourites'),
        (one) => tripLine(one, favourites),
        empty('heart', t('lift.favourites.none'), t('lift.favourites.none.lead')),
      ),
    );

  // MARK: Saved searches

  async function remove({ id }) {
    busy = id;
    redraw();
    try {
      await api.delete(escaped`/v1/me/saved-searches/${id}`);
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    busy = null;
    resources.reload(SEARCHES);
  }
  const searchLine = (one) =>
    h(
      'li',
      { class: 'card row between', key: one.id },
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'strong' }, one.name ?? t('lift.fromTo', { from: placeText(one.from), to: placeText(one.to) })),
        h(
          'p',
          { class: 'muted small' },
          [
            one.date ? dayText(one.date) : one.weekdays ? weekdaysText(one.weekdays) : t('lift.daily'),
            one.fromMinute === 0 && one.untilMinute === DAY_MINUTES
              ? null
              : `${hourOf(one.fromMinute)}–${hourOf(one.untilMinute)}`,
            t('lift.seats.count', { count: one.seats }),
            t('lift.walk.upTo', { distance: distance(one.maxWalkMeters) }),
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      button(t('lift.search.remove'), {
        look: 'quiet danger-text',
        isBusy: busy === one.id,
        onclick: () => remove(one),
      }),
    );
  const searches = () =>
    shown(
      t('lift.searches'),
      h('p', { class: 'muted', key: 'lead' }, t('lift.searches.lead')),
      list(
        SEARCHES,
        t('lift.searches'),
        searchLine,
        empty(
          'bell',
          t('lift.searches.none'),
          null,
          h('a', { class: 'button primary', href: '#/lift' }, t('lift.search')),
        ),
      ),
    );

  const help = () =>
    shown(
      t('lift.help'),
      Array.from({ length: QUESTIONS }, (_, i) =>
        h(
          'details',
          { class: 'fold card', key: i },
          h('summary', null, t(`lift.help.${i + 1}`), icon('next')),
          h('p', null, t(`lift.help.${i + 1}.text`)),
        ),
      ),
    );

  return { rides, requests, trips, favourites: kept, searches, help };
}
