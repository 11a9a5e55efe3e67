// One trip: its route on the map with the walks at both ends, and a seat to request; for one's own, its dates.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, t } from '/apps/shared/i18n.js';
import { address, screen as page } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { facts, notice } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createOnce } from '../shared/once.js';
import { createCards } from '../shared/payment.js';
import { asOf, isGone, missing } from './entries.js';
import { afterDrawing, mapCard } from './map.js';
import { pathOf } from './paths.js';
import { changesOf } from './trip-ends.js';
import { createTripMap, drawTripMap, nothingDrawn } from './trip-map.js';
import { own } from './trip-own.js';
import { others } from './trip-request.js';
import { nameOf, person, priceText, repeatsText, tripBadge, wayText, when } from './words.js';

const noTrip = () => ({ of: null, changes: {} });

export function createTrip(app) {
  const screen = {
    app,
    cards: createCards(app),
    once: createOnce(app.api),
    form: createForm(app.redraw),
    act: null,
    slot: null,
    state: noTrip(),
    /** The walks that were asked for, by path. */
    asked: new Map(),
    ...nothingDrawn(),
  };
  screen.act = createAct(() => screen.state, { redraw: app.redraw, after: app.changed });
  screen.slot = createTripMap(screen);
  return {
    draw: ({ id }) => draw(screen, id),
    leave() {
      screen.slot.leave();
      screen.asked.clear();
      Object.assign(screen, nothingDrawn(), { state: noTrip() });
    },
  };
}

function begin(screen, id) {
  const { query } = address();
  screen.state = {
    of: id,
    busy: null,
    problem: null,
    seats: '1',
    every: false,
    date: query.get('date'),
    isChanging: false,
    missing: false,
    changes: changesOf(query),
  };
  screen.form = createForm(screen.app.redraw, { pickUp: null });
}

function draw(screen, id) {
  const { favourites, resources, seen } = screen.app;
  if (screen.state.of !== id) begin(screen, id);
  const entry = resources.get(pathOf(id));
  const { value } = entry;
  const trip = isGone(entry) ? null : value;
  if (value) seen.set(value.driver.id, value.driver);
  afterDrawing(() => drawTripMap(screen, value));
  return {
    title: t('lift.trip'),
    hasMap: true,
    view: page(
      t('lift.trip'),
      {
        back: value?.isMine ? '/lift/trips' : '/lift',
        actions: value && !value.isMine ? favourites.heart(id, value.isFavourite, nameOf(value.driver)) : null,
      },
      trip ? asOf(entry) : null,
      trip
        ? [mapCard(screen.slot), card(trip), trip.isMine ? own(screen, trip) : others(screen, trip)]
        : missing(resources, entry),
    ),
  };
}

const card = (trip) =>
  h(
    'section',
    { class: 'card stack', key: 'facts' },
    h(
      'div',
      { class: 'row between' },
      h('h2', { class: 'grow' }, wayText(trip)),
      trip.isMine || trip.status !== 'open' ? tripBadge(trip) : null,
    ),
    trip.isMine ? null : person(trip.driver, escaped`/lift/people/${trip.driver.id}`),
    facts([
      [t('lift.next.label'), trip.nextDepartureAt && when(trip.nextDepartureAt, trip.timeZone)],
      [t('lift.repeat'), repeatsText(trip.repeats)],
      [t('lift.way'), `${distance(trip.distanceMeters)} · ${minutes(trip.durationSeconds)}`],
      [t('lift.seats'), String(trip.seats)],
      [t('lift.price'), priceText(trip)],
      [
        t('lift.detour'),
        trip.maxDetourSeconds ? t('lift.detour.minutes', { minutes: Math.round(trip.maxDetourSeconds / 60) }) : null,
      ],
      [t('vehicle'), trip.vehicle && carText(trip.vehicle)],
      [t('lift.preferences'), trip.preferences.map((name) => t(`lift.preference.${name}`)).join(', ')],
      [t('lift.note'), trip.note],
    ]),
    trip.acceptsAutomatically ? h('p', { class: 'muted small' }, t('lift.automatic.told')) : null,
    trip.isStraightLine ? notice('warning', t('lift.straight')) : null,
  );

const carText = ({ colour, make, model, plate }) => [colour, make, model, plate].filter(Boolean).join(' ');
