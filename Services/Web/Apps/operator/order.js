// One order with all its details and an operator's actions.

import { h } from '/apps/shared/dom.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { dateTime, duration, fullName, minutes, money, reasonText, t } from '/apps/shared/i18n.js';
import {
  avatar,
  badge,
  button,
  empty,
  facts,
  notice,
  pictureEvents,
  problemNotice,
  rating,
  statusBadge,
} from '/apps/shared/ui.js';
import { api } from './context.js';
import { endStates, everyPage, keep, store } from './store.js';
import {
  activeValet,
  areaName,
  callLink,
  createMapSlot,
  createResource,
  every,
  head,
  placeText,
  section,
  shortID,
  shown,
  since,
  stateSince,
} from './parts.js';
import { parkedText } from './order-list.js';
import { custodyView, decisionsView, photosView, timelineView } from './order-parts.js';
import { overrideDialog, refundDialog, withdrawDialog } from './actions.js';

/** Time between two polls of the order, in ms; changes from the stream are shown at once. */
const PACE = 5_000;

/** The answer, or null where the API says that there is none (yet). */
const orNone = (path) => async () => {
  try {
    return await api.get(path);
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 409)) return null;
    throw error;
  }
};

export function orderScreen({ id }) {
  const resources = {
    order: createResource(async () => {
      const order = await api.get(escaped`/v1/orders/${id}`);
      keep(order);
      // A receipt exists only after the end, so it is not requested before.
      if (endStates.includes(order.status) && !resources.receipt)
        resources.receipt = createResource(orNone(escaped`/v1/orders/${id}/receipt`));
      return order;
    }),
    track: createResource(orNone(escaped`/v1/orders/${id}/track`)),
    route: createResource(orNone(escaped`/v1/orders/${id}/route`)),
    quote: createResource(orNone(escaped`/v1/orders/${id}/quote`)),
    custody: createResource(async () => (await api.get(escaped`/v1/orders/${id}/custody?limit=200`)).items),
    photos: createResource(async () => (await api.get(escaped`/v1/orders/${id}/photos?limit=200`)).items),
    matching: createResource(orNone(escaped`/v1/orders/${id}/matching`)),
    acts: createResource(async () => (await api.get(escaped`/v1/admin/audit?subject=${id}`)).items),
    payments: createResource(async () =>
      (await everyPage('/v1/payments')).filter((entry) => (entry.payment ?? entry.refund).order === id),
    ),
  };
  let verification = null;
  let version = null;
  let isFitted = false;

  const reload = (...names) => names.forEach((name) => resources[name]?.reload());
  const reloadAll = () => reload(...Object.keys(resources));
  const stopPolls = every(PACE, () => {
    if (!resources.order.value || endStates.includes(resources.order.value.status)) return;
    reload('order', 'track', 'quote');
  });
  const stopListening = store.listen(({ orders }) => {
    const heard = orders.find((order) => order.id === id);
    if (heard && resources.order.value && heard.version > resources.order.value.version && !resources.order.isBusy)
      resources.order.reload();
  });

  const stopRenewing = pictureEvents.on('expired', () => reload('order', 'photos'));

  const slot = createMapSlot('order-map', { label: () => t('op.order.map'), onready: drawMap });
  function drawMap() {
    const { map } = slot;
    const order = resources.order.value;
    if (!map || map.isPlain || !order) return;
    const track = resources.track.value;
    map.setAreas(store.value.areas.filter((area) => area.properties.id === order.serviceArea));
    map.setMarker('dropOff', {
      ...order.dropOff,
      kind: 'order',
      icon: 'key',
      title: t('op.point.dropOff'),
      text: t('op.point.dropOff'),
    });
    map.setMarker(
      'parked',
      order.parked && {
        ...order.parked,
        kind: 'parked',
        icon: 'parking',
        title: t('op.point.parked'),
        text: t('op.point.parked'),
      },
    );
    map.setMarker(
      'return',
      order.returnTo && {
        ...order.returnTo,
        kind: 'return',
        icon: 'back',
        title: t('op.point.return'),
        text: t('op.point.return'),
      },
    );
    const valet = track?.valet;
    map.setMarker('valet', valet && { ...valet, kind: 'crew busy', icon: 'car', title: t('role.valet') });
    map.setRoute('way', valet && resources.route.value?.geometry ? resources.route.value : null);
    if (!isFitted) map.fit([order.dropOff, order.parked, order.returnTo, valet].filter(Boolean), { maxZoom: 16 });
    isFitted = true;
  }

  async function verify() {
    verification = createResource(() => api.get(escaped`/v1/admin/orders/${id}/custody/verification`));
    resources.custody.reload();
  }

  function view() {
    const order = resources.order.value;
    if (!order) {
      const { error } = resources.order;
      return [
        head(t('op.order'), { back: '/orders' }),
        error?.status === 404
          ? empty('search', t('op.order.unknown'), t('op.order.unknown.text'))
          : shown(resources.order, () => null, 10),
      ];
    }
    if (version !== null && order.version !== version) {
      queueMicrotask(() => reload('custody', 'photos', 'matching', 'acts', 'receipt', 'payments', 'quote', 'route'));
    }
    version = order.version;
    queueMicrotask(drawMap);
    return [
      head(order.ticket, {
        back: '/orders',
        lead: [
          statusBadge(order.status),
          ' ',
          endStates.includes(order.status) ? dateTime(order.endedAt ?? order.createdAt) : since(stateSince(order)),
        ],
        age: resources.order.at,
        actions: actions(order),
      }),
      resources.order.error ? problemNotice(resources.order.error, resources.order.reload) : null,
      alertNotice(order),
      h(
        'div',
        { class: 'columns', key: 'columns' },
        h(
          'div',
          { class: 'stack column-main' },
          section(t('op.order.timeline'), { id: 'timeline' }, timelineView(order, resources.acts.value ?? [])),
          section(t('op.order.matching'), { id: 'matching' }, shown(resources.matching, decisionsView)),
          section(
            t('op.order.custody'),
            {
              id: 'custody',
              actions: button(t('op.custody.verify'), {
                icon: 'shield',
                onclick: verify,
                isBusy: verification?.isBusy,
              }),
            },
            verification ? shown(verification, verdict, 1) : null,
            shown(resources.custody, (lines) => custodyView(lines, order)),
          ),
          section(
            t('op.order.photos'),
            { id: 'photos' },
            shown(resources.photos, (photos) => photosView(photos, order)),
          ),
        ),
        h(
          'div',
          { class: 'stack column-side' },
          h('div', { class: 'panel flush' }, slot.view('small')),
          section(t('op.order.parties'), { id: 'parties' }, parties(order)),
          section(t('op.order.places'), { id: 'places' }, places(order)),
          section(t('op.order.money'), { id: 'money' }, bill(order)),
        ),
      ),
    ];
  }

  const actions = (order) => [
    activeValet(order) && ['droppingOff', 'requestingBack'].includes(order.status)
      ? button(t('op.withdraw'), { onclick: async () => (await withdrawDialog(order)) && reloadAll() })
      : null,
    endStates.includes(order.status)
      ? null
      : button(t('op.override'), {
          look: 'danger',
          icon: 'edit',
          onclick: async () => (await overrideDialog(order)) && reloadAll(),
        }),
  ];

  const verdict = ({ isIntact, entries, brokenAt, lastHash }) =>
    isIntact
      ? notice(
          'success',
          t('op.custody.intact', { count: entries }),
          lastHash
            ? h('p', { class: 'small' }, t('op.custody.lastHash'), ' ', h('code', { class: 'hash' }, lastHash))
            : null,
        )
      : notice('danger', t('op.custody.broken', { line: brokenAt }));

  const bill = (order) => {
    const quote = resources.quote.value;
    const receipt = resources.receipt?.value;
    const payments = resources.payments.value ?? [];
    return [
      quote
        ? [
            facts([
              ...quote.lines.map((line) => [t(`bill.${line.kind}`), money(line.amount)]),
              [
                order.charge ? t('bill.total') : t('op.bill.soFar'),
                h('strong', null, money(order.charge ?? quote.charge)),
              ],
              [t('op.bill.duration'), quote.durationSeconds ? duration(quote.durationSeconds) : null],
            ]),
          ]
        : shown(resources.quote, () => h('p', { class: 'muted' }, t('op.bill.none'))),
      receipt
        ? facts([
            [t('op.bill.paid'), money(receipt.paid)],
            [t('bill.tip'), receipt.tip ? money(receipt.tip) : null],
            [t('op.bill.refunded'), receipt.refunded.amount ? money(receipt.refunded) : null],
          ])
        : null,
      resources.payments.error ? problemNotice(resources.payments.error, resources.payments.reload) : null,
      payments.length
        ? h(
            'ul',
            { class: 'list payments' },
            payments.map((entry) => paymentLine(entry)),
          )
        : null,
    ];
  };

  const paymentLine = ({ kind, payment, refund }) =>
    kind === 'refund'
      ? h(
          'li',
          { key: refund.id, class: 'row between wrap' },
          h(
            'span',
            null,
            t('op.refund.of', { amount: money(refund.amount) }),
            h('span', { class: 'muted small' }, ` ${refund.reason}`),
          ),
          h('span', { class: 'small muted' }, dateTime(refund.createdAt)),
        )
      : h(
          'li',
          { key: payment.id, class: 'row between wrap' },
          h(
            'span',
            null,
            money(payment.amount),
            ' ',
            badge(
              t(`op.payment.${payment.status}`),
              payment.status === 'succeeded' ? 'success' : payment.status === 'declined' ? 'danger' : 'warning',
            ),
            h(
              'span',
              { class: 'muted small' },
              ' ',
              [payment.brand, payment.last4 && `•••• ${payment.last4}`, payment.declineReason]
                .filter(Boolean)
                .join(' '),
            ),
          ),
          payment.status === 'succeeded' && payment.refunded.amount < payment.amount.amount
            ? button(t('op.refund'), {
                onclick: async () => (await refundDialog(payment)) && reload('payments', 'receipt', 'acts'),
              })
            : null,
        );

  return {
    title: () => resources.order.value?.ticket ?? t('op.order'),
    view,
    leave() {
      stopPolls();
      stopListening();
      stopRenewing();
      slot.leave();
    },
  };
}

