// Booking in three steps: when, which vehicle, pay.

import { escaped } from '/apps/shared/api.js';
import { momentOf, unitPrice, wallTime } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, choices, empty, notice, toggle } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createCards, isOtherPrice, refusal } from '../shared/payment.js';
import { quantityField, spanFields, startField, stepLine, vehiclePicker } from './booking-parts.js';
import { choiceOf, choose, endOf, enter, spanProduct, usablePoints, vehiclesOf } from './choice.js';
import { loaded } from './loaded.js';
import { forgetOffer, offerCard, offerOf } from './offer.js';
import { pay } from './pay.js';
import { offered, pathOf, terms } from './place.js';

const VEHICLES = '/v1/me/vehicles';
const POINTS = '/v1/me/loyalty';

export function createBook(park) {
  /** `park.choice` is what was chosen; `points` is the most that the last quote allowed, while the next one loads. */
  const book = {
    park,
    cards: createCards(park, { onchange: () => (book.payment = null) }),
    once: createOnce(park.api),
    offer: { path: null },
    points: null,
    screen: null,
    isBusy: false,
    problem: null,
    payment: null,
  };
  return {
    when: ({ id }) => when(book, id),
    vehicle: ({ id }) => vehicle(book, id),
    pay: ({ id }) => pay(book, id),
  };
}

/** One of the first two steps, which both need the car park and its products. */
function step(book, { id, current, back }, draw) {
  const entry = book.park.resources.get(pathOf(id), { anonymous: true });
  const title = entry.value?.name ?? t('park.one');
  const content = (carPark) => {
    const choice = choiceOf(book.park, carPark);
    return [stepLine(current), choice ? draw(carPark, choice) : empty('parking', t('park.noProducts'))];
  };
  return { title, view: screen(title, { back }, loaded(book.park, entry, content)) };
}

// MARK: 1. When

const when = (book, id) =>
  step(book, { id, current: 1, back: escaped`/park/${id}` }, (carPark, choice) => {
    const { product, quantity, span, start } = choice;
    const spans = spanProduct(offered(carPark), choice.kind);
    const longer = spans ? t('book.span') : null;
    const offer = offerOf(book, carPark, { ...choice, points: 0 }, 1);
    const next = () => {
      choose(book, carPark, {});
      go(escaped`/park/${id}/vehicle`);
    };
    return [
      productChoice(book, carPark, choice, spans),
      startField(start, carPark, (one) => choose(book, carPark, { start: one }), {
        min: wallTime(serverNow(), carPark.timeZone),
      }),
      span
        ? spanFields(span, (one) => choose(book, carPark, { span: one }))
        : quantityField(product, quantity, (number) => choose(book, carPark, { quantity: number }), { longer }),
      offerCard(book, offer, carPark, 1),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('book.next'), {
          look: 'primary',
          wide: true,
          disabled: !offer.quote || offer.free < 1,
          onclick: next,
        }),
        book.park.api.isSignedIn ? null : h('p', { class: 'muted small' }, t('book.signIn')),
      ),
    ];
  });

/** The choice of days and hours beside the products. */
const SPAN = 'span';

const productChoice = (book, carPark, { product, quantity, span }, spans) =>
  choices({
    name: 'product',
    label: t('book.product'),
    value: span ? SPAN : product.id,
    options: [
      ...offered(carPark).map(({ id, name, price, kind }) => [
        id,
        `${name} · ${unitPrice({ amount: price, currency: carPark.currency }, kind)}`,
      ]),
      ...(spans ? [[SPAN, t('book.span')]] : []),
    ],
    onchange: (id) =>
      choose(
        book,
        carPark,
        id === SPAN ? { span: spanOf(product, quantity) } : { product: id, quantity: null, span: null },
      ),
  });

/** Hours typed so far, as days and hours. */
const spanOf = ({ kind }, quantity) =>
  kind === 'hourly' && quantity > 0 ? { days: Math.floor(quantity / 24), hours: quantity % 24 } : { days: 1, hours: 0 };

// MARK: 2. Which vehicle

const vehicle = (book, id) =>
  step(book, { id, current: 2, back: escaped`/park/${id}/when` }, (carPark, choice) => {
    enter(book, `vehicle ${id}`);
    const entry = book.park.resources.get(VEHICLES);
    return loaded(book.park, entry, ({ items }) => vehicleStep(book, carPark, choice, items), 4);
  });

