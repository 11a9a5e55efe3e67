// The components of all three apps: functions that return elements for `render`.

import { serverNow } from './clock.js';
import { h } from './dom.js';
import { createEvents } from './state.js';
import { icon } from './icons.js';
import { language, languages, setLanguage, t, tProblem } from './i18n.js';

/**
 * A button. `isBusy` shows progress and refuses taps.
 * @type {Ui.Button}
 */
export function button(
  label,
  { look = 'plain', icon: name, isBusy = false, onclick, type = 'button', wide, ...props } = {},
) {
  return h(
    'button',
    {
      type,
      class: `button ${look}${wide ? ' wide' : ''}`,
      'aria-disabled': isBusy || props.disabled ? 'true' : null,
      'aria-busy': isBusy ? 'true' : null,
      onclick: (event) => {
        if (isBusy || props.disabled) event.preventDefault();
        else onclick?.(event);
      },
      ...Object.fromEntries(Object.entries(props).filter(([key]) => key !== 'disabled')),
    },
    isBusy ? h('span', { class: 'spinner', 'aria-hidden': 'true' }) : name ? icon(name) : null,
    h('span', null, label),
  );
}

/** A round button with only an icon; screen readers read the label. */
export const iconButton = (name, label, onclick, props = {}) =>
  h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props },
    icon(name),
  );

/** A labelled control. `control` gets the props that link it to label, hint and error. */
function labelled({ id, label, hint, error, isOptional = false }, control) {
  const described = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ');
  return h(
    'div',
    { class: `field${error ? ' wrong' : ''}`, key: `field-${id}` },
    h('label', { for: id }, label, isOptional ? h('span', { class: 'muted' }, ` ${t('form.optional')}`) : null),
    control({ id, 'aria-describedby': described || null, 'aria-invalid': error ? 'true' : null }),
    hint ? h('p', { class: 'hint', id: `${id}-hint` }, hint) : null,
    error ? h('p', { class: 'error', id: `${id}-error` }, icon('alert'), error) : null,
  );
}

/**
 * A text field with label, hint and error.
 * @type {Ui.Field}
 */
export function field({ id, label, hint, error, isOptional, multiline, ...props }) {
  return labelled({ id, label, hint, error, isOptional }, (tied) =>
    h(multiline ? 'textarea' : 'input', { class: 'input', name: id, ...tied, ...props }),
  );
}

/**
 * A field for a plate, always in capitals.
 * @type {Ui.Field}
 */
