// Finding a car park: the map, and a list with free spaces and prices.

import { serverNow } from '/apps/shared/clock.js';
import { gather } from '/apps/shared/clusters.js';
import { cityOf, isElsewhere } from '/apps/shared/demo.js';
import { h } from '/apps/shared/dom.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { dateTime, distance, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { CLOSEST } from '/apps/shared/map.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { metersBetween } from '/apps/shared/position.js';
import { go } from '/apps/shared/shell.js';
import {
  button,
  choices,
  empty,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toggle,
} from '/apps/shared/ui.js';
import { company } from './company.js';
import { CLASSES, spacesText, stateBadge, stateOf, unitPrice, wallTime } from '/apps/shared/car-parks.js';

/** In metres: the first search radius, the next one if nothing is found, and the least movement that counts. */
const NEAR = 5_000;
const FAR = 50_000;
const FARTHEST_SPOT = 10_000;
const STEP = 200;
/** Markers with a price hide each other within this distance, in pixels. */
const BESIDE = 64;
/** Pause between typing and searching, in ms. */
const PAUSE = 300;
const STAY = 2 * 3_600_000;
const AREAS = '/v1/service-areas';
const SORTS = ['distance', 'walk', 'price'];

export function createFind({ api, position, redraw, resources, spots, store }) {
  const wanted = {
    q: '',
    from: '',
    until: '',
    kind: 'general',
    openNow: false,
    height: '',
    sort: 'distance',
    radiusMeters: NEAR,
    center: null,
    what: 'all',
  };
  const found = { path: null, items: null, next: null, at: null, error: null, isLoading: false };
  let running = null;
  let timer = null;
  let origin = null;
  let hand = null;
  let fitted = null;
  let isSmall = false;

  // MARK: Searching

  const areas = () => store.value.areas ?? resources.get(AREAS, { anonymous: true }).value?.features ?? null;

  /** The place to which the map was moved, or the person's position, or the area's centre. */
  function center() {
    if (wanted.center) return wanted.center;
    const here = isElsewhere(position.last, areas()) ? null : position.last;
    if (here && (!origin || metersBetween(origin, here) > STEP))
      origin = { latitude: here.latitude, longitude: here.longitude };
    return origin ?? (cityOf(areas()) ?? areas()?.[0])?.properties.servicePoint ?? null;
  }

  const interval = () => {
    const { from, until } = wanted;
    return from && until && from < until
      ? { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      : {};
  };

  function query() {
    const { q, kind, openNow, height, sort, radiusMeters } = wanted;
    const point = center();
    return withQuery('/v1/car-parks', {
      ...(point
        ? { latitude: point.latitude, longitude: point.longitude, radiusMeters: q.trim() ? FAR : radiusMeters }
        : {}),
      ...interval(),
      class: kind,
      openNow: openNow || null,
      maxHeightMeters: Number(height) || null,
      q: q.trim(),
      sort: sort === 'distance' ? null : sort,
      limit: 30,
    });
  }

  async function load(path) {
    running?.abort();
    const { signal } = (running = new AbortController());
    const isOther = path !== found.path;
    Object.assign(found, { path, isLoading: true });
    try {
      const { items, next } = await api.get(path, { signal });
      Object.assign(found, { items, next, at: serverNow(), error: null, isLoading: false });
      if (isOther) fitted = null;
    } catch (error) {
      if (signal.aborted) return;
      Object.assign(found, { error, isLoading: false, ...(isOther ? { items: null, next: null } : {}) });
    }
    redraw();
  }

  async function more() {
    found.isLoading = true;
    redraw();
    try {
      const page = await api.get(withQuery(found.path, { after: found.next }));
      Object.assign(found, { items: [...found.items, ...page.items], next: page.next });
    } catch (error) {
      found.error = error;
    }
    found.isLoading = false;
    redraw();
  }

  /** Spots offered by drivers around the same point; only for people who are signed in. */
  function spotsAround() {
    const point = center();
    if (!api.isSignedIn || !point || wanted.what === 'parks' || wanted.q.trim()) return null;
    return resources.get(
      withQuery('/v1/spots', {
        latitude: point.latitude,
        longitude: point.longitude,
        radiusMeters: Math.min(wanted.radiusMeters, FARTHEST_SPOT),
        limit: 50,
      }),
    );
  }
  const spotsShown = () => spotsAround()?.value?.items.filter(({ isMine }) => !isMine) ?? [];

  const again = () => {
    resources.reload('/v1/spots?');
    return found.path && !found.isLoading && load(found.path);
  };

  /** Searches again if the conditions have changed. */
  function ask() {
    if (!center() && !position.failure && !resources.get(AREAS, { anonymous: true }).error && !areas()) return;
    const path = query();
    if (path !== found.path) load(path);
  }

  const set = (change) => {
    Object.assign(wanted, change);
    redraw();
  };

  // MARK: Map

  const slot = createMapSlot('park-map', redraw, {
    onready(map) {
      fitted = null;
      // The search is above the map, and prices are below their markers.
      map.setInset({ top: 84, bottom: 56 });
    },
    onmove(point, isByHand) {
      // Grouping depends on the zoom.
      drawMarkers();
      if (!isByHand || !fitted) return;
      hand = point;
      redraw();
    },
  });

  function drawMarkers() {
    const view = slot.map;
    if (!view || view.isPlain) return;
    const parks = wanted.what === 'spots' ? [] : (found.items ?? []);
    const markers = parks.map((carPark) => ({
      ...carPark.position,
      id: carPark.id,
      kind: 'parked',
      icon: 'parking',
      text: carPark.price ? money(carPark.price) : '',
      isStale: stateOf(carPark) !== 'open',
      title: `${carPark.name}, ${t(`park.state.${stateOf(carPark)}`)}`,
      onclick: () => go(escaped`/park/${carPark.id}`),
    }));
    view.setMarkers(
      'spot-',
      spotsShown().map((one) => ({
        ...one.position,
        id: one.id,
        kind: 'place',
        icon: 'car',
        text: one.price.amount ? money(one.price) : t('spots.free'),
        title: t('spots.marker', { price: one.price.amount ? money(one.price) : t('spots.free') }),
        onclick: () => go(escaped`/spots/${one.id}`),
      })),
    );
    view.setMarkers(
      'park-',
      gather(view, markers, {
        near: BESIDE,
        titleOf: (count) => t('park.several', { count }),
        onclick: (members) => view.fit(members, { maxZoom: CLOSEST }),
      }),
    );
  }

  function sync() {
    const view = slot.map;
    if (!view) return;
    const items = found.items ?? [];
    const here = isElsewhere(position.last, areas()) ? null : position.last;
    view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
    drawMarkers();
    if (fitted === found.path || found.isLoading) return;
    fitted = found.path;
    const point = center();
    // Don't move a map that was moved by hand.
    if (wanted.center) return;
    if (items.length) view.fit([...(wanted.q ? [] : [point]), ...items.slice(0, 8).map(({ position: at }) => at)]);
    else if (point) view.go(point, 14);
  }

  // MARK: Drawing

  const type = (event) => {
    const { value } = event.target;
    clearTimeout(timer);
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
          id: 'park-search',
          type: 'search',
          autocomplete: 'off',
          spellcheck: 'false',
          maxlength: 100,
          placeholder: t('park.search'),
          'aria-label': t('park.search'),
          value: wanted.q,
          oninput: type,
        }),
      ),
    );

  const setFrom = ({ target: { value } }) =>
    set({ from: value, until: value && wanted.until <= value ? wallTime(Date.parse(value) + STAY) : wanted.until });

  const filters = () => {
    const { from, until } = wanted;
    const isWrong = Boolean(from && until && from >= until);
    return h(
      'details',
      { class: 'fold', key: 'filters' },
      h('summary', null, t('park.filters'), icon('next')),
      h(
        'div',
        { class: 'stack' },
        field({ id: 'from', label: t('park.from'), type: 'datetime-local', value: from, onchange: setFrom }),
        field({
          id: 'until',
          label: t('park.until'),
          type: 'datetime-local',
          value: until,
          error: isWrong ? t('park.until.wrong') : null,
          onchange: ({ target }) => set({ until: target.value }),
        }),
        h(
          'div',
          { class: 'pair' },
          select({
            id: 'kind',
            label: t('park.class'),
            value: wanted.kind,
            options: CLASSES.map((kind) => [kind, t(`park.class.${kind}`)]),
            onchange: ({ target }) => set({ kind: target.value }),
          }),
          field({
            id: 'height',
            label: t('park.height'),
            type: 'number',
            inputmode: 'decimal',
            min: 0,
            max: 10,
            step: 0.1,
            value: wanted.height,
            onchange: ({ target }) => set({ height: target.value }),
          }),
        ),
        select({
          id: 'sort',
          label: t('park.sort'),
          value: wanted.sort,
          options: SORTS.map((sort) => [sort, t(`park.sort.${sort}`)]),
          onchange: ({ target }) => set({ sort: target.value }),
        }),
        toggle({
          id: 'openNow',
          label: t('park.openNow'),
          isOn: wanted.openNow,
          onchange: (openNow) => set({ openNow }),
        }),
      ),
    );
  };

  const line = (carPark) => {
    const { id, name, distanceMeters, bookableSpaces, price, priceUnit } = carPark;
    const spaces = carPark.spaces.find((one) => one.class === wanted.kind);
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
          [distanceMeters === null ? null : distance(distanceMeters), carPark.address, carPark.statusReason]
            .filter(Boolean)
            .join(' · '),
        ),
        h(
          'span',
          { class: 'row between small' },
          h(
            'span',
            null,
            bookableSpaces !== null
              ? t('park.bookable', { count: bookableSpaces })
              : spaces
                ? spacesText(spaces)
                : t(carPark.spaces.length ? 'park.noClass' : 'park.spacesUnknown'),
          ),
          h('span', { class: 'strong numbers price' }, price ? unitPrice(price, priceUnit) : ''),
        ),
      ),
    );
  };

  /** Spots come before car parks, because they are taken sooner. */
  function spotList() {
    const entry = spotsAround();
    if (!entry) return null;
    if (!entry.value) return entry.error ? problemNotice(entry.error, () => resources.reload('/v1/spots?')) : null;
    const items = spotsShown();
    if (!items.length) return wanted.what === 'spots' ? spots.empty() : null;
    return [
      h('h2', { class: 'list-title', key: 'spots-title' }, t('tab.what.spots')),
      h('ul', { class: 'list', key: 'spots', 'aria-label': t('tab.what.spots') }, items.map(spots.line)),
      wanted.what === 'all' && found.items?.length
        ? h('h2', { class: 'list-title', key: 'parks-title' }, t('tab.what.parks'))
        : null,
    ];
  }

  function list() {
    if (wanted.what === 'spots') return null;
    const { items, next, error, isLoading, at } = found;
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
        ? h('ul', { class: 'list', key: 'items', 'aria-label': t('park.title') }, items.map(line))
        : empty(
            'parking',
            t('park.none'),
            t('park.none.lead'),
            isFar ? null : button(t('park.further'), { onclick: () => set({ radiusMeters: FAR }) }),
          ),
      next ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: more }) : null,
    ];
  }

  const sheet = () =>
    h(
      'main',
      { class: 'sheet', key: 'sheet' },
      h(
        'header',
        { class: 'sheet-head', key: 'head' },
        h(
          'div',
          { class: 'grow' },
          h('h1', { 'data-focus': true }, t('park.title')),
          h(
            'p',
            { class: 'muted', role: 'status' },
            found.items ? t(found.next ? 'park.found.more' : 'park.found', { count: found.items.length }) : '',
          ),
        ),
        api.isSignedIn
          ? h('a', { class: 'button quiet', href: '#/bookings' }, t('bookings.mine'))
          : h('a', { class: 'button quiet', href: '#/' }, t('auth.signIn')),
        h(
          'button',
          {
            type: 'button',
            class: 'icon-button fold-sheet',
            'aria-expanded': String(!isSmall),
            'aria-label': t(isSmall ? 'sheet.open' : 'sheet.close'),
            onclick: () => {
              isSmall = !isSmall;
              redraw();
            },
          },
          icon('next'),
        ),
      ),
      h(
        'div',
        { class: 'sheet-body', key: 'body' },
        api.isSignedIn
          ? choices({
              name: 'what',
              label: t('tab.what'),
              hideLabel: true,
              value: wanted.what,
              options: ['all', 'parks', 'spots'].map((what) => [what, t(`tab.what.${what}`)]),
              onchange: (what) => set({ what }),
            })
          : null,
        wanted.what === 'spots' ? null : filters(),
        spotList(),
        list(),
        api.isSignedIn
          ? h('a', { class: 'button quiet', key: 'mine', href: '#/spots' }, icon('car'), t('spots.mine'))
          : null,
        company
          ? h('a', { class: 'button quiet', key: 'company', href: '#/company' }, icon('info'), company.name)
          : null,
      ),
    );

  function searchHere() {
    set({ center: hand, radiusMeters: NEAR });
    hand = null;
  }

  function locate() {
    hand = null;
    fitted = null;
    position.start();
    set({ center: null });
  }

  return {
    wanted,
    again,
    /** The list, or another screen, and the map. */
    draw(other) {
      if (!other) {
        position.start();
        ask();
      }
      queueMicrotask(() => requestAnimationFrame(sync));
      return {
        title: other?.title ?? t('park.title'),
        view: h(
          'div',
          { class: `map-app home park${other ? ' with-screen' : ''}${isSmall ? ' small-sheet' : ''}`, key: 'park-app' },
          other
            ? null
            : h(
                'header',
                { class: 'map-top', key: 'top' },
                api.isSignedIn
                  ? h(
                      'a',
                      { class: 'icon-button floating', href: '#/menu', 'aria-label': t('menu.open') },
                      icon('menu'),
                    )
                  : null,
                search(),
              ),
          other?.view ?? sheet(),
          h(
            'div',
            { class: 'map-area', key: 'area' },
            slot.view('map-holder'),
            hand && !other
              ? button(t('park.here'), { class: 'button map-note', key: 'here', onclick: searchHere })
              : null,
            slot.map?.isPlain
              ? null
              : iconButton('locate', t('map.locate'), locate, { class: 'icon-button floating locate', key: 'locate' }),
          ),
        ),
      };
    },
    leave() {
      slot.leave();
      hand = null;
    },
  };
}
