// The map and the sheet beside it: the next step of an order, or the start of a new one.

import { h } from '/apps/shared/dom.js';
import { cityOf, isDemo, isElsewhere, ready } from '/apps/shared/demo.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { createMap, hasPlaces } from '/apps/shared/map.js';
import { icon } from '/apps/shared/icons.js';
import { iconButton, notice, problemNotice, skeleton, statusOf } from '/apps/shared/ui.js';
import { dropOffSheet, placeSearch, returnSheet } from './choose.js';
import { STALE, isEnded, isMoving, targetOf } from './store.js';

export function createHome(app) {
  const home = { app, holder: null, isReturning: false, isSmall: false, canSearch: false, ...BARE };
  Object.assign(app, createMoves(home));
  ready.then(() => {
    sync(home);
    app.redraw();
  });
  return {
    /** The home screen, or only the map beside another screen. */
    draw(path, screen) {
      const { order } = app.store.value;
      home.isReturning = path === '/return' && order?.status === 'parked';
      queueMicrotask(() => sync(home));
      return h(
        'div',
        { class: `map-app home${screen ? ' with-screen' : ''}${home.isSmall ? ' small-sheet' : ''}`, key: 'map-app' },
        screen ? null : top(home),
        screen ?? sheet(home, order),
        order ? h('p', { class: 'visually-hidden', role: 'status', key: 'said' }, app.said(order)) : null,
        mapArea(home, order, !screen),
      );
    },
    leave() {
      home.view?.remove();
      Object.assign(home, { view: null, holder: null });
    },
  };
}

const top = (home) => {
  const { news } = home.app.store.value;
  return h(
    'header',
    { class: 'map-top', key: 'top' },
    home.isReturning
      ? h('a', { class: 'icon-button floating', href: '#/', 'aria-label': t('action.back') }, icon('back'))
      : h(
          'a',
          {
            class: `icon-button floating${news ? ' dot' : ''}`,
            href: '#/menu',
            'aria-label': news ? t('menu.openNews', { count: news }) : t('menu.open'),
          },
          icon('menu'),
        ),
    isChoosing(home) && home.canSearch ? placeSearch(home.app) : null,
  );
};

const mapArea = (home, order, isWhole) => {
  const { api, live, plan, store } = home.app;
  const isPlain = home.view?.isPlain;
  return h(
    'div',
    { class: 'map-area', key: 'area' },
    h('div', { class: 'map-holder', id: 'map-holder', key: 'holder', keep: true }),
    isChoosing(home) && isWhole && plan.value.point && !plan.value.walk && !isPlain
      ? h('span', { class: 'pin', 'aria-hidden': 'true', key: 'pin' }, icon('pin'))
      : null,
    api.isSignedIn && !isPlain
      ? iconButton('locate', t('map.locate'), () => locate(home), {
          class: 'icon-button floating locate',
          key: 'locate',
        })
      : null,
    order && isMoving(order) && !live.isOpen && store.value.isKnown
      ? h('p', { class: 'map-note', key: 'note' }, t('state.reconnecting'))
      : null,
  );
};

// MARK: Sheet

function sheet(home, order) {
  const [head, ...body] = sheetParts(home, order);
  return h(
    'main',
    {
      class: `sheet${['waitingForPayment', 'finished', 'cancelled'].includes(order?.status) ? ' tall' : ''}`,
      key: `sheet-${order?.id ?? 'new'}-${home.isReturning}`,
    },
    head,
    h('div', { class: 'sheet-body', key: 'body' }, honesty(home.app), body),
  );
}

function sheetParts(home, order) {
  const { app } = home;
  const { isKnown, at, areas } = app.store.value;
  const head = (...texts) => sheetHead(home, ...texts);
  if (!order && !isKnown && !at) return [head(t('choose.title')), skeleton(3)];
  if (home.isReturning) return returnSheet(app, head, order);
  if (order)
    return app.journey()?.sheet(order, head) ?? [head(t(`status.${statusOf(order)}`)), app.broken() ?? skeleton(4)];
  if (areas && !areas.length) return [head(t('choose.title')), notice('warning', t('choose.noAreas'))];
  return dropOffSheet(app, head);
}

const sheetHead = (home, title, lead, side) =>
  h(
    'header',
    { class: 'sheet-head', key: 'head' },
    h('div', { class: 'grow' }, h('h1', { 'data-focus': true }, title), lead ? h('p', { class: 'muted' }, lead) : null),
    side ?? null,
    h(
      'button',
      {
        type: 'button',
        class: 'icon-button fold-sheet',
        'aria-expanded': String(!home.isSmall),
        'aria-label': t(home.isSmall ? 'sheet.open' : 'sheet.close'),
        onclick: () => {
          home.isSmall = !home.isSmall;
          home.app.redraw();
        },
      },
      icon('next'),
    ),
  );

/** The age of what is shown, and unsent changes. */
const honesty = ({ outbox, store }) => {
  const { at, isFresh, isKnown, problem } = store.value;
  const count = outbox.items.length;
  return [
    count ? note('waiting', 'clock', t('state.waiting', { count })) : null,
    isKnown && !isFresh && at ? note('stale', 'offline', t('state.asOf', { time: dateTime(at) })) : null,
    isKnown && !at && problem ? problemNotice(problem, store.refresh) : null,
  ];
};
const note = (key, name, text) => h('p', { class: 'stale', role: 'status', key }, icon(name), text);

// MARK: Map

/** A new map moves by itself until `isPlaced`. */
const BARE = { view: null, shownAreas: null, shownRoute: null, scene: null, isPlaced: false, isFramed: false };

