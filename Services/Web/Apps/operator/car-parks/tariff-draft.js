// The draft of a car park's tariff: the texts of its fields, the tariff that they make, and what it changes.

import { minorUnits, t } from '/apps/shared/i18n.js';
import { TARIFF_DAYS, tariffGroups } from '/apps/shared/park-tariff.js';
import { read, shownAmount } from '../detail-parts.js';

const ALL_DAYS = TARIFF_DAYS.slice(0, 7);

export const newStep = () => ({ minutes: '15', price: '0' });
export const newBand = () => ({
  name: '',
  days: [...ALL_DAYS],
  from: '00:00',
  until: '24:00',
  price: '',
  unitMinutes: '60',
  maximum: '',
});
export const newEvent = () => ({ name: '', from: '', until: '', first: [], bands: [newBand()], dailyMaximum: '' });
/** Prices of some classes of spaces. */
export const newRates = (classes) => ({
  classes,
  first: [newStep()],
  bands: [newBand()],
  dailyMaximum: '',
  events: [],
});

export function draftOf({ rates, graceMinutes, lostTicketPrice }, currency) {
  const text = (number) => (number === undefined ? '' : String(number));
  const amount = (number) => (number === undefined ? '' : shownAmount(number, currency));
  const steps = (first) =>
    (first ?? []).map(({ minutes, price }) => ({ minutes: text(minutes), price: amount(price) }));
  const band = ({ name, days, from, until, price, unitMinutes, maximum }) => ({
    name: name ?? '',
    days: days ?? [...ALL_DAYS],
    from,
    until,
    price: amount(price),
    unitMinutes: text(unitMinutes),
    maximum: amount(maximum),
  });
  const rest = ({ first, bands, dailyMaximum }) => ({
    first: steps(first),
    bands: bands.map(band),
    dailyMaximum: amount(dailyMaximum),
  });
  return {
    rates: rates.map((one) => ({
      classes: [...one.classes],
      ...rest(one),
      events: (one.events ?? []).map((event) => ({
        name: event.name,
        from: event.from,
        until: event.until,
        ...rest(event),
      })),
    })),
    graceMinutes: text(graceMinutes),
    lostTicketPrice: amount(lostTicketPrice),
  };
}

/** `{ body, errors }`: the tariff in the fields, and what is wrong with fields that hold no number. */
export function parsed(draft, currency) {
  const errors = {};
  const unit = minorUnits(currency);
  const whole = (text, id, scale = 1) => {
    const value = Math.round(read(text) * scale);
    if (Number.isFinite(value) && value >= 0) return value;
    errors[id] = t('op.park.number');
    return 0;
  };
  const amount = (text, id) => whole(text, id, unit);
  const optional = (text, id, parse) =>
    text.trim() === '' ? {} : { [id.slice(id.lastIndexOf('.') + 1)]: parse(text, id) };
  const steps = (list, id) =>
    list.map(({ minutes, price }, i) => ({
      minutes: whole(minutes, `${id}[${i}].minutes`),
      price: amount(price, `${id}[${i}].price`),
    }));
  const band = (one, id, isEvent) => ({
    ...(one.name.trim() ? { name: one.name.trim() } : {}),
    ...(isEvent || isWeek(one.days) ? {} : { days: TARIFF_DAYS.filter((day) => one.days.includes(day)) }),
    from: one.from.trim(),
    until: one.until.trim(),
    price: amount(one.price, `${id}.price`),
    ...optional(one.unitMinutes, `${id}.unitMinutes`, whole),
    ...optional(one.maximum, `${id}.maximum`, amount),
  });
  const rest = ({ first, bands, dailyMaximum }, id, isEvent) => ({
    ...(first.length ? { first: steps(first, `${id}.first`) } : {}),
    bands: bands.map((one, i) => band(one, `${id}.bands[${i}]`, isEvent)),
    ...optional(dailyMaximum, `${id}.dailyMaximum`, amount),
  });
  const event = (one, id) => ({ name: one.name.trim(), from: one.from, until: one.until, ...rest(one, id, true) });
  const body = {
    rates: draft.rates.map((one, i) => ({
      classes: one.classes,
      ...rest(one, `rates[${i}]`, false),
      ...(one.events.length ? { events: one.events.map((each, k) => event(each, `rates[${i}].events[${k}]`)) } : {}),
    })),
    graceMinutes: whole(draft.graceMinutes, 'graceMinutes'),
    ...optional(draft.lostTicketPrice, 'lostTicketPrice', amount),
  };
  return { body, errors };
}

/** All days of the week, which is the default. */
const isWeek = (days) => days.length === ALL_DAYS.length && ALL_DAYS.every((day) => days.includes(day));

/** The differences between two tariffs, in words. */
export function changes(old, tariff, currency) {
  const rowsOf = (one) => {
    const found = new Map();
    for (const { title, rows } of tariffGroups(one, currency, ''))
      for (const [label, value] of rows) {
        const name = title ? `${title}: ${label}` : label;
        found.set(found.has(name) ? `${name} (${found.size})` : name, value);
      }
    return found;
  };
  const [before, after] = [old, tariff].map(rowsOf);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? '–'} → ${after.get(name) ?? '–'}`);
}
