// "Suggest a change": corrections of a place, which an operator reviews. A draft stays until it is sent or discarded.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { metersBetween } from '/apps/shared/position.js';
import { go, screen } from '/apps/shared/shell.js';
import { begun } from '/apps/shared/storage.js';
import { button, createForm, field, notice, problemNotice, select, skeleton, toast, toggle } from '/apps/shared/ui.js';
import { pointOf } from '../shared/place-field.js';
import { createLatest } from './latest.js';
import { KINDS, STAMPS, vendorPath } from './words.js';

const DRAFTS = 'openvalet.places.suggestions';
const TEXTS = ['name', 'address', 'phone', 'website', 'openingHours'];
const NUMBERS = ['stepCentimeters', 'doorCentimeters', 'slopePercent'];
const FLAGS = ['toilet', 'lift'];
const LENGTHS = { name: 100, address: 200, phone: 50, website: 500, openingHours: 500, surface: 50 };
const ZOOM = 18;
/** Possible duplicates lie within these metres; none of the person's own limits hides them. */
const BESIDE = {
  radiusMeters: 300,
  modes: 'walk',
  maxSeconds: 7_200,
  maxMeters: 100_000,
  maxWalkMeters: 20_000,
  acceptsStamps: false,
  sort: 'distance',
  limit: 20,
};
const measureText = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? ''));

