// The lists of spots and car parks that were found.

import { escaped } from '/apps/shared/api.js';
import { spacesText, stateBadge, unitPrice } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, distance, t } from '/apps/shared/i18n.js';
import { button, empty, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { FAR, loadMore, searchAgain, spotsAround, spotsOfOthers, want } from './search.js';

export function spotList(find) {
  const { found, resources, spots, wanted } = find;
  const entry = spotsAround(find);
  if (!entry) return null;
  if (!entry.value) return entry.error ? problemNotice(entry.error, () => resources.reload('/v1/spots?')) : null;
  const items = spotsOfOthers(find);
  if (!items.length) return wanted.what === 'spots' ? spots.empty() : null;
  return [
    h('h2', { class: 'list-title', key: 'spots-title' }, t('tab.what.spots')),
    h('ul', { class: 'list', key: 'spots', 'aria-label': t('tab.what.spots') }, items.map(spots.line)),
    wanted.what === 'all' && found.items?.length
      ? h('h2', { class: 'list-title', key: 'parks-title' }, t('tab.what.parks'))
      : null,
  ];
}

export function parkList(find) {
  const { found, wanted } = find;
  const { items, next, error, isLoading, at } = found;
  const again = () => searchAgain(find);
  if (!items) return error ? problemNotice(error, again) : skeleton(6);
  const isFar = wanted.radiusMeters === FAR || wanted.q;
  return [
    error
      ? notice(
          'warning',
          t('state.asOf', { time: dateTime(at) }),
          button(t('action.retry'), { look: 'quiet', onclick: again }),
        )
      : null,
    items.length
      ? h(
          'ul',
          { class: 'list', key: 'items', 'aria-label': t('park.title') },
          items.map((carPark) => parkLine(carPark, wanted.kind)),
        )
      : empty(
          'parking',
          t('park.none'),
          t('park.none.lead'),
          isFar ? null : button(t('park.further'), { onclick: () => want(find, { radiusMeters: FAR }) }),
        ),
    next ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => loadMore(find) }) : null,
  ];
}

function parkLine(carPark, kind) {
  const { id, name, address, statusReason, distanceMeters, bookableSpaces, price, priceUnit } = carPark;
  // The present state says nothing about a later time.
  const isLater = bookableSpaces !== null && carPark.status !== 'closed';
  return h(
    'li',
    { key: id },
    h(
      'a',
      { class: 'card stack tight', href: `#${escaped`/park/${id}`}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, name), isLater ? null : stateBadge(carPark)),
      h(
        'span',
        { class: 'muted small' },
        [distanceMeters === null ? null : distance(distanceMeters), address, statusReason].filter(Boolean).join(' · '),
      ),
      h(
        'span',
        { class: 'row between small' },
        h('span', null, spacesOf(carPark, kind)),
        h('span', { class: 'strong numbers price' }, price ? unitPrice(price, priceUnit) : ''),
      ),
    ),
  );
}

/** The spaces that can be booked for the wanted period, otherwise those that are free now. */
function spacesOf({ bookableSpaces, spaces }, kind) {
  if (bookableSpaces !== null) return t('park.bookable', { count: bookableSpaces });
  const ofKind = spaces.find((one) => one.class === kind);
  return ofKind ? spacesText(ofKind) : t(spaces.length ? 'park.noClass' : 'park.spacesUnknown');
}
