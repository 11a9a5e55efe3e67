// The map of the home screen: the areas, the order's people and places, and the chosen point.

import { cityOf, isDemo, isElsewhere } from '/apps/shared/demo.js';
import { t } from '/apps/shared/i18n.js';
import { createMap, hasPlaces } from '/apps/shared/map.js';
import { STALE, isEnded, isMoving, targetOf } from './store.js';

/** Before a map is made. It moves by itself until `isPlaced`, and shows an area in the meantime: `isFramed`. */
export const BARE = { view: null, shownAreas: null, shownRoute: null, scene: null, isPlaced: false, isFramed: false };

export const isChoosing = ({ app, isReturning }) => isReturning || !app.store.value.order;

/** The person's position; in a demo it counts only in the simulated city. */
const here = ({ position, store }) => (isElsewhere(position.last, store.value.areas) ? null : position.last);

/** Updates the map; only differences are drawn, so it may be called at any time. */
export function sync(home) {
  const { app, view, isReturning } = home;
  const node = document.getElementById('map-holder');
  if (node && node !== home.holder) return void mount(home, node);
  if (!view) return undefined;
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
  return undefined;
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
    // A tap chooses a point, like dragging.
    onclick(point) {
      if (!isChoosing(home)) return;
      app.plan.endWalk();
      app.goTo(point);
    },
    onmove: (center, isByHand) =>
      isByHand && isChoosing(home) && !app.plan.value.walk && home.isPlaced && app.plan.setPoint(center),
  });
  if (home.holder !== node) return made.remove();
  home.view = made;
  sync(home);
  app.redraw();
  return undefined;
}

const marker = (place, kind, icon, title, more) => place && { ...place, kind, icon, title, ...more };

/** Where an order began and ends, where its vehicle is parked, and who moves. */
export function orderMarkers(order, { track, now }) {
  const { status } = order;
  const drives = ['parking', 'returningBack'].includes(status);
  const moving = isMoving(order) ? (drives && track.vehicle) || track.valet : null;
  return {
    from: !order.collectedAt && status !== 'parked' && marker(order.dropOff, 'place', 'pin', t('marker.dropOff')),
    to: marker(order.returnTo, 'place', 'pin', t('marker.return')),
    parked:
      ['parked', 'requestingBack'].includes(status) && marker(order.parked, 'parked', 'parking', t('marker.parked')),
    mover: marker(
      moving,
      drives ? 'car' : 'valet',
      drives ? 'car' : 'user',
      t(drives ? 'marker.car' : 'marker.valet'),
      { isStale: moving && now - moving.at > STALE },
    ),
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

/** Where a choice begins: at the person, the place of the hand-over, or in the demo's city. */
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

/** The moves of the map that the sheets ask for. */
export const createMoves = (home) => {
  const { plan, position, store } = home.app;
  const goTo = (point) => {
    const { latitude, longitude, name = null, address = null } = point;
    home.isPlaced = true;
    home.view?.go(point);
    plan.setPoint({ latitude, longitude, name, address }, { isNamed: Boolean(address) });
  };
  const goToMe = () => {
    plan.endWalk();
    const start = here(home.app) ?? cityOf(store.value.areas)?.properties.servicePoint;
    if (start) goTo(start);
    else position.start();
  };
  return { goTo, goToMe, fitWalk: () => plan.value.walk && home.view?.fit([plan.value.walk.from, plan.value.walk.to]) };
};

export function locate(home) {
  if (isChoosing(home)) home.app.goToMe();
  else if (here(home.app)) home.view?.go(here(home.app));
}
