// Second factors in the profile: setting them up and turning them off.

import { codeField, passwordField } from './auth-parts.js';
import { authenticator, recoveryCodes } from './authenticator.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { createForm } from './forms.js';
import { badge, button, problemNotice, skeleton, toast } from './ui.js';

const METHODS = ['totp', 'sms'];

export function createSecondFactors(api, redraw) {
  const factors = {
    api,
    redraw,
    confirming: createForm(redraw, { 'account.wrong_code': 'factorCode', code: 'factorCode' }),
    proving: createForm(redraw, { 'account.wrong_password': 'factorPassword', password: 'factorPassword' }),
    isBusy: false,
    ...UNKNOWN,
  };
  return {
    load: () => load(factors),
    reset: () => Object.assign(factors, UNKNOWN),
    draw: () => draw(factors),
  };
}

const UNKNOWN = {
  /** The answer of the server. */
  known: null,
  /** The factor being set up, with the data for its app. */
  setup: null,
  /** Why the password is asked: `totp` or `sms` to turn off, `set.totp` or `set.sms` to set up, `codes` for new. */
  asking: null,
  /** Shown until the person has saved them. */
  codes: null,
  problem: null,
};

function draw(factors) {
  const { known, setup, asking, codes, problem, redraw } = factors;
  if (codes)
    return recoveryCodes(codes, () => {
      factors.codes = null;
      redraw();
    });
  if (setup) return setupForm(factors);
  if (asking) return provingForm(factors);
  if (known) return overview(factors);
  return problem ? problemNotice(problem, () => load(factors)) : skeleton(3);
}

// MARK: Actions

/** One at a time; shows its error. */
async function load(factors) {
  if (factors.isBusy) return;
  Object.assign(factors, { isBusy: true, problem: null });
  factors.redraw();
  try {
    await read(factors);
  } catch (error) {
    factors.problem = error;
  }
  factors.isBusy = false;
  factors.redraw();
}

const read = async (factors) => (factors.known = await factors.api.get('/v1/me/second-factors'));

/** Asks for the password first. */
function ask(factors, asking) {
  Object.assign(factors, { asking, problem: null });
  Object.assign(factors.proving, { errors: {}, problem: null });
  factors.redraw();
}

async function prove(factors, { factorPassword: password }) {
  const { api, asking } = factors;
  if (asking === 'codes')
    factors.codes = (await api.post('/v1/me/second-factors/recovery-codes', { password })).recoveryCodes;
  else if (asking.startsWith('set.')) await begin(factors, asking.slice(4), password);
  else {
    await api.post('/v1/me/second-factors/removal', { method: asking, password });
    toast(t('factor.off.done'), 'success');
  }
  factors.asking = null;
  await read(factors);
}

async function begin(factors, method, password) {
  const given = await factors.api.post(`/v1/me/second-factors/${method}`, { password });
  Object.assign(factors.confirming, { errors: {}, problem: null });
  factors.setup = { method, given };
}

async function confirm(factors, { factorCode }) {
  let answer;
  try {
    answer = await factors.api.post(`/v1/me/second-factors/${factors.setup.method}/confirm`, { code: factorCode });
  } catch (error) {
    if (error.code !== 'account.second_factor_setup_ended') throw error;
    Object.assign(factors, { setup: null, problem: error });
    return;
  }
  factors.setup = null;
  factors.codes = answer.recoveryCodes.length ? answer.recoveryCodes : null;
  toast(t('factor.set.done'), 'success');
  await read(factors);
}

function leave(factors) {
  Object.assign(factors, { setup: null, asking: null, problem: null });
  factors.redraw();
}

// MARK: Forms

const actions = (factors, form, label, look = 'primary') =>
  h(
    'div',
    { class: 'row wrap' },
    button(label, { type: 'submit', look, isBusy: form.isBusy }),
    button(t('action.cancel'), { look: 'quiet', onclick: () => leave(factors) }),
  );

function setupForm(factors) {
  const { api, confirming: form, setup } = factors;
  return form.view(
    { onsubmit: form.submit((values) => confirm(factors, values)), key: `setup-${setup.method}` },
    setup.method === 'totp'
      ? authenticator(setup.given)
      : h('p', { role: 'status' }, t('me.set.sent', { contact: api.account.phone })),
    codeField(form, { id: 'factorCode', maxlength: 7, error: form.errors.factorCode }),
    actions(factors, form, t('factor.confirm')),
  );
}

function provingForm(factors) {
  const { asking, proving: form } = factors;
  const isOff = METHODS.includes(asking);
  return form.view(
    { onsubmit: form.submit((values) => prove(factors, values)), key: `prove-${asking}` },
    h('p', null, t(`factor.prove.${asking.split('.')[0]}`)),
    passwordField(form, { id: 'factorPassword' }),
    actions(
      factors,
      form,
      t(isOff ? 'factor.off' : asking === 'codes' ? 'factor.codes.new' : 'factor.next'),
      isOff ? 'danger' : 'primary',
    ),
  );
}

// MARK: Overview

const overview = (factors) => {
  const { known, problem } = factors;
  return [
    h('p', { class: 'hint' }, t(known.isRequired ? 'factor.lead.required' : 'factor.lead')),
    h(
      'ul',
      { class: 'list lined' },
      METHODS.map((method) => methodRow(factors, method)),
      known.methods.length
        ? h(
            'li',
            { class: 'list-item still', key: 'codes' },
            h(
              'div',
              { class: 'grow stack tight' },
              h('p', { class: 'strong' }, t('factor.codes')),
              h('p', { class: 'muted small' }, t('factor.codes.left', { count: known.recoveryCodesLeft })),
            ),
            button(t('factor.codes.new'), { look: 'quiet', onclick: () => ask(factors, 'codes') }),
          )
        : null,
    ),
    problem ? problemNotice(problem) : null,
  ];
};

function methodRow(factors, method) {
  const { api, known } = factors;
  const isOn = known.methods.includes(method);
  const isLast = isOn && known.isRequired && known.methods.length === 1;
  const lacksPhone = method === 'sms' && !isOn && !api.account.phone;
  return h(
    'li',
    { class: 'list-item still', key: method },
    h(
      'div',
      { class: 'grow stack tight' },
      h('p', { class: 'strong' }, t(`factor.${method}`)),
      h('p', { class: 'muted small' }, t(lacksPhone ? 'factor.sms.phoneless' : `factor.${method}.hint`)),
      isOn ? h('p', null, badge(t('factor.on'), 'success')) : null,
    ),
    isLast || lacksPhone
      ? null
      : isOn
        ? button(t('factor.off'), {
            look: 'quiet',
            'aria-label': t('factor.off.which', { method: t(`factor.${method}`) }),
            onclick: () => ask(factors, method),
          })
        : button(t('factor.set'), {
            'aria-label': t('factor.set.which', { method: t(`factor.${method}`) }),
            onclick: () => ask(factors, `set.${method}`),
          }),
  );
}
