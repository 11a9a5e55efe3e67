// The person's own lifts: trips, rides, requests, favourites, saved searches; and help.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { empty } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { list, listPage } from './list-page.js';
import { requests } from './request-list.js';
import { tripLine } from './result.js';
import { rides } from './ride-list.js';
import { searches } from './search-list.js';

const QUESTIONS = 6;

export function createLists(app) {
  const screen = {
    app,
    /** Which rides and which requests are shown. */
    role: 'all',
    side: 'open',
    busy: null,
    problem: null,
    set(change) {
      Object.assign(screen, change);
      app.redraw();
    },
  };
  screen.act = createAct(() => screen, { redraw: app.redraw, after: app.changed });
  return {
    rides: () => rides(screen),
    requests: () => requests(screen),
    trips: () => trips(app),
    favourites: () => favourites(app),
    searches: () => searches(screen),
    help,
  };
}

const trips = (app) =>
  listPage(
    t('lift.trips.mine'),
    h('a', { class: 'button primary wide', key: 'new', href: '#/lift/trips/new' }, icon('plus'), t('lift.drive')),
    list(app, {
      path: '/v1/trips',
      title: t('lift.trips.mine'),
      line: (trip) => tripLine(trip, app.favourites),
      none: empty('car', t('lift.trips.none'), t('lift.trips.none.lead')),
    }),
  );

const favourites = (app) =>
  listPage(
    t('lift.favourites'),
    list(app, {
      path: '/v1/me/favourite-trips',
      title: t('lift.favourites'),
      line: (trip) => tripLine(trip, app.favourites),
      none: empty('heart', t('lift.favourites.none'), t('lift.favourites.none.lead')),
    }),
  );

const help = () =>
  listPage(
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
