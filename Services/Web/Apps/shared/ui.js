// The components of all three apps: functions that return elements for `render`. Dialogs and forms are modules of their
// own, so that the first view stays small.

import { serverNow } from './clock.js';
import { h } from './dom.js';
import { createEvents } from './state.js';
import { icon } from './icons.js';
import { t, tProblem } from './i18n.js';

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
/** `tone`: neutral, accent, success, warning, danger. */
export const badge = (text, tone = 'neutral') => h('span', { class: `badge ${tone}` }, text);

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

/** Focuses the heading when the focused element is gone. */
export function focusHeading(root) {
  const heading = root.querySelector('[data-focus]') ?? root.querySelector('h1');
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
}

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
