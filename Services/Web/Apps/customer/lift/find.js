// Searching for a lift: start, destination and time; the drivers; and alerts for new trips.

import { serverNow } from '/apps/shared/clock.js';
import { momentOf } from '/apps/shared/car-parks.js';
import { h, uuid } from '/apps/shared/dom.js';
import { distance, t, tProblem, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { escaped } from '/apps/shared/api.js';
import { go, screen } from '/apps/shared/shell.js';
import { recall, remember } from '/apps/shared/storage.js';
import {
  badge,
  button,
  choices,
  createForm,
  empty,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { connectionLine, resultLine } from './result.js';
import { WEEKDAYS, dateIn, later, nameOf, today, weekdayText, when } from './words.js';

const SEEN = 'openvalet.customer.lift.introduced';
const STEPS = 3;
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** Results older than this are loaded again, in ms. */
const OLD = 60_000;
const DAY_MINUTES = 1_440;
const WALKS = [300, 500, 1_000, 2_000, 5_000];
/** How long after the given time the lift may start, in hours; the rest of the day, or a week. */
const WINDOWS = ['1', '3', 'day', 'week'];
const MANY = 100;
/** With fewer trips, two connecting lifts are searched as well, and this many shown. */
const FEW = 3;
const CONNECTIONS = 5;
const minuteOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

export function createFind(app) {
  const { api, ends, favourites, position, redraw, resources, store } = app;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  let form = createForm(redraw);
  const wanted = fresh();
  let found = nothing();
  let saving = null;
  let step = recall(SEEN) ? null : 0;

  function fresh() {
    const soon = new Date(Math.ceil((serverNow() + 300_000) / 900_000) * 900_000);
    return {
      repeat: 'once',
      date: dateIn(soon),
      time: `${String(soon.getHours()).padStart(2, '0')}:${String(soon.getMinutes()).padStart(2, '0')}`,
      window: '3',
      weekdays: WEEKDAYS.slice(0, 5),
      from: '07:00',
      until: '09:00',
      seats: '1',
      walk: '1000',
    };
  }
  function nothing() {
    return { items: null, connections: [], error: null, at: null, isLoading: false, isSaved: false };
  }

  const set = (change) => {
    Object.assign(wanted, change);
    found = nothing();
    redraw();
  };
  /** The results belong to other ends. */
  const endsChanged = () => {
    found = nothing();
    redraw();
  };

  // MARK: Searching

  function query() {
    const common = {
      from: point(ends.from.place),
      to: point(ends.to.place),
      seats: Number(wanted.seats),
      maxWalkMeters: Number(wanted.walk),
    };
    const now = serverNow();
    const between = (start, end) => ({
      departAfter: new Date(start).toISOString(),
      departBefore: new Date(end).toISOString(),
    });
    if (wanted.repeat === 'weekly') return { ...common, ...between(now, now + WEEK), limit: MANY };
    const start = Math.max(Date.parse(momentOf(`${wanted.date}T${wanted.time}`, zone)), now);
    const end =
      { day: () => Date.parse(momentOf(`${later(wanted.date, 1)}T00:00`, zone)), week: () => start + WEEK }[
        wanted.window
      ]?.() ?? start + Number(wanted.window) * HOUR;
    return { ...common, ...between(start, end) };
  }
  const point = ({ latitude, longitude }) => ({ latitude, longitude });

  /** Each weekly trip once, with the days and the time that fit the search. */
  function weekly(items) {
    const seen = new Set();
    return items.filter(({ tripId, repeats, pickUp }) => {
      const at = new Date(pickUp.at);
      const minute = at.getHours() * 60 + at.getMinutes();
      const fits =
        repeats &&
        wanted.weekdays.some((day) => repeats.weekdays.includes(day)) &&
        minute >= minuteOf(wanted.from) &&
        minute <= minuteOf(wanted.until) &&
        !seen.has(tripId);
      if (fits) seen.add(tripId);
      return fits;
    });
  }

  function check() {
    const errors = {};
    if (!ends.from.place) errors.from = t('lift.end.choose');
    if (!ends.to.place) errors.to = t('lift.end.choose');
    if (wanted.repeat === 'weekly' && !wanted.weekdays.length) errors.weekdays = t('lift.weekdays.none');
    if (wanted.repeat === 'weekly' && wanted.from >= wanted.until) errors.until = t('lift.until.wrong');
    if (
      wanted.repeat === 'once' &&
      wanted.window !== 'week' &&
      Date.parse(momentOf(`${wanted.date}T${wanted.time}`, zone)) < serverNow() - HOUR
    )
      errors.date = t('lift.date.past');
    form.errors = errors;
    return !Object.keys(errors).length;
  }

  /** If few trips cover the whole route on one day, two connecting lifts are searched as well. */
  async function ask() {
    const look = (more) => api.call('POST', '/v1/trips/search', { body: { ...query(), ...more } });
    let { items, connections = [] } = await look();
    if (wanted.repeat === 'weekly') items = weekly(items);
    else if (items.length < FEW) ({ items, connections } = await look({ openEnds: true }));
    return { items, connections: connections.slice(0, CONNECTIONS), at: serverNow() };
  }

  /** Refreshes results that are old for a person who comes back to them. */
  async function again() {
    const mine = found;
    if (!mine.items || mine.isLoading || mine.isAgain || serverNow() - mine.at < OLD || !check()) return;
    mine.isAgain = true;
    try {
      Object.assign(mine, await ask());
    } catch (error) {
      Object.assign(mine, { items: null, error });
    }
    mine.isAgain = false;
    redraw();
  }

  async function search(event) {
    event?.preventDefault();
    const node = event?.currentTarget;
    if (!check()) {
      redraw();
      requestAnimationFrame(() => requestAnimationFrame(() => node?.querySelector('[aria-invalid="true"]')?.focus()));
      return;
    }
    const mine = (found = { ...nothing(), isLoading: true });
    redraw();
    try {
      Object.assign(mine, await ask());
    } catch (error) {
      mine.error = error;
    }
    mine.isLoading = false;
    redraw();
    if (found === mine && mine.items)
      requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('lift-results')?.focus()));
  }

  async function save() {
    if (!check()) return redraw();
    saving = saving?.error ? saving : { key: uuid() };
    Object.assign(saving, { isBusy: true, error: null });
    redraw();
    const range =
      wanted.repeat === 'weekly'
        ? [minuteOf(wanted.from), minuteOf(wanted.until)]
        : wanted.window === 'week'
          ? [0, DAY_MINUTES]
          : [
              minuteOf(wanted.time),
              wanted.window === 'day'
                ? DAY_MINUTES
                : Math.min(DAY_MINUTES, minuteOf(wanted.time) + Number(wanted.window) * 60),
            ];
    const name = t('lift.fromTo', {
      from: ends.from.place.address ?? t('lift.point'),
      to: ends.to.place.address ?? t('lift.point'),
    }).slice(0, 60);
    try {
      await api.post(
        '/v1/me/saved-searches',
        {
          name,
          from: point(ends.from.place),
          to: point(ends.to.place),
          seats: Number(wanted.seats),
          maxWalkMeters: Number(wanted.walk),
          timeZone: zone,
          fromMinute: range[0],
          untilMinute: range[1],
          ...(wanted.repeat === 'weekly'
            ? { weekdays: wanted.weekdays }
            : wanted.window === 'week'
              ? {}
              : { date: wanted.date }),
        },
        { key: saving.key },
      );
      [saving, found.isSaved] = [null, true];
      resources.reload('/v1/me/saved-searches');
      toast(t('lift.saved'), 'success');
    } catch (error) {
      Object.assign(saving, { isBusy: false, error });
    }
    return redraw();
  }

  // MARK: The first visit

  function finish() {
    step = null;
    remember(SEEN, true);
    redraw();
  }
  const introduction = () =>
    step !== null &&
    h(
      'section',
      { class: 'card stack', key: 'intro', 'aria-labelledby': 'lift-intro' },
      h(
        'div',
        { class: 'row between' },
        h('h2', { id: 'lift-intro' }, t(`lift.intro.${step + 1}`)),
        iconButton('close', t('lift.intro.skip'), finish),
      ),
      h('p', { 'aria-live': 'polite' }, t(`lift.intro.${step + 1}.text`)),
      h(
        'div',
        { class: 'row between' },
        h('span', { class: 'muted small numbers' }, t('lift.intro.step', { step: step + 1, count: STEPS })),
        h(
          'div',
          { class: 'row' },
          step
            ? button(t('action.back'), {
                look: 'quiet',
                onclick: () => {
                  step -= 1;
                  redraw();
                },
              })
            : null,
          step + 1 < STEPS
            ? button(t('lift.intro.next'), {
                onclick: () => {
                  step += 1;
                  redraw();
                },
              })
            : button(t('lift.intro.done'), { look: 'primary', onclick: finish }),
        ),
      ),
    );

  // MARK: Drawing

  const day = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name: `day-${name}`,
        checked: wanted.weekdays.includes(name),
        onchange: ({ target }) =>
          set({ weekdays: WEEKDAYS.filter((one) => (one === name ? target.checked : wanted.weekdays.includes(one))) }),
      }),
      h('span', null, weekdayText(name)),
    );

  function swap() {
    const [a, b] = [ends.from.place, ends.to.place];
    ends.from.set(b);
    ends.to.set(a);
  }

  const fields = () =>
    form.view(
      { class: 'stack lift-form', key: 'search', onsubmit: search },
      h(
        'div',
        { class: 'ends' },
        ends.from.view(form.errors.from),
        iconButton('swap', t('lift.swap'), swap, { class: 'icon-button swap' }),
        ends.to.view(form.errors.to),
      ),
      choices({
        name: 'repeat',
        label: t('lift.repeat'),
        hideLabel: true,
        value: wanted.repeat,
        options: ['once', 'weekly'].map((one) => [one, t(`lift.repeat.${one}`)]),
        onchange: (repeat) => set({ repeat }),
      }),
      wanted.repeat === 'once'
        ? [
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
          ]
        : [
            h(
              'fieldset',
              { class: 'choices', key: 'days' },
              h('legend', null, t('lift.weekdays')),
              h('div', { class: 'choice-row' }, WEEKDAYS.map(day)),
              form.errors.weekdays ? h('p', { class: 'error', role: 'alert' }, form.errors.weekdays) : null,
            ),
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
          ],
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
      ),
      button(t('lift.search'), {
        type: 'submit',
        look: 'primary',
        icon: 'search',
        wide: true,
        isBusy: found.isLoading,
      }),
    );

  // MARK: The map, where there is room for it

  const wide = matchMedia('(min-width: 56.25rem)');
  wide.addEventListener('change', redraw);
  let fitted = null;
  const slot = createMapSlot('lift-find-map', redraw, {
    label: () => t('lift.map'),
    onready: () => (fitted = null),
    onclick: (at) => [ends.from, ends.to].find(({ place }) => !place)?.set(at),
  });
  function sync() {
    const view = slot.map;
    if (!view || view.isPlain) return;
    const here = position.last;
    view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
    for (const [name, { place }] of Object.entries(ends))
      view.setMarker(
        name,
        place && {
          ...place,
          kind: name === 'from' ? 'place' : 'parked',
          icon: name === 'from' ? 'user' : 'check',
          title: t(`lift.${name}`),
        },
      );
    view.setMarkers(
      'found-',
      (found.items ?? []).map(({ tripId, date, timeZone, driver, pickUp }) => ({
        ...pickUp.point,
        id: `${tripId}-${date}`,
        kind: 'car',
        icon: 'car',
        text: time(pickUp.at, timeZone),
        title: `${nameOf(driver)}, ${when(pickUp.at, timeZone)}`,
        onclick: () => go(`${escaped`/lift/trips/${tripId}`}?date=${date}`),
      })),
    );
    const shown = [ends.from.place, ends.to.place].filter(Boolean);
    const what = JSON.stringify([shown, shown.length ? null : Boolean(here)]);
    if (fitted === what) return;
    fitted = what;
    if (shown.length) view.fit(shown, { maxZoom: 15 });
    else if (here) view.go(here, 14);
    else if (store.value.areas?.length) view.fitAreas(store.value.areas);
  }

  const tell = () =>
    found.isSaved
      ? notice('success', t('lift.saved'), h('a', { class: 'button', href: '#/lift/searches' }, t('lift.searches')))
      : [
          button(t('lift.tell'), { icon: 'bell', wide: true, isBusy: saving?.isBusy, onclick: save }),
          saving?.error ? notice('danger', tProblem(saving.error)) : null,
        ];

  function results() {
    const { items, connections, error, isLoading } = found;
    if (isLoading) return skeleton(6);
    if (error) return problemNotice(error, () => search());
    if (!items) return null;
    return h(
      'section',
      { class: 'stack', key: 'results', 'aria-labelledby': 'lift-results' },
      h('h2', { id: 'lift-results', tabindex: '-1' }, t('lift.found', { count: items.length })),
      items.length
        ? h(
            'ul',
            { class: 'list', 'aria-labelledby': 'lift-results' },
            items.map((one) => resultLine(one, favourites)),
          )
        : connections.length
          ? null
          : empty('route', t('lift.none'), t('lift.none.lead')),
      connections.length
        ? [
            h('h3', { id: 'lift-connections', key: 'connections' }, t('lift.connections')),
            h('p', { class: 'muted small', key: 'halves' }, t('lift.connections.lead')),
            h(
              'ul',
              { class: 'list', key: 'two', 'aria-labelledby': 'lift-connections' },
              connections.map(connectionLine),
            ),
          ]
        : null,
      tell(),
    );
  }

  const line = (href, name, text, more) =>
    h(
      'li',
      { key: href },
      h(
        'a',
        { class: 'list-item', href: `#${href}` },
        icon(name),
        h('span', { class: 'grow' }, text),
        more ?? null,
        icon('next'),
      ),
    );
  function mine() {
    const asked = (resources.list('/v1/me/seat-requests?open=true').value?.items ?? []).filter(
      ({ status, asks, driver }) => status === 'pending' && (asks === 'driver') === (driver.id === api.account.id),
    ).length;
    return h(
      'nav',
      { 'aria-label': t('lift.mine'), key: 'mine' },
      h(
        'ul',
        { class: 'list lined' },
        line('/lift/rides', 'clock', t('lift.rides.mine')),
        line('/lift/requests', 'user', t('lift.requests'), asked ? badge(String(asked), 'warning') : null),
        line('/lift/trips', 'car', t('lift.trips.mine')),
        line('/lift/favourites', 'heart', t('lift.favourites')),
        line('/lift/searches', 'bell', t('lift.searches')),
        line('/lift/help', 'info', t('lift.help')),
      ),
    );
  }

  function toConfirm() {
    const [first] = resources.get('/v1/me/confirmations').value?.items ?? [];
    return first?.rideId
      ? notice(
          'warning',
          t('lift.confirm.question', { name: nameOf(first.passenger) }),
          h('a', { class: 'button', href: `#/lift/rides/${first.rideId}` }, t('lift.confirm.answer')),
        )
      : null;
  }

  return {
    endsChanged,
    draw: () => {
      again();
      if (wide.matches) queueMicrotask(() => requestAnimationFrame(sync));
      return screenOf();
    },
    leave() {
      slot.leave();
      fitted = null;
    },
    forget() {
      Object.assign(wanted, fresh());
      [found, form, saving] = [nothing(), createForm(redraw), null];
    },
  };

  function screenOf() {
    return {
      title: t('lift.title'),
      hasMap: wide.matches,
      view: screen(
        t('lift.title'),
        { actions: h('a', { class: 'icon-button', href: '#/menu', 'aria-label': t('menu.open') }, icon('menu')) },
        introduction() || null,
        toConfirm(),
        fields(),
        results(),
        h('a', { class: 'button wide', key: 'drive', href: '#/lift/trips/new' }, icon('car'), t('lift.drive')),
        mine(),
        wide.matches ? h('div', { class: 'card parked-map lift-map', key: 'map' }, slot.view('map-holder')) : null,
      ),
    };
  }
}
