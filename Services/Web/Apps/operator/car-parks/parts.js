// Pieces of the screens of car parks: lists with a filter, links, checkboxes.

import { h } from '/apps/shared/dom.js';
import { LONGEST_PLATE } from '/apps/shared/forms.js';
import { t } from '/apps/shared/i18n.js';
import { choices, field, select } from '/apps/shared/ui.js';
import { everyPage } from '../store.js';
import { createResource, every } from '../parts.js';

const PACE = 15_000;
/** Entries of a page. */
export const PAGE = 50;

/** Pages that follow a filter; while only the first one is shown, it is loaded again and again. */
export function createList(pages, filter) {
  return {
    pages,
    filter,
    parks: createResource(() => everyPage('/v1/car-parks')),
    set(change) {
      Object.assign(filter, change);
      pages.reload({ ...filter });
    },
    stop: every(PACE, () => pages.items.length <= PAGE && !pages.isBusy && pages.reload()),
  };
}

/** One booking or fine, loaded again and again. */
export const reloading = (source) => every(PACE, () => source.isBusy || source.reload());

export const noFilter = () => ['', t('op.state.all')];

export const parkFilter = ({ filter, parks, set }, id = 'carParkId') =>
  select({
    id,
    label: t('op.park'),
    value: filter.carParkId,
    options: [noFilter(), ...(parks.value ?? []).map((park) => [park.id, park.name])],
    onchange: ({ target }) => set({ carParkId: target.value }),
  });

export const plateFilter = ({ filter, set }, id = 'plate') =>
  field({
    id,
    label: t('vehicle.plate'),
    type: 'search',
    value: filter.plate,
    maxlength: LONGEST_PLATE,
    autocomplete: 'off',
    spellcheck: 'false',
    onchange: ({ target }) => set({ plate: target.value.trim() }),
  });

/** The filter by state, car park, plate and day. `states`: `[value, label]`. */
export const filterPanel = (list, { name, states, hint }) =>
  h(
    'div',
    { class: 'panel stack', role: 'search', 'aria-label': t('op.filter') },
    choices({
      name,
      label: t('op.state'),
      hideLabel: true,
      value: list.filter.state,
      options: [...states, noFilter()],
      onchange: (state) => list.set({ state }),
    }),
    h(
      'div',
      { class: 'form-grid' },
      parkFilter(list),
      plateFilter(list),
      field({
        id: 'day',
        label: t('op.booking.day'),
        hint,
        type: 'date',
        value: list.filter.day,
        onchange: ({ target }) => list.set({ day: target.value }),
      }),
    ),
  );

export const parkLink = ({ id, name }) => h('a', { href: `#/car-parks/${id}` }, name);

export const cancellationText = ({ cancellation: { freeUntilHours, lateRefundPercent } }) =>
  h('p', { class: 'muted small' }, t('park.cancellation', { count: freeUntilHours, percent: lateRefundPercent }));

/** Checkboxes side by side. `options`: `[key, label]`; `propsOf(key)` returns the checkbox's props. */
export const checkboxes = (legend, options, propsOf, ...more) =>
  h(
    'fieldset',
    { class: 'choices' },
    legend,
    h(
      'div',
      { class: 'choice-row' },
      options.map(([key, label]) =>
        h('label', { class: 'choice', key }, h('input', { type: 'checkbox', ...propsOf(key) }), h('span', null, label)),
      ),
    ),
    more,
  );
