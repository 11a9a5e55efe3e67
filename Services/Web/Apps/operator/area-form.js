// The fields of a service area: its name, how valets get their jobs, where customers outside are sent, and its points.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { button, choices, field, iconButton, notice, select } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { store } from './store.js';
import { section } from './parts.js';
import { activePoints, addAfter, change, currencyOf, remove } from './area-draft.js';
import { crossesItself } from './polygon-editor.js';

/** Rows of the table that are drawn at once. */
export const ROWS = 100;
const AXES = ['latitude', 'longitude'];

const number = (text) => Number(String(text).trim().replace(',', '.'));

// MARK: Details

export const details = (screen) =>
  section(
    t('op.area.about'),
    { id: 'about' },
    nameField(screen),
    screen.isNew ? identity(screen) : null,
    dispatch(screen),
    servicePoint(screen),
  );

const nameField = ({ draft, errors }) =>
  field({
    id: 'name',
    label: t('op.name'),
    value: draft.name,
    required: true,
    maxlength: 80,
    error: errors['properties.name'],
    oninput: (event) => {
      draft.name = event.target.value;
      redraw();
    },
  });

const identity = ({ draft, errors }) =>
  h(
    'div',
    { class: 'pair' },
    field({
      id: 'area-id',
      label: t('op.area.id'),
      hint: t('op.area.id.hint'),
      value: draft.id,
      required: true,
      maxlength: 40,
      autocomplete: 'off',
      spellcheck: 'false',
      error: errors.id,
      oninput: (event) => {
        draft.id = event.target.value;
      },
    }),
    field({
      id: 'currency',
      label: t('op.currency'),
      value: currencyOf(draft, store.value.areas),
      maxlength: 3,
      required: true,
      error: errors['properties.currency'],
      oninput: (event) => {
        draft.currency = event.target.value.toUpperCase();
      },
    }),
  );

const dispatch = ({ draft, errors }) => [
  choices({
    name: 'mode',
    label: t('op.area.dispatch'),
    value: draft.dispatch.mode,
    options: ['direct', 'offer'].map((mode) => [mode, t(`op.area.dispatch.${mode}`)]),
    onchange: (mode) => {
      draft.dispatch = { ...draft.dispatch, mode };
      redraw();
    },
  }),
  h('p', { class: 'hint' }, t(`op.area.dispatch.${draft.dispatch.mode}.text`)),
  draft.dispatch.mode === 'offer'
    ? field({
        id: 'offerSeconds',
        label: t('op.area.offerSeconds'),
        inputmode: 'numeric',
        value: draft.dispatch.offerSeconds,
        error: errors['properties.dispatch.offerSeconds'],
        oninput: (event) => {
          draft.dispatch.offerSeconds = Math.round(number(event.target.value)) || 0;
        },
      })
    : null,
];

const servicePoint = ({ draft, errors }) =>
  h(
    'fieldset',
    { class: 'stack tight' },
    h('legend', { class: 'strong' }, t('op.area.servicePoint')),
    h('p', { class: 'hint' }, t('op.area.servicePoint.hint')),
    h(
      'div',
      { class: 'pair' },
      AXES.map((axis) =>
        field({
          id: `service-${axis}`,
          label: t(`op.${axis}`),
          inputmode: 'decimal',
          value: draft.servicePoint?.[axis] ?? '',
          error:
            (axis === 'latitude' ? errors['properties.servicePoint'] : null) ??
            errors[`properties.servicePoint.${axis}`],
          onchange: (event) => {
            const value = number(event.target.value);
            draft.servicePoint = { latitude: 0, longitude: 0, ...draft.servicePoint, [axis]: value };
            redraw();
          },
        }),
      ),
    ),
    field({
      id: 'service-address',
      label: t('op.address'),
      isOptional: true,
      maxlength: 200,
      value: draft.servicePoint?.address ?? '',
      oninput: (event) => {
        if (draft.servicePoint) draft.servicePoint.address = event.target.value || undefined;
      },
    }),
  );

