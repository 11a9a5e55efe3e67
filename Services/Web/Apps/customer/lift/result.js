// A trip in a list: found, kept as a favourite, or one's own.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, t, tProblem, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge, rating, toast } from '/apps/shared/ui.js';
import { nameOf, priceText, repeatsText, tripBadge, wayText, when } from './words.js';

/** Hearts: shown at once as they were tapped, and as they are once that is answered. */
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
    heart: (id, isKnown, name) => h('button', {
      type: 'button', class: `icon-button heart${is(id, isKnown) ? ' lit' : ''}`, 'aria-pressed': String(Boolean(is(id, isKnown))), 'aria-label': t('lift.favourite.of', { name }), title: t('lift.favourite'),
      onclick: () => toggle(id, isKnown),
    }, icon('heart')),
  };
}

export const walkText = ({ pickUp, dropOff }) => t('lift.walks', { from: distance(pickUp.walkMeters), to: distance(dropOff.walkMeters) });

/** What a search finds. Times are those of where one looks from. */
export function resultLine(one, favourites) {
  const { tripId, date, driver, pickUp, dropOff, repeats, rideSeconds, seatsLeft, reason, detourSeconds } = one;
  return h('li', { class: 'card stack tight trip', key: `${tripId} ${date}` },
    h('div', { class: 'row between' }, h('a', { class: 'strong whole', href: `#${escaped`/lift/trips/${tripId}`}?date=${date}` }, when(pickUp.at)), favourites.heart(tripId, one.isFavourite, nameOf(driver))),
    h('p', { class: 'row wrap' }, h('span', null, nameOf(driver)), rating(driver.rating), repeats ? badge(repeatsText(repeats), 'accent') : null),
    h('p', { class: 'muted small' }, [walkText(one), t('lift.rides', { time: minutes(rideSeconds), at: time(dropOff.at) })].join(' · ')),
    h('p', { class: 'muted small' }, reason === 'detour' ? t('lift.reason.detour', { time: minutes(detourSeconds) }) : t('lift.reason.passesBoth')),
    h('div', { class: 'row between small' }, h('span', null, t('lift.seatsLeft', { count: seatsLeft })), h('span', { class: 'strong numbers price' }, priceText(one))));
}

/** A trip without anybody's ends; of a driver who is named unless they are oneself. */
export const tripLine = (trip, favourites) => h('li', { class: 'card stack tight trip', key: trip.id },
  h('div', { class: 'row between' }, h('a', { class: 'strong whole', href: `#${escaped`/lift/trips/${trip.id}`}` }, wayText(trip)), trip.isMine ? tripBadge(trip) : favourites.heart(trip.id, trip.isFavourite, nameOf(trip.driver))),
  h('p', { class: 'row wrap small' }, trip.isMine ? null : h('span', null, nameOf(trip.driver)), trip.isMine ? null : rating(trip.driver.rating), h('span', { class: 'muted' }, repeatsText(trip.repeats))),
  h('div', { class: 'row between small' }, h('span', null, trip.nextDepartureAt ? t('lift.next', { time: when(trip.nextDepartureAt, trip.timeZone) }) : t(trip.status === 'open' ? 'lift.next.none' : `lift.trip.${trip.status}`)), h('span', { class: 'strong numbers price' }, priceText(trip))));
