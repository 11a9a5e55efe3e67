// Choices of which a person may take several.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { WEEKDAYS, weekdayText } from './words.js';

/** `chosen()` are the names that are set now; `onchange` gets the new ones, in the order of `names`. */
export function checkboxes({ key, prefix, label, names, textOf, chosen, onchange, error = null }) {
  const box = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name: `${prefix}-${name}`,
        checked: chosen().includes(name),
        onchange: ({ target }) =>
          onchange(names.filter((one) => (one === name ? target.checked : chosen().includes(one)))),
      }),
      h('span', null, textOf(name)),
    );
  return h(
    'fieldset',
    { class: 'choices', key },
    h('legend', null, label),
    h('div', { class: 'choice-row' }, names.map(box)),
    error ? h('p', { class: 'error', role: 'alert' }, error) : null,
  );
}

export const weekdayBoxes = (more) =>
  checkboxes({
    key: 'days',
    prefix: 'day',
    label: t('lift.weekdays'),
    names: WEEKDAYS,
    textOf: (name) => weekdayText(name),
    ...more,
  });
