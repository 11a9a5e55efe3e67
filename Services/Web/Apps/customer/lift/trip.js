// One trip: its route on the map with the walks at both ends, and a seat to request; for one's own, its dates.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { metersBetween } from '/apps/shared/position.js';
import { address, go, screen } from '/apps/shared/shell.js';
import {
  button,
  choices,
  confirm,
  createForm,
  facts,
  field,
  notice,
  problemNotice,
  select,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { pointOf } from '../shared/place-field.js';
import { REQUESTS, pathOf } from './paths.js';
import {
  dayText,
  datesOf,
  everyText,
  later,
  nameOf,
  person,
  placeText,
  priceText,
  repeatsText,
  seatBadge,
  today,
  tripBadge,
  wayText,
  when,
} from './words.js';

/** The largest distance of a pick-up from the route, in metres; beyond it, passengers walk to the route. */
const NEAR = 1_000;
/** The person's own rides from today on. */
const ridesPath = () => withQuery('/v1/rides', { role: 'driver', from: `${later(today(), -1)}T00:00:00Z`, limit: 100 });

export function createTrip(app) {
  const { api, changed, ends, favourites, redraw, resources, seen } = app;
  const cards = createCards(app);
  const once = createOnce(api);
  let form = createForm(redraw);
  let state = { of: null, changes: {} };
  let fitted = null;
  let drawn = null;
  let walked = [];
  const asked = new Map();
  const slot = createMapSlot('lift-trip-map', redraw, {
    label: () => t('lift.map'),
    onready(map) {
      [fitted, drawn, walked] = [null, null, []];
      map.setInset({ top: 40, bottom: 48 });
    },
  });

  const act = createAct(() => state, { redraw, after: changed });

  // MARK: Pick-up and drop-off

  function walkOf(trip, name) {
    const [place, other] = [endOf(name), endOf(name === 'from' ? 'to' : 'from')];
    if (!place || trip.isMine) return null;
    const { latitude, longitude } = pointOf(place);
    const { latitude: otherLatitude, longitude: otherLongitude } = other ? pointOf(other) : {};
    return lookUp(
      withQuery(`${pathOf(trip.id)}/walk`, {
        latitude,
        longitude,
        end: name === 'from' ? 'pickUp' : 'dropOff',
        otherLatitude,
        otherLongitude,
      }),
    );
  }
  /** Requested once while the trip is viewed, and not stored on the device. */
  function lookUp(path) {
    if (!asked.has(path)) {
      const entry = { value: null, error: null };
      asked.set(path, entry);
      api
        .get(path)
        .then(
          (value) => (entry.value = value),
          (error) => (entry.error = error),
        )
        .finally(redraw);
    }
    return asked.get(path);
  }
  /** One end of the ride: from the address when changing between two lifts, otherwise the person's own. */
  const endOf = (name) => state.changes[name] ?? ends[name].place;
  function changesOf(query) {
    const point = (name) => {
      const [latitude, longitude] = (query.get(name) ?? '').split(',').map(Number);
      return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
        ? { latitude, longitude, address: t('lift.transfer') }
        : null;
    };
    return { from: point('from'), to: point('to') };
  }
  const walks = (trip) => ['from', 'to'].map((name) => walkOf(trip, name)?.value ?? null);

  function sync(trip) {
    const view = slot.map;
    if (!view || view.isPlain || !trip) return;
    if (drawn !== trip.way) {
      drawn = trip.way;
      view.setRoute('way', { geometry: trip.way, source: trip.isStraightLine ? 'straightLine' : 'router' });
      view.setMarker('start', { ...trip.origin, kind: 'order', icon: 'car', title: t('lift.origin') });
      view.setMarker('finish', { ...trip.destination, kind: 'parked', icon: 'check', title: t('lift.destination') });
    }
    const [first, last] = walks(trip);
    [
      ['pickUp', first, 'from'],
      ['dropOff', last, 'to'],
    ].forEach(([name, walk, end], i) => {
      const place = trip.isMine ? null : endOf(end);
      view.setMarker(`mine-${end}`, place && { ...place, kind: 'me', icon: 'pin', title: t(`lift.${end}`) });
      view.setMarker(name, walk && { ...walk.meetingPoint, kind: 'place', icon: 'user', title: t(`lift.${name}`) });
      if (walked[i] === walk) return;
      walked[i] = walk;
      view.setRoute(
        `walk-${name}`,
        walk && { geometry: walk.way.geometry, source: 'straightLine', attribution: walk.way.attribution },
      );
    });
    const what = `${trip.id} ${trip.version} ${Boolean(first)} ${Boolean(last)}`;
    if (fitted === what) return;
    fitted = what;
    view.fit(
      [
        ...trip.way.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })),
        ...(trip.isMine ? [] : [endOf('from'), endOf('to')]),
      ],
      { maxZoom: 15 },
    );
  }

  function legs(trip) {
    if (state.isChanging || !endOf('from') || !endOf('to')) {
      return h(
        'section',
        { class: 'card stack', key: 'ends' },
        h('h2', null, t('lift.yourEnds')),
        ends.from.view(state.missing && t('lift.end.choose')),
        ends.to.view(state.missing && t('lift.end.choose')),
        state.isChanging && ends.from.place && ends.to.place
          ? button(t('action.done'), {
              onclick: () => {
                state.isChanging = false;
                redraw();
              },
            })
          : null,
      );
    }
    const leg = (name, key) => {
      const { value, error } = walkOf(trip, name);
      const text = value
        ? t(value.way.source === 'straightLine' ? 'lift.walk.straight' : 'lift.walk', {
            distance: distance(value.way.distanceMeters),
            time: minutes(Math.max(60, value.way.durationSeconds)),
          })
        : error
          ? t('lift.walk.unknown')
          : t('state.loading');
      return h(
        'li',
        { key: name },
        h('p', { class: 'muted small' }, t(`lift.${key}`)),
        h('p', { class: 'strong' }, placeText(endOf(name))),
        h('p', { class: 'row small' }, icon('route'), text),
        value?.stop ? h('p', { class: 'small' }, t('lift.stop', { stop: value.stop })) : null,
      );
    };
    return h(
      'section',
      { class: 'card stack', key: 'ends' },
      h('h2', null, t('lift.yourEnds')),
      h('ul', { class: 'stack' }, leg('from', 'pickUp'), leg('to', 'dropOff')),
      button(t('lift.ends.change'), {
        look: 'quiet',
        onclick: () => {
          [state.isChanging, state.changes] = [true, {}];
          redraw();
        },
      }),
    );
  }

  /** A place where cars can stop, if known; else the person's own place, or the route's nearest point if too far. */
  function stopOf(trip, name) {
    const place = endOf(name);
    const { meetingPoint: meeting, isStop } = walkOf(trip, name)?.value ?? {};
    return pointOf(
      meeting && (isStop || (metersBetween(place, meeting) > NEAR && !trip.maxDetourSeconds)) ? meeting : place,
    );
  }

  const ask = (trip) =>
    form.submit(async ({ message }) => {
      if (!endOf('from') || !endOf('to')) {
        state.missing = true;
        return;
      }
      const date = state.date ?? datesOf(trip)[0];
      const request = await once(`${pathOf(trip.id)}/requests`, {
        ...(state.every ? { every: true } : { date }),
        pickUp: stopOf(trip, 'from'),
        dropOff: stopOf(trip, 'to'),
        seats: Number(state.seats),
        message: message?.trim() || undefined,
        pricePerSeat: trip.pricePerSeat?.amount ?? 0,
        ...(trip.payment === 'app' ? { paymentMethodId: cards.chosen() } : {}),
      });
      toast(
        t(request.status === 'accepted' ? 'lift.asked.accepted' : 'lift.asked', { name: nameOf(trip.driver) }),
        'success',
      );
      changed();
    });

  // MARK: Another driver's trip

  function askForm(trip) {
    const dates = datesOf(trip, 14);
    const total = trip.pricePerSeat && { ...trip.pricePerSeat, amount: trip.pricePerSeat.amount * Number(state.seats) };
    const needsCard = trip.payment === 'app' && trip.pricePerSeat;
    return form.view(
      { class: 'stack lift-form', key: 'ask', onsubmit: ask(trip) },
      h('h2', null, t('lift.ask.title')),
      trip.repeats
        ? choices({
            name: 'every',
            label: t('lift.ask.days'),
            value: state.every ? 'every' : 'one',
            options: [
              ['one', t('lift.ask.one')],
              ['every', everyText(trip.repeats)],
            ],
            onchange: (one) => {
              state.every = one === 'every';
              redraw();
            },
          })
        : null,
      state.every || dates.length < 2
        ? null
        : select({
            id: 'date',
            label: t('lift.date'),
            value: state.date ?? dates[0],
            options: (dates.includes(state.date) || !state.date ? dates : [state.date, ...dates]).map((date) => [
              date,
              dayText(date),
            ]),
            error: form.errors.date,
            onchange: ({ target }) => {
              state.date = target.value;
              redraw();
            },
          }),
      select({
        id: 'seats',
        label: t('lift.seats'),
        value: state.seats,
        options: Array.from({ length: trip.seats }, (_, i) => [String(i + 1), String(i + 1)]),
        error: form.errors.seats,
        onchange: ({ target }) => {
          state.seats = target.value;
          redraw();
        },
      }),
      field({
        id: 'message',
        label: t('lift.message'),
        isOptional: true,
        multiline: true,
        maxlength: 300,
        error: form.errors.message,
      }),
      needsCard
        ? [h('p', { class: 'muted small', key: 'lead' }, t('lift.ask.app')), cards.view()]
        : trip.pricePerSeat
          ? h('p', { class: 'muted small', key: 'lead' }, t('lift.ask.cash'))
          : null,
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(total ? t(state.every ? 'lift.ask.each' : 'lift.ask.price', { price: money(total) }) : t('lift.ask'), {
          type: 'submit',
          look: 'primary',
          wide: true,
          isBusy: form.isBusy,
          disabled: needsCard && !cards.chosen(),
        }),
      ),
    );
  }

  const isOpen = ({ status }) => ['pending', 'accepted'].includes(status);
  const requestLine = (one) =>
    h(
      'li',
      { class: 'card row between', key: one.id },
      h(
        'div',
        { class: 'stack tight' },
        h('p', { class: 'strong' }, one.every ? t('lift.ask.always') : when(one.pickUp.at, one.timeZone)),
        h('p', null, seatBadge(one, one.driver.id === api.account.id ? 'driver' : 'passenger')),
      ),
      h('a', { class: 'button', href: one.rideId ? `#/lift/rides/${one.rideId}` : '#/lift/requests' }, t('lift.show')),
    );

  function others(trip) {
    const mine = (resources.list(`${REQUESTS}?open=true`).value?.items ?? []).filter(
      (one) => one.tripId === trip.id && isOpen(one),
    );
    return [
      mine.length
        ? h('ul', { class: 'list', key: 'mine', 'aria-label': t('lift.requests') }, mine.map(requestLine))
        : null,
      legs(trip),
      trip.status !== 'open' || !trip.nextDate
        ? notice('neutral', t('lift.trip.over'))
        : mine.some(({ every }) => every)
          ? null
          : mine.length && !trip.repeats
            ? null
            : askForm(trip),
    ];
  }

  // MARK: The person's own trip

  const drives = () => resources.get(ridesPath(), { isBrief: true });
  function skip(trip, date) {
    const ride = drives().value?.items.find((one) => one.tripId === trip.id && one.date === date);
    return act(`skip ${date}`, async () => {
      const count = ride?.passengers.filter(isOpen).length ?? 0;
      if (
        !(await confirm(
          t('lift.skip.sure', { day: dayText(date) }),
          count ? t('lift.skip.passengers', { count }) : null,
          { yes: t('lift.skip'), no: t('action.keep'), look: 'danger' },
        ))
      )
        return;
      if (ride) await api.post(escaped`/v1/rides/${ride.id}/cancel`);
      else
        await api.patch(pathOf(trip.id), {
          repeats: { ...trip.repeats, exceptions: [...trip.repeats.exceptions, date] },
        });
      toast(t('lift.skipped'), 'success');
    });
  }
  const remove = (trip) =>
    act('remove', async () => {
      if (
        !(await confirm(t('lift.remove.sure'), t('lift.remove.text'), {
          yes: t('lift.remove'),
          no: t('action.keep'),
          look: 'danger',
        }))
      )
        return;
      await api.delete(pathOf(trip.id));
      toast(t('lift.removed'), 'success');
      go('/lift/trips');
    });

  function own(trip) {
    const rides = (drives().value?.items ?? []).filter(({ tripId }) => tripId === trip.id);
    const dates = datesOf(trip, 8).filter((date) => rides.find((ride) => ride.date === date)?.status !== 'cancelled');
    const asks = resources.list(`${REQUESTS}?role=driver&open=true`);
    // Content that loads later would move what is below it from under a finger.
    if (![drives(), asks].every((entry) => entry.value || entry.error)) return skeleton(4);
    const requests = (asks.value?.items ?? []).filter((one) => one.tripId === trip.id && isOpen(one));
    const dateLine = (date) => {
      const ride = rides.find((one) => one.date === date);
      const taken =
        ride?.passengers.filter(({ status }) => status === 'accepted').reduce((sum, one) => sum + one.seats, 0) ?? 0;
      return h(
        'li',
        { class: 'list-item still day-line', key: date },
        h(
          'span',
          { class: 'grow' },
          h('span', { class: 'strong block' }, dayText(date)),
          h('span', { class: 'muted small' }, t('lift.seats.taken', { count: taken, seats: trip.seats })),
        ),
        ride ? h('a', { class: 'button', href: `#/lift/rides/${ride.id}` }, t('lift.show')) : null,
        trip.repeats || ride
          ? button(t('lift.skip'), {
              look: 'quiet danger-text',
              'aria-label': t('lift.skip.of', { day: dayText(date) }),
              ...act.button(`skip ${date}`),
              onclick: () => skip(trip, date),
            })
          : null,
      );
    };
    return [
      requests.length
        ? [
            h('h2', { key: 'requests-title' }, t('lift.requests')),
            h('ul', { class: 'list', key: 'requests', 'aria-label': t('lift.requests') }, requests.map(requestLine)),
          ]
        : null,
      dates.length
        ? [
            h('h2', { key: 'days' }, t('lift.days')),
            h('ul', { class: 'list lined', key: 'dates', 'aria-label': t('lift.days') }, dates.map(dateLine)),
          ]
        : null,
      refusal(state.problem),
      trip.status === 'open'
        ? h(
            'div',
            { class: 'actions', key: 'actions' },
            h(
              'a',
              { class: 'button', href: `#${escaped`/lift/trips/${trip.id}/edit`}` },
              icon('edit'),
              t('lift.change.title'),
            ),
            button(t('lift.remove'), {
              look: 'quiet danger-text',
              icon: 'trash',
              ...act.button('remove'),
              onclick: () => remove(trip),
            }),
          )
        : null,
    ];
  }

  // MARK: Drawing

  const carText = (vehicle) =>
    vehicle && [vehicle.colour, vehicle.make, vehicle.model, vehicle.plate].filter(Boolean).join(' ');

  const card = (trip) =>
    h(
      'section',
      { class: 'card stack', key: 'facts' },
      h(
        'div',
        { class: 'row between' },
        h('h2', { class: 'grow' }, wayText(trip)),
        trip.isMine || trip.status !== 'open' ? tripBadge(trip) : null,
      ),
      trip.isMine ? null : person(trip.driver, escaped`/lift/people/${trip.driver.id}`),
      facts([
        [t('lift.next.label'), trip.nextDepartureAt && when(trip.nextDepartureAt, trip.timeZone)],
        [t('lift.repeat'), repeatsText(trip.repeats)],
        [t('lift.way'), `${distance(trip.distanceMeters)} · ${minutes(trip.durationSeconds)}`],
        [t('lift.seats'), String(trip.seats)],
        [t('lift.price'), priceText(trip)],
        [
          t('lift.detour'),
          trip.maxDetourSeconds ? t('lift.detour.minutes', { minutes: Math.round(trip.maxDetourSeconds / 60) }) : null,
        ],
        [t('vehicle'), carText(trip.vehicle)],
        [t('lift.preferences'), trip.preferences.map((name) => t(`lift.preference.${name}`)).join(', ')],
        [t('lift.note'), trip.note],
      ]),
      trip.acceptsAutomatically ? h('p', { class: 'muted small' }, t('lift.automatic.told')) : null,
      trip.isStraightLine ? notice('warning', t('lift.straight')) : null,
    );

  return {
    draw({ id }) {
      if (state.of !== id)
        [state, form] = [
          {
            of: id,
            busy: null,
            problem: null,
            seats: '1',
            every: false,
            date: address().query.get('date'),
            isChanging: false,
            changes: changesOf(address().query),
          },
          createForm(redraw, { pickUp: null }),
        ];
      const entry = resources.get(pathOf(id));
      const { value, error, at } = entry;
      // The person may no longer see it, even if it is still stored here.
      const isGone = error?.status === 404;
      if (value) seen.set(value.driver.id, value.driver);
      queueMicrotask(() => requestAnimationFrame(() => sync(value)));
      return {
        title: t('lift.trip'),
        hasMap: true,
        view: screen(
          t('lift.trip'),
          {
            back: value?.isMine ? '/lift/trips' : '/lift',
            actions: value && !value.isMine ? favourites.heart(id, value.isFavourite, nameOf(value.driver)) : null,
          },
          value && error && !isGone ? notice('warning', t('state.asOf', { time: when(at) })) : null,
          value && !isGone
            ? [
                h('div', { class: 'card parked-map lift-map', key: 'map' }, slot.view('map-holder')),
                card(value),
                value.isMine ? own(value) : others(value),
              ]
            : error
              ? problemNotice(error, () => resources.reload(entry.path))
              : skeleton(6),
        ),
      };
    },
    leave() {
      slot.leave();
      asked.clear();
      [fitted, drawn, walked, state] = [null, null, [], { of: null, changes: {} }];
    },
  };
}
