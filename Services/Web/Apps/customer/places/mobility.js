// "My mobility": how the person travels, and how far. Valid fields are stored even if others are wrong.

import { h } from '/apps/shared/dom.js';
import { hasText, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, field, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { createPlaceField } from '../shared/place-field.js';
import { MODES, modeText } from './words.js';

export const MOBILITY = '/v1/me/mobility';
/** The server's units per shown unit: minutes and kilometres are seconds and metres there. */
const UNITS = { maxSeconds: 60, maxMeters: 1_000, maxWalkMeters: 1, radiusMeters: 1_000 };
const LISTS = ['passes', 'stops'];
const lines = (text) =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);

/** The fields' contents as typed. */
export const draftOf = (mobility) => ({
  modes: { ...mobility.modes },
  acceptsStampsOnly: mobility.acceptsStampsOnly,
  home: mobility.home ?? null,
  ...Object.fromEntries(Object.entries(UNITS).map(([name, unit]) => [name, String(mobility[name] / unit)])),
  ...Object.fromEntries(LISTS.map((name) => [name, (mobility[name] ?? []).join('\n')])),
});

/** The value for the server; an invalid number is sent as typed, and refused there. */
const sentValue = (name, draft) => {
  if (name in UNITS)
    return draft[name].trim() && Number.isFinite(Number(draft[name]))
      ? Math.round(Number(draft[name]) * UNITS[name])
      : draft[name];
  if (LISTS.includes(name)) return lines(draft[name]).length ? lines(draft[name]) : null;
  return draft[name];
};

/** The changed fields for the server. */
export function changesOf(base, draft) {
  const before = draftOf(base);
  return Object.fromEntries(
    Object.keys(draft)
      .filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]))
      .map((name) => [name, sentValue(name, draft)]),
  );
}

const nothing = () => ({
  /** The stored mobility, and the fields as they are typed. */
  base: null,
  draft: null,
  errors: {},
  problem: null,
  /** The outcome of saving: `{ text, isDone }`. */
  said: null,
  isTouched: false,
});

export function createMobility(app) {
  const { api, position, redraw } = app;
  const editor = { app, isBusy: false, home: null, ...nothing() };
  editor.home = createPlaceField(
    { api, redraw },
    {
      id: 'home',
      label: 'places.mobility.home',
      near: () => position.last,
      onchange: (home) => change(editor, { home }),
    },
  );
  return {
    draw: () => draw(editor),
    leave: () => Object.assign(editor, nothing()),
  };
}

function draw(editor) {
  const { resources } = editor.app;
  const { value, error } = resources.get(MOBILITY);
  const { base, errors, isBusy, isTouched } = editor;
  if (value && value !== base && !isTouched && !isBusy && !Object.keys(errors).length) begin(editor, value);
  return {
    title: t('places.mobility'),
    view: screen(
      t('places.mobility'),
      { back: '/places' },
      editor.draft ? form(editor) : error ? problemNotice(error, () => resources.reload(MOBILITY)) : skeleton(8),
    ),
  };
}

// MARK: Changing and saving

function begin(editor, mobility) {
  Object.assign(editor, { base: mobility, draft: draftOf(mobility), isTouched: false });
  editor.home.take(mobility.home ?? null);
}

function change(editor, values) {
  Object.assign(editor, { draft: { ...editor.draft, ...values }, isTouched: true, said: null });
  editor.app.redraw();
}

async function save(editor, event) {
  event.preventDefault();
  if (editor.isBusy) return;
  const node = event.currentTarget;
  const changes = changesOf(editor.base, editor.draft);
  Object.assign(editor, { errors: {}, problem: null, said: null });
  if (node.querySelector('#home').value.trim() && !editor.home.place) {
    editor.errors = { home: t('lift.end.choose') };
    delete changes.home;
  }
  if (Object.keys(changes).length) {
    editor.isBusy = true;
    editor.app.redraw();
    await send(editor, changes);
    editor.isBusy = false;
  } else if (!editor.errors.home) {
    editor.said = { text: t('places.mobility.same') };
  }
  editor.app.redraw();
  requestAnimationFrame(() => node.querySelector('[aria-invalid="true"]')?.focus());
}

