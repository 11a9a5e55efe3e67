// The results of a search for places, and what would help if there are none.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, empty, iconButton, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { areasOf, center, clear, routeTo, set, takesStamps } from './find.js';
import { holds } from './hold.js';
import { kindText, limitText, openBadge, reachText } from './words.js';

/** Limits of a search besides those of the stored mobility. */
const ASKED = ['maxSeconds', 'maxMeters', 'radiusMeters'];

export function results(find) {
  const { value, error, isLoading, at, again, more } = find.found;
  if (!center(find)) return noCenter(find);
  if (!value) return error ? problemNotice(error, again) : skeleton(6);
  const { items, next, beyondLimits, attribution } = value;
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
          { class: 'list', key: 'items', 'aria-label': t('places.list') },
          items.map((one) => line(find, one)),
        )
      : none(find),
    next ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: more }) : null,
    beyondLimits
      ? notice(
          'neutral',
          t('places.beyond', { count: beyondLimits }),
          h('a', { class: 'button quiet', href: '#/places/mobility' }, t('places.beyond.change')),
        )
      : null,
    items.length ? h('p', { class: 'muted small', key: 'hold' }, t('places.hold')) : null,
    items.some(({ reach }) => reach.isStraightLine)
      ? h('p', { class: 'muted small', key: 'straight' }, t('places.straight'))
      : null,
    attribution ? h('p', { class: 'muted small', key: 'attribution' }, attribution) : null,
  ];
}

/** There is no home, no position, or none yet. */
function noCenter(find) {
  const { mobility, position } = find.app;
  if (find.wanted.around === 'home')
    return mobility()
      ? empty(
          'pin',
          t('places.home.none'),
          null,
          h('a', { class: 'button primary', href: '#/places/mobility' }, t('places.mobility')),
        )
      : skeleton(5);
  return position.failure && areasOf(find)
    ? empty('locate', t('places.nowhere'), t('places.nowhere.lead'))
    : skeleton(6);
}

function line(find, one) {
  const showRoute = () => go(routeTo(find, one));
  return h(
    'li',
    { key: one.id, class: 'card stack tight place-line' },
    h(
      'span',
      { class: 'row between' },
      h('a', { class: 'whole strong grow', href: `#${escaped`/places/${one.id}`}`, ...holds(showRoute) }, one.name),
      iconButton('route', t('places.route.of', { name: one.name }), showRoute),
    ),
    h(
      'span',
      { class: 'muted small' },
      [kindText(one), one.address, one.acceptsStamps === 'yes' ? t('places.stamps.yes') : null]
        .filter(Boolean)
        .join(' · '),
    ),
    h(
      'span',
      { class: 'row wrap between' },
      h('span', { class: 'small strong' }, reachText(one.reach)),
      openBadge(one),
    ),
  );
}

function none(find) {
  const { q, kinds, isOpenNow, isAccessible } = find.wanted;
  const { helps } = find.found.value;
  return [
    empty(
      'pin',
      t('places.none'),
      t('places.none.lead'),
      q || kinds.length || isOpenNow || isAccessible || takesStamps(find)
        ? button(t('places.filters.clear'), { onclick: () => clear(find) })
        : null,
    ),
    helps.length
      ? [
          h('h2', { key: 'helps-title' }, t('places.helps')),
          h(
            'ul',
            { class: 'list', key: 'helps', 'aria-label': t('places.helps') },
            helps.map((one) => help(find, one)),
          ),
        ]
      : null,
  ];
}

/** A change that would bring results: for this search, or in the mobility. */
function help(find, { limit, value, vendors }) {
  const text = t(`places.help.${limit}`, {
    value: limitText(limit, value),
    places: t('places.help.places', { count: vendors }),
  });
  return h(
    'li',
    { key: limit },
    ASKED.includes(limit)
      ? button(text, {
          wide: true,
          onclick: () => set(find, { limits: { ...find.wanted.limits, [limit]: value } }),
        })
      : h('a', { class: 'button wide', href: '#/places/mobility' }, text),
  );
}
