// The form of the trip that is being edited.

import { h } from '/apps/shared/dom.js';
import { distance, minorUnits, minutes, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import {
  button,
  choices,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toggle,
} from '/apps/shared/ui.js';
import { checkboxes, weekdayBoxes } from './checkboxes.js';
import { repeating, vehicleOf } from './draft.js';
import { MOST_STOPS, dropStop, previewSoon, stopField } from './edit-route.js';
import { resultLine } from './result.js';
import { today, zoneHere } from './words.js';

const MOST_SEATS = 7;
/** Offered detours, in minutes. */
const DETOURS = [0, 5, 10, 15, 20, 30];
const PREFERENCES = ['quiet', 'music', 'noSmoking', 'luggage', 'pets', 'womenOnly'];
const PAYMENTS = ['nothing', 'cash', 'app'];

export function tripForm(screen, onsubmit) {
  const { draft, form } = screen;
  return form.view(
    { class: 'stack lift-form', key: 'trip', onsubmit },
    draft.origin.view(form.errors.origin),
    draft.destination.view(form.errors.destination),
    route(screen),
    stops(screen),
    alike(screen),
    dates(screen),
    h('div', { class: 'pair', key: 'seats' }, seats(screen)),
    prices(screen),
    toggle({
      id: 'automatic',
      label: t('lift.automatic'),
      hint: t('lift.automatic.hint'),
      isOn: draft.isAutomatic,
      onchange: (isAutomatic) => screen.set({ isAutomatic }),
    }),
    more(screen),
    draft.id ? notice('neutral', t('lift.change.told')) : null,
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t(draft.id ? 'lift.change' : 'lift.publish'), {
        type: 'submit',
        look: 'primary',
        wide: true,
        isBusy: form.isBusy,
      }),
    ),
  );
}

// MARK: The route

function route(screen) {
  const { value, error, isLoading } = screen.preview;
  if (error) return problemNotice(error, () => previewSoon(screen, 0));
  if (!value) return isLoading ? skeleton(2) : h('p', { class: 'muted', key: 'lead' }, t('lift.edit.lead'));
  return h(
    'div',
    { class: 'stack tight', key: 'way' },
    h(
      'p',
      { class: 'row wrap', role: 'status' },
      h('span', { class: 'strong numbers' }, `${distance(value.distanceMeters)} · `, minutes(value.durationSeconds)),
      value.mostPerSeat
        ? h('span', { class: 'muted small' }, t('lift.most', { price: money(value.mostPerSeat) }))
        : null,
    ),
    value.isStraightLine ? notice('warning', t('lift.straight')) : null,
  );
}

