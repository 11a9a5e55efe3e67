// A trip in a list: a search result, a favourite, or the person's own.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { rating } from '/apps/shared/people.js';
import { badge, toast } from '/apps/shared/ui.js';
import { clockText, nameOf, priceText, repeatsText, tripBadge, wayText, when } from './words.js';

/** Hearts change at once, and show the stored state after the answer. */
export function createFavourites({ api, redraw, resources }) {
  const said = new Map();
  const is = (id, isKnown) => said.get(id) ?? isKnown;
  async function toggle(id, isKnown) {
    const isOn = !is(id, isKnown);
    said.set(id, isOn);
    redraw();
    try {
      const path = escaped`/v1/me/favourite-trips/${id}`;
      await (isOn ? api.put(path) : api.delete(path));
    } catch (error) {
      said.set(id, !isOn);
      toast(tProblem(error), 'danger');
    }
    resources.reload('/v1/me/favourite-trips');
  }
  return {
    is,
    forget: () => said.clear(),
    heart: (id, isKnown, name) =>
      h(
        'button',
        {
          type: 'button',
          class: `icon-button heart${is(id, isKnown) ? ' lit' : ''}`,
          'aria-pressed': String(Boolean(is(id, isKnown))),
          'aria-label': t('lift.favourite.of', { name }),
          title: t('lift.favourite'),
          onclick: () => toggle(id, isKnown),
        },
        icon('heart'),
      ),
  };
}

export const walkText = ({ pickUp, dropOff }) =>
  t('lift.walks', { from: distance(pickUp.walkMeters), to: distance(dropOff.walkMeters) });

/** A search result. */
export function resultLine(one, favourites) {
  const { tripId, date, timeZone, driver, pickUp, dropOff, repeats, rideSeconds, seatsLeft, reason, detourSeconds } =
    one;
  return h(
    'li',
    { class: 'card stack tight trip', key: `${tripId} ${date}` },
    h(
      'div',
      { class: 'row between' },
      h(
        'a',
        { class: 'strong whole', href: `#${escaped`/lift/trips/${tripId}`}?date=${date}` },
        when(pickUp.at, timeZone),
      ),
      favourites.heart(tripId, one.isFavourite, nameOf(driver)),
    ),
    h(
      'p',
      { class: 'row wrap' },
      h('span', null, nameOf(driver)),
      rating(driver.rating),
      repeats ? badge(repeatsText(repeats), 'accent') : null,
    ),
    h(
      'p',
      { class: 'muted small' },
      walkText(one),
      ' · ',
      t('lift.rides', { time: minutes(rideSeconds), at: clockText(dropOff.at, timeZone) }),
    ),
    pickUp.stop ? h('p', { class: 'muted small' }, t('lift.stop', { stop: pickUp.stop })) : null,
    h(
      'p',
      { class: 'muted small' },
      reason === 'detour' ? t('lift.reason.detour', { time: minutes(detourSeconds) }) : t('lift.reason.passesBoth'),
    ),
    h(
      'div',
      { class: 'row between small' },
      h('span', null, t('lift.seatsLeft', { count: seatsLeft })),
      h('span', { class: 'strong numbers price' }, priceText(one)),
    ),
  );
}

/** The page of one of two lifts; `name` is the end where the person changes lifts. */
const halfPath = ({ tripId, date }, name, { latitude, longitude }) =>
  `${escaped`/lift/trips/${tripId}`}?date=${date}&${name}=${latitude},${longitude}`;

/** Two connecting lifts, which are requested separately. */
export function connectionLine({ first, second, transfer, totalWalkMeters }) {
  const half = (one, name, at) =>
    h(
      'li',
      { key: one.tripId },
      h(
        'a',
        { class: 'stack tight', href: `#${halfPath(one, name, at)}` },
        h(
          'span',
          { class: 'row wrap' },
          h(
            'span',
            { class: 'strong' },
            t('lift.half', {
              from: clockText(one.pickUp.at, one.timeZone),
              to: clockText(one.dropOff.at, one.timeZone),
              name: nameOf(one.driver),
            }),
          ),
          rating(one.driver.rating),
        ),
        h(
          'span',
          { class: 'row between small' },
          h('span', null, t('lift.seatsLeft', { count: one.seatsLeft })),
          h('span', { class: 'strong numbers price' }, priceText(one)),
        ),
      ),
    );
  return h(
    'li',
    { class: 'card stack tight trip connection', key: `${first.tripId} ${first.date} ${second.tripId}` },
    h('p', { class: 'strong' }, when(first.pickUp.at, first.timeZone)),
    h(
      'p',
      { class: 'muted small' },
      t('lift.connection', { walk: distance(totalWalkMeters), at: clockText(second.dropOff.at, second.timeZone) }),
    ),
    h(
      'ol',
      { class: 'stack halves', 'aria-label': t('lift.halves') },
      half(first, 'to', transfer.point),
      h(
        'li',
        { class: 'row small muted', key: 'transfer' },
        icon('route'),
        t('lift.transfer.how', { walk: distance(transfer.walkMeters), wait: minutes(transfer.waitSeconds) }),
      ),
      half(second, 'from', second.pickUp.point),
    ),
  );
}

/** A trip without the searcher's ends; names the driver unless it is the person's own. */
export const tripLine = (trip, favourites) =>
  h(
    'li',
    { class: 'card stack tight trip', key: trip.id },
    h(
      'div',
      { class: 'row between' },
      h('a', { class: 'strong whole', href: `#${escaped`/lift/trips/${trip.id}`}` }, wayText(trip)),
      trip.isMine ? tripBadge(trip) : favourites.heart(trip.id, trip.isFavourite, nameOf(trip.driver)),
    ),
    h(
      'p',
      { class: 'row wrap small' },
      trip.isMine ? null : h('span', null, nameOf(trip.driver)),
      trip.isMine ? null : rating(trip.driver.rating),
      h('span', { class: 'muted' }, repeatsText(trip.repeats)),
    ),
    h(
      'div',
      { class: 'row between small' },
      h(
        'span',
        null,
        trip.nextDepartureAt
          ? t('lift.next', { time: when(trip.nextDepartureAt, trip.timeZone) })
          : t(trip.status === 'open' ? 'lift.next.none' : `lift.trip.${trip.status}`),
      ),
      h('span', { class: 'strong numbers price' }, priceText(trip)),
    ),
  );
