// The form of the search.

import { h } from '/apps/shared/dom.js';
import { distance, t } from '/apps/shared/i18n.js';
import { button, choices, field, iconButton, select } from '/apps/shared/ui.js';
import { weekdayBoxes } from './checkboxes.js';
import { WINDOWS, isWeekly } from './search.js';
import { today } from './words.js';

const WALKS = [300, 500, 1_000, 2_000, 5_000];

export function searchForm(screen, onsubmit) {
  const { app, form, found, set, wanted } = screen;
  const { from, to } = app.ends;
  const swap = () => {
    const [a, b] = [from.place, to.place];
    from.set(b);
    to.set(a);
  };
  return form.view(
    { class: 'stack lift-form', key: 'search', onsubmit },
    h(
      'div',
      { class: 'ends' },
      from.view(form.errors.from),
      iconButton('swap', t('lift.swap'), swap, { class: 'icon-button swap' }),
      to.view(form.errors.to),
    ),
    choices({
      name: 'repeat',
      label: t('lift.repeat'),
      hideLabel: true,
      value: wanted.repeat,
      options: ['once', 'weekly'].map((one) => [one, t(`lift.repeat.${one}`)]),
      onchange: (repeat) => set({ repeat }),
    }),
    isWeekly(wanted) ? everyWeek(screen) : onDay(screen),
    how(screen),
    button(t('lift.search'), {
      type: 'submit',
      look: 'primary',
      icon: 'search',
      wide: true,
      isBusy: found.isLoading,
    }),
  );
}

const onDay = ({ form, set, wanted }) => [
  h(
    'div',
    { class: 'pair', key: 'when' },
    field({
      id: 'date',
      label: t('lift.date'),
      type: 'date',
      min: today(),
      value: wanted.date,
      error: form.errors.date,
      onchange: ({ target }) => target.value && set({ date: target.value }),
    }),
    field({
      id: 'time',
      label: t('lift.time.from'),
      type: 'time',
      value: wanted.time,
      onchange: ({ target }) => target.value && set({ time: target.value }),
    }),
  ),
  select({
    id: 'window',
    label: t('lift.window'),
    value: wanted.window,
    options: WINDOWS.map((one) => [one, t(`lift.window.${one}`)]),
    onchange: ({ target }) => set({ window: target.value }),
  }),
];

const everyWeek = ({ form, set, wanted }) => [
  weekdayBoxes({
    chosen: () => wanted.weekdays,
    onchange: (weekdays) => set({ weekdays }),
    error: form.errors.weekdays,
  }),
  h(
    'div',
    { class: 'pair', key: 'between' },
    field({
      id: 'from-time',
      label: t('lift.between'),
      type: 'time',
      value: wanted.from,
      onchange: ({ target }) => target.value && set({ from: target.value }),
    }),
    field({
      id: 'until-time',
      label: t('lift.and'),
      type: 'time',
      value: wanted.until,
      error: form.errors.until,
      onchange: ({ target }) => target.value && set({ until: target.value }),
    }),
  ),
];

const how = ({ set, wanted }) =>
  h(
    'div',
    { class: 'pair', key: 'how' },
    select({
      id: 'seats',
      label: t('lift.seats'),
      value: wanted.seats,
      options: ['1', '2', '3', '4'].map((one) => [one, one]),
      onchange: ({ target }) => set({ seats: target.value }),
    }),
    select({
      id: 'walk',
      label: t('lift.walk.most'),
      value: wanted.walk,
      options: WALKS.map((one) => [String(one), distance(one)]),
      onchange: ({ target }) => set({ walk: target.value }),
    }),
  );
