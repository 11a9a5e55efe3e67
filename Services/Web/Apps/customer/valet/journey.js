// The sheet of an order, loaded with the first one: the progress, the people, and the next step.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { isDemo } from '/apps/shared/demo.js';
import { readOut } from '/apps/shared/demo-people.js';
import { icon } from '/apps/shared/icons.js';
import {
  clock,
  dateTime,
  duration,
  fullName,
  hasText,
  minutes,
  momentOf,
  money,
  reasonText,
  t,
  tProblem,
} from '/apps/shared/i18n.js';
import {
  avatar,
  badge,
  button,
  confirm,
  dialog,
  facts,
  noPicture,
  notice,
  picture,
  rating,
  skeleton,
  statusOf,
  toast,
} from '/apps/shared/ui.js';
import { STALE, hasArrived, isMoving, secondsLeft } from './store.js';

// Loads the styles of orders, so that the first view stays small.
await new Promise((done) => {
  const href = '/apps/customer/valet/order.css';
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done }),
  );
});

/** A one-time code in large, spaced digits, which screen readers read one by one. */
const bigCode = (code) =>
  h(
    'p',
    { class: 'big-code', role: 'img', 'aria-label': [...code].join(' ') },
    [...code].map((digit, i) => h('span', { key: i, 'aria-hidden': 'true' }, digit)),
  );

