// Searching places: around the person, the map's centre or home; each with the route and its time.

import { cityOf, isElsewhere } from '/apps/shared/demo.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, format, minutes, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { metersBetween } from '/apps/shared/position.js';
import { go } from '/apps/shared/shell.js';
import { begun } from '/apps/shared/storage.js';
import { button, choices, empty, iconButton, notice, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { holds } from './hold.js';
import { createLatest } from './latest.js';
import { isToCome, whenView } from './when.js';
import { KINDS, RIDDEN, kindText, limitText, openBadge, reachText, vendorPath } from './words.js';

const WANTED = 'openvalet.places.wanted';
const AREAS = '/v1/service-areas';
/** A person who has moved less than this counts as not moved; in metres. */
const STEP = 200;
/** Pause between typing and searching, in ms. */
const PAUSE = 300;
/** Limits of a search besides those of the stored mobility. */
const ASKED = ['maxSeconds', 'maxMeters', 'radiusMeters'];
const fresh = () => ({
  around: 'me',
  center: null,
  q: '',
  kinds: [],
  isOpenNow: false,
  takesStamps: null,
  isAccessible: false,
  sort: 'time',
  limits: {},
  hasArea: false,
  departAt: null,
});

export function createFind({ api, middle, mobility, position, redraw, resources, store }) {
  const wanted = { ...fresh(), ...begun.recall(WANTED) };
  const found = createLatest(api, redraw, { keeps: true });
  const area = createLatest(api, redraw);
  let timer = null;
  /** The text of the field before it is searched. */
  let typed = null;
  let origin = null;

  // MARK: Where

  const areas = () => store.value.areas ?? resources.get(AREAS, { anonymous: true }).value?.features ?? null;
  const here = () => (isElsewhere(position.last, areas()) ? null : position.last);

  /** The person's position or the area's centre; the map's centre after a move; home. */
  function center() {
    if (wanted.around === 'map') return wanted.center;
    if (wanted.around === 'home') return mobility()?.home ?? null;
    const at = here();
    if (at && (!origin || metersBetween(origin, at) > STEP))
      origin = { latitude: at.latitude, longitude: at.longitude };
    return origin ?? (cityOf(areas()) ?? areas()?.[0])?.properties.servicePoint ?? null;
  }

  // MARK: When

  const leaving = () => (wanted.departAt && isToCome(wanted.departAt) ? wanted.departAt : null);
  /** The time zone of the first result. */
  const zone = () =>
    wanted.departAt && found.value?.items.length
      ? resources.get(vendorPath(found.value.items[0].id), { anonymous: true }).value?.timeZone
      : undefined;
  const routePath = ({ id, reach }) =>
    withQuery(escaped`/places/${id}/route`, { mode: reach?.mode, departAt: leaving() });

  // MARK: Searching

  function query() {
    const { q, kinds, isOpenNow, takesStamps, isAccessible, sort, limits } = wanted;
    const { latitude, longitude } = center();
    return withQuery('/v1/vendors', {
      latitude,
      longitude,
      q: q.trim(),
      kinds: kinds.join(','),
      openAt: isOpenNow ? (leaving() ?? 'now') : null,
      acceptsStamps: takesStamps,
      accessible: isAccessible || null,
      sort: sort === 'time' ? null : sort,
      departAt: leaving(),
      ...limits,
    });
  }

  function ask() {
    if (!center()) return;
    found.ask(query());
    if (wanted.hasArea) area.ask(areaQuery());
  }

  function set(change) {
    Object.assign(wanted, change);
    if ('q' in change) {
      clearTimeout(timer);
      typed = null;
    }
    begun.remember(WANTED, wanted);
    redraw();
  }

  function around(value) {
    origin = null;
    if (value === 'me') position.start();
    set({ around: value, center: value === 'map' ? (middle() ?? center()) : null });
  }

  // MARK: The area that can be reached

  function areaQuery() {
    const { latitude, longitude } = center();
    return withQuery('/v1/reachable', {
      latitude,
      longitude,
      maxSeconds: wanted.limits.maxSeconds,
      departAt: leaving(),
    });
  }

  function areaText({ mode, seconds, isStraightLine }) {
    const area = t(`places.area.${RIDDEN.includes(mode) ? 'transit' : mode}`, { time: minutes(seconds) });
    return isStraightLine ? t('places.area.rough', { area }) : area;
  }

  function areaNote() {
    if (!wanted.hasArea || !center()) return null;
    const { value, error } = area;
    if (!value)
      return error
        ? problemNotice(error, area.again)
        : h('p', { class: 'muted small', role: 'status' }, t('state.loading'));
    const { features, attribution } = value;
    if (!features.length) return h('p', { class: 'muted small', role: 'status' }, t('places.area.none'));
    const names = new Set(features.map(({ properties }) => areaText(properties)));
    const areas = format('ListFormat', { type: 'conjunction' }).format(names);
    return h(
      'p',
      { class: 'muted small', role: 'status' },
      [t('places.area.shown', { areas }), attribution].filter(Boolean).join(' '),
    );
  }

  // MARK: Drawing

  const type = ({ target: { value } }) => {
    clearTimeout(timer);
    typed = value;
    timer = setTimeout(() => set({ q: value }), PAUSE);
  };
  const search = () =>
    h(
      'div',
      { class: 'search', role: 'search', key: 'search' },
      h(
        'div',
        { class: 'search-box' },
        icon('search'),
        h('input', {
          id: 'places-search',
          type: 'search',
          autocomplete: 'off',
          spellcheck: 'false',
          maxlength: 100,
          placeholder: t('places.search'),
          'aria-label': t('places.search'),
          value: typed ?? wanted.q,
          oninput: type,
        }),
      ),
    );

  const takesStamps = () => wanted.takesStamps ?? mobility()?.acceptsStampsOnly ?? false;
  const clear = () =>
    set({
      ...fresh(),
      around: wanted.around,
      center: wanted.center,
      hasArea: wanted.hasArea,
      departAt: wanted.departAt,
    });

  function filters() {
    const { kinds, isOpenNow, isAccessible, sort } = wanted;
    const count = kinds.length + [isOpenNow, takesStamps(), isAccessible].filter(Boolean).length;
    const kind = (name) =>
      h(
        'label',
        { class: 'choice', key: name },
        h('input', {
          type: 'checkbox',
          name: 'kind',
          value: name,
          checked: kinds.includes(name),
          onchange: ({ target }) =>
            set({ kinds: KINDS.filter((one) => (one === name ? target.checked : kinds.includes(one))) }),
        }),
        h('span', null, t(`places.kind.${name}`)),
      );
    return h(
      'details',
      { class: 'fold', key: 'filters' },
      h('summary', null, count ? t('places.filters.count', { count }) : t('places.filters'), icon('next')),
      h(
        'div',
        { class: 'stack' },
        h(
          'fieldset',
          { class: 'choices' },
          h('legend', null, t('places.kinds')),
          h('div', { class: 'choice-row' }, KINDS.map(kind)),
        ),
        toggle({
          id: 'openNow',
          label: t(leaving() ? 'places.openThen' : 'places.openNow'),
          isOn: isOpenNow,
          onchange: (isOn) => set({ isOpenNow: isOn }),
        }),
        toggle({
          id: 'takesStamps',
          label: t('places.stampsOnly'),
          isOn: takesStamps(),
          onchange: (isOn) => set({ takesStamps: isOn }),
        }),
        toggle({
          id: 'accessible',
          label: t('places.accessible'),
          hint: t('places.accessible.hint'),
          isOn: isAccessible,
          onchange: (isOn) => set({ isAccessible: isOn }),
        }),
        choices({
          name: 'sort',
          label: t('places.sort'),
          value: sort,
          options: ['time', 'distance'].map((one) => [one, t(`places.sort.${one}`)]),
          onchange: (value) => set({ sort: value }),
        }),
      ),
    );
  }

  const line = (one) =>
    h(
      'li',
      { key: one.id, class: 'card stack tight place-line' },
      h(
        'span',
        { class: 'row between' },
        h(
          'a',
          { class: 'whole strong grow', href: `#${escaped`/places/${one.id}`}`, ...holds(() => go(routePath(one))) },
          one.name,
        ),
        iconButton('route', t('places.route.of', { name: one.name }), () => go(routePath(one))),
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

  /** Changes that would bring results: for this search, or in the mobility. */
  const help = ({ limit, value, vendors }) => {
    const text = t(`places.help.${limit}`, {
      value: limitText(limit, value),
      places: t('places.help.places', { count: vendors }),
    });
    return h(
      'li',
      { key: limit },
      ASKED.includes(limit)
        ? button(text, { wide: true, onclick: () => set({ limits: { ...wanted.limits, [limit]: value } }) })
        : h('a', { class: 'button wide', href: '#/places/mobility' }, text),
    );
  };

  function none() {
    const { helps } = found.value;
    return [
      empty(
        'pin',
        t('places.none'),
        t('places.none.lead'),
        wanted.q || wanted.kinds.length || wanted.isOpenNow || wanted.isAccessible || takesStamps()
          ? button(t('places.filters.clear'), {
              onclick: () => {
                clear();
                set({ takesStamps: false });
              },
            })
          : null,
      ),
      helps.length
        ? [
            h('h2', { key: 'helps-title' }, t('places.helps')),
            h('ul', { class: 'list', key: 'helps', 'aria-label': t('places.helps') }, helps.map(help)),
          ]
        : null,
    ];
  }

  function list() {
    const { value, error, isLoading, at } = found;
    if (!center()) {
      if (wanted.around === 'home')
        return mobility()
          ? empty(
              'pin',
              t('places.home.none'),
              null,
              h('a', { class: 'button primary', href: '#/places/mobility' }, t('places.mobility')),
            )
          : skeleton(5);
      return position.failure && areas() ? empty('locate', t('places.nowhere'), t('places.nowhere.lead')) : skeleton(6);
    }
    if (!value) return error ? problemNotice(error, found.again) : skeleton(6);
    const { items, next, beyondLimits, attribution } = value;
    return [
      error
        ? notice(
            'warning',
            t('state.asOf', { time: dateTime(at) }),
            button(t('action.retry'), { look: 'quiet', onclick: found.again }),
          )
        : null,
      items.length ? h('ul', { class: 'list', key: 'items', 'aria-label': t('places.list') }, items.map(line)) : none(),
      next ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: found.more }) : null,
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

  const body = () => [
    choices({
      name: 'around',
      label: t('places.around'),
      hideLabel: true,
      value: wanted.around,
      options: ['me', 'map', ...(api.isSignedIn ? ['home'] : [])].map((one) => [one, t(`places.around.${one}`)]),
      onchange: around,
    }),
    whenView({
      when: wanted.departAt ? { departAt: wanted.departAt } : {},
      names: ['departAt'],
      zone: zone(),
      onchange: ({ departAt = null }) => set({ departAt }),
    }),
    filters(),
    toggle({ id: 'area', label: t('places.area'), isOn: wanted.hasArea, onchange: (hasArea) => set({ hasArea }) }),
    areaNote(),
    Object.keys(wanted.limits).length
      ? notice(
          'neutral',
          t('places.limits.own'),
          button(t('places.limits.reset'), { look: 'quiet', onclick: () => set({ limits: {} }) }),
        )
      : null,
    list(),
    h(
      'nav',
      { class: 'row wrap', key: 'mine', 'aria-label': t('places.title') },
      h('a', { class: 'button quiet', href: '#/places/saved' }, icon('heart'), t('places.saved')),
      h('a', { class: 'button quiet', href: '#/places/mobility' }, icon('settings'), t('places.mobility')),
    ),
  ];

  return {
    ask,
    /** Searches again for another person, or with other limits. */
    again() {
      found.again();
      if (wanted.hasArea) area.again();
      else area.forget();
    },
    center,
    here,
    routePath,
    search,
    body,
    get items() {
      return found.value?.items ?? [];
    },
    /** The path of the results; null while loading. */
    get path() {
      return found.isLoading ? null : found.path;
    },
    /** The reachable area shown on the map. */
    get area() {
      return (wanted.hasArea && area.value?.features) || [];
    },
    get isAroundMap() {
      return wanted.around === 'map';
    },
    status() {
      if (!found.value) return '';
      const {
        next,
        items: { length: count },
      } = found.value;
      return t(next ? 'places.found.more' : count ? 'places.found' : 'places.none', { count });
    },
    /** The place as it was found, with the route. */
    known: (id) => found.value?.items.find((one) => one.id === id) ?? null,
    lookAt: (point) => set({ around: 'map', center: point }),
    lookHere: () => around('me'),
    forget() {
      clearTimeout(timer);
      typed = null;
      Object.assign(wanted, fresh());
      begun.remember(WANTED);
      [found, area].forEach((one) => one.forget());
    },
  };
}
