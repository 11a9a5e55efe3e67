// The tariff of a car park in words: what drivers pay without a booking.

import { format, money, t } from '/apps/shared/i18n.js';

export const TARIFF_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'holiday'];
const WEEK = TARIFF_DAYS.slice(0, 7);

/** The name of a day of the week or "Public holidays". */
export function dayName(day) {
  if (day === 'holiday') return t('park.holidays');
  return format('DateTimeFormat', { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + TARIFF_DAYS.indexOf(day)),
  );
}

/** For example "Mon–Fri, Public holidays"; null for all days. */
export function daysText(days) {
  if (!days || TARIFF_DAYS.every((day) => days.includes(day))) return null;
  const parts = [];
  for (let from = 0; from < WEEK.length; from += 1) {
    if (!days.includes(WEEK[from])) continue;
    let until = from;
    while (days.includes(WEEK[until + 1])) until += 1;
    parts.push(
      until - from > 1
        ? `${dayName(WEEK[from])}–${dayName(WEEK[until])}`
        : WEEK.slice(from, until + 1)
            .map(dayName)
            .join(', '),
    );
    from = until;
  }
  if (days.includes('holiday')) parts.push(dayName('holiday'));
  return parts.join(', ');
}

/** For example "€1.50 an hour, at most €9.00". */
export function bandPrice({ price, unitMinutes, maximum }, currency) {
  const amount = (value) => money({ amount: value, currency });
  const most = maximum === undefined ? '' : t('parkTariff.most', { price: amount(maximum) });
  if (!price) return t('parkTariff.free') + most;
  if (!unitMinutes) return t('parkTariff.flat', { price: amount(price) }) + most;
  const known = { 60: 'hourly', 1440: 'daily' }[unitMinutes];
  const text = known
    ? t(`park.per.${known}`, { price: amount(price) })
    : t('parkTariff.per', { price: amount(price), minutes: unitMinutes });
  return text + most;
}

const bandName = ({ name, days, from, until }) => {
  const hours = from === '00:00' && until === '24:00' ? t('parkTariff.always') : `${from}–${until}`;
  return [name, daysText(days), hours].filter(Boolean).join(', ');
};

const steps = (first, currency) =>
  (first ?? []).map(({ minutes, price }, i) => [
    t(i ? 'parkTariff.next' : 'parkTariff.first', { minutes }),
    price ? money({ amount: price, currency }) : t('parkTariff.free'),
  ]);

/** The first and the last day of an event; a single day once. */
function eventDays({ from, until }) {
  const words = format('DateTimeFormat', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const [first, last] = [from, until].map((day) => words.format(Date.parse(`${day}T12:00:00Z`)));
  return first === last ? first : `${first} – ${last}`;
}

const prices = ({ first, bands, dailyMaximum }, currency) => [
  ...steps(first, currency),
  ...bands.map((band) => [bandName(band), bandPrice(band, currency)]),
  ...(dailyMaximum === undefined ? [] : [[t('parkTariff.dailyMaximum'), money({ amount: dailyMaximum, currency })]]),
];

/** Groups `{ title, rows }` of the prices; events that are over by `today` (2026-12-24) are left out. */
export function tariffGroups({ rates, lostTicketPrice, graceMinutes }, currency, today) {
  const isOne = rates.length === 1;
  const groups = rates.flatMap((one) => [
    {
      title: isOne ? null : one.classes.map((kind) => t(`park.class.${kind}`)).join(', '),
      rows: prices(one, currency),
    },
    ...(one.events ?? [])
      .filter(({ until }) => until >= today)
      .map((event) => ({ title: `${event.name}, ${eventDays(event)}`, rows: prices(event, currency) })),
  ]);
  const rest = [
    ...(lostTicketPrice === undefined ? [] : [[t('parkTariff.lost'), money({ amount: lostTicketPrice, currency })]]),
    [t('parkTariff.grace'), t('duration.minutes', { minutes: graceMinutes })],
  ];
  return [...groups, { title: null, rows: rest }];
}
