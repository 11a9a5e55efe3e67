// "This is not so": what is another than it says, for an operator to look at.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, createForm, field, notice, problemNotice, select, skeleton, toast, toggle } from '/apps/shared/ui.js';
import { KINDS, STAMPS, vendorPath } from './words.js';

const TEXTS = ['name', 'address', 'phone', 'website', 'openingHours'];
const NUMBERS = ['stepCentimeters', 'doorCentimeters'];
const LENGTHS = { name: 100, address: 200, phone: 50, website: 500, openingHours: 500 };

export function createSuggest({ api, redraw, resources }) {
  let form = null;
  let of = null;
  let isGone = false;

  function begin(id) {
    [form, of, isGone] = [createForm(redraw, Object.fromEntries(NUMBERS.map((name) => [`accessibility.${name}`, name]))), id, false];
  }

  /** Only what is another. */
  function changes(vendor, values) {
    const told = Object.fromEntries(TEXTS.filter((name) => values[name].trim() !== (vendor[name] ?? '')).map((name) => [name, values[name].trim()]));
    for (const name of ['kind', 'acceptsStamps']) if (values[name] !== vendor[name]) told[name] = values[name];
    const measured = NUMBERS.filter((name) => values[name].trim() !== String(vendor.accessibility[name] ?? ''));
    if (measured.length) told.accessibility = Object.fromEntries(measured.map((name) => [name, whole(name, values[name])]));
    if (isGone) told.isGone = true;
    if (values.note.trim()) told.note = values.note.trim();
    return told;
  }
  function whole(name, text) {
    if (!/^\d+$/.test(text.trim())) form.refuse({ [name]: t('places.suggest.number') });
    return Number(text);
  }

  const send = (vendor) => form.submit(async (values) => {
    const told = changes(vendor, values);
    if (!Object.keys(told).length) form.refuse({ note: t('places.suggest.nothing') });
    await api.post(escaped`/v1/vendors/${vendor.id}/suggestions`, told);
    toast(t('places.suggest.sent'), 'success');
    go(escaped`/places/${vendor.id}`);
  });

  function editor(vendor) {
    const { errors } = form;
    const text = (name, label, more) => field({ id: name, label, value: vendor[name] ?? '', maxlength: LENGTHS[name], autocomplete: 'off', error: errors[name], ...more });
    return form.view({ class: 'stack', key: 'suggest', onsubmit: send(vendor) },
      h('p', { class: 'muted' }, t('places.suggest.lead')),
      text('name', t('places.suggest.name')),
      select({ id: 'kind', label: t('places.suggest.kind'), value: vendor.kind, options: KINDS.map((kind) => [kind, t(`places.kind.${kind}`)]) }),
      text('address', t('places.address')), text('openingHours', t('places.hours'), { hint: t('places.suggest.hours.hint') }),
      select({ id: 'acceptsStamps', label: t('places.stamps'), value: vendor.acceptsStamps, options: STAMPS.map((one) => [one, t(`places.stamps.${one}`)]) }),
      h('div', { class: 'pair' }, text('phone', t('places.phone'), { type: 'tel' }), text('website', t('places.website'), { type: 'url' })),
      h('div', { class: 'pair' }, NUMBERS.map((name) => field({ id: name, label: t(`places.access.${name}`), inputmode: 'numeric', autocomplete: 'off', value: String(vendor.accessibility[name] ?? ''), error: errors[name] }))),
      toggle({ id: 'gone', label: t('places.suggest.gone'), isOn: isGone, onchange: (isOn) => { isGone = isOn; redraw(); } }),
      field({ id: 'note', label: t('places.suggest.note'), multiline: true, isOptional: true, maxlength: 500, error: errors.note }),
      h('div', { class: 'screen-foot', key: 'foot' }, button(t('places.suggest.send'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }), h('a', { class: 'button quiet wide', href: `#${escaped`/places/${vendor.id}`}` }, t('action.cancel'))));
  }

  return {
    draw({ id }) {
      if (of !== id) begin(id);
      const { value, error } = resources.get(vendorPath(id), { anonymous: true });
      return {
        title: t('places.suggest'), vendor: value,
        view: screen(t('places.suggest'), { back: escaped`/places/${id}` }, value ? [h('h2', { key: 'name' }, value.name), value.duplicateOf ? notice('neutral', t('places.duplicate')) : null, editor(value)] : error ? problemNotice(error, () => resources.reload(vendorPath(id))) : skeleton(6)),
      };
    },
    leave() {
      [form, of] = [null, null];
    },
  };
}
