// The booking being made: product, start, quantity or length, vehicles and points.

import { UNITS, momentOf, nextQuarter, wallTime } from '/apps/shared/car-parks.js';
import { isSold, isSpan } from './booking-parts.js';
import { offered } from './place.js';

/**
 * What was chosen for this car park; from the search and its first product where nothing was. A `span` of days and
 * hours is booked by its end, instead of a quantity.
 */
export function choiceOf({ choice, wanted }, carPark) {
  const kept = choice.carPark === carPark.id ? choice : {};
  const products = offered(carPark);
  const fitting = products.filter(({ classes }) => classes.includes(wanted.kind));
  const product =
    products.find(({ id }) => id === kept.product) ??
    fitting.find((one) => unitsOf(wanted, one) <= one.maxQuantity) ??
    fitting[0] ??
    products[0];
  if (!product) return null;
  const spans = spanProduct(products, kept.kind ?? wanted.kind);
  const span = spans ? (kept.span ?? null) : null;
  if (span) return { ...choiceOfProduct(kept, wanted, carPark, spans), span };
  return { ...choiceOfProduct(kept, wanted, carPark, product), span: null };
}

/** The shortest product with which a length of days and hours can be booked; null if there is no need for it. */
export function spanProduct(products, kind) {
  const fitting = products.filter(({ classes }) => classes.includes(kind));
  const isMixed = fitting.some((one) => one.kind === 'daily') && fitting[0]?.kind === 'hourly';
  return isMixed ? fitting[0] : null;
}

function choiceOfProduct(kept, wanted, carPark, product) {
  const kind = [kept.kind, wanted.kind].find((one) => product.classes.includes(one)) ?? product.classes[0];
  const earliest = wallTime(nextQuarter(), carPark.timeZone);
  return {
    product,
    kind,
    start: kept.start ?? (wanted.from ? wallTime(wanted.from, carPark.timeZone) : earliest),
    quantity: kept.quantity ?? Math.max(product.minQuantity, unitsOf(wanted, product)),
    vehicles: kept.vehicles ?? null,
    points: kept.points ?? 0,
  };
}

/** The number of units that cover the stay searched for. */
function unitsOf({ from, until }, { kind }) {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1_000;
  return seconds > 0 ? Math.ceil(seconds / UNITS[kind]) : 1;
}

export function choose(book, carPark, change) {
  const { product, kind, start, quantity, span, vehicles } = choiceOf(book.park, carPark);
  book.problem = null;
  // The number of usable points depends on the whole choice.
  book.park.choose({
    carPark: carPark.id,
    product: product.id,
    kind,
    start,
    quantity,
    span,
    vehicles,
    points: 0,
    ...change,
  });
}

/** Those of the garage that are chosen; at first the person's usual one. */
export function vehiclesOf({ vehicles }, garage, usual) {
  const known = garage.map(({ id }) => id);
  return (vehicles ?? [usual?.id ?? known[0]]).filter((id) => known.includes(id));
}

/** As many points as the price allows, up to half of it, in the currency in which they were earned. */
export function usablePoints({ lines }, balance) {
  if (!balance?.worth.amount) return null;
  const price = lines.reduce((sum, { kind, amount }) => sum + (kind === 'points' ? 0 : amount.amount), 0);
  const points = Math.min(balance.points, Math.floor((Math.floor(price / 2) * balance.points) / balance.worth.amount));
  return Math.floor((points * balance.worth.amount) / balance.points) ? points : null;
}

/** Begins another screen of the booking, without the problem of the one before. */
export function enter(book, screen) {
  if (book.screen !== screen) Object.assign(book, { screen, problem: null, payment: null });
}

/** The end of a span: days by the clock there, then hours. */
export function endOf({ start, span: { days, hours } }, timeZone) {
  const day = new Date(`${start}:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  const moved = momentOf(day.toISOString().slice(0, 16), timeZone);
  return new Date(Date.parse(moved) + hours * 3_600_000).toISOString();
}

/** Whether the quantity or the span can be booked. */
export const isPossible = ({ product, quantity, span }) => (span ? isSpan(span) : isSold(product, quantity));
