// A new alert: a circle, or an area that is drawn by its corners, with days, hours and a price limit.

import { h, uuid } from '/apps/shared/dom.js';
import { distance, t } from '/apps/shared/i18n.js';
import { cityOf } from '/apps/shared/demo.js';
import { button, choices, field, toast } from '/apps/shared/ui.js';

export const ALERTS = '/v1/me/parking-alerts';
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const CENTS = 100;

export const minuteOf = (text) => text && Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

// MARK: The draft

/** Where a circle begins: here, or in the city. */
export function start({ position, store: { value } }) {
  const at = position.last ?? cityOf(value.areas)?.properties.servicePoint ?? value.areas?.[0]?.properties.servicePoint;
  return at && { latitude: at.latitude, longitude: at.longitude };
}

export function begin(page) {
  const { app, slot } = page;
  page.draft = {
    kind: 'circle',
    center: (!app.position.last && page.isFitted && slot.map?.center()) || start(app),
    radius: 300,
    corners: [],
    days: [],
    key: uuid(),
  };
  app.redraw();
}

function set({ app, draft }, change) {
  Object.assign(draft, change);
  app.redraw();
}

/** Moves the circle there, or adds a corner. */
export const put = (page, at) =>
  set(page, page.draft.kind === 'circle' ? { center: at } : { corners: [...page.draft.corners, at] });

/** The days in the order of the week, with `name` or without. */
export const withDay = (days, name, isOn) => DAYS.filter((one) => (one === name ? isOn : days.includes(one)));

export const isDrawing = ({ draft, slot }) => Boolean(draft && slot.map && !slot.map.isPlain);

const save = (page) =>
  page.form.submit(async ({ name, radius, from, until, price }) => {
    const { api, resources } = page.app;
    const { kind, center, corners, days, key } = page.draft;
    await api.post(
      ALERTS,
      {
        name: name.trim() || undefined,
        ...(kind === 'circle' ? { center, radiusMeters: Number(radius) } : { polygon: corners }),
        ...(days.length ? { days } : {}),
        ...(from && until ? { fromMinute: minuteOf(from), untilMinute: minuteOf(until) } : {}),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(price === '' ? {} : { maxPrice: Math.round(Number(price) * CENTS) }),
      },
      { key },
    );
    page.draft = null;
    resources.reload(ALERTS);
    toast(t('action.saved'), 'success');
  });

// MARK: The form

export function editor(page) {
  const { errors, isBusy, view } = page.form;
  return view(
    { class: 'stack', key: 'edit', onsubmit: save(page) },
    where(page),
    field({ id: 'name', label: t('spots.alerts.name'), isOptional: true, maxlength: 60, error: errors.name }),
    when(page),
    field({
      id: 'price',
      label: t('spots.alerts.price'),
      type: 'number',
      inputmode: 'decimal',
      min: 0,
      step: 0.01,
      isOptional: true,
      error: errors.maxPrice,
    }),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('spots.alerts.save'), { type: 'submit', look: 'primary', wide: true, isBusy }),
      button(t('action.cancel'), {
        look: 'quiet',
        wide: true,
        onclick: () => {
          page.draft = null;
          page.app.redraw();
        },
      }),
    ),
  );
}

function where(page) {
  const { kind, corners, radius } = page.draft;
  const isCircle = kind === 'circle';
  return [
    choices({
      name: 'kind',
      label: t('spots.alerts.kind'),
      value: kind,
      options: ['circle', 'area'].map((one) => [one, t(`spots.alerts.${one}`)]),
      onchange: (one) => set(page, { kind: one }),
    }),
    h('p', { class: 'muted' }, t(`spots.alerts.${kind}.lead`)),
    isDrawing(page)
      ? button(t(`spots.alerts.${kind}.middle`), {
          icon: isCircle ? 'pin' : 'plus',
          wide: true,
          onclick: () => put(page, page.slot.map.center()),
        })
      : null,
    field({
      id: 'radius',
      label: isCircle
        ? t('spots.alerts.radius', { distance: distance(radius) })
        : t('spots.alerts.corners', { count: corners.length }),
      type: 'range',
      min: 50,
      max: 5_000,
      step: 50,
      value: String(radius),
      disabled: !isCircle,
      error: page.form.errors.radius,
      oninput: ({ target }) => set(page, { radius: Number(target.value) }),
    }),
    !isCircle && corners.length
      ? button(t('spots.alerts.undo'), {
          look: 'quiet',
          onclick: () => set(page, { corners: page.draft.corners.slice(0, -1) }),
        })
      : null,
  ];
}

const when = (page) => [
  h(
    'fieldset',
    { class: 'choices', key: 'days' },
    h('legend', null, t('spots.alerts.days')),
    h(
      'div',
      { class: 'choice-row' },
      DAYS.map((name) => day(page, name)),
    ),
  ),
  h(
    'div',
    { class: 'pair' },
    ['from', 'until'].map((name) =>
      field({
        id: name,
        label: t(`spots.alerts.${name}`),
        type: 'time',
        isOptional: true,
        error: page.form.errors[`${name}Minute`],
      }),
    ),
  ),
];

const day = (page, name) =>
  h(
    'label',
    { class: 'choice', key: name },
    h('input', {
      type: 'checkbox',
      name,
      checked: page.draft.days.includes(name),
      onchange: ({ target }) => set(page, { days: withDay(page.draft.days, name, target.checked) }),
    }),
    h('span', null, t(`spots.day.${name}`)),
  );
