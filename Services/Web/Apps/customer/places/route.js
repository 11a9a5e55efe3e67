// The route to a place: on the map, and as steps in words.

import { withQuery } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { address } from '/apps/shared/shell.js';
import { center, known } from './find.js';
import { createLatest } from './latest.js';
import { routeView } from './route-view.js';
import { tone } from './tone.js';
import { isToCome } from './when.js';
import { RIDDEN, routePath, vendorPath } from './words.js';

const MOST = 3;
const TIMES = ['departAt', 'arriveBy'];
const pair = ({ latitude, longitude }) => `${latitude},${longitude}`;

export function createRoute(app) {
  const { api, mobility, redraw } = app;
  const trip = {
    app,
    /** The place, as far as it is known, and the problem with loading it. */
    id: null,
    vendor: null,
    error: null,
    /** The start, which stays while the person moves on. */
    start: null,
    /** The chosen route, by its position, and its step that is shown on the map. */
    choice: 0,
    step: null,
  };
  trip.ways = createLatest(api, redraw, {
    onanswer({ items }) {
      [trip.choice, trip.step] = [0, null];
      if (items.length) tone.play();
      // The default mode has no route and was not chosen by the person: try on foot, or by wheelchair.
      else if (!asked().mode) turn(trip, mobility()?.modes.wheelchair ? 'wheelchair' : 'walk', asked().when);
    },
  });
  return {
    draw: ({ id }) => draw(trip, id),
    leave() {
      trip.ways.forget();
      [trip.start, trip.step] = [null, null];
    },
  };
}

/** The parameters of the address: `mode`, and `when` as `{ departAt }`, `{ arriveBy }` or `{}`. */
function asked() {
  const { query } = address();
  const when = TIMES.filter((name) => Date.parse(query.get(name)))
    .slice(0, 1)
    .map((name) => [name, query.get(name)]);
  return { mode: query.get('mode'), when: Object.fromEntries(when) };
}
const isForRidden = ({ mode, when }) => Boolean(when.arriveBy) && !RIDDEN.includes(mode);
/** The time that the server accepts. */
const timeOf = ({ mode, when }) => (Object.values(when).every(isToCome) && !isForRidden({ mode, when }) ? when : {});

/** Shows the route by another mode, or at another time. */
const turn = ({ id }, mode, when) => location.replace(`#${routePath(id, mode, when)}`);

function ask(trip) {
  trip.start ??= center(trip.app.find);
  if (!trip.start || !trip.vendor) return;
  trip.ways.ask(
    withQuery('/v1/routes', {
      from: pair(trip.start),
      to: pair(trip.vendor.position),
      mode: asked().mode,
      ...timeOf(asked()),
      alternatives: MOST,
    }),
  );
}

function draw(trip, id) {
  const { find, resources } = trip.app;
  const { value, error } = resources.get(vendorPath(id), { anonymous: true });
  const vendor = value ?? known(find, id);
  Object.assign(trip, { id, vendor, error });
  ask(trip);
  const { value: answer } = trip.ways;
  const way = answer?.items[trip.choice] ?? null;
  const { when } = asked();
  const mode = asked().mode ?? way?.mode;
  const title = t('places.route.to', { name: vendor?.name ?? t('places.one') });
  return {
    title,
    vendor,
    way,
    start: trip.start,
    step: trip.step,
    isSheet: true,
    attribution: answer?.attribution,
    view: routeView(trip, {
      title,
      way,
      mode,
      when,
      times: RIDDEN.includes(mode) || when.arriveBy ? TIMES : TIMES.slice(0, 1),
      isForRidden: isForRidden({ mode, when }),
      turn: (...to) => turn(trip, ...to),
    }),
  };
}
