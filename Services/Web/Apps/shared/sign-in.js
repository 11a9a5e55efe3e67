// Signing in, and the second factor after it. `auth` is the object of createAuth.

import { authenticator, recoveryCodes } from './authenticator.js';
import { codeField, contactOf, frame, submit } from './auth-parts.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { address, go } from './shell.js';
import { createForm } from './forms.js';
import { button, toast } from './ui.js';

/** Shows problems of either contact at their one field. */
const contactProblems = {
  phone: 'contact',
  email: 'contact',
  'account.phone_taken': 'contact',
  'account.email_taken': 'contact',
};
/** Shows problems of a code at its field. */
export const codeProblems = { 'account.wrong_code': 'code', 'account.too_many_attempts': 'code' };

/** The form of a screen, which keeps its errors from one drawing to the next. */
export const formOf = ({ forms, redraw }, name, fieldOf) =>
  (forms[name] ??= createForm(redraw, { ...contactProblems, ...fieldOf }));

export const ask = ({ api }, path, body) => api.call('POST', path, { body, anonymous: true });

export async function signIn(auth, { contact, password }) {
  auth.contact = contact;
  await enterBy(auth, () => ask(auth, '/v1/sessions', { ...contactOf(contact), password }));
}

/** Signs in by the answer of `send`, or continues with the second factor. */
export async function enterBy(auth, send) {
  try {
    await accept(auth, await send());
  } catch (error) {
    if (error.code !== 'account.second_factor_required') throw error;
    const { challenge, methods } = error.body;
    delete auth.forms.step;
    const setup = methods.length ? null : await ask(auth, '/v1/sessions/second-factor/enrolment', { challenge });
    auth.step = { challenge, methods, setup };
    await useFactor(auth, methods[0]);
  }
}

async function accept(auth, answer) {
  const account = answer.account ?? answer.customer;
  if (!account.roles.includes(auth.role)) {
    throw Object.assign(new Error(t('auth.wrongApp')), { code: 'form' });
  }
  auth.step = null;
  const isSomebodyElse = auth.api.begin(answer);
  // Continues at a link, or where the person was.
  if (isSomebodyElse || address().path in auth.screens) go(auth.home(), true);
  else auth.redraw();
}

// MARK: The second factor

/** Switches to another second factor; sends a text message if needed. */
async function useFactor(auth, method) {
  auth.step.method = method;
  Object.assign(formOf(auth, 'step'), { errors: {}, problem: null });
  if (method === 'sms') await sendMessage(auth);
  auth.redraw();
  requestAnimationFrame(() => document.getElementById('code')?.focus());
}

async function sendMessage(auth) {
  try {
    await ask(auth, '/v1/sessions/second-factor/message', { challenge: auth.step.challenge });
    toast(t('auth.code.sent'), 'success');
  } catch (error) {
    refuse(auth, error);
  }
  auth.redraw();
}

async function sendCode(auth, code) {
  const { challenge, method, setup } = auth.step;
  try {
    if (setup) auth.step.answer = await ask(auth, '/v1/sessions/second-factor/enrolment/confirm', { challenge, code });
    else await accept(auth, await ask(auth, '/v1/sessions/second-factor', { challenge, method, code }));
  } catch (error) {
    if (error.code !== 'account.challenge_ended') throw error;
    refuse(auth, error);
  }
}

/** Shows an error; after a timeout the sign-in starts again. */
function refuse(auth, error) {
  if (error.code === 'account.challenge_ended') leaveStep(auth);
  formOf(auth, auth.step ? 'step' : 'signIn').problem = error;
}

function leaveStep(auth) {
  auth.step = null;
  if (address().path in auth.screens) go('/', true);
  auth.redraw();
}

export const stepScreen = (auth) =>
  auth.step.answer ? codesScreen(auth, auth.step.answer) : factorScreen(auth, formOf(auth, 'step', codeProblems));

/** The recovery codes of a factor that was just set up. */
const codesScreen = (auth, answer) =>
  frame(
    auth.api.app,
    t('factor.codes'),
    null,
    recoveryCodes(answer.recoveryCodes, () =>
      accept(auth, answer).catch((error) => {
        leaveStep(auth);
        refuse(auth, error);
      }),
    ),
  );

function factorScreen(auth, form) {
  const { methods, method, setup } = auth.step;
  return frame(
    auth.api.app,
    t('factor.title'),
    t(`factor.ask.${setup ? 'setup' : method}`),
    setup ? authenticator(setup) : null,
    form.view(
      { onsubmit: form.submit(({ code }) => sendCode(auth, code)), key: method ?? 'setup' },
      codeField(form, method === 'recoveryCode' ? recoveryProps() : { maxlength: 7 }),
      submit(form, t(setup ? 'factor.confirm' : 'auth.signIn')),
      h(
        'div',
        { class: 'stack tight' },
        method === 'sms' ? button(t('auth.code.again'), { look: 'quiet', onclick: () => sendMessage(auth) }) : null,
        methods
          .filter((other) => other !== method)
          .map((other) =>
            button(t(`factor.use.${other}`), { key: other, look: 'quiet', onclick: () => useFactor(auth, other) }),
          ),
        button(t('factor.back'), { look: 'quiet', onclick: () => leaveStep(auth) }),
      ),
    ),
  );
}

const recoveryProps = () => ({
  label: t('factor.codes.one'),
  autocomplete: 'off',
  inputmode: 'text',
  autocapitalize: 'none',
  spellcheck: 'false',
  maxlength: 20,
  class: 'input',
});
