// The form of a suggestion: the fields of a place, its position on the map, and the place that it duplicates.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { metersBetween } from '/apps/shared/position.js';
import { button, field, select, toggle } from '/apps/shared/ui.js';
import { FLAGS, NUMBERS, draftOf, drop, keep, measureText, move } from './suggestion.js';
import { KINDS, STAMPS } from './words.js';

const LENGTHS = { name: 100, address: 200, phone: 50, website: 500, openingHours: 500, surface: 50 };

export function suggestForm(suggest, { onsubmit }) {
  const { app, form, id, vendor } = suggest;
  return form.view(
    {
      class: 'stack',
      key: `suggest-${id}`,
      onsubmit,
      oninput: ({ target: { name, value } }) => name && keep(suggest, { [name]: value }),
    },
    h('p', { class: 'muted' }, t('places.suggest.lead')),
    text(suggest, 'name', t('places.suggest.name')),
    select({
      id: 'kind',
      label: t('places.suggest.kind'),
      value: typed(suggest, 'kind', vendor.kind),
      options: KINDS.map((kind) => [kind, t(`places.kind.${kind}`)]),
    }),
    text(suggest, 'address', t('places.address')),
    place(suggest),
    text(suggest, 'openingHours', t('places.hours'), { hint: t('places.suggest.hours.hint') }),
    select({
      id: 'acceptsStamps',
      label: t('places.stamps'),
      value: typed(suggest, 'acceptsStamps', vendor.acceptsStamps),
      options: STAMPS.map((one) => [one, t(`places.stamps.${one}`)]),
    }),
    h(
      'div',
      { class: 'pair' },
      text(suggest, 'phone', t('places.phone'), { type: 'tel' }),
      text(suggest, 'website', t('places.website'), { type: 'url' }),
    ),
    access(suggest),
    duplicateChoice(suggest),
    toggle({
      id: 'gone',
      label: t('places.suggest.gone'),
      isOn: draftOf(suggest).isGone,
      onchange: (isGone) => {
        keep(suggest, { isGone });
        app.redraw();
      },
    }),
    text(suggest, 'note', t('places.suggest.note'), {
      multiline: true,
      isOptional: true,
      maxlength: 500,
      value: typed(suggest, 'note', ''),
    }),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('places.suggest.send'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
      h(
        'a',
        { class: 'button quiet wide', href: `#${escaped`/places/${id}`}`, onclick: () => drop(suggest, id) },
        t('action.cancel'),
      ),
    ),
  );
}

/** A field's value as it was typed, or that of the place. */
const typed = (suggest, name, value) => draftOf(suggest)[name] ?? value;

const text = (suggest, name, label, more) =>
  field({
    id: name,
    label,
    value: typed(suggest, name, suggest.vendor[name] ?? ''),
    maxlength: LENGTHS[name],
    autocomplete: 'off',
    error: suggest.form.errors[name],
    ...more,
  });

/** Measurements of the entrance. */
function access(suggest) {
  const known = (name) => measureText(suggest.vendor.accessibility[name]);
  const measured = (name, more) =>
    text(suggest, name, t(`places.access.${name}`), { value: typed(suggest, name, known(name)), ...more });
  const flag = (name) =>
    select({
      id: name,
      label: t(`places.access.${name}`),
      value: typed(suggest, name, known(name)),
      options: [
        ...(known(name) ? [] : [['', t('places.access.unknown')]]),
        ['yes', t('action.yes')],
        ['no', t('action.no')],
      ],
    });
  return h(
    'fieldset',
    { class: 'stack tight' },
    h('legend', { class: 'strong' }, t('places.access')),
    h(
      'div',
      { class: 'pair' },
      NUMBERS.map((name) => measured(name, { inputmode: 'numeric' })),
      measured('surface'),
      FLAGS.map(flag),
    ),
  );
}

/** The position, on a map where it can be moved. */
function place(suggest) {
  const { slot, vendor } = suggest;
  const to = draftOf(suggest).position;
  const words = to
    ? t('places.suggest.moved', { distance: distance(metersBetween(vendor.position, to)) })
    : t('places.suggest.unmoved');
  return h(
    'details',
    { class: 'fold', key: 'position' },
    h('summary', null, words, icon('next')),
    h(
      'div',
      { class: 'stack' },
      h('p', { class: 'muted' }, t('places.suggest.map.lead')),
      h(
        'div',
        { class: 'card parked-map' },
        slot.view('map-holder'),
        h('span', { class: 'map-cross', 'aria-hidden': 'true' }, icon('plus')),
      ),
      h('p', { class: 'visually-hidden', role: 'status' }, words),
      slot.map?.isPlain === false
        ? h(
            'div',
            { class: 'row wrap' },
            button(t('places.suggest.middle'), { icon: 'pin', onclick: () => move(suggest, slot.map.center()) }),
            to ? button(t('places.suggest.back'), { look: 'quiet', onclick: () => move(suggest, null) }) : null,
          )
        : null,
    ),
  );
}

/** A choice among the places nearby; null if there are none. */
function duplicateChoice(suggest) {
  const others = suggest.beside.value?.items.filter(({ id }) => id !== suggest.vendor.id) ?? [];
  if (!others.length) return null;
  return select({
    id: 'duplicateOf',
    label: t('places.suggest.duplicateOf'),
    value: typed(suggest, 'duplicateOf', ''),
    options: [
      ['', t('places.suggest.duplicateOf.none')],
      ...others.map(({ id, name, address, distanceMeters }) => [
        id,
        [name, address, distance(distanceMeters)].filter(Boolean).join(', '),
      ]),
    ],
  });
}
