// The tab "Places": places within reach, routes to them, and the person's mobility.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { match } from '/apps/shared/shell.js';
import { button, iconButton } from '/apps/shared/ui.js';
import { again, ask, createFind, forget, lookAround, lookAt } from './find.js';
import { findView, searchField, status } from './find-view.js';
import { createPlacesMap, syncMap } from './places-map.js';
import { MOBILITY, createMobility } from './mobility.js';
import { createRoute } from './route.js';
import { createSuggest } from './suggest.js';
import { createSaved, createVendor } from './vendor.js';

/** Loads its own styles, and those of the address field. */
const style = (href) =>
  new Promise((done) => {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done }),
    );
  });
const styled = Promise.all(['places/places', 'lift/lift'].map((name) => style(`/apps/customer/${name}.css`)));

export async function create(app) {
  await styled;
  const screen = createScreen(app);
  const { routes, passing } = createScreens(screen.places);
  app.api.events.on('signed-in', () => again(screen.find));
  const leave = () => {
    passing.forEach(([, one]) => one.leave());
    screen.slot.leave();
    screen.hand = null;
  };
  return {
    draw(path) {
      for (const [pattern, one] of passing) if (!pattern.test(path)) one.leave();
      app.position.start();
      const found = match(routes, path);
      screen.current = found?.screen?.(found.params) ?? null;
      if (screen.current) screen.hand = null;
      else ask(screen.find);
      queueMicrotask(() => requestAnimationFrame(() => syncMap(screen)));
      return { title: screen.current?.title ?? t('places.title'), view: screenView(screen) };
    },
    leave,
    /** The next person on this device starts afresh. */
    forget() {
      forget(screen.find);
      passing.forEach(([, one]) => one.forget?.());
      leave();
    },
  };
}

function createScreen(app) {
  const { api, resources } = app;
  const places = {
    ...app,
    middle: () => screen.slot.map?.center() ?? null,
    mobility: () => (api.isSignedIn ? resources.get(MOBILITY).value : null),
    onsaved: () => again(places.find),
  };
  places.find = createFind(places);
  const screen = {
    app,
    places,
    find: places.find,
    isSmall: false,
    /** The screen that is open; null for the list. */
    current: null,
    /** The map's centre after the person has moved it. */
    hand: null,
    /** The content that the map was fitted to, and its shapes. */
    fitted: null,
    drawn: {},
  };
  screen.slot = createPlacesMap(screen);
  return screen;
}

/** The screens by address, and those whose state ends when another is drawn. */
function createScreens(places) {
  const vendor = createVendor(places);
  const mobility = createMobility(places);
  const suggest = createSuggest(places);
  const route = createRoute(places);
  return {
    routes: [
      ['/places', null],
      ['/places/saved', createSaved(places).draw],
      ['/places/mobility', mobility.draw],
      ['/places/:id', vendor.draw],
      ['/places/:id/save', vendor.save],
      ['/places/:id/suggest', suggest.draw],
      ['/places/:id/route', route.draw],
    ],
    /** @type {Ui.Room[]} */
    passing: [
      [/^\/places\/mobility$/, mobility],
      [/\/suggest$/, suggest],
      [/\/route$/, route],
    ],
  };
}

// MARK: Drawing

function screenView(screen) {
  const { current, isSmall } = screen;
  const isScreen = current && !current.isSheet;
  return h(
    'div',
    {
      class: `map-app home places${isScreen ? ' with-screen' : ''}${isSmall && !current ? ' small-sheet' : ''}`,
      key: 'places-app',
    },
    current ? null : mapTop(screen),
    current?.view ?? listSheet(screen),
    mapArea(screen),
  );
}

const mapTop = ({ app, find }) =>
  h(
    'header',
    { class: 'map-top', key: 'top' },
    app.api.isSignedIn
      ? h('a', { class: 'icon-button floating', href: '#/menu', 'aria-label': t('menu.open') }, icon('menu'))
      : null,
    searchField(find),
  );

function listSheet(screen) {
  const { app, find, isSmall } = screen;
  const fold = () => {
    screen.isSmall = !screen.isSmall;
    app.redraw();
  };
  return h(
    'main',
    { class: 'sheet', key: 'sheet' },
    h(
      'header',
      { class: 'sheet-head', key: 'head' },
      h(
        'div',
        { class: 'grow' },
        h('h1', { 'data-focus': true }, t('places.title')),
        h('p', { class: 'muted', role: 'status' }, status(find)),
      ),
      app.api.isSignedIn ? null : h('a', { class: 'button quiet', href: '#/' }, t('auth.signIn')),
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button fold-sheet',
          'aria-expanded': String(!isSmall),
          'aria-label': t(isSmall ? 'sheet.open' : 'sheet.close'),
          onclick: fold,
        },
        icon('next'),
      ),
    ),
    h('div', { class: 'sheet-body', key: 'body' }, findView(find)),
  );
}

function mapArea(screen) {
  const { find, hand, slot } = screen;
  const searchHere = () => {
    lookAt(find, screen.hand);
    screen.hand = null;
  };
  const locate = () => {
    [screen.hand, screen.fitted] = [null, null];
    lookAround(find, 'me');
  };
  return h(
    'div',
    { class: 'map-area', key: 'area' },
    slot.view('map-holder'),
    hand ? button(t('places.here'), { class: 'button map-note', key: 'here', onclick: searchHere }) : null,
    slot.map?.isPlain
      ? null
      : iconButton('locate', t('map.locate'), locate, { class: 'icon-button floating locate', key: 'locate' }),
  );
}
