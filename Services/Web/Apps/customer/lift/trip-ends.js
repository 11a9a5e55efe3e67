// Where a passenger gets in and out of another driver's trip, and how they walk there.

import { withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { metersBetween } from '/apps/shared/position.js';
import { button } from '/apps/shared/ui.js';
import { pointOf } from '../shared/place-field.js';
import { pathOf } from './paths.js';
import { placeText } from './words.js';

/** The largest distance of a pick-up from the route, in metres; beyond it, passengers walk to the route. */
const NEAR = 1_000;

/** One end of the ride: from the address when changing between two lifts, otherwise the person's own. */
export const endOf = ({ app, state }, name) => state.changes[name] ?? app.ends[name].place;
export const hasEnds = (screen) => Boolean(endOf(screen, 'from') && endOf(screen, 'to'));

/** The places in the address where the person changes between two lifts. */
export function changesOf(query) {
  const point = (name) => {
    const [latitude, longitude] = (query.get(name) ?? '').split(',').map(Number);
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
      ? { latitude, longitude, address: t('lift.transfer') }
      : null;
  };
  return { from: point('from'), to: point('to') };
}

// MARK: Walks

/** `{ value, error }` of the walk between an end and the car; null without that end. */
export function walkOf(screen, trip, name) {
  const [place, other] = [endOf(screen, name), endOf(screen, name === 'from' ? 'to' : 'from')];
  if (!place || trip.isMine) return null;
  const { latitude, longitude } = pointOf(place);
  const otherPoint = other && pointOf(other);
  return lookUp(
    screen,
    withQuery(`${pathOf(trip.id)}/walk`, {
      latitude,
      longitude,
      end: name === 'from' ? 'pickUp' : 'dropOff',
      otherLatitude: otherPoint?.latitude,
      otherLongitude: otherPoint?.longitude,
    }),
  );
}

/** Requested once while the trip is viewed, and not stored on the device. */
function lookUp({ app, asked }, path) {
  if (!asked.has(path)) {
    const entry = { value: null, error: null };
    asked.set(path, entry);
    app.api
      .get(path)
      .then(
        (value) => (entry.value = value),
        (error) => (entry.error = error),
      )
      .finally(app.redraw);
  }
  return asked.get(path);
}

/** A place where cars can stop, if known; else the person's own place, or the route's nearest point if too far. */
export function meetingPoint(place, walk, { maxDetourSeconds }) {
  const { meetingPoint: meeting, isStop } = walk ?? {};
  return meeting && (isStop || (metersBetween(place, meeting) > NEAR && !maxDetourSeconds)) ? meeting : place;
}
export const stopOf = (screen, trip, name) =>
  pointOf(meetingPoint(endOf(screen, name), walkOf(screen, trip, name)?.value, trip));

// MARK: Drawing

export const endsCard = (screen, trip) =>
  screen.state.isChanging || !hasEnds(screen) ? chooseEnds(screen) : walks(screen, trip);

function chooseEnds({ app: { ends, redraw }, state }) {
  const done = () => {
    state.isChanging = false;
    redraw();
  };
  return h(
    'section',
    { class: 'card stack', key: 'ends' },
    h('h2', null, t('lift.yourEnds')),
    ends.from.view(state.missing && t('lift.end.choose')),
    ends.to.view(state.missing && t('lift.end.choose')),
    state.isChanging && ends.from.place && ends.to.place ? button(t('action.done'), { onclick: done }) : null,
  );
}

function walks(screen, trip) {
  const change = () => {
    Object.assign(screen.state, { isChanging: true, changes: {} });
    screen.app.redraw();
  };
  return h(
    'section',
    { class: 'card stack', key: 'ends' },
    h('h2', null, t('lift.yourEnds')),
    h('ul', { class: 'stack' }, walk(screen, trip, 'from'), walk(screen, trip, 'to')),
    button(t('lift.ends.change'), { look: 'quiet', onclick: change }),
  );
}

function walk(screen, trip, name) {
  const { value, error } = walkOf(screen, trip, name);
  const text = value
    ? t(value.way.source === 'straightLine' ? 'lift.walk.straight' : 'lift.walk', {
        distance: distance(value.way.distanceMeters),
        time: minutes(Math.max(60, value.way.durationSeconds)),
      })
    : t(error ? 'lift.walk.unknown' : 'state.loading');
  return h(
    'li',
    { key: name },
    h('p', { class: 'muted small' }, t(name === 'from' ? 'lift.pickUp' : 'lift.dropOff')),
    h('p', { class: 'strong' }, placeText(endOf(screen, name))),
    h('p', { class: 'row small' }, icon('route'), text),
    value?.stop ? h('p', { class: 'small' }, t('lift.stop', { stop: value.stop })) : null,
  );
}
