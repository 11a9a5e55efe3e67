// Second factors in the profile: setting them up and turning them off.

import { codeField } from './auth-parts.js';
import { authenticator, recoveryCodes } from './authenticator.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { badge, button, createForm, field, problemNotice, skeleton, toast } from './ui.js';

const METHODS = ['totp', 'sms'];

export function createSecondFactors(api, redraw) {
  const confirming = createForm(redraw, { 'account.wrong_code': 'factorCode', code: 'factorCode' });
  const proving = createForm(redraw, { 'account.wrong_password': 'factorPassword', password: 'factorPassword' });
  let known = null;
  let problem = null;
  let isBusy = false;
  /** The factor being set up, with the data for its app. */
  let setup = null;
  /** Why the password is asked: `totp` or `sms` to turn off, `set.totp` or `set.sms` to set up, `codes` for new. */
  let asking = null;
  /** Shown until the person has saved them. */
  let codes = null;

  /** Runs one task at a time, and shows its error. */
  const working = (task) => async () => {
    if (isBusy) return;
    [isBusy, problem] = [true, null];
    redraw();
    try {
      await task();
    } catch (error) {
      problem = error;
    }
    isBusy = false;
    redraw();
  };
  const read = async () => (known = await api.get('/v1/me/second-factors'));

  const begin = async (method, password) => {
    const given = await api.post(`/v1/me/second-factors/${method}`, { password });
    [confirming.errors, confirming.problem] = [{}, null];
    setup = { method, given };
  };
  const confirm = async ({ factorCode }) => {
    let answer;
    try {
      answer = await api.post(`/v1/me/second-factors/${setup.method}/confirm`, { code: factorCode });
    } catch (error) {
      if (error.code !== 'account.second_factor_setup_ended') throw error;
      [setup, problem] = [null, error];
      return;
    }
    setup = null;
    codes = answer.recoveryCodes.length ? answer.recoveryCodes : null;
    toast(t('factor.set.done'), 'success');
    await read();
  };
  const prove = async ({ factorPassword: password }) => {
    if (asking === 'codes')
      codes = (await api.post('/v1/me/second-factors/recovery-codes', { password })).recoveryCodes;
    else if (asking.startsWith('set.')) await begin(asking.slice(4), password);
    else {
      await api.post('/v1/me/second-factors/removal', { method: asking, password });
      toast(t('factor.off.done'), 'success');
    }
    asking = null;
    await read();
  };
  const ask = (what) => () => {
    [asking, problem, proving.errors, proving.problem] = [what, null, {}, null];
    redraw();
  };
  const leave = () => {
    [setup, asking, problem] = [null, null, null];
    redraw();
  };

  const cancel = () => button(t('action.cancel'), { look: 'quiet', onclick: leave });

  const settingUp = () =>
    confirming.view(
      { onsubmit: confirming.submit(confirm), key: `setup-${setup.method}` },
      setup.method === 'totp'
        ? authenticator(setup.given)
        : h('p', { role: 'status' }, t('me.set.sent', { contact: api.account.phone })),
      codeField(confirming, { id: 'factorCode', maxlength: 7, error: confirming.errors.factorCode }),
      h(
        'div',
        { class: 'row wrap' },
        button(t('factor.confirm'), { type: 'submit', look: 'primary', isBusy: confirming.isBusy }),
        cancel(),
      ),
    );

  const provingIt = () =>
    proving.view(
      { onsubmit: proving.submit(prove), key: `prove-${asking}` },
      h('p', null, t(`factor.prove.${asking.split('.')[0]}`)),
      field({
        id: 'factorPassword',
        label: t('account.password'),
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        error: proving.errors.factorPassword,
      }),
      h(
        'div',
        { class: 'row wrap' },
        button(t(METHODS.includes(asking) ? 'factor.off' : asking === 'codes' ? 'factor.codes.new' : 'factor.next'), {
          type: 'submit',
          look: METHODS.includes(asking) ? 'danger' : 'primary',
          isBusy: proving.isBusy,
        }),
        cancel(),
      ),
    );

  const row = (method) => {
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
              onclick: ask(method),
            })
          : button(t('factor.set'), {
              'aria-label': t('factor.set.which', { method: t(`factor.${method}`) }),
              onclick: ask(`set.${method}`),
            }),
    );
  };

  const overview = () => [
    h('p', { class: 'hint' }, t(known.isRequired ? 'factor.lead.required' : 'factor.lead')),
    h(
      'ul',
      { class: 'list lined' },
      METHODS.map(row),
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
            button(t('factor.codes.new'), { look: 'quiet', onclick: ask('codes') }),
          )
        : null,
    ),
    problem ? problemNotice(problem) : null,
  ];

  return {
    load: working(read),
    reset: () => ([known, setup, asking, codes, problem] = [null, null, null, null, null]),
    draw() {
      if (codes)
        return recoveryCodes(codes, () => {
          codes = null;
          redraw();
        });
      if (setup) return settingUp();
      if (asking) return provingIt();
      if (known) return overview();
      return problem ? problemNotice(problem, working(read)) : skeleton(3);
    },
  };
}
