// Parts of the screens on which a booking is made, paid, changed and extended.

import { zoneHint } from '/apps/shared/car-parks.js';
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

/** A number of units within what the product allows. */
export const quantityField = ({ kind, minQuantity = 1, maxQuantity }, quantity, onchange, props = {}) =>
  field({
    id: 'quantity',
    label: t(`book.quantity.${kind}`),
    type: 'number',
    inputmode: 'numeric',
    min: minQuantity,
    max: maxQuantity,
    step: 1,
    value: String(quantity),
    onchange: ({ target }) =>
      onchange(
        Math.min(maxQuantity ?? Infinity, Math.max(minQuantity, Math.round(Number(target.value)) || minQuantity)),
      ),
    ...props,
  });

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
