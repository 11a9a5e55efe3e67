// The menu, the history with an order's details, and the notifications.

import { h } from '/apps/shared/dom.js';
import { escaped, unverified } from '/apps/shared/api.js';
import { dateTime, day, fullName, money, reasonText, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { signOut } from '/apps/shared/account.js';
import { go, installButton, screen } from '/apps/shared/shell.js';
import {
  avatar,
  badge,
  button,
  empty,
  facts,
  notice,
  problemNotice,
  rating,
  skeleton,
  statusBadge,
  statusOf,
  statusTone,
} from '/apps/shared/ui.js';
import { photoButton } from './journey.js';
import { isEnded } from './store.js';

export function create(app) {
  const { api, resources, store } = app;

  const line = (href, name, text, more) =>
    h(
      'li',
      { key: href },
      h(
        'a',
        { class: 'list-item', href: `#${href}` },
        icon(name),
        h('span', { class: 'grow' }, text),
        more ?? null,
        icon('next'),
      ),
    );

  function menu() {
    const { account } = api;
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
        !unverified(account)
          ? null
          : notice(
              'warning',
              t(`choose.verify.${unverified(account)}`),
              h('a', { class: 'button', href: '#/code' }, t('menu.verify')),
            ),
        h(
          'nav',
          { 'aria-label': t('menu.title'), key: 'nav' },
          h(
            'ul',
            { class: 'list lined' },
            line('/orders', 'list', t('history.title')),
            line('/park', 'parking', t('menu.park')),
            line('/bookings', 'clock', t('menu.bookings')),
            line('/lift', 'route', t('tab.lift')),
            line('/places', 'pin', t('tab.places')),
            line(
              '/notifications',
              'bell',
              t('feed.title'),
              store.value.news ? badge(String(store.value.news), 'accent') : null,
            ),
            line('/vehicles', 'car', t('vehicles.title')),
            line('/cards', 'card', t('cards.title')),
            line('/profile', 'settings', t('menu.profile')),
          ),
        ),
        h(
          'div',
          { class: 'stack', key: 'more' },
          installButton() || null,
          button(t('auth.signOut'), { icon: 'exit', look: 'quiet', wide: true, onclick: () => signOut(api) }),
        ),
      ),
    };
  }

  /** A list with its pages, its age and its errors. */
  function paged(entry, none, item) {
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(6);
    if (!value.items.length) return none();
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      h('ul', { class: 'list', key: 'items' }, value.items.map(item)),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  const history = () => ({
    title: t('history.title'),
    view: screen(
      t('history.title'),
      { back: '/menu' },
      paged(
        resources.list('/v1/orders?as=customer'),
        () =>
          empty(
            'car',
            t('history.none'),
            t('history.none.lead'),
            h('a', { class: 'button primary', href: '#/' }, t('choose.dropOff')),
          ),
        (order) =>
          h(
            'li',
            { key: order.id },
            h(
              'a',
              { class: 'card stack tight', href: `#/orders/${order.id}` },
              h(
                'span',
                { class: 'row between' },
                h('span', { class: 'strong' }, dateTime(order.createdAt)),
                statusTone[order.status] ? statusBadge(statusOf(order)) : badge(t('status.undefined')),
              ),
              h('span', { class: 'muted' }, order.dropOff.address ?? t('history.point')),
              h(
                'span',
                { class: 'row between small' },
                h('span', null, order.vehicle?.plate ?? '', ' ', h('span', { class: 'ticket muted' }, order.ticket)),
                h('span', { class: 'strong numbers' }, order.charge ? money(order.charge) : ''),
              ),
            ),
          ),
      ),
    ),
  });

  // MARK: One order

  const moments = (order) =>
    [
      ['createdAt', 'ordered'],
      ['scheduledFor', 'scheduled'],
      ['assignedAt', 'assigned'],
      ['collectedAt', 'collected'],
      ['parkedAt', 'parked'],
      ['recalledAt', 'recalled'],
      ['retrievedAt', 'retrieved'],
      ['returnedAt', 'returned'],
      ['endedAt', order.status],
    ]
      .filter(([name]) => order[name])
      .map(([name, word]) => [order[name], t(`timeline.${word}`)]);

  /** With dates, if there is more than one. */
  const timeline = (title, items) =>
    timelineOf(title, items, new Set(items.map(([at]) => day(at))).size > 1 ? dateTime : time);
  const timelineOf = (title, items, when) =>
    h(
      'section',
      { class: 'card stack', key: title },
      h('h2', null, title),
      h(
        'ol',
        { class: 'timeline' },
        items.map(([at, text, more], i) =>
          h(
            'li',
            { key: i },
            h('span', { class: 'muted numbers' }, when(at)),
            h('span', { class: 'grow' }, text, more ? h('span', { class: 'muted small block' }, more) : null),
          ),
        ),
      ),
    );

  const valets = (order) =>
    [
      ['dropOffValet', 'valet.yours'],
      ['returnValet', 'valet.return'],
    ].map(
      ([name, role]) =>
        order[name] &&
        h(
          'div',
          { class: 'row', key: name },
          avatar(order[name]),
          h(
            'div',
            { class: 'grow' },
            h('p', { class: 'muted small' }, t(role)),
            h('p', { class: 'strong' }, fullName(order[name])),
          ),
          rating(order[name].rating),
        ),
    );

  function record(id) {
    const { value } = resources.get(escaped`/v1/orders/${id}/custody`);
    if (!value?.items.length) return null;
    return timeline(
      t('custody.title'),
      value.items.map(({ at, kind, holder, location, proof }) => [
        at,
        t(`custody.${kind}`),
        [t(`holder.${holder}`), location, t(`proof.${proof}`)].filter(Boolean).join(' · '),
      ]),
    );
  }

  function pictures(order) {
    const { value } = resources.get(escaped`/v1/orders/${order.id}/photos`);
    return value?.items.length
      ? h(
          'section',
          { class: 'card stack', key: 'photos' },
          h('h2', null, t('photos.title')),
          h(
            'ul',
            { class: 'photos' },
            value.items.map((photo) => h('li', { key: photo.id }, photoButton(photo, order))),
          ),
        )
      : null;
  }

  function detail({ id }) {
    const { value: order, error, at } = resources.get(escaped`/v1/orders/${id}`);
    const frame = (title, ...content) => ({ title, view: screen(title, { back: '/orders' }, content) });
    if (!order)
      return frame(
        t('order.title'),
        error ? problemNotice(error, () => resources.reload(escaped`/v1/orders/${id}`)) : skeleton(6),
      );
    const owes =
      order.status === 'cancelled' &&
      order.charge?.amount > 0 &&
      resources.get(escaped`/v1/orders/${id}/receipt`).error?.code === 'payment.receipt_not_ready' &&
      !store.value.paid[id];
    const isRunning = !isEnded(order) || owes;
    const hasReceipt = order.charge?.amount > 0 && isEnded(order) && !owes;
    return frame(
      t('order.title'),
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      h(
        'section',
        { class: 'card stack', key: 'facts' },
        h(
          'div',
          { class: 'row between' },
          h('span', { class: 'ticket' }, order.ticket),
          statusTone[order.status] ? statusBadge(statusOf(order)) : badge(t('status.undefined')),
        ),
        facts([
          [t('order.day'), day(order.createdAt)],
          [
            t('vehicle'),
            order.vehicle
              ? [order.vehicle.plate, order.vehicle.make, order.vehicle.model].filter(Boolean).join(' · ')
              : null,
          ],
          [t('order.from'), order.dropOff.address],
          [t('order.to'), order.returnTo?.address],
          [t('choose.extras'), order.extras.map((kind) => t(`extra.${kind}`)).join(', ')],
          [t('order.reason'), reasonText(order)],
          [t('bill.total'), order.charge && money(order.charge)],
        ]),
        isRunning
          ? button(t(owes ? 'pay.open' : 'order.open'), {
              look: 'primary',
              wide: true,
              onclick: () => {
                store.setOrder(order);
                go('/');
              },
            })
          : null,
        hasReceipt
          ? h('a', { class: 'button', href: `#/orders/${id}/receipt` }, icon('receipt'), t('receipt.open'))
          : null,
      ),
      order.dropOffValet || order.returnValet
        ? h('section', { class: 'card stack', key: 'valets' }, valets(order))
        : null,
      isEnded(order) ? app.pay()?.rate(order) : null,
      timeline(t('timeline.title'), moments(order)),
      pictures(order),
      record(id),
    );
  }

  // MARK: Feed

  function feed() {
    if (store.value.news) queueMicrotask(() => store.state.set({ news: 0 }));
    return {
      title: t('feed.title'),
      view: screen(
        t('feed.title'),
        { back: '/menu' },
        paged(
          resources.list('/v1/notifications'),
          () => empty('bell', t('feed.none'), t('feed.none.lead')),
          ({ id, title, text, link, createdAt }) =>
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
            ),
        ),
      ),
    };
  }

  return { menu, history, detail, feed };
}
