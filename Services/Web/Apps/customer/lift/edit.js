// "I want to drive": a new or changed trip, once or every week.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { distance, minorUnits, minutes, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go, screen } from '/apps/shared/shell.js';
import {
  button,
  choices,
  confirm,
  createForm,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toast,
  toggle,
} from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createPlaceField, pointOf } from '../shared/place-field.js';
import { pathOf } from './paths.js';
import { resultLine } from './result.js';
import { WEEKDAYS, dateIn, today, weekdayOf, weekdayText } from './words.js';
import { createWayEditor } from './way-editor.js';

const MOST_VIA = 8;
const MOST_SEATS = 7;
/** Offered detours, in minutes. */
const DETOURS = [0, 5, 10, 15, 20, 30];
const PREFERENCES = ['quiet', 'music', 'noSmoking', 'luggage', 'pets', 'womenOnly'];
const PAYMENTS = ['nothing', 'cash', 'app'];
/** Pause between two previews while a point is dragged, in ms. */
const PAUSE = 350;
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function createEdit(app) {
  const { api, changed, favourites, position, redraw, resources } = app;
  const once = createOnce(api);
  let form = createForm(redraw);
  let draft = null;
  let preview = fresh();
  let timer = null;
  let stopper = null;
  let editor = null;
  let fitted = null;
  let drawn = null;

  function fresh() {
    return { of: null, value: null, error: null, isLoading: false };
  }

  const slot = createMapSlot('lift-edit-map', redraw, {
    label: () => t('lift.map.edit'),
    onready(map) {
      [editor, fitted, drawn] = [map.isPlain ? null : createWayEditor(map, { move, insert, remove }), null, null];
      map.setInset({ top: 40, left: 40, right: 64, bottom: 48 });
    },
    onclick(at) {
      const end = draft && [draft.origin, draft.destination].find((one) => !one.place);
      if (end) end.set(at);
    },
  });

  // MARK: The draft

  const end = (name, label) =>
    createPlaceField(app, {
      id: name,
      label: () => t(label),
      near: () => draft?.origin.place ?? draft?.destination.place ?? position.last,
      onchange: (_, isNamed) => !isNamed && touch(),
    });
  const touch = () => {
    draft.isTouched = true;
    soon();
  };
  /** The search's ends, which a new draft takes over. */
  const wished = () => JSON.stringify([app.ends.from.place, app.ends.to.place]);

  function begin(trip) {
    const tomorrow = dateIn(serverNow() + 86_400_000);
    draft = {
      id: trip?.id ?? null,
      origin: end('origin', 'lift.origin'),
      destination: end('destination', 'lift.destination'),
      via: (trip?.via ?? []).map((one) => viaOf(one)),
      wasWeekly: Boolean(trip?.repeats),
      nextDate: trip?.nextDate ?? null,
      date: trip?.departsAt.slice(0, 10) ?? tomorrow,
      time: trip?.departsAt.slice(11, 16) ?? '08:00',
      isWeekly: Boolean(trip?.repeats),
      weekdays: trip?.repeats?.weekdays ?? [],
      until: trip?.repeats?.until ?? '',
      exceptions: trip?.repeats?.exceptions ?? [],
      seats: trip?.seats ?? 3,
      detour: Math.round((trip?.maxDetourSeconds ?? 0) / 60),
      payment: trip?.payment ?? 'nothing',
      price: '',
      priceAmount: trip?.pricePerSeat?.amount ?? null,
      vehicle: null,
      vehicleOf: trip?.vehicle?.id ?? null,
      isAutomatic: trip?.acceptsAutomatically ?? false,
      note: trip?.note ?? '',
      preferences: trip?.preferences ?? [],
      timeZone: trip?.timeZone ?? zoneHere(),
    };
    if (trip?.pricePerSeat) draft.price = String(trip.pricePerSeat.amount / minorUnits(trip.pricePerSeat.currency));
    const [from, to] = trip ? [trip.origin, trip.destination] : [app.ends.from.place, app.ends.to.place];
    draft.wished = wished();
    draft.origin.take(from);
    draft.destination.take(to);
    [form, preview] = [createForm(redraw, { destination: 'destination' }), fresh()];
    [editor, fitted, drawn] = [slot.map && !slot.map.isPlain ? editor : null, null, null];
    soon(0);
  }

  /** Counts stops, for the ids of their address fields. */
  let count = 0;
  function viaOf(place) {
    count += 1;
    const one = createPlaceField(app, {
      id: `via-${count}`,
      label: () => t('lift.via.number', { number: (draft?.via.indexOf(one) ?? 0) + 1 }),
      near: () => draft?.origin.place,
      onchange: (_, isNamed) => !isNamed && touch(),
    });
    if (place) one.take(place);
    return one;
  }

  const set = (change) => {
    Object.assign(draft, change, { isTouched: true });
    redraw();
  };
  const points = () => [draft.origin, ...draft.via.filter((one) => one.place), draft.destination];

  // MARK: The route

  function move(index, at, isOver) {
    if (isOver) {
      points()[index].set(at);
      return;
    }
    soon(
      PAUSE,
      points().map((one, i) => (i === index ? at : one.place)),
    );
  }
  function insert(index, at, isOver) {
    const all = points().map((one) => one.place);
    if (!isOver) return void soon(PAUSE, [...all.slice(0, index), at, ...all.slice(index)]);
    const before = points()[index];
    const one = viaOf(null);
    const place = before === draft.destination ? draft.via.length : draft.via.indexOf(before);
    draft.via = [...draft.via.slice(0, place), one, ...draft.via.slice(place)];
    one.set(at);
  }
  async function remove(index) {
    const one = points()[index];
    if (!(await confirm(t('lift.via.remove.sure'), null, { yes: t('lift.via.remove'), no: t('action.keep') }))) return;
    drop(one);
  }
  function drop(one) {
    draft.via = draft.via.filter((other) => other !== one);
    soon(0);
    redraw();
  }

  /** Requests the route soon; for a point that is dragged, before it is dropped. */
  function soon(pause = PAUSE, places = null) {
    if (places && timer) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      if (draft) ask(places ?? points().map(({ place }) => place));
    }, pause);
  }

  async function ask(places) {
    stopper?.abort();
    if (!places.every(Boolean)) {
      preview = fresh();
      return redraw();
    }
    const { signal } = (stopper = new AbortController());
    preview.isLoading = true;
    redraw();
    try {
      const [origin, via, destination] = [places[0], places.slice(1, -1), places.at(-1)];
      const value = await api.call('POST', '/v1/trips/preview', {
        body: { origin, destination, via: via.map(pointOf) },
        signal,
      });
      preview = { of: JSON.stringify(places.map(pointOf)), value, error: null, isLoading: false };
    } catch (error) {
      if (signal.aborted) return undefined;
      preview = { ...fresh(), error };
    }
    return redraw();
  }

  function sync() {
    const view = slot.map;
    if (!view || view.isPlain || !draft) return;
    const places = points().map(({ place }) => place);
    editor?.show(places, preview.value?.way, MOST_VIA);
    if (drawn !== preview.value) {
      drawn = preview.value;
      view.setRoute(
        'way',
        drawn && {
          geometry: drawn.way,
          source: drawn.isStraightLine ? 'straightLine' : 'router',
          attribution: drawn.attribution,
        },
      );
    }
    const known = places.filter(Boolean);
    const what = JSON.stringify([places[0] ?? null, places.at(-1) ?? null].map((one) => one && pointOf(one)));
    if (fitted === what) return;
    fitted = what;
    if (known.length > 1)
      view.fit(
        [...known, ...(preview.value?.way.coordinates ?? []).map(([longitude, latitude]) => ({ latitude, longitude }))],
        { maxZoom: 15 },
      );
    else if (known[0] ?? position.last) view.go(known[0] ?? position.last, 13);
  }

  // MARK: Sending

  const vehicles = () => resources.get('/v1/me/vehicles').value?.items ?? [];
  const vehicleOf = () =>
    vehicles().find(({ id }) => id === (draft.vehicle ?? draft.vehicleOf)) ?? (draft.id ? null : vehicles()[0]);
  const currency = () => preview.value?.mostPerSeat?.currency ?? null;
  /** Skipped dates stay skipped if they still belong to the trip. */
  const repeats = () =>
    draft.isWeekly
      ? {
          weekdays: draft.weekdays,
          ...(draft.until ? { until: draft.until } : {}),
          exceptions: draft.exceptions.filter(
            (date) =>
              draft.weekdays.includes(weekdayOf(date)) && date >= draft.date && (!draft.until || date <= draft.until),
          ),
        }
      : undefined;

  const send = (event) =>
    form.submit(async () => {
      const errors = {};
      if (!draft.origin.place) errors.origin = t('lift.end.choose');
      if (!draft.destination.place) errors.destination = t('lift.end.choose');
      if (draft.isWeekly && !draft.weekdays.length) errors.weekdays = t('lift.weekdays.none');
      const hasPrice = draft.payment !== 'nothing' && currency();
      const amount = hasPrice ? Math.round(Number(String(draft.price).replace(',', '.')) * minorUnits(currency())) : 0;
      if (hasPrice && !(amount > 0)) errors.price = t('lift.price.missing');
      form.errors = errors;
      if (Object.keys(errors).length) form.refuse(errors);
      const body = {
        origin: draft.origin.place,
        destination: draft.destination.place,
        via: draft.via.filter((one) => one.place).map(({ place }) => pointOf(place)),
        departsAt: `${draft.date}T${draft.time}:00`,
        ...(draft.isWeekly ? { repeats: repeats() } : draft.wasWeekly ? { repeats: null } : {}),
        seats: draft.seats,
        maxDetourSeconds: draft.detour * 60,
        pricePerSeat: amount,
        payment: amount ? draft.payment : 'nothing',
        acceptsAutomatically: draft.isAutomatic,
        ...(draft.vehicle || (!draft.id && vehicleOf()) ? { vehicleId: draft.vehicle ?? vehicleOf().id } : {}),
        note: draft.note.trim(),
        preferences: draft.preferences,
      };
      const trip = draft.id
        ? await api.patch(pathOf(draft.id), body)
        : await once('/v1/trips', { ...body, note: body.note || undefined, timeZone: draft.timeZone });
      toast(t(draft.id ? 'lift.changed' : 'lift.published'), 'success');
      draft = null;
      changed();
      go(escaped`/lift/trips/${trip.id}`);
    })(event);

  // MARK: Drawing

  const day = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name: `day-${name}`,
        checked: draft.weekdays.includes(name),
        onchange: ({ target }) =>
          set({ weekdays: WEEKDAYS.filter((one) => (one === name ? target.checked : draft.weekdays.includes(one))) }),
      }),
      h('span', null, weekdayText(name)),
    );

  function ways() {
    const { value, error, isLoading } = preview;
    if (error) return problemNotice(error, () => soon(0));
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

  const viaLine = (one) =>
    h(
      'li',
      { class: 'via-line', key: one.id },
      one.view(),
      iconButton('trash', t('lift.via.remove'), () => drop(one)),
    );
  const vias = () =>
    h(
      'details',
      { class: 'fold', key: 'via', open: draft.via.length > 0 },
      h(
        'summary',
        null,
        draft.via.length ? t('lift.via.count', { count: draft.via.length }) : t('lift.via'),
        icon('next'),
      ),
      h(
        'div',
        { class: 'stack' },
        h('p', { class: 'muted small' }, t('lift.via.lead')),
        draft.via.length ? h('ol', { class: 'stack', 'aria-label': t('lift.via') }, draft.via.map(viaLine)) : null,
        draft.via.length < MOST_VIA
          ? button(t('lift.via.add'), {
              icon: 'plus',
              onclick: () => {
                draft.via = [...draft.via, viaOf(null)];
                redraw();
              },
            })
          : null,
      ),
    );

  function dates() {
    const { errors } = form;
    return [
      choices({
        name: 'repeat',
        label: t('lift.repeat'),
        value: draft.isWeekly ? 'weekly' : 'once',
        options: ['once', 'weekly'].map((one) => [one, t(`lift.repeat.${one}`)]),
        onchange: (one) =>
          set({
            isWeekly: one === 'weekly',
            weekdays: one === 'weekly' && !draft.weekdays.length ? [weekdayOf(draft.date)] : draft.weekdays,
            date: one === 'once' ? (draft.nextDate ?? draft.date) : draft.date,
          }),
      }),
      draft.isWeekly
        ? h(
            'fieldset',
            { class: 'choices', key: 'days' },
            h('legend', null, t('lift.weekdays')),
            h('div', { class: 'choice-row' }, WEEKDAYS.map(day)),
            errors.weekdays ? h('p', { class: 'error', role: 'alert' }, errors.weekdays) : null,
          )
        : null,
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
      ),
      draft.isWeekly
        ? field({
            id: 'until',
            label: t('lift.until.label'),
            type: 'date',
            isOptional: true,
            min: draft.date,
            value: draft.until,
            error: errors.until,
            onchange: ({ target }) => set({ until: target.value }),
          })
        : null,
      draft.timeZone === zoneHere() ? null : notice('neutral', t('lift.zone', { zone: draft.timeZone })),
    ];
  }

  function prices() {
    const { value } = preview;
    if (!value) return null;
    if (!value.mostPerSeat) return notice('neutral', t('lift.price.none'));
    const unit = minorUnits(currency());
    return [
      choices({
        name: 'payment',
        label: t('lift.payment'),
        value: draft.payment,
        options: PAYMENTS.map((one) => [one, t(`lift.payment.${one}`)]),
        onchange: (payment) =>
          set({
            payment,
            price: payment !== 'nothing' && !draft.price ? String(value.mostPerSeat.amount / unit) : draft.price,
          }),
      }),
      draft.payment === 'nothing'
        ? null
        : field({
            id: 'price',
            label: t('lift.price.label', { currency: currency() }),
            type: 'number',
            inputmode: 'decimal',
            min: 0,
            max: value.mostPerSeat.amount / unit,
            step: 1 / unit,
            value: draft.price,
            hint: t('lift.price.hint', { price: money(value.mostPerSeat) }),
            error: form.errors.price ?? form.errors.pricePerSeat,
            oninput: ({ target }) => set({ price: target.value }),
          }),
    ];
  }

  const more = () =>
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
              value: vehicleOf()?.id,
              options: vehicles().map(({ id, plate, make }) => [id, `${plate} · ${make}`]),
              onchange: (vehicle) => set({ vehicle }),
            })
          : null,
        h(
          'fieldset',
          { class: 'choices', key: 'preferences' },
          h('legend', null, t('lift.preferences')),
          h(
            'div',
            { class: 'choice-row' },
            PREFERENCES.map((name) =>
              h(
                'label',
                { class: 'choice', key: name },
                h('input', {
                  type: 'checkbox',
                  name: `preference-${name}`,
                  checked: draft.preferences.includes(name),
                  onchange: ({ target }) =>
                    set({
                      preferences: PREFERENCES.filter((one) =>
                        one === name ? target.checked : draft.preferences.includes(one),
                      ),
                    }),
                }),
                h('span', null, t(`lift.preference.${name}`)),
              ),
            ),
          ),
        ),
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

  const alike = () => {
    const items = preview.value?.alike ?? [];
    return items.length
      ? h(
          'details',
          { class: 'fold', key: 'alike' },
          h('summary', null, t('lift.alike', { count: items.length }), icon('next')),
          h(
            'ul',
            { class: 'list', 'aria-label': t('lift.alike', { count: items.length }) },
            items.map((one) => resultLine(one, favourites)),
          ),
        )
      : null;
  };

  const fields = () =>
    form.view(
      { class: 'stack lift-form', key: 'trip', onsubmit: send },
      draft.origin.view(form.errors.origin),
      draft.destination.view(form.errors.destination),
      ways(),
      vias(),
      alike(),
      dates(),
      h(
        'div',
        { class: 'pair', key: 'seats' },
        select({
          id: 'seats',
          label: t('lift.seats'),
          value: String(draft.seats),
          error: form.errors.seats,
          options: Array.from({ length: MOST_SEATS }, (_, i) => [String(i + 1), String(i + 1)]),
          onchange: ({ target }) => set({ seats: Number(target.value) }),
        }),
      ),
      prices(),
      toggle({
        id: 'automatic',
        label: t('lift.automatic'),
        hint: t('lift.automatic.hint'),
        isOn: draft.isAutomatic,
        onchange: (isAutomatic) => set({ isAutomatic }),
      }),
      more(),
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

  function shown(title, back, trip) {
    if (!draft || draft.id !== (trip?.id ?? null) || (!trip && !draft.isTouched && draft.wished !== wished()))
      begin(trip);
    position.start();
    queueMicrotask(() => requestAnimationFrame(sync));
    return {
      title,
      hasMap: true,
      view: screen(
        title,
        { back },
        h('div', { class: 'card parked-map lift-map', key: 'map' }, slot.view('map-holder')),
        fields(),
      ),
    };
  }

  return {
    make: () => shown(t('lift.drive'), '/lift', null),
    change({ id }) {
      const entry = resources.get(pathOf(id));
      const back = escaped`/lift/trips/${id}`;
      if (entry.value?.isMine) return shown(t('lift.change.title'), back, entry.value);
      return {
        title: t('lift.change.title'),
        view: screen(
          t('lift.change.title'),
          { back },
          entry.error
            ? problemNotice(entry.error, () => resources.reload(entry.path))
            : entry.value
              ? notice('danger', t('problem.trip.unknown'))
              : skeleton(6),
        ),
      };
    },
    leave() {
      slot.leave();
      clearTimeout(timer);
      stopper?.abort();
      [editor, timer] = [null, null];
      // A new draft stays; a changed trip starts again from its stored state.
      if (draft?.id) draft = null;
    },
    forget() {
      draft = null;
    },
  };
}
