// The sheet of an order, loaded with the first one: the progress, the people, and the next step.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { dateTime, hasText, minutes, reasonText, t } from '/apps/shared/i18n.js';
import { button, facts, notice, skeleton, statusOf } from '/apps/shared/ui.js';
import { closeOld, codeCard, createCode, voice } from './handover-code.js';
import {
  arrival,
  bayText,
  meter,
  parkedFacts,
  photoList,
  places,
  priceDetails,
  searching,
  signal,
  silence,
  tasks,
  valetCard,
} from './journey-parts.js';
import { cancelling, isWaiting, recallCancelling } from './order-actions.js';
import { hasArrived, secondsLeft } from './arrival.js';
import { loadPhotos } from './follow.js';
import { isMoving } from './store.js';

export function create(app) {
  const screen = { app, running: new Set(), code: createCode() };
  return {
    sheet(order, head) {
      closeOld(screen.code, order);
      return (sheets[order.status] ?? unknown)(screen, order, head);
    },
    /** Text for screen readers after a change. */
    said: (order) => said(app.store.value, order),
  };
}

const said = (shown, order) =>
  [
    hasArrived(shown)
      ? t('said.arrived')
      : t(hasText(`status.${order.status}`) ? `status.${statusOf(order)}` : 'status.undefined'),
    isMoving(order) && silence(shown) ? t('said.silent') : null,
  ]
    .filter(Boolean)
    .join(' · ');

const requested = (screen, order, head) =>
  statusOf(order) === 'scheduled'
    ? [
        head(t('requested.ahead', { time: dateTime(order.scheduledFor) }), t('requested.ahead.lead')),
        places(order),
        cancelling(screen, order),
      ]
    : [
        head(t('status.requested'), t('requested.lead')),
        searching(t('requested.text')),
        places(order),
        cancelling(screen, order),
      ];

function droppingOff(screen, order, head) {
  const shown = screen.app.store.value;
  const { dropOffValet: valet } = order;
  return [
    head(
      t(hasArrived(shown) ? 'droppingOff.here' : 'droppingOff.title', { name: valet?.firstName }),
      t('droppingOff.lead'),
      arrival(shown),
    ),
    signal(shown),
    valetCard(valet, t('valet.yours')),
    codeCard(screen, order, t('code.dropOff')),
    voice(screen, order),
    places(order),
    cancelling(screen, order),
  ];
}

const parking = ({ app }, order, head) => [
  head(t('parking.title'), t('parking.lead', { name: order.dropOffValet?.firstName })),
  signal(app.store.value),
  valetCard(order.dropOffValet, t('valet.yours')),
  places(order),
];

function parked({ app }, order, head) {
  if (app.photosOf !== order.id) {
    app.photosOf = order.id;
    loadPhotos(app);
  }
  const shown = app.store.value;
  return [
    head(t('parked.title'), bayText(order.parked ?? {}) || t('parked.lead')),
    meter(order, shown),
    priceDetails(shown),
    tasks(order),
    photoList(shown.photos, shown.order),
    parkedFacts(order),
    order.reason === 'noValetAvailable' ? notice('warning', t('parked.noValet')) : null,
    returnFoot(isWaiting(app, order, 'recall')),
  ];
}

const returnFoot = (waits) =>
  h(
    'div',
    { class: 'sheet-foot', key: 'foot' },
    waits ? h('p', { class: 'muted small', role: 'status' }, t('state.queued')) : null,
    h(
      'a',
      {
        class: 'button primary wide big',
        href: '#/return',
        'aria-disabled': waits ? 'true' : null,
        onclick: (event) => waits && event.preventDefault(),
      },
      icon('key'),
      t('parked.return'),
    ),
  );

function requestingBack(screen, order, head) {
  const { returnValet: valet } = order;
  if (!valet)
    return [
      head(t('requestingBack.title'), t('requestingBack.lead')),
      searching(t('requestingBack.text')),
      places(order),
      recallCancelling(screen, order),
    ];
  const shown = screen.app.store.value;
  const eta = arrival(shown);
  return [
    head(
      t('requestingBack.found', { name: valet.firstName }),
      eta && t('requestingBack.found.lead', { time: minutes(Math.max(60, secondsLeft(shown))) }),
      eta,
    ),
    signal(shown),
    valetCard(valet, t('valet.return')),
    codeCard(screen, order, t('code.return')),
    places(order),
    recallCancelling(screen, order),
  ];
}

function returningBack(screen, order, head) {
  const shown = screen.app.store.value;
  const { returnValet: valet } = order;
  return [
    head(
      t(hasArrived(shown) ? 'returningBack.here' : 'returningBack.title'),
      t('returningBack.lead', { name: valet?.firstName }),
      arrival(shown),
    ),
    signal(shown),
    valetCard(valet, t('valet.return')),
    codeCard(screen, order, t('code.return')),
    voice(screen, order),
    places(order),
  ];
}

/** Payment and rating come from their own module. */
const ending =
  (name) =>
  ({ app }, order, head) =>
    app.pay()?.[name](order, head) ?? [head(t(`status.${order.status}`)), app.broken() ?? skeleton(4)];

function gone(screen, order, head) {
  const { app } = screen;
  const isOwed = order.charge?.amount > 0 && !app.store.value.paid[order.id];
  if (isOwed) return ending('feeSheet')(screen, order, head);
  const isUnfulfilled = order.status === 'unfulfilled';
  return [
    head(
      t(isUnfulfilled ? 'unfulfilled.title' : 'cancelled.title'),
      t(isUnfulfilled ? 'unfulfilled.lead' : order.charge?.amount ? 'cancelled.paid' : 'cancelled.free'),
    ),
    isUnfulfilled ? null : facts([[t('order.reason'), reasonText(order)]]),
    places(order),
    h(
      'div',
      { class: 'sheet-foot', key: 'foot' },
      button(t(isUnfulfilled ? 'unfulfilled.again' : 'cancelled.done'), {
        look: 'primary',
        class: 'button primary wide big',
        onclick: () => app.leave(),
      }),
    ),
  ];
}

const unknown = (_, order, head) => [
  head(t('status.undefined'), t('undefined.lead', { status: order.status })),
  places(order),
];

const sheets = {
  requested,
  droppingOff,
  parking,
  parked,
  requestingBack,
  returningBack,
  waitingForPayment: ending('billSheet'),
  finished: ending('endSheet'),
  cancelled: gone,
  unfulfilled: gone,
};