export function createSuggest({ api, redraw, resources }) {
  let form = null;
  let of = null;
  let vendor = null;
  let drafts = begun.recall(DRAFTS) ?? {};
  const beside = createLatest(api, redraw);
  const slot = createMapSlot('suggest-map', redraw, {
    label: () => t('places.suggest.map'),
    onclick: (point) => move(point),
    onready: (map) => map.go(draft().position ?? vendor.position, ZOOM),
  });

  function begin(id) {
    [form, of] = [
      createForm(redraw, Object.fromEntries([...NUMBERS, 'surface'].map((name) => [`accessibility.${name}`, name]))),
      id,
    ];
  }

  // MARK: The draft

  const draft = () => drafts[of] ?? {};
  function keep(change) {
    drafts = { ...drafts, [of]: { ...draft(), ...change } };
    begun.remember(DRAFTS, drafts);
  }
  function drop(id) {
    drafts = Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== id));
    begun.remember(DRAFTS, drafts);
  }
  function move(position) {
    keep({ position: position && pointOf(position) });
    redraw();
  }

  // MARK: Sending

  /** Changed values only. */
  function changes(values) {
    const told = Object.fromEntries(
      TEXTS.filter((name) => values[name].trim() !== (vendor[name] ?? '')).map((name) => [name, values[name].trim()]),
    );
    for (const name of ['kind', 'acceptsStamps']) if (values[name] !== vendor[name]) told[name] = values[name];
    const measured = [...NUMBERS, 'surface', ...FLAGS].filter(
      (name) => values[name].trim() !== measureText(vendor.accessibility[name]),
    );
    if (measured.length)
      told.accessibility = Object.fromEntries(measured.map((name) => [name, measure(name, values[name].trim())]));
    const { position, isGone } = draft();
    if (position) told.position = position;
    if (values.duplicateOf) told.duplicateOf = values.duplicateOf;
    if (isGone) told.isGone = true;
    if (values.note.trim()) told.note = values.note.trim();
    return told;
  }
  function measure(name, text) {
    if (FLAGS.includes(name)) return text === 'yes';
    if (name === 'surface') return text || form.refuse({ surface: t('form.required') });
    if (!/^\d+$/.test(text)) form.refuse({ [name]: t('places.suggest.number') });
    return Number(text);
  }

  const send = (id) =>
    form.submit(async (values) => {
      const told = changes(values);
      if (!Object.keys(told).length) form.refuse({ note: t('places.suggest.nothing') });
      await api.post(escaped`/v1/vendors/${id}/suggestions`, told);
      drop(id);
      toast(t('places.suggest.sent'), 'success');
      go(escaped`/places/${id}`);
    });

  // MARK: Drawing

  /** Marks the old position, and the new one. */
  function mark({ name, position }) {
    const to = draft().position;
    const view = slot.map;
    view?.setMarker('place', { ...(to ?? position), kind: 'place', icon: 'pin', title: name });
    view?.setMarker(
      'before',
      to ? { ...position, kind: 'place', icon: 'pin', isStale: true, title: t('places.suggest.before') } : null,
    );
  }

  function place({ position }) {
    const to = draft().position;
    const words = to
      ? t('places.suggest.moved', { distance: distance(metersBetween(position, to)) })
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
              button(t('places.suggest.middle'), { icon: 'pin', onclick: () => move(slot.map.center()) }),
              to ? button(t('places.suggest.back'), { look: 'quiet', onclick: () => move(null) }) : null,
            )
          : null,
      ),
    );
  }

  function same({ id, position: { latitude, longitude } }) {
    beside.ask(withQuery('/v1/vendors', { latitude, longitude, ...BESIDE }));
    const others = beside.value?.items.filter((one) => one.id !== id) ?? [];
    return others.length
      ? select({
          id: 'duplicateOf',
          label: t('places.suggest.duplicateOf'),
          value: draft().duplicateOf ?? '',
          options: [
            ['', t('places.suggest.duplicateOf.none')],
            ...others.map(({ id: other, name, address, distanceMeters }) => [
              other,
              [name, address, distance(distanceMeters)].filter(Boolean).join(', '),
            ]),
          ],
        })
      : null;
  }

  function editor() {
    const { errors } = form;
    const written = (name, value) => draft()[name] ?? value;
    const text = (name, label, more) =>
      field({
        id: name,
        label,
        value: written(name, vendor[name] ?? ''),
        maxlength: LENGTHS[name],
        autocomplete: 'off',
        error: errors[name],
        ...more,
      });
    const measured = (name, more) =>
      text(name, t(`places.access.${name}`), {
        value: written(name, measureText(vendor.accessibility[name])),
        ...more,
      });
    const flag = (name) => {
      const known = measureText(vendor.accessibility[name]);
      return select({
        id: name,
        label: t(`places.access.${name}`),
        value: written(name, known),
        options: [
          ...(known ? [] : [['', t('places.access.unknown')]]),
          ['yes', t('action.yes')],
          ['no', t('action.no')],
        ],
      });
    };
    return form.view(
      {
        class: 'stack',
        key: `suggest-${of}`,
        onsubmit: send(of),
        oninput: ({ target: { name, value } }) => name && keep({ [name]: value }),
      },
      h('p', { class: 'muted' }, t('places.suggest.lead')),
      text('name', t('places.suggest.name')),
      select({
        id: 'kind',
        label: t('places.suggest.kind'),
        value: written('kind', vendor.kind),
        options: KINDS.map((kind) => [kind, t(`places.kind.${kind}`)]),
      }),
      text('address', t('places.address')),
      place(vendor),
      text('openingHours', t('places.hours'), { hint: t('places.suggest.hours.hint') }),
      select({
        id: 'acceptsStamps',
        label: t('places.stamps'),
        value: written('acceptsStamps', vendor.acceptsStamps),
        options: STAMPS.map((one) => [one, t(`places.stamps.${one}`)]),
      }),
      h(
        'div',
        { class: 'pair' },
        text('phone', t('places.phone'), { type: 'tel' }),
        text('website', t('places.website'), { type: 'url' }),
      ),
      h(
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
      ),
      same(vendor),
      toggle({
        id: 'gone',
        label: t('places.suggest.gone'),
        isOn: draft().isGone,
        onchange: (isGone) => {
          keep({ isGone });
          redraw();
        },
      }),
      text('note', t('places.suggest.note'), {
        multiline: true,
        isOptional: true,
        maxlength: 500,
        value: written('note', ''),
      }),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('places.suggest.send'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
        h(
          'a',
          { class: 'button quiet wide', href: `#${escaped`/places/${of}`}`, onclick: () => drop(of) },
          t('action.cancel'),
        ),
      ),
    );
  }

  return {
    draw({ id }) {
      if (of !== id) begin(id);
      const { value, error } = resources.get(vendorPath(id), { anonymous: true });
      vendor = value;
      if (vendor) mark(vendor);
      return {
        title: t('places.suggest'),
        vendor,
        view: screen(
          t('places.suggest'),
          { back: escaped`/places/${id}` },
          value
            ? [
                h('h2', { key: 'name' }, value.name),
                value.duplicateOf ? notice('neutral', t('places.duplicate')) : null,
                editor(),
              ]
            : error
              ? problemNotice(error, () => resources.reload(vendorPath(id)))
              : skeleton(6),
        ),
      };
    },
    leave() {
      [form, of] = [null, null];
      beside.forget();
      slot.leave();
    },
    /** The next person on this device starts afresh. */
    forget() {
      drafts = {};
      begun.remember(DRAFTS);
    },
  };
}
