// What the screens for signing in and the account have in common: contacts as the API takes them, and fields.

import { h } from './dom.js';
import { hasText, loadTexts, region, t } from './i18n.js';
import { languagePicker } from './forms.js';
import { button, field } from './ui.js';

await loadTexts('/apps/shared/texts/auth');

/** Some regions of `region()` are parts of the world, such as 419. */
const isCountry = (code) => /^[A-Z]{2}$/.test(code ?? '');

/** A phone number as the API takes it: as typed, with the country that one without a country code belongs to. */
export const phoneOf = (text, country = region()) => ({
  phone: text.trim(),
  ...(isCountry(country) ? { country } : {}),
});

/** A contact as the API takes it: a number or an e-mail address. */
export const contactOf = (text) => (text.includes('@') ? { email: text.trim() } : phoneOf(text));

export const frame = (app, title, lead, ...content) =>
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

export const contactField = (form, props = {}) =>
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

/** The first and the last name, side by side. */
export const nameFields = (form, { firstName = '', lastName = '' } = {}) =>
  h(
    'div',
    { class: 'pair' },
    nameField(form, 'firstName', firstName, 'given-name'),
    nameField(form, 'lastName', lastName, 'family-name'),
  );

const nameField = (form, id, value, autocomplete) =>
  field({
    id,
    label: t(`account.${id}`),
    value,
    autocomplete,
    required: true,
    maxlength: 60,
    error: form.errors[id],
  });

/** A new password has a hint, and browsers offer one. */
export const passwordField = (form, { id = 'password', isNew = false, label = t('account.password') } = {}) =>
  field({
    id,
    label,
    type: 'password',
    autocomplete: isNew ? 'new-password' : 'current-password',
    required: true,
    hint: isNew ? t('account.password.hint') : null,
    error: form.errors[id],
  });

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

export const submit = (form, label) =>
  button(label, { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy });
