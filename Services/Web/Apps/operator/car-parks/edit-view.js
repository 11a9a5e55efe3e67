// The fields of a car park, and the map that places it and its entrances.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { button, choices, field, iconButton, select } from '/apps/shared/ui.js';
import { CLASSES } from '/apps/shared/car-parks.js';
import { redraw } from '../context.js';
import { section } from '../parts.js';
import { AXES, entranceName } from './draft.js';
import { checkboxes } from './parts.js';

const FEATURES = [
  'covered',
  'lit',
  'guarded',
  'charging',
  'toilets',
  'lift',
  'cctv',
  'carWash',
  'multiStorey',
  'underground',
];

/** A field for a text of the draft. */
const text = ({ draft, errors }, name, props = {}) =>
  field({
    id: name,
    label: t(`op.park.field.${name}`),
    value: draft[name],
    autocomplete: 'off',
    error: errors[props.id ?? name],
    oninput: ({ target }) => {
      draft[name] = target.value;
    },
    ...props,
  });

export const about = (screen) =>
  section(
    t('op.park.about'),
    { id: 'about' },
    text(screen, 'name', { required: true, maxlength: 100 }),
    text(screen, 'address', { maxlength: 200 }),
    text(screen, 'phone', { isOptional: true, type: 'tel', maxlength: 30 }),
    h(
      'div',
      { class: 'pair' },
      text(screen, 'timeZone', { list: 'zones', spellcheck: 'false' }),
      text(screen, 'currency', { maxlength: 3 }),
    ),
    h(
      'datalist',
      { id: 'zones' },
      Intl.supportedValuesOf('timeZone').map((zone) => h('option', { value: zone, key: zone })),
    ),
    text(screen, 'openingHours', { hint: t('op.park.hours.hint'), spellcheck: 'false' }),
    text(screen, 'holidays', { isOptional: true, hint: t('op.park.holidays.hint') }),
  );

export const spaces = ({ draft, errors }) =>
  section(
    t('op.park.spaces'),
    { id: 'spaces' },
    CLASSES.map((kind) =>
      h(
        'div',
        { class: 'pair', key: kind },
        ['capacity', 'bookable'].map((name) =>
          field({
            id: `${name}.${kind}`,
            label: `${t(`park.class.${kind}`)}: ${t(`op.park.${name}`)}`,
            inputmode: 'numeric',
            autocomplete: 'off',
            value: draft[name][kind],
            error: errors[`${name}.${kind}`],
            oninput: ({ target }) => {
              draft[name][kind] = target.value;
            },
          }),
        ),
      ),
    ),
  );

export const equipment = (screen) =>
  section(
    t('park.features'),
    { id: 'features' },
    text(screen, 'maxHeightMeters', { isOptional: true, inputmode: 'decimal' }),
    checkboxes(
      h('legend', { class: 'visually-hidden' }, t('park.features')),
      FEATURES.map((feature) => [feature, t(`park.feature.${feature}`)]),
      (feature) => ({
        name: 'feature',
        value: feature,
        checked: screen.draft.features.includes(feature),
        onchange: ({ target }) => {
          const others = screen.draft.features.filter((one) => one !== feature);
          screen.draft.features = target.checked ? [...others, feature] : others;
          redraw();
        },
      }),
    ),
  );

export const rules = (screen) =>
  section(
    t('op.park.rules'),
    { id: 'rules' },
    h(
      'div',
      { class: 'pair' },
      ['freeUntilHours', 'lateRefundPercent'].map((name) =>
        text(screen, name, { id: `cancellation.${name}`, inputmode: 'numeric' }),
      ),
    ),
    text(screen, 'overstayFee', { inputmode: 'decimal', hint: t('op.park.overstay.hint') }),
    text(screen, 'terms', {
      multiline: true,
      isOptional: true,
      rows: 6,
      maxlength: 10_000,
      hint: t('op.park.terms.hint'),
    }),
  );

// MARK: Place

export const place = (screen) =>
  h(
    'div',
    { class: 'panel flush', key: 'place' },
    screen.slot.view('park-editor adding'),
    h(
      'div',
      { class: 'map-tools stack' },
      choices({
        name: 'tapped',
        label: t('op.park.tap'),
        value: screen.tapped,
        options: [['position', t('op.park')], ...screen.draft.entrances.map((_, i) => [String(i), entranceName(i)])],
        onchange: (value) => {
          screen.tapped = value;
          redraw();
        },
      }),
      axes(screen, 'position', screen.draft),
      screen.draft.entrances.map((one, i) => entrance(screen, one, i)),
      button(t('op.park.entrance.add'), { icon: 'plus', onclick: () => addEntrance(screen) }),
    ),
  );

const entrance = (screen, one, i) =>
  h(
    'fieldset',
    { class: 'stack tight', key: i },
    h(
      'legend',
      { class: 'row between strong' },
      entranceName(i),
      iconButton('trash', t('op.park.entrance.remove', { number: i + 1 }), () => removeEntrance(screen, i)),
    ),
    select({
      id: `entrance-${i}`,
      label: t('op.park.entrance.kind'),
      value: one.kind,
      options: ['vehicle', 'pedestrian'].map((kind) => [kind, t(`op.park.entrance.${kind}`)]),
      onchange: ({ target }) => {
        one.kind = target.value;
        redraw();
      },
    }),
    axes(screen, `entrances[${i}].position`, one),
  );

/** The position of the car park or of an entrance. */
const axes = ({ errors }, name, holder) =>
  h(
    'div',
    { class: 'pair', key: `${name}-axes` },
    AXES.map((axis) =>
      field({
        id: `${name}.${axis}`,
        label: t(`op.${axis}`),
        inputmode: 'decimal',
        autocomplete: 'off',
        value: holder.position[axis] ?? '',
        error: errors[`${name}.${axis}`] ?? (axis === 'latitude' ? errors[name] : null),
        onchange: ({ target }) => {
          holder.position = { ...holder.position, [axis]: target.value };
          redraw();
        },
      }),
    ),
  );

function addEntrance(screen) {
  const { entrances, position } = screen.draft;
  entrances.push({ kind: 'vehicle', position: { ...position } });
  screen.tapped = String(entrances.length - 1);
  redraw();
}

function removeEntrance(screen, i) {
  screen.draft.entrances.splice(i, 1);
  screen.tapped = 'position';
  redraw();
}
