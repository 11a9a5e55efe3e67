// Sign-in with or without a second factor, sign-up, codes by text message or e-mail, forgotten passwords: the same for
// all apps.

import { unverified } from './api.js';
import { codeField, contactField, contactOf, frame, nameFields, passwordField, submit } from './auth-parts.js';
import { isDemo } from './demo.js';
import { personOf } from './demo-people.js';
import { h } from './dom.js';
import { address, go } from './shell.js';
import { ask, codeProblems, enterBy, formOf, signIn, stepScreen } from './sign-in.js';
import { createForm } from './forms.js';
import { button, notice, problemNotice, toast } from './ui.js';
import { language, t } from './i18n.js';

/** Digits of the code for a new password. */
const RESET_DIGITS = 8;

/**
 * The screens of a signed-out person, by path: `/`, `/sign-up`, `/code`, `/reset`,
 * `/reset/code`. `role` is who may use this app, `home` its first screen, `aside` draws content without an account.
 */
export function createAuth(api, { role, redraw, canSignUp = false, home = () => '/', aside = () => null }) {
  const auth = {
    api,
    role,
    canSignUp,
    home,
    aside,
    redraw: () => redraw(),
    screens: {
      '/': signInScreen,
      '/reset': resetScreen,
      '/reset/code': resetCodeScreen,
      ...(canSignUp ? { '/sign-up': signUpScreen } : {}),
    },
    forms: {},
    /** The number or address typed last, for the next screen. */
    contact: '',
    /**
     * A sign-in that waits for its second factor: `challenge`, `methods` and the `method` in use; `setup` if one must
     * be set up, then `answer` with the recovery codes.
     */
    step: null,
    /** Signing in as the demo's person: `isBusy`, `problem`. */
    entering: {},
  };
  return {
    /** `{ title, view }` of the path. */
    draw: () => ({
      title: t('auth.signIn'),
      view: (auth.step ? stepScreen : (auth.screens[address().path] ?? signInScreen))(auth),
    }),
  };
}

function signInScreen(auth) {
  const { api, aside, canSignUp } = auth;
  const form = formOf(auth, 'signIn', { 'account.credentials_mismatch': 'password' });
  return frame(
    api.app,
    t('auth.signIn'),
    null,
    api.hasEnded ? notice('neutral', t('auth.ended')) : null,
    isDemo ? demoPeople(auth) : null,
    form.view(
      { onsubmit: form.submit((values) => signIn(auth, values)) },
      contactField(form),
      passwordField(form),
      submit(form, t('auth.signIn')),
      h(
        'div',
        { class: 'auth-links' },
        canSignUp ? h('a', { href: '#/sign-up' }, t('auth.signUp.link')) : null,
        h('a', { href: '#/reset' }, t('auth.forgotten')),
      ),
    ),
    aside(),
  );
}

/** The demo's accounts, this app's first; the others sign in on their own apps' pages. */
function demoPeople(auth) {
  const { api, entering } = auth;
  const enter = () => enterDemo(auth);
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

async function enterDemo(auth) {
  const { api, entering, redraw } = auth;
  if (entering.isBusy) return;
  Object.assign(entering, { isBusy: true, problem: null });
  redraw();
  try {
    const { phone, password } = await personOf(api);
    await signIn(auth, { contact: phone, password });
  } catch (problem) {
    Object.assign(entering, { problem });
  }
  entering.isBusy = false;
  redraw();
}

function signUpScreen(auth) {
  const { api } = auth;
  const form = formOf(auth, 'signUp');
  const send = async ({ firstName, lastName, contact, password }) => {
    const answer = await api.call('POST', '/v1/customers', {
      anonymous: true,
      body: { firstName, lastName, ...contactOf(contact), password, language: language() },
    });
    api.begin(answer);
    go('/code', true);
  };
  return frame(
    api.app,
    t('auth.signUp'),
    t('auth.signUp.lead'),
    form.view(
      { onsubmit: form.submit(send) },
      nameFields(form),
      contactField(form),
      passwordField(form, { isNew: true }),
      submit(form, t('auth.signUp')),
      links('#/', 'auth.signIn.link'),
    ),
  );
}

function resetScreen(auth) {
  const { api } = auth;
  const form = formOf(auth, 'reset');
  const send = async ({ contact }) => {
    auth.contact = contact;
    await api.call('POST', '/v1/password-resets', { anonymous: true, body: contactOf(contact) });
    go('/reset/code');
  };
  return frame(
    api.app,
    t('auth.reset'),
    t('auth.reset.lead'),
    form.view(
      { onsubmit: form.submit(send) },
      contactField(form, { value: auth.contact }),
      submit(form, t('auth.reset.send')),
      links('#/', 'auth.signIn.link'),
    ),
  );
}

function resetCodeScreen(auth) {
  const form = formOf(auth, 'resetCode', codeProblems);
  const send = ({ contact, code, newPassword }) =>
    enterBy(auth, () =>
      ask(auth, '/v1/password-resets/confirm', { ...contactOf(contact), code: code.trim(), newPassword }),
    );
  return frame(
    auth.api.app,
    t('auth.reset'),
    t('auth.reset.sent'),
    form.view(
      { onsubmit: form.submit(send) },
      contactField(form, { value: auth.contact }),
      codeField(form, { maxlength: RESET_DIGITS }),
      passwordField(form, { id: 'newPassword', isNew: true, label: t('account.newPassword') }),
      submit(form, t('auth.reset.confirm')),
      links('#/reset', 'auth.code.again'),
    ),
  );
}

const links = (href, text) => h('div', { class: 'auth-links' }, h('a', { href }, t(text)));

/** The code for a new or unconfirmed contact; may be skipped. */
export function createVerification(api, { redraw, done }) {
  const form = createForm(redraw, codeProblems);
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
