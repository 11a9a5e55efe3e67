// The frame around each screen: a rail at the side, on a phone a bar at the bottom with a menu.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { api } from './context.js';
import { head } from './parts.js';
import { store } from './store.js';

/** Address, icon, text key; `main` ones are in the bar of a phone. */
const places = [
  { path: '/', icon: 'map', key: 'live', main: true },
  { path: '/orders', icon: 'list', key: 'orders', main: true },
  { path: '/today', icon: 'chart', key: 'today', main: true },
  { path: '/valets', icon: 'user', key: 'valets', main: true },
  { path: '/areas', icon: 'route', key: 'areas' },
  { path: '/car-parks', icon: 'parking', key: 'carParks' },
  { path: '/spots', icon: 'car', key: 'spots' },
  { path: '/lift', icon: 'swap', key: 'lift' },
  { path: '/vendors', icon: 'pin', key: 'vendors' },
  { path: '/payments', icon: 'wallet', key: 'payments' },
  { path: '/cash', icon: 'wallet', key: 'cash' },
  { path: '/books', icon: 'receipt', key: 'books' },
  { path: '/alerts', icon: 'bell', key: 'alerts', count: () => store.value.alerts.length },
  { path: '/reports', icon: 'info', key: 'reports' },
  { path: '/messages', icon: 'message', key: 'messages' },
  { path: '/dead-letters', icon: 'alert', key: 'deadLetters' },
  { path: '/audit', icon: 'shield', key: 'audit' },
  { path: '/settings', icon: 'settings', key: 'settings' },
];
const menu = { path: '/menu', icon: 'menu', key: 'menu', main: true, onPhoneOnly: true };

const isHere = (place, path) =>
  place.path === path ||
  (place.path !== '/' && path.startsWith(`${place.path}/`)) ||
  (place === menu && !places.some((one) => one.main && isHere(one, path)));

const counted = (count) =>
  count
    ? h(
        'span',
        { class: 'count' },
        h('span', { 'aria-hidden': 'true' }, count > 99 ? '99+' : count),
        h('span', { class: 'visually-hidden' }, t('op.nav.count', { count })),
      )
    : null;

function link(place, path) {
  const isCurrent = isHere(place, path);
  const count = place === menu ? store.value.alerts.length : place.count?.();
  return h(
    'li',
    { key: place.key, class: `${place.main ? 'main' : 'minor'}${place.onPhoneOnly ? ' phone' : ''}` },
    h(
      'a',
      { href: `#${place.path}`, 'aria-current': isCurrent ? 'page' : null },
      h('span', { class: 'nav-icon' }, icon(place.icon), counted(count)),
      h('span', { class: 'nav-text' }, t(`op.nav.${place.key}`)),
    ),
  );
}

const toContent = (event) => {
  event.preventDefault();
  const content = document.getElementById('content');
  content.focus();
  content.scrollIntoView();
};

export function frame(path, screen) {
  return h(
    'div',
    { class: 'frame', key: 'frame' },
    h('a', { class: 'skip', href: '#/', onclick: toContent }, t('op.skip')),
    h(
      'nav',
      { class: 'rail', 'aria-label': t('op.nav') },
      h(
        'p',
        { class: 'rail-brand' },
        h('img', { src: '/apps/shared/icons/operator.svg', alt: '', width: 32, height: 32 }),
        h('span', null, 'OpenValet'),
      ),
      h(
        'ul',
        null,
        [...places, menu].map((place) => link(place, path)),
      ),
      h(
        'p',
        { class: 'rail-who muted small' },
        api.account?.firstName ? `${api.account.firstName} ${api.account.lastName}` : '',
      ),
    ),
    // A screen that all apps share brings its own main element.
    h(
      screen.isWhole ? 'div' : 'main',
      { id: 'content', tabindex: '-1', key: path, class: `page ${screen.look ?? ''}` },
      screen.view(),
    ),
  );
}

/** The screens that are not in the bar of a phone. */
export const menuScreen = () => ({
  title: () => t('op.nav.menu'),
  view: () => [
    head(t('op.nav.menu')),
    h(
      'ul',
      { class: 'list lined' },
      places
        .filter((place) => !place.main)
        .map((place) =>
          h(
            'li',
            { key: place.key },
            h(
              'a',
              { class: 'list-item', href: `#${place.path}` },
              icon(place.icon),
              h('span', { class: 'grow' }, t(`op.nav.${place.key}`)),
              counted(place.count?.()),
              icon('next'),
            ),
          ),
        ),
    ),
  ],
});
