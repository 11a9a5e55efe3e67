// Dialogs of a car park: closing it, a count, a product, a gate.

import { h, uuid } from '/apps/shared/dom.js';
import { amountOf } from '/apps/shared/amounts.js';
import { t } from '/apps/shared/i18n.js';
import { dialog } from '/apps/shared/dialogs.js';
import { button, field, notice, select, toast, toggle } from '/apps/shared/ui.js';
import { CLASSES, UNITS } from '/apps/shared/car-parks.js';
import { api } from '../context.js';
import { dialogActions, formDialog } from '../parts.js';
import { read, shownAmount } from '../detail-parts.js';
import { checkboxes } from './parts.js';

/** The checkbox that shows the error of all classes. */
const FIRST_CLASS = `class.${CLASSES[0]}`;

/** Reads a whole number that is not negative; otherwise its field shows an error. */
function whole(form, name, text) {
  const value = read(text);
  if (!Number.isInteger(value) || value < 0) form.refuse({ [name]: t('op.park.number') });
  return value;
}

export const closeDialog = (admin) =>
  formDialog(t('op.park.close'), (form, close) => {
    const send = async ({ reason }) => {
      await api.put(`${admin}/status`, { status: 'closed', reason: reason.trim() || null });
      toast(t('op.park.closed'), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.park.close.text')),
      field({
        id: 'reason',
        label: t('op.reason'),
        hint: t('op.park.close.hint'),
        isOptional: true,
        maxlength: 200,
        error: form.errors.reason,
      }),
      dialogActions(form, close, t('op.park.close'), 'danger'),
    );
  });

/** Sets the free spaces counted by hand. */
export const occupancyDialog = (admin, { spaces }) =>
  formDialog(t('op.park.count'), (form, close) => {
    const send = async (values) => {
      const free = Object.fromEntries(
        spaces
          .filter((one) => values[`free.${one.class}`].trim())
          .map((one) => [one.class, whole(form, `free.${one.class}`, values[`free.${one.class}`])]),
      );
      await api.put(`${admin}/occupancy`, { free, source: 'operator' });
      toast(t('action.saved'), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.park.count.text')),
      spaces.map((one) =>
        field({
          id: `free.${one.class}`,
          label: t('op.park.free.of', { class: t(`park.class.${one.class}`), capacity: one.capacity }),
          inputmode: 'numeric',
          autocomplete: 'off',
          value: one.free ?? '',
          error: form.errors[`free.${one.class}`],
        }),
      ),
      dialogActions(form, close, t('action.save')),
    );
  });

/** Adds a product, or the next version of `known`. */
export function productDialog(admin, currency, known) {
  let isOffered = known?.isOffered ?? true;
  return formDialog(known ? t('op.product.edit', { name: known.name }) : t('op.product.new'), (form, close) => {
    const send = async (values) => {
      const body = { ...productOf(form, values, currency), isOffered };
      await (known ? api.put(`${admin}/products/${known.id}`, body) : api.post(`${admin}/products`, body));
      toast(t('action.saved'), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      known ? notice('neutral', t('op.product.next', { version: known.version + 1 })) : null,
      productFields(form, currency, known),
      known
        ? toggle({
            id: 'isOffered',
            label: t('op.product.offered'),
            isOn: isOffered,
            onchange: (isOn) => {
              isOffered = isOn;
              form.draw();
            },
          })
        : null,
      dialogActions(form, close, t('action.save')),
    );
  });
}

function productOf(form, values, currency) {
  const price = amountOf(values.price, currency);
  if (!Number.isFinite(price) || price < 0) form.refuse({ price: t('op.park.number') });
  const product = {
    name: values.name.trim(),
    kind: values.kind,
    price,
    classes: CLASSES.filter((kind) => values[`class.${kind}`]),
    minQuantity: whole(form, 'minQuantity', values.minQuantity),
    maxQuantity: whole(form, 'maxQuantity', values.maxQuantity),
  };
  if (!product.classes.length) form.refuse({ [FIRST_CLASS]: t('op.product.classes') });
  return product;
}

function productFields(form, currency, known) {
  const text = (name, value, more) =>
    field({
      id: name,
      label: t(`op.product.${name}`),
      value,
      required: true,
      autocomplete: 'off',
      error: form.errors[name],
      ...more,
    });
  const price = { label: `${t('op.product.price')} (${currency})`, inputmode: 'decimal' };
  return [
    text('name', known?.name ?? '', { label: t('op.name'), maxlength: 60 }),
    h(
      'div',
      { class: 'pair' },
      select({
        id: 'kind',
        label: t('op.product.kind'),
        value: known?.kind ?? 'hourly',
        options: Object.keys(UNITS).map((kind) => [kind, t(`op.product.kind.${kind}`)]),
      }),
      text('price', known ? shownAmount(known.price, currency) : '', price),
    ),
    h(
      'div',
      { class: 'pair' },
      text('minQuantity', known?.minQuantity ?? 1, { inputmode: 'numeric' }),
      text('maxQuantity', known?.maxQuantity ?? 31, { inputmode: 'numeric' }),
    ),
    checkboxes(
      h('legend', null, t('park.class')),
      CLASSES.map((kind) => [kind, t(`park.class.${kind}`)]),
      (kind) => ({ name: `class.${kind}`, value: 'on', checked: (known?.classes ?? ['general']).includes(kind) }),
      form.errors[FIRST_CLASS] ? notice('danger', form.errors[FIRST_CLASS]) : null,
    ),
  ];
}

/** Adds a gate; resolves with its `{ name, token }`. */
export function gateDialog(carParkId) {
  const key = uuid();
  return formDialog(t('op.gate.new'), (form, close) => {
    const send = async ({ name }) => {
      const { token } = await api.post('/v1/admin/gates', { carParkId, name: name.trim() }, { key });
      close({ name: name.trim(), token });
    };
    return form.view(
      { onsubmit: form.submit(send) },
      field({
        id: 'name',
        label: t('op.name'),
        hint: t('op.gate.name.hint'),
        required: true,
        maxlength: 60,
        autocomplete: 'off',
        error: form.errors.name,
      }),
      dialogActions(form, close, t('op.gate.new')),
    );
  });
}

/** Shows a gate's token, which can't be read again. */
export const tokenDialog = (name, token) =>
  dialog(t('op.gate.token', { name }), (close, node) => {
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(token);
        toast(t('op.gate.copied'), 'success');
      } catch {
        node.querySelector('#gate-token').select();
      }
    };
    return [
      notice('warning', t('op.gate.token.once')),
      field({
        id: 'gate-token',
        label: t('op.gate.token.label'),
        value: token,
        readonly: true,
        class: 'input mono',
        onfocus: ({ target }) => target.select(),
      }),
      h(
        'div',
        { class: 'actions' },
        button(t('op.gate.copy'), { onclick: copy }),
        button(t('action.done'), { look: 'primary', onclick: () => close() }),
      ),
    ];
  });
