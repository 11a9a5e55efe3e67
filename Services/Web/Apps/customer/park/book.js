// Booking in three steps: when, which vehicle, pay.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { clock, dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, choices, empty, facts, field, notice, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createCards, isOtherPrice, refusal } from '../shared/payment.js';
import { offered, pathOf, terms } from './place.js';
import { UNITS, lineOf, momentOf, nextQuarter, unitPrice, wallTime, zoneHint } from '/apps/shared/car-parks.js';

const VEHICLES = '/v1/me/vehicles';
const POINTS = '/v1/me/loyalty';

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

export function createBook(park) {
  const { api, plan, redraw, resources, wanted } = park;
  const cards = createCards(park);
  const once = createOnce(api);
  let offer = { path: null };
  const state = { isBusy: false, problem: null, about: null, payment: null };

  const steps = (current) =>
    h('p', { class: 'muted', key: 'step' }, t('book.step', { step: current }), ' · ', t(`book.step.${current}`));
  const frame = (title, back, ...content) => ({ title, view: screen(title, { back }, content) });

  /** Drops a problem of another screen. */
  function about(screenName) {
    if (state.about !== screenName) Object.assign(state, { about: screenName, problem: null, payment: null });
  }

  // MARK: The choice and its price

  /** The number of units that cover the stay searched for. */
  function wishedQuantity({ kind, minQuantity, maxQuantity }) {
    const seconds = (Date.parse(wanted.until) - Date.parse(wanted.from)) / 1_000;
    return Math.min(maxQuantity, Math.max(minQuantity, seconds > 0 ? Math.ceil(seconds / UNITS[kind]) : 1));
  }

  function choiceOf(carPark) {
    const kept = park.choice.carPark === carPark.id ? park.choice : {};
    const products = offered(carPark);
    const product =
      products.find(({ id }) => id === kept.product) ??
      products.find(({ classes }) => classes.includes(wanted.kind)) ??
      products[0];
    if (!product) return null;
    const kind = [kept.kind, wanted.kind].find((one) => product.classes.includes(one)) ?? product.classes[0];
    const earliest = wallTime(nextQuarter(), carPark.timeZone);
    const start = kept.start ?? (wanted.from ? wallTime(wanted.from, carPark.timeZone) : earliest);
    return {
      product,
      kind,
      start,
      quantity: Math.min(product.maxQuantity, Math.max(product.minQuantity, kept.quantity ?? wishedQuantity(product))),
      vehicles: kept.vehicles ?? null,
      points: kept.points ?? 0,
    };
  }

  const choose = (carPark, change) => {
    const { product, kind, start, quantity, vehicles } = choiceOf(carPark);
    state.problem = null;
    // The number of usable points depends on the whole choice.
    park.choose({ carPark: carPark.id, product: product.id, kind, start, quantity, vehicles, points: 0, ...change });
  };

  /** End, lines, total and spaces left: loaded again when the choice changes. */
  function offerOf({ id, timeZone }, { product, kind, start, quantity, points }, spaces) {
    const path = withQuery(`${pathOf(id)}/quote`, {
      productId: product.id,
      start: momentOf(start, timeZone),
      quantity,
      spaces,
      class: kind,
      points: points || null,
    });
    if (offer.path !== path) {
      offer = { path, isLoading: true };
      ask(offer, id, kind);
    }
    return offer;
  }

  async function ask(entry, id, kind) {
    try {
      const quote = await api.get(entry.path);
      const { free } = await api.get(
        withQuery(`${pathOf(id)}/availability`, { from: quote.start, until: quote.end, class: kind }),
      );
      // Booking releases the space held for an earlier choice, so that counts as free.
      const { held } = park.choice;
      Object.assign(entry, { quote, free: free + (held?.carPark === id ? held.spaces : 0) });
    } catch (error) {
      entry.error = error;
    }
    entry.isLoading = false;
    redraw();
  }

  const anew = () => {
    offer = { path: null };
    redraw();
  };

  function offerCard({ quote, free, error }, { timeZone }, spaces) {
    if (error) return problemNotice(error, error.isPassing || !error.code ? anew : null);
    if (!quote) return skeleton(3);
    return h(
      'section',
      { class: 'card stack tight', key: 'offer', role: 'status' },
      facts([
        [t('booking.start'), dateTime(quote.start, timeZone)],
        [t('booking.end'), dateTime(quote.end, timeZone)],
        ...quote.lines.map(lineOf),
      ]),
      h(
        'p',
        { class: 'row between strong total' },
        h('span', null, t('bill.total')),
        h('span', { class: 'numbers' }, money(quote.total)),
      ),
      free < spaces
        ? notice('warning', t('problem.booking.full'))
        : h('p', { class: 'muted small' }, t('book.left', { count: free })),
    );
  }

  /** One step of a booking: a notice if something is missing, or the step's view. */
  function step(id, current, back, draw) {
    const { value, error } = resources.get(pathOf(id), { anonymous: true });
    const title = value?.name ?? t('park.one');
    if (!value)
      return frame(title, back, error ? problemNotice(error, () => resources.reload(pathOf(id))) : skeleton(5));
    const choice = choiceOf(value);
    return frame(title, back, steps(current), choice ? draw(value, choice) : empty('parking', t('park.noProducts')));
  }

  // MARK: 1. When

  const when = ({ id }) =>
    step(id, 1, escaped`/park/${id}`, (carPark, choice) => {
      const { product, start, quantity } = choice;
      const { timeZone, currency } = carPark;
      const offerNow = offerOf(carPark, { ...choice, points: 0 }, 1);
      return [
        choices({
          name: 'product',
          label: t('book.product'),
          value: product.id,
          onchange: (one) => choose(carPark, { product: one }),
          options: offered(carPark).map(({ id: one, name, price, kind }) => [
            one,
            `${name} · ${unitPrice({ amount: price, currency }, kind)}`,
          ]),
        }),
        field({
          id: 'start',
          label: t('booking.start'),
          type: 'datetime-local',
          value: start,
          min: wallTime(serverNow(), timeZone),
          hint: zoneHint(timeZone),
          onchange: ({ target }) => target.value && choose(carPark, { start: target.value }),
        }),
        quantityField(product, quantity, (number) => choose(carPark, { quantity: number })),
        offerCard(offerNow, carPark, 1),
        h(
          'div',
          { class: 'screen-foot', key: 'foot' },
          button(t('book.next'), {
            look: 'primary',
            wide: true,
            disabled: !offerNow.quote || offerNow.free < 1,
            onclick: () => {
              choose(carPark, {});
              go(escaped`/park/${id}/vehicle`);
            },
          }),
          api.isSignedIn ? null : h('p', { class: 'muted small' }, t('book.signIn')),
        ),
      ];
    });

  // MARK: 2. Which vehicle

  /** As many points as the price allows, up to half of it, in the currency in which they were earned. */
  function pointsFor({ lines }, currency) {
    const balance = resources.get(POINTS).value?.balances.find(({ worth }) => worth.currency === currency);
    if (!balance?.worth.amount) return null;
    const half = Math.floor(
      lines.reduce((sum, { kind, amount }) => sum + (kind === 'points' ? 0 : amount.amount), 0) / 2,
    );
    const points = Math.min(balance.points, Math.floor((half * balance.points) / balance.worth.amount));
    return Math.floor((points * balance.worth.amount) / balance.points) ? points : null;
  }

  /** The limit of the last quote, while the next one loads. */
  let usable = null;

  function pointsToggle(carPark, { points }, quote) {
    if (quote && !points) usable = pointsFor(quote, carPark.currency);
    const most = points || usable;
    return most
      ? toggle({
          id: 'points',
          label: t('book.points', { count: most }),
          isOn: points > 0,
          onchange: (isOn) => choose(carPark, { points: isOn ? most : 0 }),
        })
      : null;
  }

  async function hold(carPark, choice, vehicleIds, { total }) {
    Object.assign(state, { isBusy: true, problem: null });
    redraw();
    try {
      // Release the hold of an earlier choice.
      if (park.choice.held) await api.post(escaped`/v1/bookings/${park.choice.held.id}/cancel`).catch(() => {});
      const booking = await once('/v1/bookings', {
        carParkId: carPark.id,
        productId: choice.product.id,
        start: momentOf(choice.start, carPark.timeZone),
        quantity: choice.quantity,
        spaces: vehicleIds.length,
        class: choice.kind,
        vehicleIds,
        termsVersion: carPark.terms.version,
        total: total.amount,
        ...(choice.points ? { points: choice.points } : {}),
      });
      park.choose({ held: { id: booking.id, carPark: carPark.id, spaces: vehicleIds.length }, vehicles: vehicleIds });
      resources.reload('/v1/bookings');
      resources.reload(POINTS);
      go(escaped`/bookings/${booking.id}/pay`);
    } catch (error) {
      state.problem = error;
      // The screen is outdated.
      if (
        isOtherPrice(error) ||
        ['booking.terms_outdated', 'booking.product_invalid', 'car_park.closed'].includes(error.code)
      )
        resources.reload(pathOf(carPark.id));
      if (error.code === 'vehicle.unknown') resources.reload(VEHICLES);
      if (isOtherPrice(error) || ['booking.full', 'booking.points_invalid'].includes(error.code))
        offer = { path: null };
    }
    state.isBusy = false;
    redraw();
  }

  const problemOf = (error) =>
    refusal(
      error,
      error?.code === 'booking.overlaps' && error.body.bookingId
        ? h('a', { class: 'button', href: `#${escaped`/bookings/${error.body.bookingId}`}` }, t('book.other'))
        : null,
    );

  const vehicle = ({ id }) =>
    step(id, 2, escaped`/park/${id}/when`, (carPark, choice) => {
      about(`vehicle ${id}`);
      const { value, error } = resources.get(VEHICLES);
      if (!value) return error ? problemNotice(error, () => resources.reload(VEHICLES)) : skeleton(4);
      const known = value.items.map((one) => one.id);
      const chosen = (choice.vehicles ?? [plan.vehicleOf(value.items)?.id ?? known[0]]).filter((one) =>
        known.includes(one),
      );
      const offerNow = offerOf(carPark, choice, Math.max(1, chosen.length));
      return [
        known.length
          ? vehiclePicker(value.items, chosen, (vehicles) => choose(carPark, { vehicles }))
          : notice('neutral', t('book.noVehicle')),
        h(
          'a',
          {
            class: 'button',
            key: 'add',
            href: `#/vehicles/new?${new URLSearchParams({ back: escaped`/park/${id}/vehicle` })}`,
          },
          icon('plus'),
          t('vehicles.add'),
        ),
        choice.product.classes.length > 1
          ? choices({
              name: 'kind',
              label: t('park.class'),
              value: choice.kind,
              options: choice.product.classes.map((kind) => [kind, t(`park.class.${kind}`)]),
              onchange: (kind) => choose(carPark, { kind }),
            })
          : null,
        pointsToggle(carPark, choice, offerNow.quote),
        offerCard(offerNow, carPark, chosen.length),
        h(
          'section',
          { class: 'stack tight', key: 'terms' },
          terms(carPark, state.problem?.code === 'booking.terms_outdated'),
          h('p', { class: 'small' }, t('book.agree')),
        ),
        problemOf(state.problem),
        h(
          'div',
          { class: 'screen-foot', key: 'foot' },
          button(t('book.hold'), {
            look: 'primary',
            wide: true,
            isBusy: state.isBusy,
            disabled: !chosen.length || !offerNow.quote || offerNow.free < chosen.length,
            onclick: () => hold(carPark, choice, chosen, offerNow.quote),
          }),
        ),
      ];
    });

  // MARK: 3. Pay

  async function send({ id, total }) {
    Object.assign(state, { isBusy: true, problem: null });
    redraw();
    const entry = resources.get(escaped`/v1/bookings/${id}`);
    try {
      const { booking, payment } = await once(
        escaped`/v1/bookings/${id}/pay`,
        total.amount ? { paymentMethodId: cards.chosen() } : {},
      );
      state.payment = payment;
      entry.value = booking;
      if (booking.status !== 'held') paid(booking);
    } catch (error) {
      state.problem = error;
      if (error.code === 'booking.hold_expired') resources.reload('/v1/bookings');
    }
    state.isBusy = false;
    redraw();
  }

  function paid({ id }) {
    park.booked = id;
    park.choose({
      carPark: null,
      held: null,
      vehicles: null,
      start: undefined,
      quantity: undefined,
      points: undefined,
    });
    resources.reload('/v1/bookings');
    resources.reload(POINTS);
    resources.reload('/v1/car-parks/');
    go(escaped`/bookings/${id}`);
  }

  function pay({ id }) {
    about(`pay ${id}`);
    const path = escaped`/v1/bookings/${id}`;
    const { value, error } = resources.get(path);
    const back =
      park.choice.held?.id === id ? escaped`/park/${park.choice.held.carPark}/vehicle` : escaped`/bookings/${id}`;
    const title = value?.carPark.name ?? t('booking.one');
    if (!value) return frame(title, back, error ? problemNotice(error, () => resources.reload(path)) : skeleton(5));
    const left = (Date.parse(value.holdExpiresAt) - serverNow()) / 1_000;
    const again = h('a', { class: 'button', href: `#${escaped`/park/${value.carPark.id}/when`}` }, t('book.again'));
    if (value.status === 'expired' || (value.status === 'held' && left <= 0))
      return frame(
        title,
        escaped`/park/${value.carPark.id}`,
        steps(3),
        notice('warning', t('problem.booking.hold_expired'), again),
      );
    if (value.status !== 'held')
      return frame(
        title,
        escaped`/bookings/${id}`,
        notice(
          'neutral',
          t('book.done'),
          h('a', { class: 'button', href: `#${escaped`/bookings/${id}`}` }, t('booking.open')),
        ),
      );
    const {
      lines,
      total,
      start,
      end,
      carPark: { timeZone },
      vehicles,
    } = value;
    const { payment, problem, isBusy } = state;
    return frame(
      title,
      back,
      steps(3),
      h('p', { class: 'signal', key: 'hold' }, icon('clock'), h('span', null, t('book.held', { time: clock(left) }))),
      h(
        'section',
        { class: 'card stack tight', key: 'bill' },
        facts([
          [t('booking.start'), dateTime(start, timeZone)],
          [t('booking.end'), dateTime(end, timeZone)],
          [t('vehicle'), vehicles.map(({ plate }) => plate).join(', ')],
          ...lines.map(lineOf),
        ]),
        h(
          'p',
          { class: 'row between strong total' },
          h('span', null, t('bill.total')),
          h('span', { class: 'numbers' }, money(total)),
        ),
      ),
      total.amount ? cards.view() : null,
      payment?.status === 'requiresAction'
        ? notice('warning', t('pay.action'), button(t('pay.action.check'), { isBusy, onclick: () => send(value) }))
        : null,
      refusal(problem, problem?.code === 'payment.declined' ? h('p', null, t('book.stillHeld')) : null),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(total.amount ? t('pay.button', { amount: money(total) }) : t('book.free'), {
          look: 'primary',
          class: 'button primary wide big',
          icon: 'card',
          isBusy,
          disabled: total.amount > 0 && !cards.chosen(),
          onclick: () => send(value),
        }),
      ),
    );
  }

  return { when, vehicle, pay };
}
