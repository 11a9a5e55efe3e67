// Forms with their values and errors, and fields that only some of them have.

import { h } from './dom.js';
import { language, languages, setLanguage, t, tProblem } from './i18n.js';
import { icon } from './icons.js';
import { choices, field, problemNotice } from './ui.js';

/**
 * A form's values and errors. `submit` runs `send(values)` once at a
 * time, shows a problem at the field that it names, and moves the focus there.
 */
export function createForm(draw, fieldOf = {}) {
  const form = {
    isBusy: false,
    errors: {},
    problem: null,
    submit: (send) => async (event) => {
      event.preventDefault();
      if (form.isBusy) return;
      const node = event.currentTarget;
      const values = Object.fromEntries(new FormData(node));
      const missing = [...node.elements].filter(({ required, value }) => required && !value.trim());
      Object.assign(form, {
        isBusy: !missing.length,
        errors: Object.fromEntries(missing.map(({ name }) => [name, t('form.required')])),
        problem: null,
      });
      draw();
      try {
        if (!missing.length) await send(values);
        form.isBusy = false;
      } catch (error) {
        form.isBusy = false;
        const name = fieldOf[error.field] ?? fieldOf[error.code] ?? error.field;
        if (name && node.elements[name]) form.errors = { [name]: tProblem(error) };
        else form.problem = error;
      }
      draw();
      // After the redraw of the next frame.
      requestAnimationFrame(() => {
        node.querySelector('[aria-invalid="true"]')?.focus();
        node.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
      });
    },
    /** Errors found before sending. */
    refuse(errors) {
      const [[field, message]] = Object.entries(errors);
      throw Object.assign(new Error(message), { field, code: 'form' });
    },
    view: (props, ...children) =>
      h('form', { novalidate: true, ...props }, children, form.problem ? problemNotice(form.problem) : null),
  };
  return form;
}

/** The most characters of a plate, as the server takes it. */
export const LONGEST_PLATE = 20;

/**
 * A field for a plate, always in capitals.
 * @type {Ui.Field}
 */
export const plateField = ({ oninput = null, ...props }) =>
  field({
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: LONGEST_PLATE,
    ...props,
    oninput: (event) => {
      const { target } = event;
      const at = target.selectionStart;
      if (!event.isComposing && target.value !== target.value.toUpperCase()) {
        target.value = target.value.toUpperCase();
        target.setSelectionRange(at, at);
      }
      oninput?.(event);
    },
  });

/** A plate's letters and digits, by which plates are compared. */
export const plateCharacters = (plate) => (plate ?? '').toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
export const samePlate = (a, b) => plateCharacters(a) === plateCharacters(b);

/** Stars to choose. */
export function starInput({ value, onchange, name = 'stars' }) {
  return h(
    'fieldset',
    { class: 'stars' },
    h('legend', { class: 'visually-hidden' }, t('rating.give')),
    [1, 2, 3, 4, 5].map((stars) =>
      h(
        'label',
        { key: stars, class: stars <= (value ?? 0) ? 'lit' : '' },
        h('input', { type: 'radio', name, value: stars, checked: value === stars, onchange: () => onchange(stars) }),
        icon('star'),
        h('span', { class: 'visually-hidden' }, t('rating.stars', { count: stars })),
      ),
    ),
  );
}

export const languagePicker = (onchange = null) =>
  choices({
    name: 'language',
    label: t('account.language'),
    options: languages.map(({ id, name }) => [id, name]),
    value: language(),
    onchange: (id) => {
      setLanguage(id);
      onchange?.(id);
    },
  });