const isChoosing = ({ app, isReturning }) => isReturning || !app.store.value.order;

/** The person's position; in a demo it counts only in the simulated city. */
const here = ({ position, store }) => (isElsewhere(position.last, store.value.areas) ? null : position.last);

/** Updates the map; only differences are drawn, so it may be called at any time. */
function sync(home) {
  const node = document.getElementById('map-holder');
  if (node && node !== home.holder) mount(home, node);
  else if (home.view) show(home);
}

function show(home) {
  const { app, view, isReturning } = home;
  const { areas, order, route } = app.store.value;
  const { walk, nearby } = app.plan.value;
  const me = here(app);
  if (areas !== home.shownAreas) view.setAreas((home.shownAreas = areas));
  view.setMarker('me', marker(me, 'me', 'pin', t('map.me')));
  view.setMarkers(
    'near-',
    isChoosing(home) && !isReturning && !walk
      ? nearby.map((valet, i) => ({ ...valet, id: i, kind: 'valet', icon: 'user' }))
      : [],
  );
  view.setMarker('service', walk && marker(walk.to, 'place', 'pin', walk.area.properties.name));
  const markers = order && !isReturning ? orderMarkers(order, app.store.value) : {};
  for (const id of ['from', 'to', 'parked', 'mover']) view.setMarker(id, markers[id] || null);
  const wanted = walk?.route ?? (order && !isReturning && isMoving(order) ? route : null);
  if (wanted !== home.shownRoute) view.setRoute('way', (home.shownRoute = wanted));
  frame(home, me);
}

async function mount(home, node) {
  const { app } = home;
  home.holder = node;
  home.view?.remove();
  Object.assign(home, BARE);
  const inner = document.createElement('div');
  inner.className = 'map';
  node.append(inner);
  const made = await createMap(inner, {
    onground: async () => {
      home.canSearch = await hasPlaces();
      app.redraw();
    },
    onclick(point) {
      if (!isChoosing(home)) return;
      app.plan.endWalk();
      app.goTo(point);
    },
    onmove: (center, isByHand) =>
      isByHand && isChoosing(home) && !app.plan.value.walk && home.isPlaced && app.plan.setPoint(center),
  });
  if (home.holder !== node) return void made.remove();
  home.view = made;
  sync(home);
  app.redraw();
}

const marker = (place, kind, icon, title, more) => place && { ...place, kind, icon, title, ...more };

function orderMarkers(order, { track, now }) {
  const { status } = order;
  const drives = ['parking', 'returningBack'].includes(status);
  const kind = drives ? 'car' : 'valet';
  const moving = isMoving(order) ? (drives && track.vehicle) || track.valet : null;
  return {
    from: !order.collectedAt && status !== 'parked' && marker(order.dropOff, 'place', 'pin', t('marker.dropOff')),
    to: marker(order.returnTo, 'place', 'pin', t('marker.return')),
    parked:
      ['parked', 'requestingBack'].includes(status) && marker(order.parked, 'parked', 'parking', t('marker.parked')),
    mover: marker(moving, kind, drives ? 'car' : 'user', t(`marker.${kind}`), {
      isStale: moving && now - moving.at > STALE,
    }),
  };
}

/** Shows the part of the map that has become relevant. */
function frame(home, me) {
  const { order, route, track } = home.app.store.value;
  const isRouted = Boolean(order && isMoving(order) && route);
  const scene = `${order?.id} ${order?.status} ${home.isReturning} ${Boolean(order && track.valet)} ${isRouted}`;
  const isNew = home.scene !== scene;
  if (isChoosing(home)) {
    if (isNew) home.isPlaced = false;
    home.scene = scene;
    frameStart(home, me);
  } else if (isNew && !isEnded(order)) {
    home.scene = scene;
    const target = targetOf(order);
    const way = isRouted ? route.geometry.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })) : [];
    home.view.fit(
      target
        ? [target, track.valet ?? me, ...way]
        : [order.parked ?? track.vehicle ?? order.dropOff, order.status === 'requested' ? me : null],
    );
  }
}

function frameStart(home, me) {
  const { app } = home;
  const { areas, order } = app.store.value;
  if ((home.isPlaced && app.plan.value.point) || app.plan.value.walk) return;
  const city = cityOf(areas);
  if (isDemo && !city) return;
  const start = me ?? (home.isReturning ? order.dropOff : city?.properties.servicePoint);
  if (start) return void app.goTo(start);
  // Without a chosen point, an area is shown, and the person is asked for the place.
  if (!home.isFramed && areas?.length) {
    home.isFramed = true;
    home.view.fitAreas(areas);
  }
  home.isPlaced ||= Boolean(app.position.failure && areas?.length);
}

const createMoves = (home) => {
  const { plan, position, store } = home.app;
  const goTo = (point) => {
    const { latitude, longitude, name = null, address = null } = point;
    home.isPlaced = true;
    home.view?.go(point);
    plan.setPoint({ latitude, longitude, name, address }, { isNamed: Boolean(address) });
  };
  return {
    goTo,
    goToMe() {
      plan.endWalk();
      const start = here(home.app) ?? cityOf(store.value.areas)?.properties.servicePoint;
      if (start) goTo(start);
      else position.start();
    },
    fitWalk: () => plan.value.walk && home.view?.fit([plan.value.walk.from, plan.value.walk.to]),
  };
};

function locate(home) {
  if (isChoosing(home)) home.app.goToMe();
  else if (here(home.app)) home.view?.go(here(home.app));
}
