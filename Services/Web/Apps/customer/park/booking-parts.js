// Parts of the screens on which a booking is made, paid, changed and extended.

import { units, zoneHint } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { field } from '/apps/shared/ui.js';

/** The vehicles of the garage, to choose one or several. */
export const vehiclePicker = (vehicles, chosen, onchange) =>
  h(
    'fieldset',
    { class: 'choices', key: 'vehicles' },
    h('legend', null, t('book.vehicles')),
    h(
      'div',
      { class: 'choice-row' },
      vehicles.map(({ id, plate, make }) =>
        h(
          'label',
          { class: 'choice', key: id },
          h('input', {
            type: 'checkbox',
            name: 'vehicle',
            value: id,
            checked: chosen.includes(id),
            onchange: ({ target }) =>
              onchange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id)),
          }),
          h('span', null, [plate, make].filter(Boolean).join(' · ')),
        ),
      ),
    ),
  );

/** The start on the car park's clock. */
export const startField = (start, { timeZone }, onchange, props = {}) =>
  field({
    id: 'start',
    label: t('booking.start'),
    type: 'datetime-local',
    value: start,
    hint: zoneHint(timeZone),
    onchange: ({ target }) => target.value && onchange(target.value),
    ...props,
  });

/** Whether the product is sold in this quantity. */
export const isSold = ({ minQuantity = 1, maxQuantity = Infinity }, quantity) =>
  Number.isInteger(quantity) && minQuantity <= quantity && quantity <= maxQuantity;

/** A number of units. One that the product does not allow stays as it was typed, with an explanation. */
export const quantityField = (product, quantity, onchange, { longer, ...props } = /** @type {any} */ ({})) => {
  const { kind, minQuantity = 1, maxQuantity } = product;
  return field({
    id: 'quantity',
    label: t(`book.quantity.${kind}`),
    type: 'number',
    inputmode: 'numeric',
    min: minQuantity,
    max: maxQuantity,
    step: 1,
    value: String(quantity),
    error: isSold(product, quantity) ? null : limitText(product, quantity, longer),
    onchange: ({ target }) => onchange(Number(target.value)),
    ...props,
  });
};

function limitText({ kind, minQuantity = 1, maxQuantity }, quantity, longer) {
  const limits = t('book.limits', { least: minQuantity, most: units(kind, maxQuantity) });
  return longer && quantity > maxQuantity ? `${limits} ${t('book.longer', { choice: longer })}` : limits;
}

/** Days and hours, which together are how long a vehicle stays. */
export const spanFields = ({ days, hours }, onchange) =>
  h(
    'div',
    { class: 'pair', key: 'span' },
    [
      ['days', days],
      ['hours', hours],
    ].map(([name, value]) =>
      field({
        id: `span-${name}`,
        label: t(`book.span.${name}`),
        type: 'number',
        inputmode: 'numeric',
        min: 0,
        step: 1,
        value: String(value),
        error: isSpan({ days, hours }) || name === 'hours' ? null : t('book.span.wrong'),
        onchange: ({ target }) => onchange({ days, hours, [name]: Number(target.value) }),
      }),
    ),
  );

/** Whether days and hours are a length of time that can be booked. */
export const isSpan = ({ days, hours }) =>
  [days, hours].every((number) => Number.isInteger(number) && number >= 0) && days + hours > 0 && days <= 366;

export const totalLine = (label, total, props = {}) =>
  h(
    'p',
    { class: 'row between strong total', ...props },
    h('span', null, label),
    h('span', { class: 'numbers' }, total),
  );

/** Which of the three steps of a booking a screen is. */
export const stepLine = (current) =>
  h('p', { class: 'muted', key: 'step' }, t('book.step', { step: current }), ' · ', t(`book.step.${current}`));