const alertNotice = (order) => {
  const alert = store.value.alerts.find((one) => one.order === order.id);
  return alert
    ? notice(
        'warning',
        t(`op.alert.long.${alert.kind}`, { status: t(`status.${alert.status}`), limit: duration(alert.limitSeconds) }),
      )
    : null;
};

const person = (role, one) =>
  one &&
  h(
    'li',
    { key: role, class: 'party' },
    avatar(one, 'small'),
    h(
      'div',
      { class: 'grow' },
      h('p', { class: 'muted small' }, t(role)),
      h(
        'p',
        { class: 'strong' },
        role === 'role.customer' ? fullName(one) : h('a', { href: `#/valets/${one.id}` }, fullName(one)),
        ' ',
        one.rating ? rating(one.rating) : null,
      ),
      h('p', null, callLink(one)),
    ),
  );

const parties = (order) =>
  h(
    'ul',
    { class: 'list' },
    person('role.customer', order.customer),
    person('op.valet.dropOff', order.dropOffValet),
    person('op.valet.return', order.returnValet),
    order.dropOffValet ? null : h('li', { class: 'muted', key: 'none' }, t('op.order.noValet')),
  );

const places = (order) =>
  facts([
    [t('op.area'), areaName(order.serviceArea)],
    [
      t('vehicle'),
      order.vehicle &&
        h(
          'span',
          null,
          h('strong', { class: 'plate' }, order.vehicle.plate),
          ` ${[order.vehicle.colour, order.vehicle.make, order.vehicle.model].filter(Boolean).join(' ')}`,
        ),
    ],
    [t('op.point.dropOff'), placeText(order.dropOff)],
    [t('op.order.eta'), order.status === 'droppingOff' && order.etaSeconds !== null ? minutes(order.etaSeconds) : null],
    [t('op.point.parked'), order.parked && (parkedText(order.parked) || placeText(order.parked))],
    [t('op.point.return'), placeText(order.returnTo)],
    [t('op.order.extras'), order.extras.map((extra) => `${t(`extra.${extra}`)}${taskText(order, extra)}`).join(', ')],
    [t('op.order.scheduledFor'), order.scheduledFor && dateTime(order.scheduledFor)],
    [t('op.reason'), reasonText(order)],
    [t('op.order.id'), shortID(order.id)],
  ]);

const taskText = (order, extra) => {
  const task = order.tasks.find(({ kind }) => kind === extra);
  return task ? ` (${t(`task.${task.status}`)})` : '';
};
