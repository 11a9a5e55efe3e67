// Sign-in with or without a second factor, sign-up, codes by text message or e-mail, forgotten passwords: the same for
// all apps.

import { unverified } from './api.js';
import { authenticator, recoveryCodes } from './authenticator.js';
import { isDemo } from './demo.js';
import { personOf } from './demo-people.js';
import { h } from './dom.js';
import { address, go } from './shell.js';
import { button, createForm, field, languagePicker, notice, problemNotice, toast } from './ui.js';
import { hasText, language, loadTexts, t } from './i18n.js';

await loadTexts('/apps/shared/texts/auth');

/** Digits of the code for a new password. */
const RESET_DIGITS = 8;

/** E.164 from a typed number: spaces, hyphens and brackets go, 00 becomes +. */
export const phoneNumber = (text) => text.replace(/[\s()-]/g, '').replace(/^00/, '+');

/** A contact as the API takes it: a number or an e-mail address. */
const contactOf = (text) => (text.includes('@') ? { email: text.trim() } : { phone: phoneNumber(text) });

const frame = (app, title, lead, ...content) =>
  h(
    'main',
    { class: 'auth', key: title },
    h(
      'div',
      { class: 'auth-brand' },
      h('img', { src: `/apps/shared/icons/${app}.svg`, alt: '', width: 56, height: 56 }),
      h('p', { class: 'brand' }, t(`app.${app}`)),
      hasText(`app.${app}.claim`) ? h('p', { class: 'muted' }, t(`app.${app}.claim`)) : null,
    ),
    h(
      'section',
      { class: 'auth-card' },
      h('h1', { 'data-focus': true }, title),
      lead ? h('p', { class: 'muted' }, lead) : null,
      content,
    ),
    h(
      'footer',
      { class: 'auth-foot' },
      languagePicker(),
      h('p', { class: 'muted small' }, h('a', { href: '/openapi.yaml' }, t('app.api'))),
    ),
  );

/** Shows problems of either contact at their one field. */
const contactProblems = {
  phone: 'contact',
  email: 'contact',
  'account.phone_taken': 'contact',
  'account.email_taken': 'contact',
};

const contactField = (form, props = {}) =>
  field({
    id: 'contact',
    label: t('account.contact'),
    hint: t('account.phone.hint'),
    type: 'text',
    autocomplete: 'username',
    inputmode: 'email',
    autocapitalize: 'none',
    spellcheck: 'false',
    required: true,
    error: form.errors.contact,
    ...props,
  });

const passwordField = (form, { id = 'password', isNew, label } = {}) =>
  field({
    id,
    label: label ?? t('account.password'),
    type: 'password',
    autocomplete: isNew ? 'new-password' : 'current-password',
    required: true,
    hint: isNew ? t('account.password.hint') : null,
    error: form.errors[id],
  });

const submit = (form, label) => button(label, { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy });

/**
 * The screens of a signed-out person, by path: `/`, `/sign-up`, `/code`, `/reset`,
 * `/reset/code`. `role` is who may use this app, `home` its first screen, `aside` draws content without an account.
 */
