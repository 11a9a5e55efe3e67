// The tab "Park": car parks for everyone to find, booking in three steps, and the person's own bookings.

import { begun } from '/apps/shared/storage.js';
import { address, match } from '/apps/shared/shell.js';
import { createBook } from './book.js';
import { createBooking } from './booking.js';
import { createBookings } from './bookings.js';
import { createChange } from './change.js';
import { createCompany } from './company.js';
import { createFind } from './find.js';
import { createFine } from './fine.js';
import { createFines } from './fines.js';
import { createInvitation } from './invitation.js';
import { createParked } from './parked.js';
import { createPlace } from './place.js';
import { createPoints } from './points.js';
import { createSpots } from '../spots/spots.js';
import { createStays } from './stays.js';

/** Interval for loading free spaces while the screen is visible, in ms. */
const PACE = 30_000;
const CHOICE = 'openvalet.park.choice';
/** Data to load again, by the link of a notification. */
const CHANGED = {
  '/bookings': ['/v1/bookings', '/v1/me/parking-sessions', '/v1/me/loyalty'],
  '/fines': ['/v1/fines/', '/v1/me/fines'],
  '/stays': ['/v1/me/parking-sessions', '/v1/parking-sessions/'],
  '/park': ['/v1/car-parks/', '/v1/me/watched-car-parks'],
};

export function create(app) {
  const park = createShared(app);
  const spots = createSpots(park);
  const find = createFind({ ...park, spots });
  park.wanted = find.wanted;
  const parked = createParked(park);
  const routes = [...routesOf(park, parked), ...spots.routes];
  let isShown = false;
  keepFresh(app, find, () => isShown);

  const leave = () => [parked, spots, find].forEach((screen) => screen.leave());
  return {
    /** `{ title, view }` of a path; the map stays behind other screens. */
    draw(path) {
      isShown = true;
      if (path !== '/parked') parked.leave();
      spots.enter(path);
      const found = match(routes, path) ?? { screen: () => null, params: {} };
      return find.draw(found.screen(found.params));
    },
    leave() {
      isShown = false;
      leave();
    },
    /** The next person on this device starts afresh. */
    forget() {
      park.forget();
      leave();
    },
  };
}

/** The app, with what the screens of this tab share. */
function createShared(app) {
  const park = {
    ...app,
    /**
     * The booking being made: `carPark`, `product`, `start` in the car park's local time, `quantity`, `kind`,
     * `vehicles`, `points`, and the `held` booking.
     */
    choice: begun.recall(CHOICE) ?? {},
    choose(change) {
      park.choice = { ...park.choice, ...change };
      begun.remember(CHOICE, park.choice);
      app.redraw();
    },
    /** The booking that has just been paid. */
    booked: null,
    forget() {
      begun.remember(CHOICE);
      Object.assign(park, { choice: {}, booked: null });
    },
  };
  return park;
}

function routesOf(park, parked) {
  const book = createBook(park);
  const company = createCompany(park);
  const change = createChange(park);
  const invitation = createInvitation(park);
  return [
    ['/park', () => null],
    ['/bookings', createBookings(park).draw],
    ['/bookings/:id', createBooking(park).draw],
    ['/bookings/:id/pay', book.pay],
    ['/bookings/:id/change', change.change],
    ['/bookings/:id/extend', change.extend],
    ['/parked', parked.draw],
    ['/fines', createFines(park).draw],
    ['/fines/:id', createFine(park).draw],
    ['/stays', createStays(park).draw],
    ['/stays/invitation', invitation.draw],
    ['/stays/invitation/:plate/:code', invitation.draw],
    ['/points', createPoints(park).draw],
    ['/company', company.draw],
    ['/company/:page', company.page],
    ['/park/:id', createPlace(park).draw],
    ['/park/:id/when', book.when],
    ['/park/:id/vehicle', book.vehicle],
  ];
}

function keepFresh({ live, redraw, resources }, find, isShown) {
  setInterval(() => {
    if (!isShown() || document.hidden) return;
    const { path } = address();
    if (path === '/park') find.again();
    else if (/^\/park\/[^/]+$/.test(path)) resources.reload('/v1/car-parks/');
  }, PACE);
  // Shows the seconds until a held space is released.
  setInterval(() => isShown() && address().path.endsWith('/pay') && redraw(), 1_000);
  // The subject of a notification has changed.
  live.events.on('notification', ({ link }) => {
    for (const [beginning, paths] of Object.entries(CHANGED))
      if (link?.startsWith(beginning)) paths.forEach(resources.reload);
  });
}
