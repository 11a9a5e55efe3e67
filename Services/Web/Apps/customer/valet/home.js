// The map and the sheet beside it: the next step of an order, or the start of a new one.

import { h } from '/apps/shared/dom.js';
import { cityOf, isDemo, isElsewhere, ready } from '/apps/shared/demo.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { createMap, hasPlaces } from '/apps/shared/map.js';
import { icon } from '/apps/shared/icons.js';
import { iconButton, notice, problemNotice, skeleton, statusOf } from '/apps/shared/ui.js';
import { createChoose } from './choose.js';
import { STALE, isEnded, isMoving, targetOf } from './store.js';

export function createHome(app) {
  const { api, live, outbox, plan, position, redraw, store } = app;
  const choose = createChoose(app);
  let view = null;
  let holder = null;
  let shownAreas = null;
  let shownRoute = null;
  let scene = null;
  let isSmall = false;
  let isReturning = false;
  /** Until the first fix of the position, or a move by hand, the map moves by itself. */
  let isPlaced = false;
  let canSearch = false;
  /** Whether an area is shown in the meantime. */
  let isFramed = false;

  /** The person's position; in a demo it counts only in the simulated city. */
  const here = () => (isElsewhere(position.last, store.value.areas) ? null : position.last);
  ready.then(() => {
    sync();
    redraw();
  });

  const isChoosing = () => isReturning || !store.value.order;
  const key = () => `${store.value.order?.id ?? ''} ${store.value.order?.status ?? ''} ${isReturning}`;

  // MARK: Map

  async function mount(node) {
    holder = node;
    view?.remove();
    [view, shownAreas, shownRoute, scene, isPlaced, isFramed] = [null, null, null, null, false, false];
    const inner = document.createElement('div');
    inner.className = 'map';
    node.append(inner);
    const onground = async () => {
      canSearch = await hasPlaces();
      redraw();
    };
    const made = await createMap(inner, {
      onground,
      onclick: pick,
      onmove: (center, isByHand) => isByHand && isChoosing() && !plan.value.walk && isPlaced && plan.setPoint(center),
    });
    if (holder !== node) return made.remove();
    view = made;
    sync();
    redraw();
    return undefined;
  }

  /** A tap chooses a point, like dragging. */
  function pick(point) {
    if (!isChoosing()) return;
    plan.endWalk();
    app.goTo(point);
  }

  const marker = (place, kind, icons, title, more) => place && { ...place, kind, icon: icons, title, ...more };

  function orderMarkers(order) {
    const { track, now } = store.value;
    const drives = ['parking', 'returningBack'].includes(order.status);
    const moving = isMoving(order) ? (drives && track.vehicle) || track.valet : null;
    return [
      [
        'from',
        order.collectedAt && order.status !== 'parked'
          ? null
          : marker(order.status === 'parked' ? null : order.dropOff, 'place', 'pin', t('marker.dropOff')),
      ],
      ['to', marker(order.returnTo, 'place', 'pin', t('marker.return'))],
      [
        'parked',
        ['parked', 'requestingBack'].includes(order.status)
          ? marker(order.parked, 'parked', 'parking', t('marker.parked'))
          : null,
      ],
      [
        'mover',
        marker(moving, drives ? 'car' : 'valet', drives ? 'car' : 'user', t(drives ? 'marker.car' : 'marker.valet'), {
          isStale: moving && now - moving.at > STALE,
        }),
      ],
    ];
  }

  /** Updates the map; only differences are drawn, so it may be called at any time. */
  function sync() {
    const node = document.getElementById('map-holder');
    if (node && node !== holder) return void mount(node);
    if (!view) return undefined;
    const { areas, order, route } = store.value;
    const me = here();
    if (areas !== shownAreas) view.setAreas((shownAreas = areas));
    view.setMarker('me', marker(me, 'me', 'pin', t('map.me')));
    const { walk, nearby } = plan.value;
    view.setMarkers(
      'near-',
      isChoosing() && !isReturning && !walk
        ? nearby.map((valet, i) => ({ ...valet, id: i, kind: 'valet', icon: 'user' }))
        : [],
    );
    view.setMarker('service', walk ? marker(walk.to, 'place', 'pin', walk.area.properties.name) : null);
    for (const [id, value] of order && !isReturning ? orderMarkers(order) : [['from'], ['to'], ['parked'], ['mover']])
      view.setMarker(id, value ?? null);
    const wanted = walk?.route ?? (order && !isReturning && isMoving(order) ? route : null);
    if (wanted !== shownRoute) view.setRoute('way', (shownRoute = wanted));
    place(order, me);
    return undefined;
  }

  /** Shows the part of the map that has become relevant. */
  function place(order, me) {
    const { route, track } = store.value;
    const now = `${key()} ${Boolean(order && track.valet)} ${Boolean(order && isMoving(order) && route)}`;
    if (isChoosing()) {
      if (scene !== now) isPlaced = false;
      scene = now;
      if ((isPlaced && plan.value.point) || plan.value.walk) return;
      const { areas } = store.value;
      const city = cityOf(areas);
      if (isDemo && !city) return;
      const start = me ?? (isReturning ? order.dropOff : city?.properties.servicePoint);
      if (start) return void app.goTo(start);
      // Without a chosen point, an area is shown, and the person is asked for the place.
      if (!isFramed && areas?.length) {
        isFramed = true;
        view.fitAreas(areas);
      }
      isPlaced ||= Boolean(position.failure && areas?.length);
      return;
    }
    if (scene === now || isEnded(order)) return;
    scene = now;
    const target = targetOf(order);
    const way = ((isMoving(order) && route?.geometry.coordinates) || []).map(([longitude, latitude]) => ({
      latitude,
      longitude,
    }));
    view.fit(
      target
        ? [target, track.valet ?? me, ...way]
        : [order.parked ?? track.vehicle ?? order.dropOff, order.status === 'requested' ? me : null],
    );
  }

  app.goTo = (point) => {
    isPlaced = true;
    view?.go(point);
    plan.setPoint(
      {
        latitude: point.latitude,
        longitude: point.longitude,
        name: point.name ?? null,
        address: point.address ?? null,
      },
      { isNamed: Boolean(point.address) },
    );
  };
  app.goToMe = () => {
    plan.endWalk();
    const start = here() ?? cityOf(store.value.areas)?.properties.servicePoint;
    if (start) app.goTo(start);
    else position.start();
  };
  app.fitWalk = () => plan.value.walk && view?.fit([plan.value.walk.from, plan.value.walk.to]);
  const locate = () => (isChoosing() ? app.goToMe() : here() && view?.go(here()));

  // MARK: Sheet

  const head = (title, lead, side) =>
    h(
      'header',
      { class: 'sheet-head', key: 'head' },
      h(
        'div',
        { class: 'grow' },
        h('h1', { 'data-focus': true }, title),
        lead ? h('p', { class: 'muted' }, lead) : null,
      ),
      side ?? null,
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
    );

  /** The age of what is shown, and unsent changes. */
  const honesty = () => {
    const { at, isFresh, isKnown, problem } = store.value;
    const count = outbox.items.length;
    return [
      count
        ? h('p', { class: 'stale', role: 'status', key: 'waiting' }, icon('clock'), t('state.waiting', { count }))
        : null,
      isKnown && !isFresh && at
        ? h(
            'p',
            { class: 'stale', role: 'status', key: 'stale' },
            icon('offline'),
            t('state.asOf', { time: dateTime(at) }),
          )
        : null,
      isKnown && !at && problem ? problemNotice(problem, store.refresh) : null,
    ];
  };

  function sheet(order) {
    const { isKnown, at, areas } = store.value;
    if (!order && !isKnown && !at) return [head(t('choose.title')), skeleton(3)];
    if (isReturning) return choose.returnSheet(head, order);
    if (order)
      return app.journey()?.sheet(order, head) ?? [head(t(`status.${statusOf(order)}`)), app.broken() ?? skeleton(4)];
    if (areas && !areas.length) return [head(t('choose.title')), notice('warning', t('choose.noAreas'))];
    return choose.dropOffSheet(head);
  }

  const top = () =>
    h(
      'header',
      { class: 'map-top', key: 'top' },
      isReturning
        ? h('a', { class: 'icon-button floating', href: '#/', 'aria-label': t('action.back') }, icon('back'))
        : h(
            'a',
            {
              class: `icon-button floating${store.value.news ? ' dot' : ''}`,
              href: '#/menu',
              'aria-label': store.value.news ? t('menu.openNews', { count: store.value.news }) : t('menu.open'),
            },
            icon('menu'),
          ),
      isChoosing() && canSearch ? choose.search() : null,
    );

  return {
    /** The home screen, or only the map beside another screen. */
    draw(path, screen) {
      const { order } = store.value;
      isReturning = path === '/return' && order?.status === 'parked';
      queueMicrotask(sync);
      const parts = screen ? null : sheet(order);
      return h(
        'div',
        { class: `map-app home${screen ? ' with-screen' : ''}${isSmall ? ' small-sheet' : ''}`, key: 'map-app' },
        screen ? null : top(),
        screen ??
          h(
            'main',
            {
              class: `sheet${['waitingForPayment', 'finished', 'cancelled'].includes(order?.status) ? ' tall' : ''}`,
              key: `sheet-${order?.id ?? 'new'}-${isReturning}`,
            },
            parts[0],
            h('div', { class: 'sheet-body', key: 'body' }, honesty(), parts.slice(1)),
          ),
        order ? h('p', { class: 'visually-hidden', role: 'status', key: 'said' }, app.said(order)) : null,
        h(
          'div',
          { class: 'map-area', key: 'area' },
          h('div', { class: 'map-holder', id: 'map-holder', key: 'holder', keep: true }),
          isChoosing() && !screen && plan.value.point && !plan.value.walk && !view?.isPlain
            ? h('span', { class: 'pin', 'aria-hidden': 'true', key: 'pin' }, icon('pin'))
            : null,
          api.isSignedIn && !view?.isPlain
            ? iconButton('locate', t('map.locate'), locate, { class: 'icon-button floating locate', key: 'locate' })
            : null,
          order && isMoving(order) && !live.isOpen && store.value.isKnown
            ? h('p', { class: 'map-note', key: 'note' }, t('state.reconnecting'))
            : null,
        ),
      );
    },
    leave() {
      view?.remove();
      [view, holder] = [null, null];
    },
  };
}
