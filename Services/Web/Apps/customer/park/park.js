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
  '/park': ['/v1/car-parks/', '/v1/me/watched-car-parks'],
};

export function create(app) {
  const { live, redraw, resources } = app;
  let choice = begun.recall(CHOICE) ?? {};
  const park = {
    ...app,
    /**
     * The booking being made: `carPark`, `product`, `start` in the car park's local time, `quantity`, `kind`,
     * `vehicles`, and the `held` booking.
     */
    get choice() {
      return choice;
    },
    choose(change) {
      choice = { ...choice, ...change };
      begun.remember(CHOICE, choice);
      redraw();
    },
    /** The booking that has just been paid. */
    booked: null,
  };
  const spots = createSpots(park);
  const find = createFind({ ...park, spots });
  park.wanted = find.wanted;
  const place = createPlace(park);
  const book = createBook(park);
  const bookings = createBookings(park);
  const booking = createBooking(park);
  const change = createChange(park);
  const about = createCompany(park);
  const parked = createParked(park);
  const fines = createFines(park);
  const fine = createFine(park);
  const stays = createStays(park);
  const points = createPoints(park);

  const routes = [
    ['/park', () => null],
    ['/bookings', bookings.draw],
    ['/bookings/:id', booking.draw],
    ['/bookings/:id/pay', book.pay],
    ['/bookings/:id/change', change.change],
    ['/bookings/:id/extend', change.extend],
    ['/parked', parked.draw],
    ['/fines', fines.draw],
    ['/fines/:id', fine.draw],
    ['/stays', stays.draw],
    ['/points', points.draw],
    ['/company', about.draw],
    ['/park/:id', place.draw],
    ['/park/:id/when', book.when],
    ['/park/:id/vehicle', book.vehicle],
    ...spots.routes,
  ];

  let isShown = false;
  setInterval(() => {
    if (!isShown || document.hidden) return;
    const { path } = address();
    if (path === '/park') find.again();
    else if (/^\/park\/[^/]+$/.test(path)) resources.reload('/v1/car-parks/');
  }, PACE);
  // Shows the seconds until a held space is released.
  setInterval(() => isShown && address().path.endsWith('/pay') && redraw(), 1_000);
  // The subject of a notification has changed.
  live.events.on('notification', ({ link }) => {
    for (const [beginning, paths] of Object.entries(CHANGED))
      if (link?.startsWith(beginning)) paths.forEach(resources.reload);
  });

  return {
    /** `{ title, view }` of a path; the map stays behind other screens. */
    draw(path) {
      isShown = true;
      if (path !== '/parked') parked.leave();
      spots.enter(path);
      const found = match(routes, path) ?? { screen: () => null };
      return find.draw(found.screen(found.params));
    },
    leave() {
      isShown = false;
      parked.leave();
      spots.leave();
      find.leave();
    },
    /** The next person on this device starts afresh. */
    forget() {
      choice = {};
      begun.remember(CHOICE);
      park.booked = null;
      parked.leave();
      spots.leave();
      find.leave();
    },
  };
}
