// The tab "Places": places within reach, routes to them, and the person's mobility.

import { escaped } from '/apps/shared/api.js';
import { gather } from '/apps/shared/clusters.js';
import { h } from '/apps/shared/dom.js';
import { minutes, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { CLOSEST } from '/apps/shared/map.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go, match } from '/apps/shared/shell.js';
import { button, iconButton } from '/apps/shared/ui.js';
import { createFind } from './find.js';
import { MOBILITY, createMobility } from './mobility.js';
import { createRoute } from './route.js';
import { createSuggest } from './suggest.js';
import { createSaved, createVendor } from './vendor.js';
import { kindText, reachText } from './words.js';

/** Markers with text hide each other within this distance, in pixels. */
const BESIDE = 64;
const ZOOM = 15;
/** The zoom that shows a step of a route. */
const CLOSE = 17;
/** The farthest zoom after the person has moved the map. */
const FAR = 12;
/** The number of first results that the map is fitted to. */
const SHOWN = 10;

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
  const { api, position, redraw, resources } = app;
  let hand = null;
  let isSmall = false;
  let current = null;
  /** The content that the map was fitted to, and its shapes. */
  let fitted = null;
  let drawn = {};

  const places = {
    ...app,
    middle: () => slot.map?.center() ?? null,
    mobility: () => (api.isSignedIn ? resources.get(MOBILITY).value : null),
    onsaved: () => find.again(),
  };
  const find = createFind(places);
  places.find = find;
  const vendor = createVendor(places);
  const saved = createSaved(places);
  const suggest = createSuggest(places);
  const route = createRoute(places);
  const mobility = createMobility(places);
  api.events.on('signed-in', find.again);

  const routes = [
    ['/places', null],
    ['/places/saved', saved.draw],
    ['/places/mobility', mobility.draw],
    ['/places/:id', vendor.draw],
    ['/places/:id/save', vendor.save],
    ['/places/:id/suggest', suggest.draw],
    ['/places/:id/route', route.draw],
  ];
  /** Screens whose state ends when another is drawn. */
  const rooms = [
    [/^\/places\/mobility$/, mobility],
    [/\/suggest$/, suggest],
    [/\/route$/, route],
  ];

  // MARK: Map

  const slot = createMapSlot('places-map', redraw, {
    label: () => t('places.map'),
    onready(map) {
      [fitted, drawn] = [null, {}];
      // The search is above the map, and texts are below the markers.
      map.setInset({ top: 84, bottom: 56 });
    },
    onmove(point, isByHand) {
      // Grouping depends on the zoom.
      drawMarkers();
      if (!isByHand || !fitted || current) return;
      hand = point;
      redraw();
    },
  });

  function drawMarkers() {
    const view = slot.map;
    if (!view || view.isPlain) return;
    const { vendor: one } = current ?? {};
    const marker = (it) => ({
      ...it.position,
      id: it.id,
      kind: 'place',
      icon: 'pin',
      text: it.reach ? minutes(it.reach.seconds) : '',
      isStale: (it.isOpenOnArrival ?? it.isOpen) === false,
      title: it.reach ? t('places.marker', { name: it.name, kind: kindText(it), reach: reachText(it.reach) }) : it.name,
      onclick: () => go(escaped`/places/${it.id}`),
      onhold: () => go(find.routePath({ reach: find.known(it.id)?.reach, ...it })),
    });
    view.setMarkers(
      'place-',
      one
        ? [{ ...marker(one), text: one.name }]
        : gather(view, find.items.map(marker), {
            near: BESIDE,
            titleOf: (count) => t('places.several', { count }),
            onclick: (members) => view.fit(members, { maxZoom: CLOSEST }),
          }),
    );
  }

  /** Draws shapes again when they change. */
  function drawShapes(view) {
    const area = current ? [] : find.area;
    if (drawn.area !== area)
      view.setAreas(
        area.map((feature) => ({ ...feature, properties: { ...feature.properties, id: feature.properties.mode } })),
      );
    const way = current?.way ?? null;
    if (drawn.way !== way)
      view.setRoute(
        'way',
        way && {
          geometry: way.line,
          source: way.isStraightLine ? 'straightLine' : 'router',
          attribution: current.attribution,
        },
      );
    drawn = { area, way };
  }

  function drawStep(view) {
    const { way, step } = current ?? {};
    view.setMarker(
      'step',
      step && { ...step.position, kind: 'step', count: way.steps.indexOf(step) + 1, title: step.text },
    );
  }

  /** Fits the map to new results, unless the person has moved it. */
  function fit(view) {
    const { vendor: one, way, step } = current ?? {};
    const what = step ?? way ?? (one ? one.id : current ? (fitted ?? (find.center() && 'here')) : find.path);
    if (!what || fitted === what) return;
    fitted = what;
    if (step) view.go(step.position, CLOSE);
    else if (way)
      view.fit([
        current.start,
        one.position,
        ...way.line.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })),
      ]);
    else if (one) view.go(one.position, ZOOM);
    else if (find.isAroundMap) view.go(find.center(), Math.max(view.map.getZoom(), FAR));
    else if (find.items.length) view.fit([find.center(), ...find.items.slice(0, SHOWN).map((it) => it.position)]);
    else view.go(find.center(), ZOOM);
  }

  function sync() {
    const view = slot.map;
    if (!view || view.isPlain) return;
    const here = find.here();
    view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
    drawMarkers();
    drawShapes(view);
    drawStep(view);
    fit(view);
  }

  // MARK: Drawing

  const list = () =>
    h(
      'main',
      { class: 'sheet', key: 'sheet' },
      h(
        'header',
        { class: 'sheet-head', key: 'head' },
        h(
          'div',
          { class: 'grow' },
          h('h1', { 'data-focus': true }, t('places.title')),
          h('p', { class: 'muted', role: 'status' }, find.status()),
        ),
        api.isSignedIn ? null : h('a', { class: 'button quiet', href: '#/' }, t('auth.signIn')),
        h(
          'button',
          {
            type: 'button',
            class: 'icon-button fold-sheet',
            'aria-expanded': String(!isSmall),
            'aria-label': t(isSmall ? 'sheet.open' : 'sheet.close'),
            onclick: () => {
              isSmall = !isSmall;
              redraw();
            },
          },
          icon('next'),
        ),
      ),
      h('div', { class: 'sheet-body', key: 'body' }, find.body()),
    );

  function searchHere() {
    find.lookAt(hand);
    hand = null;
  }
  function locate() {
    [hand, fitted] = [null, null];
    find.lookHere();
  }

  return {
    draw(path) {
      for (const [pattern, room] of rooms) if (!pattern.test(path)) room.leave();
      position.start();
      const found = match(routes, path);
      current = found?.screen?.(found.params) ?? null;
      if (current) hand = null;
      else find.ask();
      const isScreen = current && !current.isSheet;
      queueMicrotask(() => requestAnimationFrame(sync));
      return {
        title: current?.title ?? t('places.title'),
        view: h(
          'div',
          {
            class: `map-app home places${isScreen ? ' with-screen' : ''}${isSmall && !current ? ' small-sheet' : ''}`,
            key: 'places-app',
          },
          current
            ? null
            : h(
                'header',
                { class: 'map-top', key: 'top' },
                api.isSignedIn
                  ? h(
                      'a',
                      { class: 'icon-button floating', href: '#/menu', 'aria-label': t('menu.open') },
                      icon('menu'),
                    )
                  : null,
                find.search(),
              ),
          current?.view ?? list(),
          h(
            'div',
            { class: 'map-area', key: 'area' },
            slot.view('map-holder'),
            hand ? button(t('places.here'), { class: 'button map-note', key: 'here', onclick: searchHere }) : null,
            slot.map?.isPlain
              ? null
              : iconButton('locate', t('map.locate'), locate, { class: 'icon-button floating locate', key: 'locate' }),
          ),
        ),
      };
    },
    leave() {
      rooms.forEach(([, room]) => room.leave());
      slot.leave();
      hand = null;
    },
    /** The next person on this device starts afresh. */
    forget() {
      find.forget();
      suggest.forget();
      this.leave();
    },
  };
}
