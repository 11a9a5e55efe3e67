// Home: the map, the shift, the job at hand and the two lists of jobs.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import { badge, button, empty, iconButton, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { fullName, t, time, tProblem } from '/apps/shared/i18n.js';
import { cityOf } from '/apps/shared/demo.js';
import { isInside } from '/apps/shared/position.js';
import { api, position, retryPosition, setShift, state } from './store.js';
import { jobsOf, placeText, stepOf, targetOf, vehicleText } from './jobs.js';
import { mapElement, recenter, showOnMap } from './map.js';
import { signalLost, waitingNote } from './notes.js';

const SHIFTS = [
  ['available', 'check'],
  ['onBreak', 'cup'],
  ['offline', 'exit'],
];

export const homeScreen = () => () => {
  const { value } = state;
  const { current, jobs } = value;
  const me = api.account.id;
  const today = jobsOf(jobs, me).filter((job) => (job.doneAt ? isToday(job.doneAt) : job.order.id === current?.id));
  showOnMap(mapOf(value));
  return {
    title: t('nav.jobs'),
    view: h(
      'div',
      { class: 'map-app', key: 'map-app' },
      mapElement(),
      h(
        'div',
        { class: 'map-top', key: 'top' },
        value.position ? iconButton('locate', t('map.locate'), recenter, { class: 'icon-button floating' }) : null,
      ),
      h(
        'main',
        { class: 'sheet home-sheet', key: 'sheet-home' },
        h('h1', { 'data-focus': true, class: 'visually-hidden' }, t('nav.jobs')),
        shiftSwitch(value),
        standing(value),
        pretended(value),
        value.problem && !value.isLoaded && !value.asOf ? problemNotice(value.problem, () => location.reload()) : null,
        waitingNote(value),
        !today.length && value.isLoaded ? nothingYet(value) : legsOf(today).map((leg) => section(leg, today, value)),
        jobs.length ? h('a', { class: 'more-link', href: '#/jobs' }, t('jobs.all'), icon('next')) : null,
      ),
    ),
  };
};

const isToday = (date) => date && new Date(date).toDateString() === new Date(serverNow()).toDateString();

function mapOf({ current, position: me, areas, route }) {
  const target = current && targetOf(current);
  return {
    me,
    areas,
    route: current && route?.geometry ? route : null,
    fit: `home ${current?.id ?? ''}`,
    target: target && {
      ...target,
      kind: 'place',
      icon: current.status === 'droppingOff' ? 'car' : 'key',
      title: t('job.meetingPoint'),
    },
  };
}

/** Explains that a demo shows the valet in the simulated city. */
function pretended({ areas }) {
  const city = cityOf(areas);
  return city && h('p', { class: 'muted small', key: 'pretended' }, t('demo.driven', { area: city.properties.name }));
}

// MARK: The shift

const shiftSwitch = ({ shift, shiftWanted }) =>
  h(
    'div',
    { class: 'shift', role: 'group', 'aria-label': t('shift.label'), key: 'shift' },
    SHIFTS.map(([status, name]) => {
      const isOn = (shiftWanted ?? shift) === status;
      return h(
        'button',
        {
          type: 'button',
          key: status,
          class: `shift-choice ${status}`,
          'aria-pressed': String(isOn),
          'aria-busy': shiftWanted === status ? 'true' : null,
          onclick: () => setShift(status),
        },
        icon(name),
        h('span', null, t(`shift.${status}`)),
      );
    }),
  );

/** One line about the shift: whether jobs come, and if not, why. */
function standing(value) {
  const { shift, shiftWanted, shiftProblem, current, positionFailure, waiting } = value;
  if (shiftProblem) {
    const more =
      shiftProblem.code === 'location.on_job' && current
        ? button(t('shift.toJob'), { look: 'quiet', onclick: () => go(`/orders/${current.id}`) })
        : null;
    return notice('danger', tProblem(shiftProblem), more);
  }
  if (waiting.some(({ subject }) => subject === 'shift')) return notice('warning', t('shift.queued'));
  if (shiftWanted) return line('neutral', t('shift.changing'));
  if (shift === 'offline') return line('neutral', t('shift.offline.means'));
  if (shift === 'onBreak') return line('warning', t('shift.onBreak.means'));
  if (shift !== 'available') return null;
  if (positionFailure === 'denied')
    return notice(
      'danger',
      t('position.denied'),
      h('p', { class: 'small' }, t('position.denied.help')),
      button(t('action.retry'), { look: 'quiet', onclick: retryPosition }),
    );
  const lost = signalLost(value);
  if (lost) return lost;
  if (positionFailure)
    return notice(
      'warning',
      t('position.unavailable'),
      button(t('action.retry'), { look: 'quiet', onclick: retryPosition }),
    );
  if (current) return line('accent', t('shift.busy.means'));
  if (position.last && value.areas.length && !value.areas.some(({ geometry }) => isInside(position.last, geometry)))
    return notice('warning', t('position.outside'));
  if (!position.sentAt) return line('neutral', t('position.first'));
  return line(
    'success',
    t('shift.available.means'),
    t('shift.available.accuracy', { meters: Math.max(1, Math.round(position.last?.accuracyMeters ?? 0)) }),
  );
}

