// The map and the sheet beside it: the next step of an order, or the start of a new one.

import { h } from '/apps/shared/dom.js';
import { ready } from '/apps/shared/demo.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { iconButton, notice, problemNotice, skeleton, statusOf } from '/apps/shared/ui.js';
import { dropOffSheet, returnSheet } from './choose.js';
import { BARE, createMoves, isChoosing, locate, sync } from './home-map.js';
import { placeSearch } from './place-search.js';
import { isMoving } from './store.js';

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

/** The head, then what is below it. */
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
