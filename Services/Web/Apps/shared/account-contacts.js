// The phone number and the e-mail address of an account: setting and removing them.

import { folded } from './account-parts.js';
import { codeField, passwordField, phoneOf } from './auth-parts.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { createForm } from './forms.js';
import { button, field, toast } from './ui.js';

/** Sets a number or e-mail address: first the contact, then the code sent there and the password. */
export const createContact = (api, kind, redraw) => ({
  api,
  kind,
  redraw,
  form: createForm(redraw, {
    [kind]: 'contact',
    'account.code_too_soon': 'contact',
    'account.wrong_password': 'password',
    'account.wrong_code': 'code',
    [`account.${kind}_taken`]: 'contact',
  }),
  removal: createForm(redraw, { 'account.wrong_password': 'removalPassword' }),
  /** The contact to which a code was sent. */
  sent: null,
  isOpen: false,
});

export const contactCard = (contacts) =>
  h('section', { class: 'card stack', key: 'contacts' }, h('h2', null, t('me.contacts')), contacts.map(contactView));

function contactView(contact) {
  const { api, kind, redraw, isOpen } = contact;
  const [mine, other] = [api.account[kind], api.account[kind === 'phone' ? 'email' : 'phone']];
  return h(
    'div',
    { class: 'stack tight', key: kind },
    mine ? h('p', { class: 'numbers' }, mine) : null,
    folded(
      t(`me.set.${kind}`),
      isOpen
        ? [contact.sent ? codeForm(contact) : contactForm(contact), mine && other ? removalForm(contact, mine) : null]
        : null,
      {
        open: isOpen,
        ontoggle: ({ target }) => {
          if (target.open !== contact.isOpen) {
            contact.isOpen = target.open;
            redraw();
          }
        },
      },
    ),
  );
}

const contactForm = (contact) => {
  const { form, kind } = contact;
  const isPhone = kind === 'phone';
  return form.view(
    { onsubmit: form.submit((values) => askForCode(contact, values)) },
    field({
      id: 'contact',
      label: t(`account.${kind}`),
      hint: isPhone ? t('account.phone.hint') : null,
      type: isPhone ? 'tel' : 'email',
      autocomplete: isPhone ? 'tel' : 'email',
      required: true,
      error: form.errors.contact,
    }),
    button(t('me.set.send'), { type: 'submit', isBusy: form.isBusy }),
  );
};

const codeForm = (contact) => {
  const { form, redraw } = contact;
  return form.view(
    { onsubmit: form.submit((values) => confirmCode(contact, values)) },
    h('p', { class: 'hint', role: 'status' }, t('me.set.sent', { contact: contact.sent })),
    codeField(form),
    passwordField(form),
    h(
      'div',
      { class: 'row wrap' },
      button(t('me.set.save'), { type: 'submit', look: 'primary', isBusy: form.isBusy }),
      button(t('action.cancel'), {
        look: 'quiet',
        onclick: () => {
          contact.sent = null;
          redraw();
        },
      }),
    ),
  );
};

const removalForm = (contact, mine) => {
  const { removal: form, kind } = contact;
  return form.view(
    { onsubmit: form.submit((values) => remove(contact, values)) },
    h('p', { class: 'hint' }, t('me.unset.lead', { contact: mine })),
    passwordField(form, { id: 'removalPassword' }),
    button(t(`me.unset.${kind}`), { type: 'submit', look: 'quiet danger-text', isBusy: form.isBusy }),
  );
};

const fieldsOf = (kind, text) => (kind === 'phone' ? phoneOf(text) : { email: text.trim() });

async function askForCode(contact, { contact: text }) {
  const { api, kind } = contact;
  await api.post('/v1/me/contacts/code', fieldsOf(kind, text));
  contact.sent = text.trim();
}

async function confirmCode(contact, { code, password }) {
  const { api, kind, sent } = contact;
  api.setAccount(await api.put('/v1/me/contacts', { ...fieldsOf(kind, sent), code: code.trim(), password }));
  Object.assign(contact, { sent: null, isOpen: false });
  toast(t('me.set.done'), 'success');
}

async function remove(contact, { removalPassword: password }) {
  const { api, kind } = contact;
  api.setAccount(await api.post('/v1/me/contacts/removal', { [kind]: api.account[kind], password }));
  contact.isOpen = false;
  toast(t('me.unset.done'), 'success');
}