function vehicleStep(book, carPark, choice, garage) {
  const { isBusy, park, problem } = book;
  const vehicleIds = vehiclesOf(choice, garage, park.plan.vehicleOf(garage));
  const offer = offerOf(book, carPark, choice, Math.max(1, vehicleIds.length));
  return [
    garage.length
      ? vehiclePicker(garage, vehicleIds, (vehicles) => choose(book, carPark, { vehicles }))
      : notice('neutral', t('book.noVehicle')),
    addVehicle(carPark),
    choice.product.classes.length > 1 ? kindChoice(book, carPark, choice) : null,
    pointsToggle(book, carPark, choice, offer.quote),
    offerCard(book, offer, carPark, vehicleIds.length),
    h(
      'section',
      { class: 'stack tight', key: 'terms' },
      terms(carPark, problem?.code === 'booking.terms_outdated'),
      h('p', { class: 'small' }, t('book.agree')),
    ),
    refusal(problem, otherBooking(problem)),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('book.hold'), {
        look: 'primary',
        wide: true,
        isBusy,
        disabled: !vehicleIds.length || !offer.quote || offer.free < vehicleIds.length,
        onclick: () => hold(book, carPark, { ...choice, vehicleIds, total: offer.quote.total }),
      }),
    ),
  ];
}

const addVehicle = ({ id }) =>
  h(
    'a',
    {
      class: 'button',
      key: 'add',
      href: `#/vehicles/new?${new URLSearchParams({ back: escaped`/park/${id}/vehicle` })}`,
    },
    icon('plus'),
    t('vehicles.add'),
  );

const kindChoice = (book, carPark, { product, kind }) =>
  choices({
    name: 'kind',
    label: t('park.class'),
    value: kind,
    options: product.classes.map((one) => [one, t(`park.class.${one}`)]),
    onchange: (one) => choose(book, carPark, { kind: one }),
  });

function pointsToggle(book, carPark, { points }, quote) {
  if (quote && !points) {
    const { value } = book.park.resources.get(POINTS);
    book.points = usablePoints(
      quote,
      value?.balances.find(({ worth }) => worth.currency === carPark.currency),
    );
  }
  const most = points || book.points;
  return most
    ? toggle({
        id: 'points',
        label: t('book.points', { count: most }),
        isOn: points > 0,
        onchange: (isOn) => choose(book, carPark, { points: isOn ? most : 0 }),
      })
    : null;
}

/** Another booking of the vehicle at this time. */
const otherBooking = (problem) =>
  problem?.code === 'booking.overlaps' && problem.body.bookingId
    ? h('a', { class: 'button', href: `#${escaped`/bookings/${problem.body.bookingId}`}` }, t('book.other'))
    : null;

/** Makes the booking, whose spaces are held until it is paid. */
async function hold(book, carPark, choice) {
  const { product, kind, start, quantity, span, points, vehicleIds, total } = choice;
  const { once, park } = book;
  const { api, redraw, resources } = park;
  Object.assign(book, { isBusy: true, problem: null });
  redraw();
  try {
    // Release the hold of an earlier choice.
    if (park.choice.held) await api.post(escaped`/v1/bookings/${park.choice.held.id}/cancel`).catch(() => {});
    const booking = await once('/v1/bookings', {
      carParkId: carPark.id,
      start: momentOf(start, carPark.timeZone),
      ...(span ? { end: endOf(choice, carPark.timeZone) } : { productId: product.id, quantity }),
      spaces: vehicleIds.length,
      class: kind,
      vehicleIds,
      termsVersion: carPark.terms.version,
      total: total.amount,
      ...(points ? { points } : {}),
    });
    park.choose({ held: { id: booking.id, carPark: carPark.id, spaces: vehicleIds.length }, vehicles: vehicleIds });
    resources.reload('/v1/bookings');
    resources.reload(POINTS);
    go(escaped`/bookings/${booking.id}/pay`);
  } catch (error) {
    book.problem = error;
    loadOutdated(book, carPark, error);
  }
  book.isBusy = false;
  redraw();
}

/** Loads again what the refusal of a booking shows to be outdated. */
function loadOutdated(book, carPark, error) {
  const { resources } = book.park;
  const isPrice = isOtherPrice(error);
  if (isPrice || ['booking.terms_outdated', 'booking.product_invalid', 'car_park.closed'].includes(error.code))
    resources.reload(pathOf(carPark.id));
  if (error.code === 'vehicle.unknown') resources.reload(VEHICLES);
  if (isPrice || ['booking.full', 'booking.points_invalid'].includes(error.code)) forgetOffer(book);
}
