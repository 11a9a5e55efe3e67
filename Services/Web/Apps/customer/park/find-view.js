// The screen on which car parks and spots are found: map, search box, and a sheet with filters and lists.

import { CLASSES } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, choices, field, iconButton, select, toggle } from '/apps/shared/ui.js';
import { companyOf } from './company.js';
import { parkList, spotList } from './find-lists.js';
import { isPeriodWrong, locate, periodFrom, searchHere, want } from './search.js';

/** Pause between typing and searching, in ms. */
const PAUSE = 300;
const SORTS = ['distance', 'walk', 'price'];

/** The map with the sheet, or with another screen. */
export const findView = (find, other) =>
  h(
    'div',
    {
      class: `map-app home park${other ? ' with-screen' : ''}${find.isSmall ? ' small-sheet' : ''}`,
      key: 'park-app',
    },
    other ? null : top(find),
    other?.view ?? sheet(find),
    h(
      'div',
      { class: 'map-area', key: 'area' },
      find.slot.view('map-holder'),
      find.hand && !other
        ? button(t('park.here'), { class: 'button map-note', key: 'here', onclick: () => searchHere(find) })
        : null,
      find.slot.map?.isPlain
        ? null
        : iconButton('locate', t('map.locate'), () => locate(find), {
            class: 'icon-button floating locate',
            key: 'locate',
          }),
    ),
  );

const top = (find) =>
  h(
    'header',
    { class: 'map-top', key: 'top' },
    find.api.isSignedIn
      ? h('a', { class: 'icon-button floating', href: '#/menu', 'aria-label': t('menu.open') }, icon('menu'))
      : null,
    searchBox(find),
  );

function searchBox(find) {
  const oninput = ({ target: { value } }) => {
    clearTimeout(find.typing);
    find.typing = setTimeout(() => want(find, { q: value }), PAUSE);
  };
  return h(
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
        value: find.wanted.q,
        oninput,
      }),
    ),
  );
}

// MARK: Sheet

const sheet = (find) =>
  h(
    'main',
    { class: 'sheet', key: 'sheet' },
    sheetHead(find),
    h('div', { class: 'sheet-body', key: 'body' }, sheetBody(find)),
  );

function sheetHead(find) {
  const { api, found, isSmall, redraw } = find;
  const onclick = () => {
    find.isSmall = !find.isSmall;
    redraw();
  };
  return h(
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
        onclick,
      },
      icon('next'),
    ),
  );
}

/** Spots come before car parks, because they are taken sooner. */
function sheetBody(find) {
  const { api, wanted } = find;
  return [
    api.isSignedIn
      ? choices({
          name: 'what',
          label: t('tab.what'),
          hideLabel: true,
          value: wanted.what,
          options: ['all', 'parks', 'spots'].map((what) => [what, t(`tab.what.${what}`)]),
          onchange: (what) => want(find, { what }),
        })
      : null,
    wanted.what === 'spots' ? null : filters(find),
    spotList(find),
    wanted.what === 'spots' ? null : parkList(find),
    api.isSignedIn
      ? h('a', { class: 'button quiet', key: 'mine', href: '#/spots' }, icon('car'), t('spots.mine'))
      : null,
    companyLink(find),
  ];
}

function companyLink(find) {
  const company = companyOf(find);
  return company
    ? h('a', { class: 'button quiet', key: 'company', href: '#/company' }, icon('info'), company.name)
    : null;
}

const filters = (find) =>
  h(
    'details',
    { class: 'fold', key: 'filters' },
    h('summary', null, t('park.filters'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      periodFields(find),
      h('div', { class: 'pair' }, kindChoice(find), heightField(find)),
      select({
        id: 'sort',
        label: t('park.sort'),
        value: find.wanted.sort,
        options: SORTS.map((sort) => [sort, t(`park.sort.${sort}`)]),
        onchange: ({ target }) => want(find, { sort: target.value }),
      }),
      toggle({
        id: 'openNow',
        label: t('park.openNow'),
        isOn: find.wanted.openNow,
        onchange: (openNow) => want(find, { openNow }),
      }),
    ),
  );

function periodFields(find) {
  const { wanted } = find;
  return [
    field({
      id: 'from',
      label: t('park.from'),
      type: 'datetime-local',
      value: wanted.from,
      onchange: ({ target }) => want(find, periodFrom(target.value, wanted.until)),
    }),
    field({
      id: 'until',
      label: t('park.until'),
      type: 'datetime-local',
      value: wanted.until,
      error: isPeriodWrong(wanted) ? t('park.until.wrong') : null,
      onchange: ({ target }) => want(find, { until: target.value }),
    }),
  ];
}

const kindChoice = (find) =>
  select({
    id: 'kind',
    label: t('park.class'),
    value: find.wanted.kind,
    options: CLASSES.map((kind) => [kind, t(`park.class.${kind}`)]),
    onchange: ({ target }) => want(find, { kind: target.value }),
  });

const heightField = (find) =>
  field({
    id: 'height',
    label: t('park.height'),
    type: 'number',
    inputmode: 'decimal',
    min: 0,
    max: 10,
    step: 0.1,
    value: find.wanted.height,
    onchange: ({ target }) => want(find, { height: target.value }),
  });