// MARK: Outline

export function outline(screen) {
  const points = activePoints(screen);
  return section(
    t('op.edit.points'),
    {
      id: 'points',
      actions: h('span', { class: 'muted small', role: 'status' }, t('op.edit.count', { count: points.length })),
    },
    outlineNotices(screen),
    screen.draft.rings.length > 1 ? ringChoice(screen) : null,
    points.length ? pointTable(screen) : h('p', { class: 'muted' }, t('op.edit.begin')),
    points.length > screen.rows
      ? button(t('action.more'), {
          onclick: () => {
            screen.rows += ROWS;
            redraw();
          },
        })
      : null,
    h(
      'div',
      { class: 'row wrap' },
      button(t('op.edit.add'), { icon: 'plus', onclick: () => addPoint(screen, activePoints(screen).length - 1) }),
    ),
  );
}

function outlineNotices(screen) {
  const points = activePoints(screen);
  const error = screen.errors['geometry.coordinates'];
  return [
    error
      ? h('div', { tabindex: '-1', 'aria-invalid': 'true', class: 'outline-error' }, notice('danger', error))
      : null,
    points.length > 3 && points.length < 500 && crossesItself(points) ? notice('warning', t('op.edit.crosses')) : null,
  ];
}

const ringChoice = (screen) =>
  select({
    id: 'ring',
    label: t('op.edit.ring'),
    value: String(screen.active),
    options: screen.draft.rings.map((ring, i) => [
      String(i),
      t(ring.hole ? 'op.edit.hole' : 'op.edit.part', { part: ring.part + 1, hole: ring.hole }),
    ]),
    onchange: (event) => {
      screen.active = Number(event.target.value);
      screen.selected = null;
      redraw();
    },
  });

const pointTable = (screen) =>
  h(
    'table',
    { class: 'points' },
    h('caption', { class: 'visually-hidden' }, t('op.edit.points')),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('th', { scope: 'col' }, '#'),
        h('th', { scope: 'col' }, t('op.latitude')),
        h('th', { scope: 'col' }, t('op.longitude')),
        h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, t('op.actions'))),
      ),
    ),
    h(
      'tbody',
      null,
      activePoints(screen)
        .slice(0, screen.rows)
        .map((_, i) => pointRow(screen, i)),
    ),
  );

const pointRow = (screen, i) =>
  h(
    'tr',
    { key: `${screen.active}-${i}`, class: i === screen.selected ? 'selected' : '' },
    h('th', { scope: 'row' }, i + 1),
    AXES.map((axis) => h('td', { key: axis }, axisInput(screen, i, axis))),
    h(
      'td',
      { class: 'nowrap' },
      iconButton('plus', t('op.edit.after', { number: i + 1 }), () => addPoint(screen, i)),
      iconButton('trash', t('op.edit.delete', { number: i + 1 }), () => {
        remove(screen, i);
        redraw();
      }),
    ),
  );

function axisInput(screen, i, axis) {
  const before = activePoints(screen)[i][axis];
  return h('input', {
    class: 'input',
    inputmode: 'decimal',
    value: String(before),
    'aria-label': t('op.edit.axis', { axis: t(`op.${axis}`), number: i + 1 }),
    onfocus: () => choose(screen, i),
    onchange: (event) => {
      const value = number(event.target.value);
      if (!Number.isFinite(value) || !event.target.value.trim()) {
        event.target.value = before;
        return;
      }
      change(screen, (points) => {
        points[i] = { ...points[i], [axis]: value };
      });
      redraw();
    },
  });
}

function addPoint(screen, index) {
  addAfter(screen, index, screen.slot.map?.center());
  redraw();
}

/** Selects a point, which is marked in the table and on the map. */
export function choose(screen, index) {
  if (screen.selected === index) return;
  screen.selected = index;
  redraw();
}