export function createJourney(app) {
  const { store, outbox } = app;
  const s = () => store.value;

  /** Names of requests in progress. */
  const running = new Set();

  async function act(order, name, label, body) {
    if (running.has(name)) return;
    running.add(name);
    app.redraw();
    try {
      const { queued } = await store.act(order, name, label, body);
      if (queued) toast(t('state.queued'));
    } catch (error) {
      toast(tProblem(error), 'danger');
      store.refresh();
    }
    running.delete(name);
    app.redraw();
  }

  // MARK: Pieces

  const isWaiting = (order, name) => outbox.items.some(({ path }) => path === escaped`/v1/orders/${order.id}/${name}`);

  /** Name, photo, stars and a call button. */
  const valetCard = (valet, role) =>
    valet &&
    h(
      'section',
      { class: 'valet', 'aria-label': role, key: `valet-${valet.id}` },
      avatar(valet),
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'muted small' }, role),
        h('p', { class: 'strong' }, fullName(valet)),
        rating(valet.rating),
      ),
      valet.phone
        ? h(
            'a',
            {
              class: 'icon-button call',
              href: `tel:${valet.phone}`,
              'aria-label': t('action.callPerson', { name: valet.firstName }),
              title: t('action.call'),
            },
            icon('phone'),
          )
        : null,
    );

  /** The code that is shown large, while it is valid. */
  let large = null;
  async function enlarge({ handoverCode: code, ticket }, text) {
    await dialog(
      t('code.title'),
      (close) => {
        large = { code, close };
        return [
          h('p', { class: 'muted' }, text),
          bigCode(code),
          h('p', { class: 'ticket-line' }, t('order.ticket'), ' ', h('span', { class: 'ticket' }, ticket)),
        ];
      },
      { look: 'code-dialog' },
    );
    large = null;
  }

  /** The code, to show through a car window. */
  const codeCard = (order, text) =>
    order.handoverCode &&
    h(
      'button',
      {
        type: 'button',
        class: 'code-card',
        key: 'code',
        'aria-label': t('code.enlarge', { code: [...order.handoverCode].join(' ') }),
        onclick: () => enlarge(order, text),
      },
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'strong' }, t('code.title')),
        h('span', { class: 'muted small' }, text),
      ),
      h('span', { class: 'code-digits', 'aria-hidden': 'true' }, order.handoverCode),
    );

  /** Codes that were sent in a demo. */
  const spoken = new Set();
  async function say(order) {
    running.add('readOut');
    app.redraw();
    try {
      await readOut(app.api, order, ['requested', 'droppingOff'].includes(order.status) ? 'dropOff' : 'return');
      spoken.add(order.handoverCode);
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    running.delete('readOut');
    app.redraw();
  }

  /** In a demo, the code is sent to the simulated valet. */
  const voice = (order) =>
    isDemo && order.handoverCode
      ? h(
          'div',
          { class: 'stack tight', key: 'voice' },
          h(
            'p',
            { class: 'muted small', role: 'status' },
            t(spoken.has(order.handoverCode) ? 'demo.said' : 'demo.say.lead'),
          ),
          button(t(spoken.has(order.handoverCode) ? 'demo.say.again' : 'demo.say'), {
            icon: 'message',
            wide: true,
            isBusy: running.has('readOut'),
            onclick: () => say(order),
          }),
        )
      : null;

  const silence = () => {
    const { track, now } = s();
    const age = track.valet ? now - track.valet.at : 0;
    return age > STALE ? age : null;
  };
  /** Its seconds run, so only the beginning is announced, in `said`. */
  const signal = () => {
    const age = silence();
    return age
      ? h(
          'p',
          { class: 'signal', key: 'signal' },
          icon('offline'),
          t('state.signalLost', { time: duration(age / 1000) }),
        )
      : null;
  };

  /** Time to arrival in large text; nothing if it is unknown. */
  const arrival = () => {
    const left = secondsLeft(s());
    return left === null || hasArrived(s())
      ? null
      : h('p', { class: 'eta', key: 'eta' }, h('span', { class: 'eta-value' }, minutes(left)));
  };

  const places = (order) =>
    facts([
      [t('order.from'), order.dropOff.address],
      [t('order.to'), order.returnTo?.address],
      [t('vehicle'), order.vehicle ? `${order.vehicle.plate} · ${order.vehicle.make}` : null],
      [t('order.ticket'), h('span', { class: 'ticket' }, order.ticket)],
    ]);

  /** The present price of cancelling. */
  function cancelling(order) {
    const tariff = store.area(order.serviceArea)?.properties.tariff;
    const grace =
      order.assignedAt && tariff
        ? tariff.cancellationGraceSeconds - (s().now - Date.parse(order.assignedAt)) / 1000
        : null;
    const isFree = !order.assignedAt || (grace !== null && grace > 0) || tariff?.cancellationFee === 0;
    const fee = tariff && money({ amount: tariff.cancellationFee, currency: tariff.currency });
    const text = isFree
      ? grace > 0
        ? t('cancel.freeFor', { time: clock(grace) })
        : t('cancel.free')
      : fee
        ? t('cancel.costs', { fee })
        : '';
    const ask = async () => {
      const isSure = await confirm(t('cancel.title'), isFree ? t('cancel.free') : fee && t('cancel.costs', { fee }), {
        yes: t('cancel.yes'),
        no: t('cancel.no'),
        look: 'danger',
      });
      if (isSure) act(order, 'cancel', t('tap.cancel'), {});
    };
    const waits = isWaiting(order, 'cancel');
    return h(
      'div',
      { class: 'row between wrap', key: 'cancel' },
      h('p', { class: 'muted small numbers' }, waits ? t('state.queued') : text),
      button(t('cancel.button'), { look: 'quiet danger-text', isBusy: waits || running.has('cancel'), onclick: ask }),
    );
  }

  const recallCancelling = (order) => {
    const waits = isWaiting(order, 'cancel-recall');
    return h(
      'div',
      { class: 'row between wrap', key: 'cancel' },
      h('p', { class: 'muted small' }, waits ? t('state.queued') : t('recall.free')),
      button(t('recall.cancel'), {
        look: 'quiet danger-text',
        isBusy: waits || running.has('cancel-recall'),
        onclick: () => act(order, 'cancel-recall', t('tap.cancelRecall'), {}),
      }),
    );
  };

  const searching = (text) =>
    h(
      'div',
      { class: 'searching', key: 'searching' },
      h('span', { class: 'radar', 'aria-hidden': 'true' }, icon('search')),
      h('p', { class: 'muted' }, text),
    );

  // MARK: States

  const requested = (order, head) =>
    statusOf(order) === 'scheduled'
      ? [
          head(t('requested.ahead', { time: dateTime(order.scheduledFor) }), t('requested.ahead.lead')),
          places(order),
          cancelling(order),
        ]
      : [
          head(t('status.requested'), t('requested.lead')),
          searching(t('requested.text')),
          places(order),
          cancelling(order),
        ];

  const droppingOff = (order, head) => [
    head(
      hasArrived(s())
        ? t('droppingOff.here', { name: order.dropOffValet?.firstName })
        : t('droppingOff.title', { name: order.dropOffValet?.firstName }),
      t('droppingOff.lead'),
      arrival(),
    ),
    signal(),
    valetCard(order.dropOffValet, t('valet.yours')),
    codeCard(order, t('code.dropOff')),
    voice(order),
    places(order),
    cancelling(order),
  ];

  const parking = (order, head) => [
    head(t('parking.title'), t('parking.lead', { name: order.dropOffValet?.firstName })),
    signal(),
    valetCard(order.dropOffValet, t('valet.yours')),
    places(order),
  ];

  function charge(order) {
    const { quote, now } = s();
    const seconds = quote
      ? quote.durationSeconds + (now - quote.at) / 1000
      : (now - Date.parse(order.collectedAt)) / 1000;
    return h(
      'section',
      { class: 'meter', key: 'meter', 'aria-label': t('parked.soFar') },
      h(
        'div',
        null,
        h('p', { class: 'muted small' }, t('parked.elapsed')),
        h('p', { class: 'meter-value', role: 'timer' }, clock(seconds)),
      ),
      h(
        'div',
        null,
        h('p', { class: 'muted small' }, t('parked.soFar')),
        h('p', { class: 'meter-value' }, quote ? money(quote.charge) : '…'),
      ),
    );
  }

  const lines = () =>
    s().quote &&
    h(
      'details',
      { class: 'fold', key: 'lines' },
      h('summary', null, t('parked.lines'), icon('next')),
      h(
        'div',
        { class: 'stack tight' },
        facts(s().quote.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)])),
        s().isFresh ? null : h('p', { class: 'muted small' }, t('state.asOf', { time: dateTime(s().quote.at) })),
      ),
    );

  const tasks = (order) =>
    order.tasks.length
      ? h(
          'ul',
          { class: 'tasks', key: 'tasks' },
          order.tasks.map(({ kind, status }) =>
            h(
              'li',
              { key: kind },
              icon(kind === 'wash' ? 'wash' : 'fuel'),
              h('span', { class: 'grow' }, t(`extra.${kind}`)),
              badge(t(`task.${status}`), status === 'done' ? 'success' : status === 'taken' ? 'accent' : 'neutral'),
            ),
          ),
        )
      : null;

  const photos = () =>
    s().photos.length
      ? h(
          'ul',
          { class: 'photos', key: 'photos', 'aria-label': t('photos.title') },
          s().photos.map((photo) => h('li', { key: photo.id }, photoButton(photo, s().order))),
        )
      : null;

  function parked(order, head) {
    const at = order.parked ?? {};
    if (app.photosOf !== order.id) {
      app.photosOf = order.id;
      store.loadPhotos();
    }
    const place = [at.lot, at.level && `${t('parked.level')} ${at.level}`, at.bay && `${t('parked.bay')} ${at.bay}`]
      .filter(Boolean)
      .join(' · ');
    const waits = isWaiting(order, 'recall');
    return [
      head(t('parked.title'), place || t('parked.lead')),
      charge(order),
      lines(),
      tasks(order),
      photos(),
      facts([
        [t('parked.keyTag'), at.keyTag],
        [
          t('vehicle'),
          order.vehicle
            ? [order.vehicle.plate, order.vehicle.make, order.vehicle.model].filter(Boolean).join(' · ')
            : null,
        ],
        [t('order.ticket'), h('span', { class: 'ticket' }, order.ticket)],
      ]),
      order.reason === 'noValetAvailable' ? notice('warning', t('parked.noValet')) : null,
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
      ),
    ];
  }

  const requestingBack = (order, head) =>
    order.returnValet
      ? [
          head(
            t('requestingBack.found', { name: order.returnValet.firstName }),
            arrival() && t('requestingBack.found.lead', { time: minutes(Math.max(60, secondsLeft(s()))) }),
            arrival(),
          ),
          signal(),
          valetCard(order.returnValet, t('valet.return')),
          codeCard(order, t('code.return')),
          places(order),
          recallCancelling(order),
        ]
      : [
          head(t('requestingBack.title'), t('requestingBack.lead')),
          searching(t('requestingBack.text')),
          places(order),
          recallCancelling(order),
        ];

  const returningBack = (order, head) => [
    head(
      hasArrived(s()) ? t('returningBack.here') : t('returningBack.title'),
      t('returningBack.lead', { name: order.returnValet?.firstName }),
      arrival(),
    ),
    signal(),
    valetCard(order.returnValet, t('valet.return')),
    codeCard(order, t('code.return')),
    voice(order),
    places(order),
  ];

  /** Payment and rating come from their own module. */
  const ending = (name) => (order, head) =>
    app.pay()?.[name](order, head) ?? [head(t(`status.${order.status}`)), app.broken() ?? skeleton(4)];

  function gone(order, head) {
    const isOwed = order.charge?.amount > 0 && !s().paid[order.id];
    if (isOwed) return ending('feeSheet')(order, head);
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

  const unknown = (order, head) => [
    head(t('status.undefined'), t('undefined.lead', { status: order.status })),
    places(order),
  ];

  const states = {
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
  return {
    sheet(order, head) {
      if (large && large.code !== order.handoverCode) large.close();
      return (states[order.status] ?? unknown)(order, head);
    },
    /** Text for screen readers after a change. */
    said: (order) =>
      [
        hasArrived(s())
          ? t('said.arrived')
          : t(hasText(`status.${order.status}`) ? `status.${statusOf(order)}` : 'status.undefined'),
        isMoving(order) && silence() ? t('said.silent') : null,
      ]
        .filter(Boolean)
        .join(' · '),
  };
}

/** A small picture that opens large. */
export const photoButton = (photo, order) => {
  const moment = t(`photo.${momentOf(photo, order)}`);
  const text = `${moment}, ${dateTime(photo.takenAt)}`;
  return h(
    'button',
    {
      type: 'button',
      class: 'photo',
      'aria-label': text,
      onclick: () =>
        dialog(moment, () => [
          picture(photo.photoURL, noPicture, { class: 'photo-large', alt: text }),
          h('p', { class: 'muted small' }, dateTime(photo.takenAt)),
        ]),
    },
    picture(photo.photoURL, noPicture, { loading: 'lazy' }),
  );
};
