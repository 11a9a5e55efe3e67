// Another driver's trip: the person's requests for it, and a seat to request.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { button, choices, field, notice, select, toast } from '/apps/shared/ui.js';
import { REQUESTS, pathOf } from './paths.js';
import { endsCard, hasEnds, stopOf } from './trip-ends.js';
import { dayText, datesOf, everyText, nameOf, seatBadge, when } from './words.js';

const MOST_DATES = 14;

export const isOpen = ({ status }) => ['pending', 'accepted'].includes(status);

export const requestLine = (api, request) =>
  h(
    'li',
    { class: 'card row between', key: request.id },
    h(
      'div',
      { class: 'stack tight' },
      h('p', { class: 'strong' }, request.every ? t('lift.ask.always') : when(request.pickUp.at, request.timeZone)),
      h('p', null, seatBadge(request, request.driver.id === api.account.id ? 'driver' : 'passenger')),
    ),
    h(
      'a',
      { class: 'button', href: request.rideId ? `#/lift/rides/${request.rideId}` : '#/lift/requests' },
      t('lift.show'),
    ),
  );

export function others(screen, trip) {
  const { api, resources } = screen.app;
  const mine = (resources.list(`${REQUESTS}?open=true`).value?.items ?? []).filter(
    (one) => one.tripId === trip.id && isOpen(one),
  );
  const isOver = trip.status !== 'open' || !trip.nextDate;
  const isAsked = mine.some(({ every }) => every) || (mine.length && !trip.repeats);
  return [
    mine.length
      ? h(
          'ul',
          { class: 'list', key: 'mine', 'aria-label': t('lift.requests') },
          mine.map((one) => requestLine(api, one)),
        )
      : null,
    endsCard(screen, trip),
    isOver ? notice('neutral', t('lift.trip.over')) : isAsked ? null : askForm(screen, trip),
  ];
}

// MARK: The form

function askForm(screen, trip) {
  const { cards, form, state } = screen;
  const total = trip.pricePerSeat && { ...trip.pricePerSeat, amount: trip.pricePerSeat.amount * Number(state.seats) };
  const needsCard = trip.payment === 'app' && trip.pricePerSeat;
  return form.view(
    { class: 'stack lift-form', key: 'ask', onsubmit: ask(screen, trip) },
    h('h2', null, t('lift.ask.title')),
    trip.repeats ? everyChoice(screen, trip) : null,
    dateChoice(screen, trip),
    select({
      id: 'seats',
      label: t('lift.seats'),
      value: state.seats,
      options: Array.from({ length: trip.seats }, (_, i) => [String(i + 1), String(i + 1)]),
      error: form.errors.seats,
      onchange: ({ target }) => set(screen, { seats: target.value }),
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

const everyChoice = (screen, trip) =>
  choices({
    name: 'every',
    label: t('lift.ask.days'),
    value: screen.state.every ? 'every' : 'one',
    options: [
      ['one', t('lift.ask.one')],
      ['every', everyText(trip.repeats)],
    ],
    onchange: (one) => set(screen, { every: one === 'every' }),
  });

function dateChoice(screen, trip) {
  const { form, state } = screen;
  const dates = datesOf(trip, MOST_DATES);
  if (state.every || dates.length < 2) return null;
  const offered = dates.includes(state.date) || !state.date ? dates : [state.date, ...dates];
  return select({
    id: 'date',
    label: t('lift.date'),
    value: state.date ?? dates[0],
    options: offered.map((date) => [date, dayText(date)]),
    error: form.errors.date,
    onchange: ({ target }) => set(screen, { date: target.value }),
  });
}

function set({ app, state }, change) {
  Object.assign(state, change);
  app.redraw();
}

const ask = (screen, trip) =>
  screen.form.submit(async ({ message }) => {
    const { app, cards, once, state } = screen;
    if (!hasEnds(screen)) {
      state.missing = true;
      return;
    }
    const request = await once(`${pathOf(trip.id)}/requests`, {
      ...(state.every ? { every: true } : { date: state.date ?? datesOf(trip)[0] }),
      pickUp: stopOf(screen, trip, 'from'),
      dropOff: stopOf(screen, trip, 'to'),
      seats: Number(state.seats),
      message: message?.trim() || undefined,
      pricePerSeat: trip.pricePerSeat?.amount ?? 0,
      ...(trip.payment === 'app' ? { paymentMethodId: cards.chosen() } : {}),
    });
    toast(
      t(request.status === 'accepted' ? 'lift.asked.accepted' : 'lift.asked', { name: nameOf(trip.driver) }),
      'success',
    );
    app.changed();
  });
