// Texts of places: kinds, opening hours, routes and measurements.

import { serverNow } from '/apps/shared/clock.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { distance, format, minutes, number, t } from '/apps/shared/i18n.js';
import { badge } from '/apps/shared/ui.js';
import { sourceText } from '/apps/shared/vendors.js';

export const KINDS = ['foodMarket', 'soupKitchen', 'church', 'grocery', 'restaurant', 'other'];
export const MODES = ['walk', 'wheelchair', 'bicycle', 'bus', 'train', 'car'];
/** Public transport: only for it can a time of arrival be chosen. */
export const RIDDEN = ['bus', 'train'];
export const STAMPS = ['yes', 'no', 'unknown'];
/** Measurements, in the order in which a visitor meets them. */
export const MEASURES = ['stepCentimeters', 'doorCentimeters', 'slopePercent', 'surface', 'toilet', 'lift'];
const DAY = 86_400_000;
/** In seconds: as little is no time that people say. */
const AT_ONCE = 45;

export const vendorPath = (id) => escaped`/v1/vendors/${id}`;
/** The address of a route's screen. */
export const routePath = (id, mode, when = {}) => withQuery(escaped`/places/${id}/route`, { mode, ...when });
/** Kinds unknown to this version are shown as "other". */
export const kindText = ({ kind }) => t(`places.kind.${KINDS.includes(kind) ? kind : 'other'}`);
export const modeText = (mode) => t(`places.mode.${mode}`);
/** Whether it is open, and whether it will be on arrival, if known. */
export function openBadge({ isOpen, isOpenOnArrival = null }) {
  if (isOpen === null) return badge(t('places.hours.unknown'));
  if (isOpenOnArrival === null || isOpenOnArrival === isOpen)
    return badge(t(isOpen ? 'places.open' : 'places.closed'), isOpen ? 'success' : 'neutral');
  return isOpen ? badge(t('places.closes'), 'warning') : badge(t('places.opens'), 'success');
}

/** The mode of travel and the time. */
export const reachText = ({ mode, seconds, meters, transfers }) =>
  [
    seconds < AT_ONCE
      ? t('places.reach.near', { distance: distance(meters) })
      : t('places.reach', { mode: modeText(mode), time: minutes(seconds), distance: distance(meters) }),
    transfers ? t('places.reach.transfers', { count: transfers }) : null,
  ]
    .filter(Boolean)
    .join(' · ');

/** An age in days, months or years. */
function age(at) {
  const days = Math.floor((serverNow() - Date.parse(at)) / DAY);
  const [count, unit] =
    days < 60 ? [days, 'day'] : days < 730 ? [Math.floor(days / 30), 'month'] : [Math.floor(days / 365), 'year'];
  return format('RelativeTimeFormat', { numeric: 'auto' }).format(-count, unit);
}

function measureText(name, value) {
  if (typeof value === 'boolean') return t(value ? 'action.yes' : 'action.no');
  if (name === 'surface') return value;
  if (name === 'stepCentimeters' && value === 0) return t('places.access.step.none');
  return t(name === 'slopePercent' ? 'places.access.percent' : 'places.access.cm', { value: number(value) });
}

/** The known measurements: `[name, value, source and age]`. */
export const measures = (accessibility) =>
  MEASURES.filter((name) => ![null, undefined].includes(accessibility[name])).map((name) => {
    const from = accessibility.measured?.[name];
    return [
      name,
      measureText(name, accessibility[name]),
      from ? t('places.access.from', { source: sourceText(from.source), age: age(from.at) }) : null,
    ];
  });

export const limitText = (name, value) => (name === 'maxSeconds' ? minutes(value) : distance(value));
