// The tab "Lift": find, offer, ride and confirm trips.

import { withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { match } from '/apps/shared/shell.js';
import { createEdit } from './edit.js';
import { createPlaceField, pointOf } from '../shared/place-field.js';
import { createFind } from './find.js';
import { createLists } from './lists.js';
import { REQUESTS } from './paths.js';
import { createPerson } from './person.js';
import { createFavourites } from './result.js';
import { createRide } from './ride.js';
import { createTrip } from './trip.js';
import { findStreetsBy } from './words.js';

const CHANGING = ['/v1/trips', '/v1/rides', '/v1/bills/', '/v1/me/confirmations', '/v1/me/favourite-trips', REQUESTS];

/** Loads its own styles, to keep the first view small. */
const style = () =>
  new Promise((done) => {
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: 'stylesheet',
        href: '/apps/customer/lift/lift.css',
        onload: done,
        onerror: done,
      }),
    );
  });
const styled = style();

/** Looks up each point's street once. */
function createStreets({ api, redraw }) {
  const known = new Map();
  async function learn(path) {
    known.set(path, null);
    try {
      const {
        items: [found],
        source,
      } = await api.get(path, { anonymous: true });
      if (source === 'coordinates') return;
      known.set(path, found?.address);
      redraw();
    } catch {
      // The point is shown without a street.
    }
  }
  return (point) => {
    const path = withQuery('/v1/places/reverse', pointOf(point));
    if (!known.has(path)) learn(path);
    return known.get(path);
  };
}

export async function create(app) {
  await styled;
  const { live, position, resources } = app;
  findStreetsBy(createStreets(app));
  const lift = {
    ...app,
    changed: () => CHANGING.forEach(resources.reload),
    favourites: createFavourites(app),
    /** People seen in a trip or a ride, by id: their page loads only their ratings. */
    seen: new Map(),
  };
  const near = () => lift.ends.from.place ?? lift.ends.to.place ?? position.last;
  const onchange = (_, isNamed) => !isNamed && find.endsChanged();
  /** The person's start and destination: in the search, and in each trip that they view. */
  lift.ends = {
    from: createPlaceField(lift, { id: 'from', label: 'lift.from', near, onchange }),
    to: createPlaceField(lift, { id: 'to', label: 'lift.to', near, onchange }),
  };
  const find = createFind(lift);
  const trip = createTrip(lift);
  const edit = createEdit(lift);
  const ride = createRide(lift);
  const lists = createLists(lift);
  const people = createPerson(lift);

  const UUID = '[0-9a-f-]{36}';
  /** @type {Ui.Room[]} */
  const rooms = [
    [/^\/lift$/, find],
    [/^\/lift\/trips\/(new|[^/]+\/edit)$/, edit],
    [new RegExp(`^/lift/trips/${UUID}$`), trip],
    [new RegExp(`^/lift/rides/${UUID}$`), ride],
  ];
  const routes = [
    ['/lift', find.draw],
    ['/lift/trips', lists.trips],
    ['/lift/trips/new', edit.make],
    ['/lift/trips/:id', trip.draw],
    ['/lift/trips/:id/edit', edit.change],
    ['/lift/rides', lists.rides],
    ['/lift/rides/:id', ride.draw],
    ['/lift/requests', lists.requests],
    ['/lift/favourites', lists.favourites],
    ['/lift/searches', lists.searches],
    ['/lift/help', lists.help],
    ['/lift/people/:id', people.draw],
  ];

  live.events.on('notification', ({ link }) => link?.startsWith('/lift') && lift.changed());
  for (const kind of ['seat', 'trip', 'ride']) live.events.on(kind, lift.changed);

  return {
    draw(path) {
      for (const [pattern, screen] of rooms) if (!pattern.test(path)) screen.leave();
      const found = match(routes, path) ?? { screen: find.draw, params: {} };
      const { title, view, hasMap } = found.screen(found.params);
      return {
        title,
        view: h(
          'div',
          { class: `lift${hasMap ? ' with-map' : ''}${path === '/lift' ? ' tabbed' : ''}`, key: 'lift-app' },
          view,
        ),
      };
    },
    leave: () => rooms.forEach(([, screen]) => screen.leave()),
    /** The next person on this device starts afresh. */
    forget() {
      [find, edit, lift.favourites].forEach((one) => one.forget());
      lift.seen.clear();
      for (const end of Object.values(lift.ends)) end.take(null);
      rooms.forEach(([, screen]) => screen.leave());
    },
  };
}
