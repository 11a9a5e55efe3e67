// The menu, the history, and the notifications; an order's details are in order-detail.js.

import { h } from '/apps/shared/dom.js';
import { unverified } from '/apps/shared/api.js';
import { dateTime, fullName, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { signOut } from '/apps/shared/account.js';
import { installButton, screen } from '/apps/shared/shell.js';
import { avatar } from '/apps/shared/people.js';
import { badge, button, empty, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { age, moreButton } from '../shared/entries.js';
import { detail, orderBadge } from './order-detail.js';

export const create = (app) => ({
  menu: () => menu(app),
  history: () => history(app),
  detail: ({ id }) => detail(app, id),
  feed: () => feed(app),
});

// MARK: Menu

function menu({ api, store }) {
  const { account } = api;
  const missing = unverified(account);
  return {
    title: t('menu.title'),
    view: screen(
      t('menu.title'),
      { back: '/' },
      h(
        'a',
        { class: 'card row', href: '#/profile', key: 'me' },
        avatar(account, 'large'),
        h(
          'span',
          { class: 'grow' },
          h('span', { class: 'strong block' }, fullName(account)),
          h('span', { class: 'muted numbers' }, account.phone || account.email),
        ),
        icon('next'),
      ),
      missing
        ? notice(
            'warning',
            t(`choose.verify.${missing}`),
            h('a', { class: 'button', href: '#/code' }, t('menu.verify')),
          )
        : null,
      destinations(store.value.news),
      h(
        'div',
        { class: 'stack', key: 'more' },
        installButton() || null,
        button(t('auth.signOut'), { icon: 'exit', look: 'quiet', wide: true, onclick: () => signOut(api) }),
      ),
    ),
  };
}

const destinations = (news) =>
  h(
    'nav',
    { 'aria-label': t('menu.title'), key: 'nav' },
    h(
      'ul',
      { class: 'list lined' },
      destination('/orders', 'list', t('history.title')),
      destination('/park', 'parking', t('menu.park')),
      destination('/bookings', 'clock', t('menu.bookings')),
      destination('/lift', 'route', t('tab.lift')),
      destination('/places', 'pin', t('tab.places')),
      destination('/notifications', 'bell', t('feed.title'), news ? badge(String(news), 'accent') : null),
      destination('/vehicles', 'car', t('vehicles.title')),
      destination('/cards', 'card', t('cards.title')),
      destination('/payouts', 'wallet', t('menu.payouts')),
      destination('/receipts', 'receipt', t('menu.receipts')),
      destination('/profile', 'settings', t('menu.profile')),
    ),
  );

const destination = (href, name, text, more = null) =>
  h(
    'li',
    { key: href },
    h(
      'a',
      { class: 'list-item', href: `#${href}` },
      icon(name),
      h('span', { class: 'grow' }, text),
      more,
      icon('next'),
    ),
  );

// MARK: History and notifications

/** A list with its pages, its age and its errors. */
function paged(resources, entry, none, item) {
  const { value, error } = entry;
  if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(6);
  if (!value.items.length) return none;
  return [age(entry), h('ul', { class: 'list', key: 'items' }, value.items.map(item)), moreButton(resources, entry)];
}

function history({ resources }) {
  const none = empty(
    'car',
    t('history.none'),
    t('history.none.lead'),
    h('a', { class: 'button primary', href: '#/' }, t('choose.dropOff')),
  );
  return {
    title: t('history.title'),
    view: screen(
      t('history.title'),
      { back: '/menu' },
      paged(resources, resources.list('/v1/orders?as=customer'), none, pastOrder),
    ),
  };
}

const pastOrder = (order) =>
  h(
    'li',
    { key: order.id },
    h(
      'a',
      { class: 'card stack tight', href: `#/orders/${order.id}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, dateTime(order.createdAt)), orderBadge(order)),
      h('span', { class: 'muted' }, order.dropOff.address ?? t('history.point')),
      h(
        'span',
        { class: 'row between small' },
        h('span', null, order.vehicle?.plate ?? '', ' ', h('span', { class: 'ticket muted' }, order.ticket)),
        h('span', { class: 'strong numbers' }, order.charge ? money(order.charge) : ''),
      ),
    ),
  );

function feed({ resources, store }) {
  if (store.value.news) queueMicrotask(() => store.state.set({ news: 0 }));
  return {
    title: t('feed.title'),
    view: screen(
      t('feed.title'),
      { back: '/menu' },
      paged(
        resources,
        resources.list('/v1/notifications'),
        empty('bell', t('feed.none'), t('feed.none.lead')),
        notification,
      ),
    ),
  };
}

const notification = ({ id, title, text, link, createdAt }) =>
  h(
    'li',
    { key: id },
    h(
      link ? 'a' : 'div',
      { class: 'card stack tight', href: link ? `#${link}` : null },
      h(
        'span',
        { class: 'row between' },
        h('span', { class: 'strong' }, title),
        h('span', { class: 'muted small' }, dateTime(createdAt)),
      ),
      text ? h('span', { class: 'muted' }, text) : null,
    ),
  );
