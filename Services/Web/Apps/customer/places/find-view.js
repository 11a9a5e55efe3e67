// The list of places: where and when, filters, and the results.

import { h } from '/apps/shared/dom.js';
import { format, minutes, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, choices, notice, problemNotice, toggle } from '/apps/shared/ui.js';
import { center, leaving, lookAround, set, takesStamps, type, zone } from './find.js';
import { results } from './results.js';
import { whenView } from './when.js';
import { KINDS, RIDDEN } from './words.js';

export const searchField = (find) =>
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
        value: find.typed ?? find.wanted.q,
        oninput: ({ target }) => type(find, target.value),
      }),
    ),
  );

/** How many places were found, in words. */
export function status({ found }) {
  if (!found.value) return '';
  const { items, next } = found.value;
  return t(next ? 'places.found.more' : items.length ? 'places.found' : 'places.none', { count: items.length });
}

export function findView(find) {
  const { app, wanted } = find;
  return [
    choices({
      name: 'around',
      label: t('places.around'),
      hideLabel: true,
      value: wanted.around,
      options: ['me', 'map', ...(app.api.isSignedIn ? ['home'] : [])].map((one) => [one, t(`places.around.${one}`)]),
      onchange: (around) => lookAround(find, around),
    }),
    whenView({
      when: wanted.departAt ? { departAt: wanted.departAt } : {},
      names: ['departAt'],
      zone: zone(find),
      onchange: ({ departAt = null }) => set(find, { departAt }),
    }),
    filters(find),
    toggle({
      id: 'area',
      label: t('places.area'),
      isOn: wanted.hasArea,
      onchange: (hasArea) => set(find, { hasArea }),
    }),
    areaNote(find),
    Object.keys(wanted.limits).length
      ? notice(
          'neutral',
          t('places.limits.own'),
          button(t('places.limits.reset'), { look: 'quiet', onclick: () => set(find, { limits: {} }) }),
        )
      : null,
    results(find),
    h(
      'nav',
      { class: 'row wrap', key: 'mine', 'aria-label': t('places.title') },
      h('a', { class: 'button quiet', href: '#/places/saved' }, icon('heart'), t('places.saved')),
      h('a', { class: 'button quiet', href: '#/places/mobility' }, icon('settings'), t('places.mobility')),
    ),
  ];
}

function filters(find) {
  const { kinds, isOpenNow, isAccessible, sort } = find.wanted;
  const count = kinds.length + [isOpenNow, takesStamps(find), isAccessible].filter(Boolean).length;
  return h(
    'details',
    { class: 'fold', key: 'filters' },
    h('summary', null, count ? t('places.filters.count', { count }) : t('places.filters'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      kindChoices(find),
      toggle({
        id: 'openNow',
        label: t(leaving(find.wanted) ? 'places.openThen' : 'places.openNow'),
        isOn: isOpenNow,
        onchange: (isOn) => set(find, { isOpenNow: isOn }),
      }),
      toggle({
        id: 'takesStamps',
        label: t('places.stampsOnly'),
        isOn: takesStamps(find),
        onchange: (isOn) => set(find, { takesStamps: isOn }),
      }),
      toggle({
        id: 'accessible',
        label: t('places.accessible'),
        hint: t('places.accessible.hint'),
        isOn: isAccessible,
        onchange: (isOn) => set(find, { isAccessible: isOn }),
      }),
      choices({
        name: 'sort',
        label: t('places.sort'),
        value: sort,
        options: ['time', 'distance'].map((one) => [one, t(`places.sort.${one}`)]),
        onchange: (value) => set(find, { sort: value }),
      }),
    ),
  );
}

function kindChoices(find) {
  const { kinds } = find.wanted;
  const choose = (name, isOn) =>
    set(find, { kinds: KINDS.filter((one) => (one === name ? isOn : kinds.includes(one))) });
  return h(
    'fieldset',
    { class: 'choices' },
    h('legend', null, t('places.kinds')),
    h(
      'div',
      { class: 'choice-row' },
      KINDS.map((name) =>
        h(
          'label',
          { class: 'choice', key: name },
          h('input', {
            type: 'checkbox',
            name: 'kind',
            value: name,
            checked: kinds.includes(name),
            onchange: ({ target }) => choose(name, target.checked),
          }),
          h('span', null, t(`places.kind.${name}`)),
        ),
      ),
    ),
  );
}

// MARK: The area that can be reached

function areaText({ mode, seconds, isStraightLine }) {
  const area = t(`places.area.${RIDDEN.includes(mode) ? 'transit' : mode}`, { time: minutes(seconds) });
  return isStraightLine ? t('places.area.rough', { area }) : area;
}

function areaWords({ features, attribution }) {
  if (!features.length) return t('places.area.none');
  const names = new Set(features.map(({ properties }) => areaText(properties)));
  const areas = format('ListFormat', { type: 'conjunction' }).format(names);
  return [t('places.area.shown', { areas }), attribution].filter(Boolean).join(' ');
}

function areaNote(find) {
  const { wanted, area } = find;
  if (!wanted.hasArea || !center(find)) return null;
  if (!area.value && area.error) return problemNotice(area.error, area.again);
  return h('p', { class: 'muted small', role: 'status' }, area.value ? areaWords(area.value) : t('state.loading'));
}