export const plateField = ({ oninput = null, ...props }) =>
  field({
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
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

/**
 * A select; options are `[value, label]`.
 * @type {Ui.Select}
 */
export function select({ id, label, hint, error, options, value, onchange, ...props }) {
  return labelled({ id, label, hint, error }, (tied) =>
    h(
      'select',
      { class: 'input', name: id, value, onchange, ...tied, ...props },
      options.map(([key, text]) => h('option', { value: key, key }, text)),
    ),
  );
}

/**
 * An on/off switch.
 * @type {Ui.Toggle}
 */
export function toggle({ id, label, hint, isOn, isBusy, onchange }) {
  return h(
    'div',
    { class: 'switch-row', key: `switch-${id}` },
    h(
      'div',
      null,
      h('span', { id: `${id}-label`, class: 'switch-label' }, label),
      hint ? h('p', { class: 'hint' }, hint) : null,
    ),
    h(
      'button',
      {
        type: 'button',
        role: 'switch',
        class: 'switch',
        'aria-checked': String(Boolean(isOn)),
        'aria-labelledby': `${id}-label`,
        'aria-busy': isBusy ? 'true' : null,
        onclick: () => isBusy || onchange(!isOn),
      },
      h('span', { class: 'knob' }),
    ),
  );
}

/**
 * A few exclusive choices side by side.
 * @type {Ui.ChoiceRow}
 */
export function choices({ name, label, options, value, onchange, hideLabel }) {
  return h(
    'fieldset',
    { class: 'choices', key: `choices-${name}` },
    h('legend', { class: hideLabel ? 'visually-hidden' : '' }, label),
    h(
      'div',
      { class: 'choice-row' },
      options.map(([key, text]) =>
        h(
          'label',
          { class: 'choice', key },
          h('input', { type: 'radio', name, value: key, checked: value === key, onchange: () => onchange(key) }),
          h('span', null, text),
        ),
      ),
    ),
  );
}

/** Emits `expired` when a picture's URL fails: the listener fetches a new one. */
export const pictureEvents = createEvents();
/** URLs that failed, and pictures requested again since they were last seen. */
const gone = new Set();
const renewed = new Set();

/** A picture by a signed URL, valid for minutes: a new one is requested once, with `instead()` meanwhile. */
export function picture(src, instead, props = {}) {
  if (gone.has(src)) return instead();
  const [name] = src.split('?');
  const onerror = ({ target }) => {
    // It may have been redrawn: the visible picture counts.
    if (!target.isConnected) return undefined;
    target.replaceWith(instead());
    if (renewed.has(name)) return void gone.add(src);
    renewed.add(name);
    return pictureEvents.emit('expired');
  };
  return h('img', { src, key: src, alt: '', ...props, onerror, onload: () => renewed.delete(name) });
}
export const noPicture = () => h('span', { class: 'photo-blank' }, icon('camera'));

export function avatar(person, size = 'medium') {
  const initials = () =>
    h(
      'span',
      { class: `avatar ${size}`, 'aria-hidden': 'true' },
      `${person?.firstName?.[0] ?? ''}${person?.lastName?.[0] ?? ''}`.toUpperCase() || icon('user'),
    );
  return person?.photoURL ? picture(person.photoURL, initials, { class: `avatar ${size}` }) : initials();
}

/** Shows stars; `value` is null for a person without ratings. */
export function rating(value) {
  if (value === null || value === undefined) return h('span', { class: 'rating muted' }, t('rating.none'));
  return h(
    'span',
    { class: 'rating' },
    icon('star'),
    h('span', { 'aria-label': t('rating.of5', { value: value.toFixed(1) }), role: 'img' }, value.toFixed(1)),
  );
}

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

/** `tone`: neutral, accent, success, warning, danger. */
export const badge = (text, tone = 'neutral') => h('span', { class: `badge ${tone}` }, text);

/** Tones of order states in all apps. */
export const statusTone = {
  requested: 'warning',
  scheduled: 'neutral',
  droppingOff: 'accent',
  parking: 'accent',
  parked: 'success',
  requestingBack: 'warning',
  returningBack: 'accent',
  waitingForPayment: 'warning',
  finished: 'neutral',
  cancelled: 'neutral',
  unfulfilled: 'danger',
};
export const statusBadge = (status) => badge(t(`status.${status}`), statusTone[status]);
/** How long before an order's time its search starts, in ms. */
const AHEAD = 600_000;
/** An order's status for customers: one for later waits for its time, not for a valet. */
export const statusOf = ({ status, scheduledFor }) =>
  status === 'requested' && Date.parse(scheduledFor) - serverNow() > AHEAD ? 'scheduled' : status;

export const notice = (tone, text, ...more) =>
  h(
    'div',
    { class: `notice ${tone}`, role: tone === 'danger' ? 'alert' : 'status' },
    icon(tone === 'danger' || tone === 'warning' ? 'alert' : 'info'),
    h('div', null, h('p', null, text), more),
  );

export const problemNotice = (error, retry) =>
  notice('danger', tProblem(error), retry ? button(t('action.retry'), { look: 'quiet', onclick: retry }) : null);

export const empty = (name, title, text, ...actions) =>
  h(
    'div',
    { class: 'empty' },
    icon(name),
    h('h3', null, title),
    text ? h('p', { class: 'muted' }, text) : null,
    actions,
  );

/** Grey bars where content will be. */
export const skeleton = (lines = 3) =>
  h(
    'div',
    { class: 'skeleton', role: 'status' },
    h('span', { class: 'visually-hidden' }, t('state.loading')),
    Array.from({ length: lines }, (_, i) => h('span', { class: 'bar', key: i, 'aria-hidden': 'true' })),
  );

/** Terms with values: `[[term, value], …]`; empty values are left out. */
export const facts = (pairs) =>
  h(
    'dl',
    { class: 'facts' },
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([term, value]) => h('div', { key: term }, h('dt', null, term), h('dd', null, value))),
  );

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

/** Focuses the heading when the focused element is gone. */
export function focusHeading(root) {
  const heading = root.querySelector('[data-focus]') ?? root.querySelector('h1');
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
}

// MARK: Overlays

/** Shows a message for a while; screen readers read it. */
export function toast(text, tone = 'neutral') {
  const region = document.getElementById('toasts');
  const item = h(
    'div',
    { class: `toast ${tone}` },
    h('span', null, text),
    iconButton('close', t('action.close'), () => item.remove()),
  );
  region.append(item);
  while (region.children.length > 3) region.firstChild.remove();
  setTimeout(() => item.remove(), Math.max(6_000, text.length * 90));
}

/** An open dialog has an entry in the browser's history, so that a phone's back button closes it. */
const stepBack = () =>
  new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    history.back();
  });
/** The last step back; the next dialog's entry waits for it. */
let back = Promise.resolve();
addEventListener('popstate', () => closeDialogs(history.state?.dialog ?? 0));

/**
 * A modal dialog: `content(close)` returns its elements. Resolves with the argument of `close`; undefined for Escape,
 * a tap outside and the back button.
 */
export function dialog(title, content, { look = '' } = {}) {
  return new Promise((resolve) => {
    const opener = /** @type {HTMLElement} */ (document.activeElement);
    const node = h('dialog', { class: `dialog ${look}`, 'aria-label': title });
    let answer;
    const close = (value) => {
      answer = value;
      node.close();
    };
    node.append(
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', null, title),
        iconButton('close', t('action.close'), () => close()),
      ),
      h('div', { class: 'dialog-body' }, content(close, node)),
    );
    // A drag from inside, for example over a text, that ends outside is no tap outside.
    let pressed = null;
    node.addEventListener('pointerdown', ({ target }) => (pressed = target));
    node.addEventListener('click', ({ target }) => target === node && pressed === node && close());
    node.addEventListener('close', async () => {
      node.remove();
      if (history.state?.dialog === node.place) await (back = stepBack());
      if (opener?.isConnected) opener.focus();
      else focusHeading(document);
      resolve(answer);
    });
    document.body.append(node);
    node.showModal();
    node.place = 0;
    back.then(() => node.open && history.pushState({ dialog: (node.place = Date.now()) }, ''));
  });
}

/** Closes all overlays, or those above the dialog with this index. */
export const closeDialogs = (place = -1) =>
  document.querySelectorAll('dialog[open]').forEach((node) => node.place > place && node.close());
addEventListener('hashchange', () => closeDialogs());

/** Yes or no; true for yes. */
export const confirm = (title, text, { yes = t('action.yes'), no = t('action.no'), look = 'primary' } = {}) =>
  dialog(title, (close) => [
    text ? h('p', null, text) : null,
    h(
      'div',
      { class: 'actions' },
      button(no, { onclick: () => close(false) }),
      button(yes, { look, onclick: () => close(true) }),
    ),
  ]).then(Boolean);

// MARK: Forms

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