function stops(screen) {
  const { app, draft } = screen;
  const count = draft.via.length;
  const line = (stop) =>
    h(
      'li',
      { class: 'via-line', key: stop.id },
      stop.view(),
      iconButton('trash', t('lift.via.remove'), () => dropStop(screen, stop)),
    );
  const add = () => {
    draft.via = [...draft.via, stopField(screen, null)];
    app.redraw();
  };
  return h(
    'details',
    { class: 'fold', key: 'via', open: count > 0 },
    h('summary', null, count ? t('lift.via.count', { count }) : t('lift.via'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      h('p', { class: 'muted small' }, t('lift.via.lead')),
      count ? h('ol', { class: 'stack', 'aria-label': t('lift.via') }, draft.via.map(line)) : null,
      count < MOST_STOPS ? button(t('lift.via.add'), { icon: 'plus', onclick: add }) : null,
    ),
  );
}

/** Other drivers' trips along the same route. */
function alike({ app, preview }) {
  const items = preview.value?.alike ?? [];
  if (!items.length) return null;
  const title = t('lift.alike', { count: items.length });
  return h(
    'details',
    { class: 'fold', key: 'alike' },
    h('summary', null, title, icon('next')),
    h(
      'ul',
      { class: 'list', 'aria-label': title },
      items.map((one) => resultLine(one, app.favourites)),
    ),
  );
}

// MARK: When

function dates(screen) {
  const { draft, form, set } = screen;
  return [
    choices({
      name: 'repeat',
      label: t('lift.repeat'),
      value: draft.isWeekly ? 'weekly' : 'once',
      options: ['once', 'weekly'].map((one) => [one, t(`lift.repeat.${one}`)]),
      onchange: (one) => set(repeating(draft, one === 'weekly')),
    }),
    draft.isWeekly
      ? weekdayBoxes({
          chosen: () => draft.weekdays,
          onchange: (weekdays) => set({ weekdays }),
          error: form.errors.weekdays,
        })
      : null,
    departure(screen),
    draft.isWeekly
      ? field({
          id: 'until',
          label: t('lift.until.label'),
          type: 'date',
          isOptional: true,
          min: draft.date,
          value: draft.until,
          error: form.errors.until,
          onchange: ({ target }) => set({ until: target.value }),
        })
      : null,
    draft.timeZone === zoneHere() ? null : notice('neutral', t('lift.zone', { zone: draft.timeZone })),
  ];
}

const departure = ({ draft, form: { errors }, set }) =>
  h(
    'div',
    { class: 'pair', key: 'when' },
    field({
      id: 'date',
      label: t(draft.isWeekly ? 'lift.date.first' : 'lift.date'),
      type: 'date',
      required: true,
      min: draft.id ? null : today(),
      value: draft.date,
      error: errors.date ?? errors.departsAt,
      onchange: ({ target }) => target.value && set({ date: target.value }),
    }),
    field({
      id: 'time',
      label: t('lift.time'),
      type: 'time',
      required: true,
      value: draft.time,
      error: errors.time,
      onchange: ({ target }) => target.value && set({ time: target.value }),
    }),
  );

// MARK: Seats and their price

const seats = ({ draft, form, set }) =>
  select({
    id: 'seats',
    label: t('lift.seats'),
    value: String(draft.seats),
    error: form.errors.seats,
    options: Array.from({ length: MOST_SEATS }, (_, i) => [String(i + 1), String(i + 1)]),
    onchange: ({ target }) => set({ seats: Number(target.value) }),
  });

function prices({ draft, form, preview, set }) {
  if (!preview.value) return null;
  const most = preview.value.mostPerSeat;
  if (!most) return notice('neutral', t('lift.price.none'));
  const unit = minorUnits(most.currency);
  return [
    choices({
      name: 'payment',
      label: t('lift.payment'),
      value: draft.payment,
      options: PAYMENTS.map((one) => [one, t(`lift.payment.${one}`)]),
      onchange: (payment) =>
        set({
          payment,
          price: payment !== 'nothing' && !draft.price ? String(most.amount / unit) : draft.price,
        }),
    }),
    draft.payment === 'nothing'
      ? null
      : field({
          id: 'price',
          label: t('lift.price.label', { currency: most.currency }),
          type: 'number',
          inputmode: 'decimal',
          min: 0,
          max: most.amount / unit,
          step: 1 / unit,
          value: draft.price,
          hint: t('lift.price.hint', { price: money(most) }),
          error: form.errors.price ?? form.errors.pricePerSeat,
          oninput: ({ target }) => set({ price: target.value }),
        }),
  ];
}

// MARK: Detour, vehicle, preferences, note

const more = ({ draft, form, set, vehicles }) =>
  h(
    'details',
    { class: 'fold', key: 'more' },
    h('summary', null, t('lift.more'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      select({
        id: 'detour',
        label: t('lift.detour'),
        value: String(draft.detour),
        hint: t('lift.detour.hint'),
        options: [...new Set([...DETOURS, draft.detour])]
          .sort((a, b) => a - b)
          .map((one) => [String(one), one ? t('lift.detour.minutes', { minutes: one }) : t('lift.detour.none')]),
        onchange: ({ target }) => set({ detour: Number(target.value) }),
      }),
      vehicles().length > 1
        ? choices({
            name: 'vehicle',
            label: t('vehicle'),
            value: vehicleOf(draft, vehicles())?.id,
            options: vehicles().map(({ id, plate, make }) => [id, `${plate} · ${make}`]),
            onchange: (vehicle) => set({ vehicle }),
          })
        : null,
      checkboxes({
        key: 'preferences',
        prefix: 'preference',
        label: t('lift.preferences'),
        names: PREFERENCES,
        textOf: (name) => t(`lift.preference.${name}`),
        chosen: () => draft.preferences,
        onchange: (preferences) => set({ preferences }),
      }),
      field({
        id: 'note',
        label: t('lift.note'),
        isOptional: true,
        multiline: true,
        maxlength: 300,
        value: draft.note,
        error: form.errors.note,
        oninput: ({ target }) => {
          draft.note = target.value;
        },
      }),
    ),
  );
