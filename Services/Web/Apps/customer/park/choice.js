// The booking being made: product, start, quantity, vehicles and points.

import { UNITS, nextQuarter, wallTime } from '/apps/shared/car-parks.js';
import { offered } from './place.js';

/** What was chosen for this car park; from the search and its first product where nothing was. */
export function choiceOf({ choice, wanted }, carPark) {
  const kept = choice.carPark === carPark.id ? choice : {};
  const products = offered(carPark);
  const product =
    products.find(({ id }) => id === kept.product) ??
    products.find(({ classes }) => classes.includes(wanted.kind)) ??
    products[0];
  if (!product) return null;
  const kind = [kept.kind, wanted.kind].find((one) => product.classes.includes(one)) ?? product.classes[0];
  const earliest = wallTime(nextQuarter(), carPark.timeZone);
  return {
    product,
    kind,
    start: kept.start ?? (wanted.from ? wallTime(wanted.from, carPark.timeZone) : earliest),
    quantity: within(product, kept.quantity ?? unitsOf(wanted, product)),
    vehicles: kept.vehicles ?? null,
    points: kept.points ?? 0,
  };
}

const within = ({ minQuantity, maxQuantity }, quantity) => Math.min(maxQuantity, Math.max(minQuantity, quantity));

/** The number of units that cover the stay searched for. */
function unitsOf({ from, until }, { kind }) {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1_000;
  return seconds > 0 ? Math.ceil(seconds / UNITS[kind]) : 1;
}

export function choose(book, carPark, change) {
  const { product, kind, start, quantity, vehicles } = choiceOf(book.park, carPark);
  book.problem = null;
  // The number of usable points depends on the whole choice.
  book.park.choose({ carPark: carPark.id, product: product.id, kind, start, quantity, vehicles, points: 0, ...change });
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
