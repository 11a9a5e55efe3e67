// The dialog of a vendor, with all its fields in one form.

import { escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { field, select } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { dialogActions, formDialog } from '../parts.js';
import { KINDS, STAMPS, VENDORS, kindText } from './words.js';

const TEXTS = ['address', 'phone', 'website', 'photo', 'openingHours', 'timeZone'];
const AXES = ['latitude', 'longitude'];
const MEASURES = ['stepCentimeters', 'doorCentimeters', 'slopePercent'];
const FLAGS = ['toilet', 'lift'];
/** The field that shows a problem with a nested part. */
const FIELDS = {
  position: 'latitude',
  ...Object.fromEntries(AXES.map((name) => [`position.${name}`, name])),
  ...Object.fromEntries([...MEASURES, 'surface'].map((name) => [`accessibility.${name}`, name])),
};

/** The number of a field, or undefined when it is empty; a field that is not a number shows an error. */
function numberOf(form, name, text) {
  const value = Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(value)) form.refuse({ [name]: t('op.vendor.number') });
  return text.trim() === '' ? undefined : value;
}

function bodyOf(form, values) {
  const accessibility = {
    ...Object.fromEntries(MEASURES.map((name) => [name, numberOf(form, name, values[name])])),
    surface: values.surface.trim() || undefined,
    ...Object.fromEntries(FLAGS.map((name) => [name, values[name] === '' ? undefined : values[name] === 'yes'])),
  };
  return {
    name: values.name.trim(),
    kind: values.kind,
    acceptsStamps: values.acceptsStamps,
    position: {
      latitude: numberOf(form, 'latitude', values.latitude),
      longitude: numberOf(form, 'longitude', values.longitude),
    },
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name].trim() || undefined])),
    accessibility,
  };
}

/** Resolves with the saved vendor; undefined when the dialog was cancelled. */
export function vendorDialog(known) {
  const key = uuid();
  const save = (body) =>
    known
      ? api.put(escaped`/v1/admin/vendors/${known.id}`, body, { headers: { 'if-match': `"${known.version}"` } })
      : api.post(VENDORS, body, { key });
  return formDialog(
    known ? t('op.vendor.edit', { name: known.name }) : t('op.vendor.new'),
    (form, close) =>
      form.view(
        { class: 'stack', onsubmit: form.submit(async (values) => close(await save(bodyOf(form, values)))) },
        ...identity(form, known),
        ...contact(form, known),
        ...access(form, known?.accessibility ?? {}),
        dialogActions(form, close, t('action.save')),
      ),
    { fieldOf: FIELDS },
  );
}

const text = (form, name, label, value, more) =>
  field({ id: name, label, value: String(value ?? ''), autocomplete: 'off', error: form.errors[name], ...more });

const identity = (form, known) => [
  text(form, 'name', t('op.name'), known?.name, { required: true, maxlength: 100 }),
  h(
    'div',
    { class: 'pair' },
    select({
      id: 'kind',
      label: t('places.suggest.kind'),
      value: known?.kind ?? KINDS[0],
      options: KINDS.map((kind) => [kind, kindText(kind)]),
    }),
    select({
      id: 'acceptsStamps',
      label: t('places.stamps'),
      value: known?.acceptsStamps ?? 'unknown',
      options: STAMPS.map((one) => [one, t(`places.stamps.${one}`)]),
    }),
  ),
  h(
    'div',
    { class: 'pair' },
    AXES.map((name) =>
      text(form, name, t(`op.vendor.${name}`), known?.position[name], { required: true, inputmode: 'decimal' }),
    ),
  ),
];

const contact = (form, known) => [
  text(form, 'address', t('places.address'), known?.address, {
    hint: t('op.vendor.address.hint'),
    isOptional: true,
    maxlength: 200,
  }),
  text(form, 'openingHours', t('places.hours'), known?.openingHours, {
    hint: t('places.suggest.hours.hint'),
    isOptional: true,
  }),
  h(
    'div',
    { class: 'pair' },
    text(form, 'phone', t('places.phone'), known?.phone, { isOptional: true, maxlength: 50 }),
    text(form, 'timeZone', t('op.vendor.timeZone'), known?.timeZone, {
      hint: t('op.vendor.timeZone.hint'),
      isOptional: true,
    }),
  ),
  text(form, 'website', t('places.website'), known?.website, { isOptional: true }),
  text(form, 'photo', t('places.photo'), known?.photo, { isOptional: true }),
];

const access = (form, known) => [
  h('h3', null, t('places.access')),
  h(
    'div',
    { class: 'pair' },
    MEASURES.map((name) => text(form, name, t(`places.access.${name}`), known[name], { inputmode: 'numeric' })),
    text(form, 'surface', t('places.access.surface'), known.surface, { maxlength: 50 }),
    FLAGS.map((name) => flag(name, known[name])),
  ),
];

const flag = (name, value) =>
  select({
    id: name,
    label: t(`places.access.${name}`),
    value: value === undefined ? '' : value ? 'yes' : 'no',
    options: [
      ['', t('op.vendor.unknown')],
      ['yes', t('op.vendor.yes')],
      ['no', t('op.vendor.no')],
    ],
  });