/** A change of `text` is announced; `more` changes too often for that. */
const line = (tone, text, more) =>
  h(
    'p',
    { class: `standing ${tone}`, key: 'standing' },
    h('span', { class: 'lamp', 'aria-hidden': 'true' }),
    h('span', null, h('span', { role: 'status' }, text), more ? ` ${more}` : null),
  );

// MARK: Jobs

/** The section with the current job comes first. */
const legsOf = (jobs) =>
  jobs.some(({ leg, doneAt }) => leg === 'return' && !doneAt) ? ['return', 'dropOff'] : ['dropOff', 'return'];

const nothingYet = ({ shift }) =>
  shift === 'available'
    ? empty('car', t('jobs.none'), t('jobs.none.available'))
    : empty('clock', t('jobs.none'), t('jobs.none.off'));

function section(leg, jobs, value) {
  const mine = jobs.filter((job) => job.leg === leg);
  const over = mine.filter(({ doneAt }) => doneAt);
  return h(
    'section',
    { class: 'stack tight', key: leg, 'aria-labelledby': `${leg}-title` },
    h(
      'h2',
      { id: `${leg}-title` },
      t(`jobs.${leg}`),
      mine.length ? h('span', { class: 'muted numbers' }, ` ${mine.length}`) : null,
    ),
    mine.filter(({ doneAt }) => !doneAt).map(({ order }) => jobAtHand(order)),
    over.length
      ? h('div', { class: 'list lined' }, over.map(jobRow))
      : mine.length
        ? null
        : value.isLoaded || value.asOf
          ? h('p', { class: 'muted' }, t(`jobs.${leg}.none`))
          : skeleton(2),
  );
}

/** The current job, at the top. */
function jobAtHand(order) {
  const step = stepOf(order, api.account.id);
  const where = {
    toCustomer: order.dropOff.address,
    toVehicle: placeText(order.parked, t),
    returning: order.returnTo?.address,
    parking: vehicleText(order.vehicle),
  }[step];
  return h(
    'a',
    { class: 'at-hand', href: `#/orders/${order.id}`, key: `hand-${order.id}` },
    h('span', { class: 'at-hand-icon' }, icon(step === 'toVehicle' ? 'key' : step === 'parking' ? 'parking' : 'car')),
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'strong block' }, t(`step.${step}`)),
      where ? h('span', { class: 'block' }, where) : null,
      h(
        'span',
        { class: 'small block' },
        h('span', { class: 'ticket' }, order.ticket),
        ` · ${fullName(order.customer)}`,
      ),
    ),
    icon('next'),
  );
}

export function jobRow({ order, leg, doneAt }) {
  const step = stepOf(order, api.account.id);
  const isOver = Boolean(doneAt);
  const what = order.vehicle?.plate ? `${order.vehicle.plate} ${vehicleText(order.vehicle)}` : fullName(order.customer);
  return h(
    'a',
    { class: 'list-item', href: `#/orders/${order.id}`, key: `${order.id}-${leg}` },
    icon(leg === 'return' ? 'key' : 'parking'),
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'strong block' }, what),
      h(
        'span',
        { class: 'muted small block' },
        h('span', { class: 'ticket' }, order.ticket),
        ' · ',
        isOver
          ? t(`job.done.${order.status === 'cancelled' ? 'cancelled' : leg}`, { time: time(doneAt) })
          : t(`step.${step}`),
      ),
    ),
    isOver ? null : badge(t('job.now'), 'accent'),
  );
}
