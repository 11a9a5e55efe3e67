// The next step of a job: driving, the customer's code, parking, and taking a parked vehicle.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { address } from '/apps/shared/shell.js';
import { button, toast } from '/apps/shared/ui.js';
import { clock, t, tProblem } from '/apps/shared/i18n.js';
import { codeField } from '/apps/shared/auth-parts.js';
import { Offline } from '/apps/shared/api.js';
import { isDemo } from '/apps/shared/demo.js';
import { listen } from '/apps/shared/demo-people.js';
import { api, isAt, state, step, tap } from './store.js';
import { legOf, targetOf, vehicleText } from './jobs.js';

const CODE_LENGTH = 4;

export function nextStep(job) {
  const { order, at } = job;
  // The waiting step is listed above.
  if (state.value.waiting.some(({ subject }) => subject === order.id)) return null;
  if (at === 'parking') return toPark(order);
  if (at === 'toVehicle') return vehicleStands(job);
  if (!isAt(order) && !job.isThere) return drive(job);
  return at === 'toCustomer'
    ? withCode(job, { path: 'collect', label: t('do.collect'), hint: t('code.collect') })
    : withCode(job, { path: 'hand-back', label: t('do.handBack'), hint: t('code.handBack') });
}

const toPark = ({ id }) =>
  h(
    'div',
    { class: 'stack tight', key: 'next' },
    h(
      'a',
      { class: 'button primary big wide', href: `#/orders/${id}/park` },
      icon('parking'),
      h('span', null, t('do.toPark')),
    ),
  );

// MARK: Driving

/** A link to the phone's navigation: `geo:` is RFC 5870, which Apple's systems do not open. */
const navigation = (look, { latitude, longitude }) => {
  const href = /Mac OS X/.test(navigator.userAgent)
    ? `https://maps.apple.com/?daddr=${latitude},${longitude}`
    : `geo:${latitude},${longitude}?q=${latitude},${longitude}`;
  return h('a', { class: `button ${look} wide`, href }, icon('route'), h('span', null, t('do.navigate')));
};

const drive = (job) =>
  h(
    'div',
    { class: 'stack tight', key: 'next' },
    navigation('primary big', targetOf(job.order)),
    button(t('do.imThere'), {
      look: 'quiet',
      wide: true,
      onclick: () => {
        job.isThere = true;
        job.redraw();
      },
    }),
  );

// MARK: The customer's code

function withCode(job, { path, label, hint }) {
  const { form } = job;
  const locked = job.lockedUntil ? Math.ceil((job.lockedUntil - state.value.now) / 1_000) : 0;
  return form.view(
    { key: `code-${path}`, class: 'code-form', onsubmit: form.submit(({ code }) => sendCode(job, path, code)) },
    // The field's error is announced once, the seconds are not.
    locked > 0
      ? h(
          'div',
          { class: 'notice danger', role: 'timer', key: 'locked' },
          icon('alert'),
          h('p', null, t('code.locked', { time: clock(locked) })),
        )
      : null,
    heard(job),
    codeField(form, {
      label: t('code.label'),
      hint,
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

async function sendCode(job, path, text) {
  const code = text.replace(/\D/g, '');
  if (code.length !== CODE_LENGTH) job.form.refuse({ code: t('code.short') });
  try {
    await step(job.order, path, { code });
  } catch (error) {
    if (error instanceof Offline) throw Object.assign(new Error(t('code.offline')), { code: 'form' });
    if (error.code === 'order.code_locked') job.lockedUntil = serverNow() + (error.retryAfterSeconds ?? 60) * 1_000;
    throw error;
  }
  job.isThere = false;
}

/** In a demo, the code that the customer says; a tap fills it in. */
function heard(job) {
  if (!isDemo) return null;
  listenFor(job);
  const fill = () => {
    const input = /** @type {HTMLInputElement} */ (document.getElementById('code'));
    input.value = job.heard;
    input.focus();
  };
  return h(
    'div',
    { role: 'status', key: 'heard' },
    job.heard
      ? button(t('demo.heard', { code: job.heard }), { icon: 'message', wide: true, onclick: fill })
      : h('p', { class: 'muted small' }, t('demo.listening')),
  );
}

/** Listens to the customer of this leg until another screen is open. */
function listenFor(job) {
  const { order } = job;
  const leg = legOf(order, api.account.id);
  if (job.listening === leg) return;
  [job.listening, job.heard] = [leg, null];
  const isOver = () =>
    job.listening !== leg || address().path !== `/orders/${order.id}` || !['toCustomer', 'returning'].includes(job.at);
  listen(api, order, leg, isOver, (code) => {
    job.heard = code;
    job.redraw();
  }).then(() => {
    if (job.listening === leg) job.listening = null;
  });
}

// MARK: A parked vehicle

/** Where the vehicle is parked and which key it has; nothing to type. */
function vehicleStands(job) {
  const { order, isBusy } = job;
  const { parked, vehicle } = order;
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
    button(t('do.retrieve'), { look: 'primary big', wide: true, icon: 'key', isBusy, onclick: () => retrieve(job) }),
    isAt(order) ? null : navigation('quiet', parked),
  );
}

async function retrieve(job) {
  const { order, redraw } = job;
  job.isBusy = true;
  redraw();
  try {
    await tap(order, 'retrieve', {}, t('do.retrieve'));
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  job.isBusy = false;
  redraw();
}
