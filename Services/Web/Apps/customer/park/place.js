// The page of a car park: location, opening hours, free spaces and prices.

import { escaped } from '/apps/shared/api.js';
import {
  byUnit,
  hours,
  spacesText,
  stateBadge,
  stateOf,
  timeOrDay,
  unitPrice,
  wallTime,
} from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { money, number, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { tariffGroups } from '/apps/shared/park-tariff.js';
import { pictureRow } from '/apps/shared/pictures.js';
import { badge, button, facts, notice, toast } from '/apps/shared/ui.js';
import { loadedScreen } from './loaded.js';

const WATCHED = '/v1/me/watched-car-parks';

export const pathOf = (id) => escaped`/v1/car-parks/${id}`;
export const offered = ({ products }) => byUnit(products.filter(({ isOffered }) => isOffered));

/** The terms and refunds that people accept by booking. */
export const terms = (
  { terms: { text, version }, cancellation: { freeUntilHours, lateRefundPercent } },
  isOpen = false,
) => [
  h('p', { class: 'muted small' }, t('park.cancellation', { count: freeUntilHours, percent: lateRefundPercent })),
  text
    ? h(
        'details',
        { class: 'fold', open: isOpen, key: `terms-${version}` },
        h('summary', null, t('park.terms'), icon('next')),
        h('p', { class: 'small terms' }, text),
      )
    : null,
];

export function createPlace(park) {
  /** `busy` is the class whose alert is being changed. */
  const screen = { park, busy: null };
  return {
    draw({ id }) {
      const entry = park.resources.get(pathOf(id), { anonymous: true });
      const title = entry.value?.name ?? t('park.one');
      return loadedScreen(park, entry, { title, back: '/park', bars: 6 }, (carPark) => [
        spacesCard(screen, carPark),
        pricesCard(carPark),
        aboutCard(carPark),
        foot(carPark),
      ]);
    },
  };
}

// MARK: Now

function spacesCard(screen, carPark) {
  const { address, name, photos, spaces } = carPark;
  return h(
    'section',
    { class: 'card stack', key: 'state' },
    h('div', { class: 'row between' }, h('span', { class: 'grow' }, address), stateBadge(carPark)),
    stateText(carPark),
    pictureRow(photos, t('park.photos'), (of) => t('park.photo', { number: of, name })),
    spaces.length
      ? facts(spaces.map((one) => [t(`park.class.${one.class}`), spacesText(one)]))
      : h('p', { class: 'muted' }, t('park.spacesUnknown')),
    watches(screen, carPark),
  );
}

/** Why the car park can't be used now, or how long it can. */
function stateText(carPark) {
  const { statusReason, nextOpeningChangeAt, timeZone } = carPark;
  const next = nextOpeningChangeAt && timeOrDay(nextOpeningChangeAt, timeZone);
  switch (stateOf(carPark)) {
    case 'closed':
      return notice('warning', statusReason ? t('park.closed.reason', { reason: statusReason }) : t('park.closed'));
    case 'shut':
      return notice('neutral', next ? t('park.shut.until', { time: next }) : t('park.shut'));
    case 'unsure':
      return notice('neutral', t('park.unsure'));
    case 'full':
      return notice('warning', t('park.full'));
    default:
      return next ? h('p', { class: 'muted' }, t('park.open.until', { time: next })) : null;
  }
}

/** For each full class, an alert when a space is free. */
function watches(screen, { id, spaces, status }) {
  const { api, resources } = screen.park;
  const full = spaces.filter(({ free, capacity }) => free === 0 && capacity > 0);
  if (!full.length || status === 'closed' || !api.isSignedIn) return null;
  const watched = resources.get(WATCHED).value?.items ?? [];
  return full.map((one) => {
    const isOn = watched.some((other) => other.carPark.id === id && other.class === one.class);
    const label = t(isOn ? 'watch.end' : 'watch.begin', { class: t(`park.class.${one.class}`) });
    return button(label, {
      key: `watch-${one.class}`,
      icon: 'bell',
      wide: true,
      isBusy: screen.busy === one.class,
      'aria-pressed': String(isOn),
      onclick: () => watch(screen, id, one.class, !isOn),
    });
  });
}

async function watch(screen, id, kind, isOn) {
  const { api, redraw, resources } = screen.park;
  if (screen.busy) return;
  screen.busy = kind;
  redraw();
  const path = escaped`/v1/me/watched-car-parks/${id}?class=${kind}`;
  try {
    await (isOn ? api.put(path) : api.delete(path));
    toast(t(isOn ? 'watch.on' : 'watch.off'), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
    // A space has become free.
    if (error.code === 'car_park.not_full') resources.reload(pathOf(id));
  }
  screen.busy = null;
  resources.reload(WATCHED);
}

// MARK: Prices and facts

function pricesCard(carPark) {
  const { currency, overstayFee, tariff, timeZone } = carPark;
  const products = offered(carPark);
  const today = wallTime(serverNow(), timeZone).slice(0, 10);
  return h(
    'section',
    { class: 'card stack', key: 'prices' },
    h('h2', null, t('park.prices')),
    tariff
      ? [
          h('h3', null, t('parkTariff.withoutBooking')),
          tariffGroups(tariff, currency, today).map(({ title, rows }) => [
            title ? h('p', { class: 'strong' }, title) : null,
            facts(rows),
          ]),
          h('h3', null, t('parkTariff.booked')),
        ]
      : null,
    products.length
      ? [
          facts(products.map(({ name, price, kind }) => [name, unitPrice({ amount: price, currency }, kind)])),
          products.length > 1 ? h('p', { class: 'muted small' }, t('park.combined')) : null,
        ]
      : h('p', { class: 'muted' }, t('park.noProducts')),
    overstayFee
      ? h('p', { class: 'muted small' }, t('park.overstay', { price: money({ amount: overstayFee, currency }) }))
      : null,
  );
}

function aboutCard(carPark) {
  const { features, maxHeightMeters, maxHeightText, openingHours, phone } = carPark;
  return h(
    'section',
    { class: 'card stack', key: 'about' },
    h('h2', null, t('park.about')),
    facts([
      [t('park.hours'), hours(openingHours)],
      [t('park.maxHeight'), maxHeightMeters ? t('park.meters', { meters: number(maxHeightMeters, 1) }) : maxHeightText],
      [t('park.phone'), phone && h('a', { href: `tel:${phone}` }, phone)],
    ]),
    features.length
      ? h(
          'ul',
          { class: 'row wrap', 'aria-label': t('park.features') },
          features.map((feature) => h('li', { key: feature }, badge(t(`park.feature.${feature}`)))),
        )
      : null,
    terms(carPark),
  );
}

/** Leads to booking; says so if the car park is open to others, but not bookable. */
function foot(carPark) {
  const isClosed = carPark.status === 'closed';
  if (!isClosed && offered(carPark).length && Object.values(carPark.bookable).some(Boolean))
    return h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      h('a', { class: 'button primary wide big', href: `#${escaped`/park/${carPark.id}/when`}` }, t('park.book')),
    );
  return isClosed ? null : h('p', { class: 'muted', key: 'foot' }, t('park.notBookable'));
}
