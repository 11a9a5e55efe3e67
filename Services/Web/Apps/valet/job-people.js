// The customer of a job and their vehicle, and what to do if something goes wrong.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { avatar } from '/apps/shared/people.js';
import { badge, button } from '/apps/shared/ui.js';
import { clock, fullName, t } from '/apps/shared/i18n.js';
import { isAt, state } from './store.js';
import { vehicleText } from './jobs.js';
import { photoStrip } from './photostrip.js';
import { askWhy, reportAbsence } from './trouble.js';

export function people(job) {
  const { order, at, redraw } = job;
  const moment = { toCustomer: 'handOver', returning: 'handBack' }[at];
  const isShowing = ['toCustomer', 'parking', 'returning'].includes(at);
  return h(
    'div',
    { class: 'stack', key: 'people' },
    customerView(order, at),
    isShowing ? vehicleView(order) : null,
    moment ? photoStrip(order, moment, job, redraw) : null,
  );
}

function customerView({ customer }, at) {
  const name = fullName(customer).trim() || t('job.customer');
  return h(
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
          { class: 'icon-button call', href: `tel:${customer.phone}`, 'aria-label': t('action.callPerson', { name }) },
          icon('phone'),
        )
      : null,
  );
}

const vehicleView = ({ vehicle, extras }) =>
  h(
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
  );

// MARK: Trouble

export function trouble(job) {
  const { order, at } = job;
  if (at !== 'toCustomer' && at !== 'toVehicle') return null;
  return h(
    'div',
    { class: 'trouble', key: 'trouble' },
    at === 'toCustomer' ? absence(job) : null,
    button(t('do.withdraw'), { look: 'quiet danger-text', onclick: () => askWhy(order) }),
  );
}

/** The no-show button; before the end of the waiting time after arrival, a countdown. */
function absence(job) {
  const { order, redraw } = job;
  const { arrival, areas, now } = state.value;
  if (!isAt(order)) return null;
  const tariff = areas.find(({ id, properties }) => (id ?? properties.id) === order.serviceArea)?.properties.tariff;
  const until = job.absentAt ?? arrival.at + (tariff?.waitingSeconds ?? 0) * 1_000;
  const left = Math.ceil((until - now) / 1_000);
  return left > 0
    ? h('p', { class: 'muted small numbers', role: 'timer' }, t('absent.in', { time: clock(left) }))
    : button(t('do.absent'), { look: 'quiet', isBusy: job.isBusy, onclick: () => reportAbsence(order, job, redraw) });
}
