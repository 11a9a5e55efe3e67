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
const draftOf = (mobility) => ({
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

export function createMobility({ api, onsaved, position, redraw, resources }) {
  let draft = null;
  let base = null;
  let errors = {};
  let problem = null;
  let said = null;
  let isBusy = false;
  let isTouched = false;
  const home = createPlaceField(
    { api, redraw },
    {
      id: 'home',
      label: 'places.mobility.home',
      near: () => position.last,
      onchange: (place) => change({ home: place }),
    },
  );

  function change(values) {
    draft = { ...draft, ...values };
    [isTouched, said] = [true, null];
    redraw();
  }
  function begin(mobility) {
    [base, draft, isTouched] = [mobility, draftOf(mobility), false];
    home.take(mobility.home ?? null);
  }

  function changes() {
    const before = draftOf(base);
    return Object.fromEntries(
      Object.keys(draft)
        .filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]))
        .map((name) => [name, sentValue(name, draft)]),
    );
  }
  /** In the person's language, if we have a text. */
  const refusal = ({ field: name, detail }) => {
    const of = name.replace(/\W.*/, '');
    return [of, hasText(`places.refused.${of}`) ? t(`places.refused.${of}`) : detail];
  };

  /** Sends changed fields; refused ones stay as typed, with the reason. */
  async function send(told) {
    try {
      const { mobility, refused } = await api.patch(MOBILITY, told);
      errors = { ...errors, ...Object.fromEntries(refused.map(refusal)) };
      const typed = draft;
      begin(mobility);
      draft = { ...draft, ...Object.fromEntries(Object.keys(errors).map((name) => [name, typed[name]])) };
      const count = Object.keys(errors).length;
      said = count
        ? { text: t('places.mobility.partly', { count }) }
        : { text: t('places.mobility.saved'), isDone: true };
      resources.reload(MOBILITY);
      onsaved();
    } catch (error) {
      if (error.code === 'request.invalid' && error.field) {
        errors = {
          ...errors,
          ...Object.fromEntries((error.body.errors ?? [{ field: error.field, detail: error.message }]).map(refusal)),
        };
        said = { text: t('places.mobility.refused', { count: Object.keys(errors).length }) };
      } else {
        problem = error;
      }
    }
  }

  async function save(event) {
    event.preventDefault();
    if (isBusy) return;
    const node = event.currentTarget;
    const told = changes();
    [errors, problem, said] = [{}, null, null];
    if (node.querySelector('#home').value.trim() && !home.place) {
      errors = { home: t('lift.end.choose') };
      delete told.home;
    }
    if (Object.keys(told).length) {
      isBusy = true;
      redraw();
      await send(told);
      isBusy = false;
    } else if (!errors.home) {
      said = { text: t('places.mobility.same') };
    }
    redraw();
    requestAnimationFrame(() => node.querySelector('[aria-invalid="true"]')?.focus());
  }

  const mode = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name,
        checked: draft.modes[name],
        onchange: ({ target }) => change({ modes: { ...draft.modes, [name]: target.checked } }),
        'aria-describedby': errors.modes ? 'modes-error' : null,
        'aria-invalid': errors.modes ? 'true' : null,
      }),
      h('span', null, modeText(name)),
    );
  const numeric = (name) =>
    field({
      id: name,
      label: t(`places.mobility.${name}`),
      inputmode: 'decimal',
      autocomplete: 'off',
      value: draft[name],
      error: errors[name],
      oninput: ({ target }) => change({ [name]: target.value }),
    });
  const list = (name) =>
    field({
      id: name,
      label: t(`places.mobility.${name}`),
      hint: t(`places.mobility.${name}.hint`),
      multiline: true,
      isOptional: true,
      rows: 2,
      value: draft[name],
      error: errors[name],
      oninput: ({ target }) => change({ [name]: target.value }),
    });

  const editor = () =>
    h(
      'form',
      {
        class: 'stack',
        key: 'mobility',
        novalidate: true,
        onsubmit: save,
        oninput: () => {
          isTouched = true;
        },
      },
      h('p', { class: 'muted' }, t('places.mobility.lead')),
      h(
        'fieldset',
        { class: 'choices' },
        h('legend', null, t('places.mobility.modes')),
        h('div', { class: 'choice-row' }, MODES.map(mode)),
        errors.modes ? h('p', { class: 'error', id: 'modes-error' }, icon('alert'), errors.modes) : null,
      ),
      h(
        'fieldset',
        { class: 'stack tight' },
        h('legend', { class: 'strong' }, t('places.mobility.limits')),
        h('div', { class: 'pair' }, Object.keys(UNITS).map(numeric)),
      ),
      toggle({
        id: 'stamps',
        label: t('places.mobility.acceptsStampsOnly'),
        isOn: draft.acceptsStampsOnly,
        onchange: (isOn) => change({ acceptsStampsOnly: isOn }),
      }),
      home.view(errors.home),
      list('passes'),
      list('stops'),
      problem ? problemNotice(problem) : null,
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        h(
          'p',
          { class: said?.isDone ? 'saved-tick' : 'muted', role: 'status' },
          said?.isDone ? icon('check') : null,
          said?.text ?? null,
        ),
        button(t('action.save'), { type: 'submit', look: 'primary', wide: true, isBusy }),
        button(t('action.cancel'), { look: 'quiet', wide: true, onclick: () => go('/places') }),
      ),
    );

  return {
    draw() {
      const { value, error } = resources.get(MOBILITY);
      if (value && value !== base && !isTouched && !isBusy && !Object.keys(errors).length) begin(value);
      return {
        title: t('places.mobility'),
        view: screen(
          t('places.mobility'),
          { back: '/places' },
          draft ? editor() : error ? problemNotice(error, () => resources.reload(MOBILITY)) : skeleton(8),
        ),
      };
    },
    leave() {
      [draft, base, errors, problem, said, isTouched] = [null, null, {}, null, null, false];
    },
  };
}
