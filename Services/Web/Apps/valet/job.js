// One job: the map, customer and place, and one big button for the next step.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { createForm } from '/apps/shared/forms.js';
import { problemNotice, skeleton } from '/apps/shared/ui.js';
import { distance, minutes, t } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';
import { api, isAt, loadOrder, orderOf, state } from './store.js';
import { legOf, placeText, stepOf, stepsOf, targetOf } from './jobs.js';
import { signalLost, waitingNote } from './notes.js';
import { overView } from './job-over.js';
import { people, trouble } from './job-people.js';
import { nextStep } from './job-step.js';
import { mapElement, showOnMap } from './map.js';

/** The state of each order's screen, by id. */
const jobs = new Map();

export const jobScreen =
  (redraw) =>
  ({ id }) => {
    const job = jobs.get(id) ?? open(id, redraw);
    const order = orderOf(id);
    const at = order && stepOf(order, api.account.id);
    if (job.at && job.at !== at) focusOnStep();
    Object.assign(job, { order, at });
    showOnMap(order ? mapOf(job) : null);
    const title = order ? t(`step.${at}`) : t('job.title');
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
            ? sheet(job)
            : [h('h1', { 'data-focus': true }, title), job.problem ? problemNotice(job.problem) : skeleton(5)],
        ),
      ),
    };
  };

function open(id, redraw) {
  const job = {
    redraw,
    order: null,
    /** The step. */
    at: null,
    form: createForm(redraw, {
      'order.wrong_code': 'code',
      'order.code_locked': 'code',
      'order.codes_used_up': 'code',
    }),
    rating: createForm(redraw),
    stars: 0,
    isBusy: false,
    /** Whether the valet says that they have arrived. */
    isThere: false,
    /** The server accepts no code until `lockedUntil`, and no report of an absence until `absentAt`. */
    lockedUntil: null,
    absentAt: null,
    /** In a demo, the leg whose customer is listened to, and the code that they said. */
    listening: null,
    heard: null,
    problem: null,
  };
  jobs.set(id, job);
  loadOrder(id).catch((error) => {
    job.problem = error;
    redraw();
  });
  return job;
}

/** Focuses the heading of the next step, since the button of the last one is removed. */
const focusOnStep = () =>
  queueMicrotask(() => {
    const heading = document.querySelector('.job h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  });

function mapOf({ order, at }) {
  const { position, customer, route, areas, current } = state.value;
  const target = targetOf(order);
  const marker =
    at === 'toVehicle' || (order.parked && ['parked', 'handedBack'].includes(at))
      ? { ...order.parked, kind: 'parked', icon: 'parking', title: t('job.vehicle') }
      : target && { ...target, kind: 'place', icon: at === 'returning' ? 'key' : 'car', title: t('job.meetingPoint') };
  return {
    me: position,
    target: marker,
    areas,
    route: current?.id === order.id && !isAt(order) && route?.geometry ? route : null,
    customer: at === 'toCustomer' ? customer : null,
    fit: `${order.id} ${at}`,
  };
}

function sheet(job) {
  const { order, at } = job;
  const isMine = ['toCustomer', 'parking', 'toVehicle', 'returning'].includes(at);
  return [
    isMine ? progress(job) : null,
    h(
      'header',
      { class: 'job-head', key: 'head' },
      h('div', { class: 'grow' }, h('h1', { 'data-focus': true }, t(`step.${at}`)), lead(job)),
      h('div', { class: 'job-ticket' }, h('span', { class: 'ticket' }, order.ticket)),
    ),
    waitingNote(state.value, order.id),
    isMine ? signalLost(state.value) : null,
    isMine ? nextStep(job) : overView(job),
    ['lost', 'ended'].includes(at) ? null : people(job),
    trouble(job),
  ];
}

function progress({ order, at }) {
  const steps = stepsOf(legOf(order, api.account.id));
  const reached = steps.indexOf(at);
  return h(
    'ol',
    { class: 'steps', key: 'steps', 'aria-label': t('job.steps') },
    steps.map((name, index) =>
      h(
        'li',
        {
          key: name,
          class: index < reached ? 'past' : index === reached ? 'now' : '',
          'aria-current': index === reached ? 'step' : null,
        },
        h('span', { class: 'visually-hidden' }, t(`step.${name}`)),
      ),
    ),
  );
}

/** The destination and the distance to it. */
function lead({ order, at }) {
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
