// One job: the map, customer and place, and one big button for the next step.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { address, go } from '/apps/shared/shell.js';
import {
  avatar,
  badge,
  button,
  createForm,
  empty,
  facts,
  field,
  notice,
  problemNotice,
  skeleton,
  starInput,
  toast,
} from '/apps/shared/ui.js';
import { clock, distance, fullName, minutes, reasonText, t, time, tProblem } from '/apps/shared/i18n.js';
import { codeField } from '/apps/shared/auth.js';
import { Offline, escaped } from '/apps/shared/api.js';
import { isDemo } from '/apps/shared/demo.js';
import { listen } from '/apps/shared/demo-people.js';
import { recall, remember } from '/apps/shared/storage.js';
import { metersBetween } from '/apps/shared/position.js';
import { api, isAt, loadOrder, orderOf, state, step, tap } from './store.js';
import { legOf, placeText, stepOf, stepsOf, targetOf, vehicleText } from './jobs.js';
import { askWhy, reportAbsence } from './trouble.js';
import { mapElement, showOnMap } from './map.js';
import { photoStrip } from './photostrip.js';
import { signalLost, waitingNote } from './home.js';

const CODE_LENGTH = 4;
const RATED = 'openvalet.valet.rated';
/** The state of each order's screen, by id. */
const screens = new Map();

export const jobScreen =
  (redraw) =>
  ({ id }) => {
    const order = orderOf(id);
    const own = screens.get(id) ?? {
      form: createForm(redraw, {
        'order.wrong_code': 'code',
        'order.code_locked': 'code',
        'order.codes_used_up': 'code',
      }),
      rating: createForm(redraw),
      stars: 0,
      isBusy: false,
      withCode: false,
      problem: null,
    };
    if (!screens.has(id)) {
      screens.set(id, own);
      loadOrder(id).catch((error) => {
        own.problem = error;
        redraw();
      });
    }
    const me = api.account.id;
    const at = order && stepOf(order, me);
    const title = order ? t(`step.${at}`) : t('job.title');
    if (own.at && own.at !== at) focusOnStep();
    own.at = at;
    showOnMap(order ? mapOf(order, at) : null);
    return {
      title,
      view: h(
        'div',
        { class: 'map-app job', key: 'map-app' },
        mapElement(),
        h(
          'div',
          { class: 'map-top', key: 'top' },
          h('a', { class: 'icon-button floating', href: '#/', 'aria-label': t('action.back') }, icon('back')),
        ),
        h(
          'main',
          { class: 'sheet', key: `job-${id}` },
          order
            ? sheet(order, at, own, redraw)
            : own.problem
              ? [h('h1', { 'data-focus': true }, title), problemNotice(own.problem)]
              : [h('h1', { 'data-focus': true }, title), skeleton(5)],
        ),
      ),
    };
  };

