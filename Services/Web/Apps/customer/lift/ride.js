// One ride, as its driver or a passenger sees it: before, during and after it, when it is confirmed and rated.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { screen as page } from '/apps/shared/shell.js';
import { facts } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createCards, refusal } from '../shared/payment.js';
import { asOf, isGone, missing } from './entries.js';
import { afterDrawing, mapCard } from './map.js';
import { ridePath } from './paths.js';
import { question } from './ride-after.js';
import { driving } from './ride-driver.js';
import { drawRideMap, follow, stopFollowing } from './ride-live.js';
import { riding } from './ride-passenger.js';
import { rideBadge, wayText, when } from './words.js';

export function createRide(app) {
  const screen = {
    app,
    cards: createCards(app),
    state: { of: null },
    /** The driver's last position, and the timer that asks for it. */
    track: null,
    timer: null,
    tickedAt: 0,
    /** The ride for which this device shares its position, even while another screen is open. */
    shared: null,
    /** What the map shows. */
    drawn: null,
    fitted: null,
  };
  screen.act = createAct(() => screen.state, { redraw: app.redraw, after: app.changed });
  screen.slot = createMapSlot('lift-ride-map', app.redraw, {
    label: () => t('lift.map'),
    onready: () => Object.assign(screen, { drawn: null, fitted: null }),
  });
  return {
    draw: ({ id }) => draw(screen, id),
    leave() {
      stopFollowing(screen);
      screen.slot.leave();
      Object.assign(screen, { drawn: null, fitted: null, state: { of: null } });
    },
  };
}

function draw(screen, id) {
  const { resources, seen } = screen.app;
  if (screen.state.of !== id) {
    screen.state = { of: id, busy: null, problem: null, opinions: {} };
    stopFollowing(screen);
  }
  const entry = resources.get(ridePath(id));
  const { value } = entry;
  const ride = isGone(entry) ? null : value;
  for (const one of value ? [value.driver, ...value.passengers.map(({ passenger }) => passenger)] : [])
    seen.set(one.id, one);
  follow(screen, ride);
  afterDrawing(() => drawRideMap(screen, value));
  return {
    title: t('lift.ride'),
    hasMap: true,
    view: page(
      t('lift.ride'),
      { back: '/lift/rides' },
      ride ? asOf(entry) : null,
      ride ? content(screen, ride) : missing(resources, entry),
    ),
  };
}

const content = (screen, ride) => [
  ride.passengers.map((seat) => question(screen, ride, seat)),
  mapCard(screen.slot),
  card(ride),
  // Beside the payment, if one is due.
  ride.role !== 'driver' && ride.passengers.some(({ isOwed }) => isOwed) ? null : refusal(screen.state.problem),
  ride.role === 'driver' ? driving(screen, ride) : riding(screen, ride),
];

const card = (ride) =>
  h(
    'section',
    { class: 'card stack', key: 'facts' },
    h('div', { class: 'row between' }, h('h2', { class: 'grow' }, wayText(ride)), rideBadge(ride)),
    facts([
      [t('lift.departs'), when(ride.departsAt, ride.timeZone)],
      [t('lift.arrives'), when(ride.arrivesAt, ride.timeZone)],
      [t('vehicle'), ride.vehicle && vehicle(ride.vehicle)],
    ]),
    h(
      'a',
      { class: 'button quiet', href: `#${escaped`/lift/trips/${ride.tripId}`}` },
      icon('route'),
      t('lift.trip.show'),
    ),
  );

const vehicle = ({ colour, make, model, plate }) => [
  [colour, make, model].filter(Boolean).join(' '),
  ' ',
  plate ? h('span', { class: 'plate' }, plate) : null,
];
