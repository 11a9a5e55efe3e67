// The editor of a car park: where it is and its entrances on the map, when it is open, how many spaces it has, its
// rules. A change by someone else in the meantime is shown before anything is lost.

import { h, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { minorUnits, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import {
  button,
  choices,
  empty,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { CLASSES } from '/apps/shared/car-parks.js';
import { api, redraw } from '../context.js';
import { store } from '../store.js';
import { createMapSlot, createResource, head, section } from '../parts.js';
import { read, shownAmount } from './dialogs.js';

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
const AXES = ['latitude', 'longitude'];
const round = (value) => Math.round(value * 1e6) / 1e6;

/** The texts of the fields. */
function draftOf(park) {
  const counts = (of) => Object.fromEntries(CLASSES.map((kind) => [kind, String(of[kind] ?? '')]));
  return {
    name: park.name,
    address: park.address,
    position: { ...park.position },
    entrances: park.entrances.map((one) => ({ kind: one.kind, position: { ...one.position } })),
    timeZone: park.timeZone,
    currency: park.currency,
    openingHours: park.openingHours,
    holidays: park.holidays.join(', '),
    maxHeightMeters: String(park.maxHeightMeters ?? ''),
    features: [...park.features],
    phone: park.phone ?? '',
    capacity: counts(park.capacity),
    bookable: counts(park.bookable),
    terms: park.terms.text,
    freeUntilHours: String(park.cancellation.freeUntilHours),
    lateRefundPercent: String(park.cancellation.lateRefundPercent),
    overstayFee: shownAmount(park.overstayFee, park.currency),
  };
}
const newDraft = () =>
  draftOf({
    name: '',
    address: '',
    position: {},
    entrances: [],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    currency: store.value.areas[0]?.properties.currency ?? 'EUR',
    openingHours: '24/7',
    holidays: [],
    features: [],
    capacity: {},
    bookable: {},
    terms: { text: '' },
    cancellation: { freeUntilHours: 24, lateRefundPercent: 50 },
    overstayFee: 0,
  });

/** The body of the request, and the errors of fields that are not numbers. */
function parsed(draft) {
  const errors = {};
  const numeric = (name, text, isNeeded = true) => {
    const value = read(text);
    if (String(text ?? '').trim() === '' && !isNeeded) return null;
    if (!Number.isFinite(value)) errors[name] = t('op.park.number');
    return value;
  };
  const counts = (name) =>
    Object.fromEntries(
      CLASSES.map((kind) => [kind, numeric(`${name}.${kind}`, draft[name][kind], false)]).filter(([, count]) => count),
    );
  const point = (name, position) =>
    Object.fromEntries(AXES.map((axis) => [axis, numeric(`${name}.${axis}`, position[axis])]));
  const body = {
    name: draft.name,
    address: draft.address,
    position: point('position', draft.position),
    entrances: draft.entrances.map(({ kind, position }, i) => ({
      kind,
      position: point(`entrances[${i}].position`, position),
    })),
    timeZone: draft.timeZone.trim(),
    currency: draft.currency.trim().toUpperCase(),
    openingHours: draft.openingHours,
    holidays: draft.holidays.split(/[\s,]+/).filter(Boolean),
    maxHeightMeters: numeric('maxHeightMeters', draft.maxHeightMeters, false),
    features: draft.features,
    phone: draft.phone.trim() || null,
    capacity: counts('capacity'),
    bookable: counts('bookable'),
    terms: draft.terms,
    cancellation: {
      freeUntilHours: numeric('cancellation.freeUntilHours', draft.freeUntilHours),
      lateRefundPercent: numeric('cancellation.lateRefundPercent', draft.lateRefundPercent),
    },
  };
  const isCurrency = /^[A-Z]{3}$/.test(body.currency);
  const fee = numeric('overstayFee', draft.overstayFee);
  body.overstayFee = Math.round(fee * (isCurrency ? minorUnits(body.currency) : 100));
  return { body, errors };
}

export function editScreen({ id }) {
  const isNew = !id;
  const path = isNew ? null : escaped`/v1/car-parks/${id}`;
  const back = isNew ? '/car-parks' : `/car-parks/${id}`;
  const key = uuid();
  let draft = isNew ? newDraft() : null;
  let tag = null;
  let errors = {};
  let problem = null;
  let conflict = null;
  let isBusy = false;
  let tapped = 'position';
  let isFitted = false;

  async function fetched() {
    let read = null;
    const park = await api.get(path, {
      onResponse: (response) => {
        read = response.headers.get('etag');
      },
    });
    return { park, tag: read };
  }
  const take = ({ park, tag: read }) => {
    draft = draftOf(park);
    [tag, errors, problem, conflict] = [read, {}, null, null];
  };
  const source = isNew ? null : createResource(async () => take(await fetched()));

  // MARK: Map

  const slot = createMapSlot('park-map', {
    label: () => t('op.park.map'),
    onready: () => {
      isFitted = false;
      drawMap();
    },
    onclick: tap,
  });
  const placed = ({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude);
  const typed = (position) => Object.fromEntries(AXES.map((axis) => [axis, read(position[axis])]));

  function tap(at) {
    const target = tapped === 'position' ? draft : draft.entrances[Number(tapped)];
    if (!target) return;
    target.position = { latitude: round(at.latitude), longitude: round(at.longitude) };
    redraw();
  }
  function drawMap() {
    const { map } = slot;
    if (!map || map.isPlain || !draft) return;
    const markers = [
      { id: 'self', ...typed(draft.position), kind: 'parked', icon: 'parking', title: draft.name || t('op.park') },
      ...draft.entrances.map((one, i) => ({
        id: String(i),
        ...typed(one.position),
        kind: 'place',
        icon: one.kind === 'vehicle' ? 'car' : 'user',
        title: entranceName(i),
      })),
    ].filter(placed);
    map.setMarkers('park-', markers);
    if (isFitted) return;
    isFitted = true;
    map.fit(markers.length ? markers : store.value.areas.map(({ properties }) => properties.servicePoint));
  }
  const entranceName = (i) => t('op.park.entrance', { number: i + 1 });
  function addEntrance() {
    draft.entrances.push({ kind: 'vehicle', position: { ...draft.position } });
    tapped = String(draft.entrances.length - 1);
    redraw();
  }
  function removeEntrance(i) {
    draft.entrances.splice(i, 1);
    tapped = 'position';
    redraw();
  }

  // MARK: Saving

  const focusWrong = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector('.page [aria-invalid="true"], .page .notice')?.focus()),
    );

  async function save(event) {
    event?.preventDefault();
    if (isBusy) return;
    const { body, errors: wrong } = parsed(draft);
    [errors, problem] = [wrong, null];
    if (Object.keys(wrong).length) {
      redraw();
      focusWrong();
      return;
    }
    isBusy = true;
    redraw();
    try {
      const saved = await (isNew
        ? api.post('/v1/admin/car-parks', body, { key })
        : api.put(escaped`/v1/admin/car-parks/${id}`, body, { headers: { 'if-match': tag } }));
      toast(t('action.saved'), 'success');
      go(`/car-parks/${saved.id}`);
    } catch (error) {
      if (error.status === 412) await meet();
      else if (error.field) errors = { [error.field]: tProblem(error) };
      if (error.status !== 412 && !isShown(error.field)) problem = error;
      focusWrong();
    }
    isBusy = false;
    redraw();
  }
  /** Whether a field of the form shows an error. */
  const isShown = (name) => Boolean(name && document.getElementById(name));
  /** Reads the version that someone else has saved first, to compare it. */
  async function meet() {
    try {
      conflict = await fetched();
    } catch (error) {
      problem = error;
    }
  }
  const conflictNotice = () => {
    const theirs = draftOf(conflict.park);
    const other = Object.keys(draft).filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(draft[name]));
    return notice(
      'warning',
      t('op.conflict'),
      h(
        'p',
        null,
        t('op.park.conflict', { fields: other.map((name) => t(`op.park.field.${name}`)).join(', ') || '–' }),
      ),
      h(
        'div',
        { class: 'actions' },
        button(t('op.conflict.theirs'), {
          onclick: () => {
            take(conflict);
            redraw();
          },
        }),
        button(t('op.conflict.mine'), {
          look: 'danger',
          onclick: () => {
            tag = conflict.tag;
            conflict = null;
            save();
          },
        }),
      ),
    );
  };

  // MARK: Fields

  const text = (name, more) =>
    field({
      id: name,
      label: t(`op.park.field.${name}`),
      value: draft[name],
      autocomplete: 'off',
      error: errors[name],
      oninput: ({ target }) => {
        draft[name] = target.value;
      },
      ...more,
    });
  const axes = (name, holder) =>
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

  const about = () =>
    section(
      t('op.park.about'),
      { id: 'about' },
      text('name', { required: true, maxlength: 100 }),
      text('address', { maxlength: 200 }),
      text('phone', { isOptional: true, type: 'tel', maxlength: 30 }),
      h(
        'div',
        { class: 'pair' },
        text('timeZone', { list: 'zones', spellcheck: 'false' }),
        text('currency', { maxlength: 3 }),
      ),
      h(
        'datalist',
        { id: 'zones' },
        Intl.supportedValuesOf('timeZone').map((zone) => h('option', { value: zone, key: zone })),
      ),
      text('openingHours', { hint: t('op.park.hours.hint'), spellcheck: 'false' }),
      text('holidays', { isOptional: true, hint: t('op.park.holidays.hint') }),
    );

  const spaces = () =>
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

  const equipment = () =>
    section(
      t('park.features'),
      { id: 'features' },
      text('maxHeightMeters', { isOptional: true, inputmode: 'decimal' }),
      h(
        'fieldset',
        { class: 'choices' },
        h('legend', { class: 'visually-hidden' }, t('park.features')),
        h(
          'div',
          { class: 'choice-row' },
          FEATURES.map((feature) =>
            h(
              'label',
              { class: 'choice', key: feature },
              h('input', {
                type: 'checkbox',
                name: 'feature',
                value: feature,
                checked: draft.features.includes(feature),
                onchange: ({ target }) => {
                  draft.features = target.checked
                    ? [...draft.features, feature]
                    : draft.features.filter((one) => one !== feature);
                  redraw();
                },
              }),
              h('span', null, t(`park.feature.${feature}`)),
            ),
          ),
        ),
      ),
    );

  const policy = (name) =>
    field({
      id: `cancellation.${name}`,
      label: t(`op.park.field.${name}`),
      inputmode: 'numeric',
      autocomplete: 'off',
      value: draft[name],
      error: errors[`cancellation.${name}`],
      oninput: ({ target }) => {
        draft[name] = target.value;
      },
    });
  const rules = () =>
    section(
      t('op.park.rules'),
      { id: 'rules' },
      h('div', { class: 'pair' }, policy('freeUntilHours'), policy('lateRefundPercent')),
      text('overstayFee', { inputmode: 'decimal', hint: t('op.park.overstay.hint') }),
      text('terms', { multiline: true, isOptional: true, rows: 6, maxlength: 10_000, hint: t('op.park.terms.hint') }),
    );

  const place = () =>
    h(
      'div',
      { class: 'panel flush', key: 'place' },
      slot.view('park-editor adding'),
      h(
        'div',
        { class: 'map-tools stack' },
        choices({
          name: 'tapped',
          label: t('op.park.tap'),
          value: tapped,
          options: [['position', t('op.park')], ...draft.entrances.map((_, i) => [String(i), entranceName(i)])],
          onchange: (value) => {
            tapped = value;
            redraw();
          },
        }),
        axes('position', draft),
        draft.entrances.map((one, i) =>
          h(
            'fieldset',
            { class: 'stack tight', key: i },
            h(
              'legend',
              { class: 'row between strong' },
              entranceName(i),
              iconButton('trash', t('op.park.entrance.remove', { number: i + 1 }), () => removeEntrance(i)),
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
            axes(`entrances[${i}].position`, one),
          ),
        ),
        button(t('op.park.entrance.add'), { icon: 'plus', onclick: addEntrance }),
      ),
    );

  return {
    title: () => (isNew ? t('op.parks.new') : t('op.park.edit')),
    view() {
      const title = isNew ? t('op.parks.new') : t('op.park.edit');
      if (!draft)
        return [
          head(title, { back }),
          source.error
            ? source.error.status === 404
              ? empty('parking', t('op.park.gone'))
              : problemNotice(source.error, source.reload)
            : skeleton(8),
        ];
      queueMicrotask(drawMap);
      return [
        head(title, {
          back,
          lead: isNew ? null : draft.name,
          actions: button(t('action.save'), { look: 'primary', icon: 'check', isBusy, onclick: save }),
        }),
        conflict ? conflictNotice() : null,
        problem ? problemNotice(problem) : null,
        h(
          'form',
          { class: 'columns even', key: 'columns', novalidate: true, onsubmit: save },
          h('div', { class: 'stack' }, about(), place()),
          h(
            'div',
            { class: 'stack' },
            spaces(),
            equipment(),
            rules(),
            button(t('action.save'), { type: 'submit', look: 'primary', icon: 'check', isBusy }),
          ),
        ),
      ];
    },
    leave: () => slot.leave(),
  };
}