/** Focuses the heading of the next step, since the button of the last one is removed. */
const focusOnStep = () =>
  queueMicrotask(() => {
    const heading = document.querySelector('.job h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  });

function mapOf(order, at) {
  const { position, customer, route, areas } = state.value;
  const target = targetOf(order);
  const isMine = state.value.current?.id === order.id;
  const marker =
    at === 'toVehicle' || (order.parked && ['parked', 'handedBack'].includes(at))
      ? { ...order.parked, kind: 'parked', icon: 'parking', title: t('job.vehicle') }
      : target && { ...target, kind: 'place', icon: at === 'returning' ? 'key' : 'car', title: t('job.meetingPoint') };
  return {
    me: position,
    target: marker,
    areas,
    route: isMine && !isAt(order) && route?.geometry ? route : null,
    customer: at === 'toCustomer' ? customer : null,
    fit: `${order.id} ${at}`,
  };
}

function sheet(order, at, own, redraw) {
  const isMine = ['toCustomer', 'parking', 'toVehicle', 'returning'].includes(at);
  return [
    isMine ? progress(legOf(order, api.account.id), at) : null,
    h(
      'header',
      { class: 'job-head', key: 'head' },
      h('div', { class: 'grow' }, h('h1', { 'data-focus': true }, t(`step.${at}`)), lead(order, at)),
      h('div', { class: 'job-ticket' }, h('span', { class: 'ticket' }, order.ticket)),
    ),
    waitingNote(state.value, order.id),
    isMine ? signalLost(state.value) : null,
    isMine ? nextStep(order, at, own, redraw) : over(order, at, own, redraw),
    ['lost', 'ended'].includes(at) ? null : people(order, at, own, redraw),
    trouble(order, at, own, redraw),
  ];
}

const progress = (leg, at) =>
  h(
    'ol',
    { class: 'steps', key: 'steps', 'aria-label': t('job.steps') },
    stepsOf(leg).map((name, index, all) => {
      const reached = all.indexOf(at);
      return h(
        'li',
        {
          key: name,
          class: index < reached ? 'past' : index === reached ? 'now' : '',
          'aria-current': index === reached ? 'step' : null,
        },
        h('span', { class: 'visually-hidden' }, t(`step.${name}`)),
      );
    }),
  );

/** The destination and the distance to it. */
function lead(order, at) {
  const { position, route, current } = state.value;
  const target = targetOf(order);
  const where =
    at === 'toVehicle'
      ? placeText(order.parked, t) || t('job.noPlace')
      : at === 'parking'
        ? t('step.parking.lead')
        : (target?.address ?? (target ? t('offer.noAddress') : null));
  const isRoute = current?.id === order.id && route?.geometry;
  const far = isRoute ? route.distanceMeters : position && target ? metersBetween(position, target) : null;
  const words = [
    isAt(order) ? t('job.arrived') : isRoute && route.durationSeconds ? minutes(route.durationSeconds) : null,
    !isAt(order) && far !== null ? distance(far) : null,
    isRoute && route.source === 'straightLine' && !isAt(order) ? t('job.straight') : null,
  ].filter(Boolean);
  return [
    where ? h('p', { key: 'where' }, where) : null,
    // Only the arrival is announced: the distance changes all the time.
    target
      ? h(
          'p',
          { class: 'numbers arrived', key: 'there', role: 'status' },
          isAt(order) ? [icon('check'), words.join(' · ')] : null,
        )
      : null,
    target && !isAt(order) ? h('p', { class: 'numbers muted', key: 'far' }, words.join(' · ')) : null,
  ];
}

// MARK: The next step

function nextStep(order, at, own, redraw) {
  // The waiting step is listed above.
  if (state.value.waiting.some(({ subject }) => subject === order.id)) return null;
  switch (at) {
    case 'toCustomer':
      return isAt(order) || own.withCode
        ? withCode(order, own, redraw, { path: 'collect', label: t('do.collect'), lead: t('code.collect') })
        : drive(order, own, redraw);
    case 'returning':
      return isAt(order) || own.withCode
        ? withCode(order, own, redraw, { path: 'hand-back', label: t('do.handBack'), lead: t('code.handBack') })
        : drive(order, own, redraw);
    case 'parking':
      return h(
        'div',
        { class: 'stack tight', key: 'next' },
        h(
          'a',
          { class: 'button primary big wide', href: `#/orders/${order.id}/park` },
          icon('parking'),
          h('span', null, t('do.toPark')),
        ),
      );
    default:
      return vehicleStands(order, own, redraw);
  }
}

/** A link to the phone's navigation: `geo:` is RFC 5870, which Apple's systems do not open. */
const navigation = ({ latitude, longitude }) =>
  /Mac OS X/.test(navigator.userAgent)
    ? `https://maps.apple.com/?daddr=${latitude},${longitude}`
    : `geo:${latitude},${longitude}?q=${latitude},${longitude}`;

const drive = (order, own, redraw) =>
  h(
    'div',
    { class: 'stack tight', key: 'next' },
    h(
      'a',
      { class: 'button primary big wide', href: navigation(targetOf(order)) },
      icon('route'),
      h('span', null, t('do.navigate')),
    ),
    button(t('do.imThere'), {
      look: 'quiet',
      wide: true,
      onclick: () => {
        own.withCode = true;
        redraw();
      },
    }),
  );

/** In a demo, the code that the customer says; a tap fills it in. */
function heard(order, own, redraw) {
  if (!isDemo) return null;
  const leg = legOf(order, api.account.id);
  if (own.listening !== leg) {
    [own.listening, own.heard] = [leg, null];
    const isOver = () =>
      own.listening !== leg ||
      address().path !== `/orders/${order.id}` ||
      !['toCustomer', 'returning'].includes(own.at);
    listen(api, order, leg, isOver, (code) => {
      own.heard = code;
      redraw();
    }).then(() => {
      if (own.listening === leg) own.listening = null;
    });
  }
  const fill = () => {
    const input = document.getElementById('code');
    input.value = own.heard;
    input.focus();
  };
  return h(
    'div',
    { role: 'status', key: 'heard' },
    own.heard
      ? button(t('demo.heard', { code: own.heard }), { icon: 'message', wide: true, onclick: fill })
      : h('p', { class: 'muted small' }, t('demo.listening')),
  );
}

function withCode(order, own, redraw, { path, label, lead: words }) {
  const { form } = own;
  const locked = own.lockedUntil ? Math.ceil((own.lockedUntil - state.value.now) / 1_000) : 0;
  const send = async ({ code }) => {
    const digits = code.replace(/\D/g, '');
    if (digits.length !== CODE_LENGTH) form.refuse({ code: t('code.short') });
    try {
      await step(order, path, { code: digits });
    } catch (error) {
      if (error instanceof Offline) throw Object.assign(new Error(t('code.offline')), { code: 'form' });
      if (error.code === 'order.code_locked') own.lockedUntil = serverNow() + (error.retryAfterSeconds ?? 60) * 1_000;
      throw error;
    }
    own.withCode = false;
  };
  return form.view(
    { key: `code-${path}`, class: 'code-form', onsubmit: form.submit(send) },
    // The field's error is announced once, the seconds are not.
    locked > 0
      ? h(
          'div',
          { class: 'notice danger', role: 'timer', key: 'locked' },
          icon('alert'),
          h('p', null, t('code.locked', { time: clock(locked) })),
        )
      : null,
    heard(order, own, redraw),
    codeField(form, {
      label: t('code.label'),
      hint: words,
      maxlength: CODE_LENGTH,
      pattern: '[0-9]*',
      autocomplete: 'off',
    }),
    button(label, {
      look: 'primary big',
      wide: true,
      type: 'submit',
      icon: 'key',
      isBusy: form.isBusy,
      disabled: locked > 0,
    }),
  );
}

/** Where the vehicle is parked and which key it has; nothing to type. */
function vehicleStands(order, own, redraw) {
  const { parked, vehicle } = order;
  const take = async () => {
    own.isBusy = true;
    redraw();
    try {
      await tap(order, 'retrieve', {}, t('do.retrieve'));
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    own.isBusy = false;
    redraw();
  };
  return h(
    'div',
    { class: 'stack', key: 'next' },
    h(
      'div',
      { class: 'stands' },
      parked?.keyTag
        ? h(
            'div',
            { class: 'key-tag' },
            icon('key'),
            h(
              'div',
              null,
              h('p', { class: 'small muted' }, t('parked.keyTag')),
              h('p', { class: 'huge' }, parked.keyTag),
            ),
          )
        : null,
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'huge plate' }, vehicle?.plate ?? t('job.noPlate')),
        h('p', { class: 'muted' }, vehicleText(vehicle)),
      ),
    ),
    button(t('do.retrieve'), { look: 'primary big', wide: true, icon: 'key', isBusy: own.isBusy, onclick: take }),
    isAt(order)
      ? null
      : h(
          'a',
          { class: 'button quiet wide', href: navigation(parked) },
          icon('route'),
          h('span', null, t('do.navigate')),
        ),
  );
}

// MARK: Afterwards

function over(order, at, own, redraw) {
  if (at === 'lost')
    return empty(
      'info',
      t('job.lost'),
      t('job.lost.text'),
      button(t('do.home'), { look: 'primary', onclick: () => go('/') }),
    );
  if (at === 'ended')
    return empty(
      'close',
      t('job.ended'),
      reasonText(order),
      button(t('do.home'), { look: 'primary', onclick: () => go('/') }),
    );
  const isBack = at === 'handedBack';
  return h(
    'div',
    { class: 'stack', key: 'over' },
    h(
      'div',
      { class: 'done' },
      h('span', { class: 'done-mark' }, icon('check')),
      h(
        'p',
        null,
        t(isBack ? 'job.handedBack.text' : 'job.parked.text', {
          time: time((isBack ? order.returnedAt : order.parkedAt) ?? order.createdAt),
        }),
      ),
    ),
    facts([
      [t('vehicle.plate'), order.vehicle?.plate],
      [t('vehicle'), vehicleText(order.vehicle)],
      ...(isBack
        ? []
        : [
            [t('job.place'), placeText(order.parked, t)],
            [t('parked.keyTag'), order.parked?.keyTag],
          ]),
    ]),
    order.status === 'finished' ? rate(order, own, redraw) : isBack ? notice('neutral', t('rate.later')) : null,
    state.value.current ? null : h('a', { class: 'button primary big wide', href: '#/' }, t('do.next')),
  );
}

function rate(order, own, redraw) {
  if ((recall(RATED) ?? []).includes(order.id)) return notice('success', t('rate.done'));
  const { rating } = own;
  const send = async ({ comment }) => {
    await api.put(escaped`/v1/orders/${order.id}/rating`, { stars: own.stars, comment: comment.trim() || undefined });
    remember(RATED, [...(recall(RATED) ?? []), order.id].slice(-200));
  };
  return rating.view(
    { key: 'rating', class: 'card stack', onsubmit: rating.submit(send) },
    h('h2', null, t('rate.title', { name: fullName(order.customer) })),
    starInput({
      value: own.stars,
      onchange: (stars) => {
        own.stars = stars;
        redraw();
      },
    }),
    own.stars
      ? [
          field({ id: 'comment', label: t('rate.comment'), isOptional: true, multiline: true, maxlength: 1000 }),
          button(t('rate.send'), { look: 'primary', type: 'submit', wide: true, isBusy: rating.isBusy }),
        ]
      : null,
  );
}

// MARK: People, vehicle and trouble

function people(order, at, own, redraw) {
  const { customer, vehicle, extras } = order;
  const name = fullName(customer).trim() || t('job.customer');
  const moment = { toCustomer: 'handOver', parking: 'handOver', returning: 'handBack' }[at];
  const isShowing = ['toCustomer', 'parking', 'returning'].includes(at);
  return h(
    'div',
    { class: 'stack', key: 'people' },
    h(
      'section',
      { class: 'person', 'aria-label': t('job.customer') },
      avatar(customer),
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'strong' }, name),
        h(
          'p',
          { class: 'muted small numbers' },
          customer.rating ? `★ ${customer.rating.toFixed(1)} · ` : '',
          t('job.customer'),
        ),
      ),
      customer.phone && at !== 'parked'
        ? h(
            'a',
            {
              class: 'icon-button call',
              href: `tel:${customer.phone}`,
              'aria-label': t('action.callPerson', { name }),
            },
            icon('phone'),
          )
        : null,
    ),
    isShowing
      ? h(
          'section',
          { class: 'person', 'aria-label': t('job.vehicle') },
          h('span', { class: 'avatar', 'aria-hidden': 'true' }, icon('car')),
          h(
            'div',
            { class: 'grow' },
            h('p', { class: 'strong plate' }, vehicle?.plate ?? t('job.noPlate')),
            vehicle ? h('p', { class: 'muted small' }, vehicleText(vehicle)) : null,
          ),
          h(
            'div',
            { class: 'row wrap' },
            extras.map((extra) => badge(t(`extra.${extra}`), 'accent')),
          ),
        )
      : null,
    moment && at !== 'parking' ? photoStrip(order, moment, own, redraw) : null,
  );
}

function trouble(order, at, own, redraw) {
  const canWithdraw = at === 'toCustomer' || at === 'toVehicle';
  if (!canWithdraw) return null;
  return h(
    'div',
    { class: 'trouble', key: 'trouble' },
    at === 'toCustomer' ? absence(order, own, redraw) : null,
    button(t('do.withdraw'), { look: 'quiet danger-text', onclick: () => askWhy(order) }),
  );
}

/** The no-show button; before the end of the waiting time after arrival, a countdown. */
function absence(order, own, redraw) {
  const { arrival, areas, now } = state.value;
  if (!isAt(order)) return null;
  const tariff = areas.find(({ id, properties }) => (id ?? properties.id) === order.serviceArea)?.properties.tariff;
  const until = own.absentAt ?? arrival.at + (tariff?.waitingSeconds ?? 0) * 1_000;
  const left = Math.ceil((until - now) / 1_000);
  return left > 0
    ? h('p', { class: 'muted small numbers', role: 'timer' }, t('absent.in', { time: clock(left) }))
    : button(t('do.absent'), { look: 'quiet', isBusy: own.isBusy, onclick: () => reportAbsence(order, own, redraw) });
}