export function createAuth(api, { role, redraw, canSignUp = false, home = () => '/', aside = () => null }) {
  const draw = () => redraw();
  const forms = {};
  const form = (name, fieldOf) => (forms[name] ??= createForm(draw, { ...contactProblems, ...fieldOf }));
  /** The number or address typed last, for the next screen. */
  let contact = '';
  /**
   * A sign-in that waits for its second factor: `challenge`, `methods` and the `method` in use; `setup` if one must
   * be set up, then `answer` with the recovery codes.
   */
  let step = null;

  async function signIn(values) {
    contact = values.contact;
    await enterBy(() => ask('/v1/sessions', { ...contactOf(contact), password: values.password }));
  }

  const ask = (path, body) => api.call('POST', path, { body, anonymous: true });

  /** Signs in by the answer of `send`, or continues with the second factor. */
  async function enterBy(send) {
    try {
      await accept(await send());
    } catch (error) {
      if (error.code !== 'account.second_factor_required') throw error;
      const { challenge, methods } = error.body;
      delete forms.step;
      const setup = methods.length ? null : await ask('/v1/sessions/second-factor/enrolment', { challenge });
      step = { challenge, methods, setup };
      await use(methods[0]);
    }
  }

  /** Switches to another second factor; sends a text message if needed. */
  async function use(method) {
    step.method = method;
    form('step').errors = {};
    form('step').problem = null;
    if (method === 'sms') await sendMessage();
    draw();
    requestAnimationFrame(() => document.getElementById('code')?.focus());
  }

  async function sendMessage() {
    try {
      await ask('/v1/sessions/second-factor/message', { challenge: step.challenge });
      toast(t('auth.code.sent'), 'success');
    } catch (error) {
      refuse(error);
    }
    draw();
  }

  /** Shows an error; after a timeout the sign-in starts again. */
  function refuse(error) {
    if (error.code === 'account.challenge_ended') leaveStep();
    form(step ? 'step' : 'signIn').problem = error;
  }

  function leaveStep() {
    step = null;
    if (address().path in routes) go('/', true);
    draw();
  }

  async function accept(answer) {
    const account = answer.account ?? answer.customer;
    if (!account.roles.includes(role)) {
      const error = new Error(t('auth.wrongApp'));
      error.code = 'form';
      throw error;
    }
    step = null;
    const isSomebodyElse = api.begin(answer);
    // Continues at a link, or where the person was.
    if (isSomebodyElse || address().path in routes) go(home(), true);
    else redraw();
  }

  /** Signing in as the demo's person: `isBusy`, `problem`. */
  const entering = {};
  async function enter() {
    if (entering.isBusy) return;
    Object.assign(entering, { isBusy: true, problem: null });
    draw();
    try {
      const { phone, password } = await personOf(api);
      await signIn({ contact: phone, password });
    } catch (problem) {
      Object.assign(entering, { problem });
    }
    entering.isBusy = false;
    draw();
  }

  /** The demo's accounts, this app's first; the others sign in on their own apps' pages. */
  function people() {
    if (!isDemo) return null;
    if (address().query.has('be') && !entering.problem) queueMicrotask(enter);
    const others = ['customer', 'valet', 'operator'].filter((app) => app !== api.app);
    return h(
      'section',
      { class: 'stack tight demo-people', 'aria-label': t('demo.people') },
      h('p', { class: 'muted' }, t('demo.lead')),
      button(t(`demo.be.${api.app}`), { look: 'primary', wide: true, isBusy: entering.isBusy, onclick: enter }),
      h(
        'div',
        { class: 'pair' },
        others.map((app) =>
          h(
            'a',
            { class: 'button', href: `${app === 'customer' ? '/' : `/${app}`}#/?be`, key: app },
            t(`demo.be.${app}`),
          ),
        ),
      ),
      entering.problem ? problemNotice(entering.problem) : null,
    );
  }

  const signInScreen = () => {
    const it = form('signIn', { 'account.credentials_mismatch': 'password' });
    return frame(
      api.app,
      t('auth.signIn'),
      null,
      api.hasEnded ? notice('neutral', t('auth.ended')) : null,
      people(),
      it.view(
        { onsubmit: it.submit(signIn) },
        contactField(it),
        passwordField(it),
        submit(it, t('auth.signIn')),
        h(
          'div',
          { class: 'auth-links' },
          canSignUp ? h('a', { href: '#/sign-up' }, t('auth.signUp.link')) : null,
          h('a', { href: '#/reset' }, t('auth.forgotten')),
        ),
      ),
      aside(),
    );
  };

  const stepScreen = () => {
    const it = form('step', { 'account.wrong_code': 'code', 'account.too_many_attempts': 'code' });
    const { challenge, methods, method, setup, answer } = step;
    if (answer)
      return frame(
        api.app,
        t('factor.codes'),
        null,
        recoveryCodes(answer.recoveryCodes, () =>
          accept(answer).catch((error) => {
            leaveStep();
            refuse(error);
          }),
        ),
      );
    const send = async ({ code }) => {
      try {
        if (setup) step.answer = await ask('/v1/sessions/second-factor/enrolment/confirm', { challenge, code });
        else await accept(await ask('/v1/sessions/second-factor', { challenge, method, code }));
      } catch (error) {
        if (error.code !== 'account.challenge_ended') throw error;
        refuse(error);
      }
    };
    const ofRecovery = {
      label: t('factor.codes.one'),
      autocomplete: 'off',
      inputmode: 'text',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 20,
      class: 'input',
    };
    return frame(
      api.app,
      t('factor.title'),
      t(`factor.ask.${setup ? 'setup' : method}`),
      setup ? authenticator(setup) : null,
      it.view(
        { onsubmit: it.submit(send), key: method ?? 'setup' },
        codeField(it, method === 'recoveryCode' ? ofRecovery : { maxlength: 7 }),
        submit(it, t(setup ? 'factor.confirm' : 'auth.signIn')),
        h(
          'div',
          { class: 'stack tight' },
          method === 'sms' ? button(t('auth.code.again'), { look: 'quiet', onclick: sendMessage }) : null,
          methods
            .filter((other) => other !== method)
            .map((other) => button(t(`factor.use.${other}`), { key: other, look: 'quiet', onclick: () => use(other) })),
          button(t('factor.back'), { look: 'quiet', onclick: leaveStep }),
        ),
      ),
    );
  };

  const signUpScreen = () => {
    const it = form('signUp');
    const send = async (values) => {
      const reached = contactOf(values.contact);
      const answer = await api.call('POST', '/v1/customers', {
        anonymous: true,
        body: {
          firstName: values.firstName,
          lastName: values.lastName,
          ...reached,
          password: values.password,
          language: language(),
        },
      });
      api.begin(answer);
      go('/code', true);
    };
    return frame(
      api.app,
      t('auth.signUp'),
      t('auth.signUp.lead'),
      it.view(
        { onsubmit: it.submit(send) },
        h(
          'div',
          { class: 'pair' },
          field({
            id: 'firstName',
            label: t('account.firstName'),
            autocomplete: 'given-name',
            required: true,
            maxlength: 60,
            error: it.errors.firstName,
          }),
          field({
            id: 'lastName',
            label: t('account.lastName'),
            autocomplete: 'family-name',
            required: true,
            maxlength: 60,
            error: it.errors.lastName,
          }),
        ),
        contactField(it),
        passwordField(it, { isNew: true }),
        submit(it, t('auth.signUp')),
        h('div', { class: 'auth-links' }, h('a', { href: '#/' }, t('auth.signIn.link'))),
      ),
    );
  };

  const resetScreen = () => {
    const it = form('reset');
    const send = async (values) => {
      contact = values.contact;
      await api.call('POST', '/v1/password-resets', { anonymous: true, body: contactOf(contact) });
      go('/reset/code');
    };
    return frame(
      api.app,
      t('auth.reset'),
      t('auth.reset.lead'),
      it.view(
        { onsubmit: it.submit(send) },
        contactField(it, { value: contact }),
        submit(it, t('auth.reset.send')),
        h('div', { class: 'auth-links' }, h('a', { href: '#/' }, t('auth.signIn.link'))),
      ),
    );
  };

  const resetCodeScreen = () => {
    const it = form('resetCode', { 'account.wrong_code': 'code', 'account.too_many_attempts': 'code' });
    const send = async ({ contact: typed, code, newPassword }) => {
      await enterBy(() => ask('/v1/password-resets/confirm', { ...contactOf(typed), code: code.trim(), newPassword }));
    };
    return frame(
      api.app,
      t('auth.reset'),
      t('auth.reset.sent'),
      it.view(
        { onsubmit: it.submit(send) },
        contactField(it, { value: contact }),
        codeField(it, { maxlength: RESET_DIGITS }),
        passwordField(it, { id: 'newPassword', isNew: true, label: t('account.newPassword') }),
        submit(it, t('auth.reset.confirm')),
        h('div', { class: 'auth-links' }, h('a', { href: '#/reset' }, t('auth.code.again'))),
      ),
    );
  };

  const routes = {
    '/': signInScreen,
    '/reset': resetScreen,
    '/reset/code': resetCodeScreen,
    ...(canSignUp ? { '/sign-up': signUpScreen } : {}),
  };
  return {
    /** `{ title, view }` of the path. */
    draw: () => ({ title: t('auth.signIn'), view: (step ? stepScreen : (routes[address().path] ?? signInScreen))() }),
  };
}

