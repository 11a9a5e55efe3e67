// The page of a car park: location, opening hours, free spaces and prices.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, number, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, facts, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { byUnit, hours, spacesText, stateBadge, stateOf, timeOrDay, unitPrice } from '/apps/shared/car-parks.js';
import { pictureRow } from '/apps/shared/pictures.js';

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

const WATCHED = '/v1/me/watched-car-parks';

export function createPlace({ api, redraw, resources }) {
  let busy = null;

  async function watch(id, kind, isOn) {
    if (busy) return;
    busy = kind;
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
    busy = null;
    resources.reload(WATCHED);
  }

  /** For each full class, an alert when a space is free. */
  function watches({ id, spaces, status }) {
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
        isBusy: busy === one.class,
        'aria-pressed': String(isOn),
        onclick: () => watch(id, one.class, !isOn),
      });
    });
  }

  /** Why the car park can't be used now, or how long it can. */
  function state(carPark) {
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

  const content = (carPark) => {
    const {
      name: called,
      address,
      photos,
      phone,
      openingHours,
      maxHeightMeters,
      features,
      currency,
      overstayFee,
      spaces,
      id,
    } = carPark;
    const products = offered(carPark);
    const canBook = products.length && carPark.status !== 'closed' && Object.values(carPark.bookable).some(Boolean);
    return [
      h(
        'section',
        { class: 'card stack', key: 'state' },
        h('div', { class: 'row between' }, h('span', { class: 'grow' }, address), stateBadge(carPark)),
        state(carPark),
        pictureRow(photos, t('park.photos'), (of) => t('park.photo', { number: of, name: called })),
        spaces.length
          ? h(
              'dl',
              { class: 'facts' },
              spaces.map((one) =>
                h(
                  'div',
                  { key: one.class },
                  h('dt', null, t(`park.class.${one.class}`)),
                  h('dd', null, spacesText(one)),
                ),
              ),
            )
          : h('p', { class: 'muted' }, t('park.spacesUnknown')),
        watches(carPark),
      ),
      h(
        'section',
        { class: 'card stack', key: 'prices' },
        h('h2', null, t('park.prices')),
        products.length
          ? facts(products.map(({ name, price, kind }) => [name, unitPrice({ amount: price, currency }, kind)]))
          : h('p', { class: 'muted' }, t('park.noProducts')),
        overstayFee
          ? h('p', { class: 'muted small' }, t('park.overstay', { price: money({ amount: overstayFee, currency }) }))
          : null,
      ),
      h(
        'section',
        { class: 'card stack', key: 'about' },
        h('h2', null, t('park.about')),
        facts([
          [t('park.hours'), hours(openingHours)],
          [t('park.maxHeight'), maxHeightMeters && t('park.meters', { meters: number(maxHeightMeters, 1) })],
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
      ),
      canBook
        ? h(
            'div',
            { class: 'screen-foot', key: 'foot' },
            h('a', { class: 'button primary wide big', href: `#${escaped`/park/${id}/when`}` }, t('park.book')),
          )
        : carPark.status === 'closed'
          ? null
          : h('p', { class: 'muted', key: 'foot' }, t('park.notBookable')),
    ];
  };

  return {
    draw({ id }) {
      const { value, error, at } = resources.get(pathOf(id), { anonymous: true });
      const title = value?.name ?? t('park.one');
      return {
        title,
        view: screen(
          title,
          { back: '/park' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          value ? content(value) : error ? problemNotice(error, () => resources.reload(pathOf(id))) : skeleton(6),
        ),
      };
    },
  };
}