/** Sends changed fields; refused ones stay as typed, with the reason. */
async function send(editor, changes) {
  const { api, onsaved, resources } = editor.app;
  try {
    const { mobility, refused } = await api.patch(MOBILITY, changes);
    const count = refuse(editor, refused);
    const typed = editor.draft;
    begin(editor, mobility);
    for (const name of Object.keys(editor.errors)) editor.draft[name] = typed[name];
    editor.said = count
      ? { text: t('places.mobility.partly', { count }) }
      : { text: t('places.mobility.saved'), isDone: true };
    resources.reload(MOBILITY);
    onsaved();
  } catch (error) {
    if (error.code === 'request.invalid' && error.field) {
      const count = refuse(editor, error.body.errors ?? [{ field: error.field, detail: error.message }]);
      editor.said = { text: t('places.mobility.refused', { count }) };
    } else {
      editor.problem = error;
    }
  }
}

/** Adds the server's errors, in the person's language if we have a text; returns how many there are now. */
function refuse(editor, errors) {
  for (const { field: path, detail } of errors) {
    const name = path.replace(/\W.*/, '');
    editor.errors[name] = hasText(`places.refused.${name}`) ? t(`places.refused.${name}`) : detail;
  }
  return Object.keys(editor.errors).length;
}

// MARK: Drawing

function form(editor) {
  const { draft, errors, home, isBusy, problem } = editor;
  const touch = () => {
    editor.isTouched = true;
  };
  return h(
    'form',
    {
      class: 'stack',
      key: 'mobility',
      novalidate: true,
      onsubmit: (event) => save(editor, event),
      oninput: touch,
    },
    h('p', { class: 'muted' }, t('places.mobility.lead')),
    modeChoices(editor),
    h(
      'fieldset',
      { class: 'stack tight' },
      h('legend', { class: 'strong' }, t('places.mobility.limits')),
      h(
        'div',
        { class: 'pair' },
        Object.keys(UNITS).map((name) => text(editor, name, { inputmode: 'decimal', autocomplete: 'off' })),
      ),
    ),
    toggle({
      id: 'stamps',
      label: t('places.mobility.acceptsStampsOnly'),
      isOn: draft.acceptsStampsOnly,
      onchange: (isOn) => change(editor, { acceptsStampsOnly: isOn }),
    }),
    home.view(errors.home),
    LISTS.map((name) =>
      text(editor, name, {
        hint: t(`places.mobility.${name}.hint`),
        multiline: true,
        isOptional: true,
        rows: 2,
      }),
    ),
    problem ? problemNotice(problem) : null,
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      saidLine(editor),
      button(t('action.save'), { type: 'submit', look: 'primary', wide: true, isBusy }),
      button(t('action.cancel'), { look: 'quiet', wide: true, onclick: () => go('/places') }),
    ),
  );
}

function modeChoices(editor) {
  const { draft, errors } = editor;
  const mode = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name,
        checked: draft.modes[name],
        onchange: ({ target }) => change(editor, { modes: { ...editor.draft.modes, [name]: target.checked } }),
        'aria-describedby': errors.modes ? 'modes-error' : null,
        'aria-invalid': errors.modes ? 'true' : null,
      }),
      h('span', null, modeText(name)),
    );
  return h(
    'fieldset',
    { class: 'choices' },
    h('legend', null, t('places.mobility.modes')),
    h('div', { class: 'choice-row' }, MODES.map(mode)),
    errors.modes ? h('p', { class: 'error', id: 'modes-error' }, icon('alert'), errors.modes) : null,
  );
}

const text = (editor, name, more) =>
  field({
    id: name,
    label: t(`places.mobility.${name}`),
    value: editor.draft[name],
    error: editor.errors[name],
    oninput: ({ target }) => change(editor, { [name]: target.value }),
    ...more,
  });

const saidLine = ({ said }) =>
  h(
    'p',
    { class: said?.isDone ? 'saved-tick' : 'muted', role: 'status' },
    said?.isDone ? icon('check') : null,
    said?.text ?? null,
  );
