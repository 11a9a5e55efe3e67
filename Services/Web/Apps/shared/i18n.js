// Texts in the person's language; numbers, dates and distances as people write them in their region.

import { serverNow } from './clock.js';
import { createEvents } from './state.js';
import { recall, remember } from './storage.js';

export const languages = [
  { id: 'en', name: 'English' },
  { id: 'zh-Hant', name: '繁體中文' },
];
const STORED = 'openvalet.language';
const texts = { en: {}, 'zh-Hant': {} };
export const languageEvents = createEvents();

function preferred() {
  const chosen = recall(STORED);
  if (chosen in texts) return chosen;
  return /^zh/i.test(navigator.language) ? 'zh-Hant' : 'en';
}

/** Where this device is set to be, for example `GB`. */
export const region = () => format('Locale', undefined, navigator.language).maximize().region;

let current = preferred();
document.documentElement.lang = current;

export const language = () => current;

const folders = [];

async function load(id, wanted = folders) {
  const parts = await Promise.all(wanted.map((folder) => import(`${folder}/${id}.js`)));
  Object.assign(texts[id], ...parts.map((part) => part.default));
}

/** Loads the texts of more folders, each with `en.js` and `zh-Hant.js`, now and after a change of language. */
export async function loadTexts(...more) {
  folders.push(...more);
  await load(current, more);
}

/** Sets this device's language. Nothing changes if its texts can't be loaded. */
export async function setLanguage(id) {
  if (!(id in texts) || id === current) return;
  try {
    await load(id);
  } catch {
    return;
  }
  current = id;
  remember(STORED, id);
  document.documentElement.lang = id;
  languageEvents.emit('change', id);
}

/** The text of a key with `{name}` filled in. In plural texts `one | many` the number is `{count}`. */
export function t(key, values = {}) {
  let text = texts[current][key] ?? texts.en[key] ?? key;
  if ('count' in values && text.includes(' | ')) {
    const [one, many] = text.split(' | ');
    text = values.count === 1 ? one : many;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const hasText = (key) => key in texts[current] || key in texts.en;

/** The reason of an order's end: a code of ours, or free text; null if there is none. */
export const reasonText = ({ reason }) => (hasText(`reason.${reason}`) ? t(`reason.${reason}`) : reason);

/** A problem of the API in the person's language; the server's detail if there is no text here. */
export function tProblem(error) {
  if (typeof error?.code === 'string') {
    const key = [`problem.${error.code}.${error.field}`, `problem.${error.code}`].find(hasText);
    if (key) {
      const wait = error.retryAfterSeconds;
      return t(key, { seconds: wait ?? '', time: duration(wait ?? 60), detail: error.message });
    }
    if (error.status === 429) return t('problem.429', { seconds: error.retryAfterSeconds ?? 60 });
    if (error.status >= 500) return t('problem.500');
    return error.message;
  }
  return navigator.onLine === false ? t('problem.offline') : t('problem.unreachable');
}

const formats = new Map();
/** A cached `Intl` formatter, since making one is slow; by itself in the app's language, as written in the region. */
export function format(kind, options, tag = `${current}-${region()}`) {
  const key = `${kind} ${tag} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl[kind](tag, options));
  return formats.get(key);
}

/** `{ amount, currency }` in minor units, ISO 4217. */
export function money(value) {
  if (!value) return '–';
  const { currency } = value;
  const digits = digitsOf(currency);
  const words = format('NumberFormat', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return words.format(value.amount / 10 ** digits);
}

/** Currencies whose minor unit is not a hundredth (ISO 4217), as on the server. Browsers leave more decimals out. */
const DIGITS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const digitsOf = (currency) => Number(Object.keys(DIGITS).find((digits) => DIGITS[digits].includes(currency)) ?? 2);

/** The number of minor units per unit of a currency. */
export const minorUnits = (currency) => 10 ** digitsOf(currency);

/** 75 → "1 min 15 s", 4000 → "1 h 6 min". */
export function duration(seconds) {
  const total = Math.max(0, Math.round(seconds));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  if (hours) return t('duration.hours', { hours, minutes });
  if (minutes >= 10) return t('duration.minutes', { minutes });
  return minutes ? t('duration.both', { minutes, seconds: total % 60 }) : t('duration.seconds', { seconds: total });
}

/** A running clock, 3:07 or 1:03:07. */
export function clock(seconds) {
  const total = Math.max(0, Math.floor(seconds));
  const pad = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${hours ? pad(Math.floor((total % 3600) / 60)) : Math.floor(total / 60)}:${pad(total % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** Time to arrival in whole minutes. */
export function minutes(seconds) {
  return seconds < 45 ? t('duration.now') : t('duration.minutes', { minutes: Math.max(1, Math.round(seconds / 60)) });
}

/** Regions whose roads are signed in miles. */
const MILES = ['GB', 'LR', 'MM', 'US'];
const METERS = { yards: 0.9144, feet: 0.3048, miles: 1_609.344 };

/** 350 m and 1.2 km; 380 yd, 1,100 ft and 0.7 mi where people use miles. */
export function distance(meters) {
  const isMetric = !MILES.includes(region());
  if (meters < 950 && isMetric) return t('distance.meters', { meters: Math.round(meters / 10) * 10 });
  if (isMetric) return t('distance.kilometers', { kilometers: number(meters / 1_000, 1) });
  const short = region() === 'GB' ? 'yards' : 'feet';
  const count = Math.round(meters / METERS[short] / 10) * 10;
  return meters < METERS.miles / 4
    ? t(`distance.${short}`, { count: number(count) })
    : t('distance.miles', { miles: number(meters / METERS.miles, 1) });
}

export const number = (value, digits = 0) =>
  format('NumberFormat', {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
    signDisplay: 'negative',
  }).format(value);

/** Times are local to this device, or to the given time zone. */
export const time = (date, timeZone) =>
  format('DateTimeFormat', { timeStyle: 'short', timeZone }).format(new Date(date));

/** "tomorrow, 09:00" or "Sat 28 Nov, 09:00". */
export const dateTime = (date, timeZone) => t('date.at', { date: nearDay(date, timeZone), time: time(date, timeZone) });

/** Dates more than half a year away have their year. */
const NEAR = 183;

/** "today", "tomorrow", "yesterday", or the date with its weekday. */
function nearDay(date, timeZone) {
  const days = dayNumber(date, timeZone) - dayNumber(serverNow(), timeZone);
  if (Math.abs(days) <= 1) return format('RelativeTimeFormat', { numeric: 'auto' }).format(days, 'day');
  const year = Math.abs(days) > NEAR ? 'numeric' : undefined;
  const options = { weekday: 'short', day: 'numeric', month: 'short', year, timeZone };
  return format('DateTimeFormat', options).format(new Date(date));
}

/** Days since 1 January 1970. */
const dayNumber = (date, timeZone) =>
  Date.parse(format('DateTimeFormat', { dateStyle: 'short', timeZone }, 'sv-SE').format(new Date(date))) / 86_400_000;

export const day = (date, timeZone) =>
  format('DateTimeFormat', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(new Date(date));

export const fullName = (person) =>
  current === 'zh-Hant' && /\p{Script=Han}/u.test(person.lastName + person.firstName)
    ? `${person.lastName}${person.firstName}`
    : `${person.firstName} ${person.lastName}`;