export const codeField = (form, props = {}) =>
  field({
    id: 'code',
    label: t('account.code'),
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 6,
    class: 'input code-input',
    required: true,
    error: form.errors.code,
    ...props,
  });

/** The code for a new or unconfirmed contact; may be skipped. */
export function createVerification(api, { redraw, done }) {
  const form = createForm(redraw, { 'account.wrong_code': 'code', 'account.too_many_attempts': 'code' });
  let isSending = false;
  /** The contact to confirm. */
  const kind = () => unverified(api.account) ?? (api.account.phone ? 'phone' : 'email');
  const contact = () => ({ [kind()]: api.account[kind()] });
  async function again() {
    isSending = true;
    redraw();
    try {
      await api.call('POST', '/v1/verifications', { anonymous: true, body: contact() });
      toast(t('auth.code.sent'), 'success');
    } catch (error) {
      form.problem = error;
    }
    isSending = false;
    redraw();
  }
  const send = async ({ code }) => {
    await api.call('POST', '/v1/verifications/confirm', { anonymous: true, body: { ...contact(), code: code.trim() } });
    toast(t(`auth.code.confirmed.${kind()}`), 'success');
    api.setAccount({ ...api.account, [`${kind()}Verified`]: true });
    done();
  };
  return {
    draw: () => ({
      title: t(`auth.code.${kind()}`),
      view: frame(
        api.app,
        t(`auth.code.${kind()}`),
        t('auth.code.lead', { contact: api.account[kind()] }),
        isDemo ? h('p', { class: 'muted small' }, t('demo.code')) : null,
        form.view(
          { onsubmit: form.submit(send) },
          codeField(form),
          submit(form, t('auth.code.confirm')),
          h(
            'div',
            { class: 'actions' },
            button(t('auth.code.again'), { look: 'quiet', onclick: again, isBusy: isSending }),
            button(t('auth.code.skip'), { look: 'quiet', onclick: done }),
          ),
        ),
      ),
    }),
  };
}
