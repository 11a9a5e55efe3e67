// The details of an order: what happened when, who served it, its pictures and proofs.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, day, fullName, money, reasonText, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { statusBadge, statusTone } from '/apps/shared/status.js';
import { avatar, rating } from '/apps/shared/people.js';
import { badge, button, facts, problemNotice, skeleton, statusOf } from '/apps/shared/ui.js';
import { age } from '../shared/entries.js';
import { photoButton } from './journey-parts.js';
import { isEnded } from './store.js';

export const orderBadge = (order) =>
  statusTone[order.status] ? statusBadge(statusOf(order)) : badge(t('status.undefined'));

export function detail(app, id) {
  const { resources } = app;
  const entry = resources.get(escaped`/v1/orders/${id}`);
  const { value: order, error, path } = entry;
  const frame = (title, ...content) => ({ title, view: screen(title, { back: '/orders' }, content) });
  if (!order) return frame(t('order.title'), error ? problemNotice(error, () => resources.reload(path)) : skeleton(6));
  return frame(
    t('order.title'),
    age(entry),
    summary(app, order),
    order.dropOffValet || order.returnValet
      ? h('section', { class: 'card stack', key: 'valets' }, valets(order))
      : null,
    isEnded(order) ? app.pay()?.rate(order) : null,
    timeline(t('timeline.title'), moments(order)),
    pictures(app, order),
    record(app, order),
  );
}

// MARK: The order

/** The fee of a cancelled order is not paid yet. */
const owes = ({ resources, store }, { id, status, charge }) =>
  status === 'cancelled' &&
  charge?.amount > 0 &&
  resources.get(escaped`/v1/orders/${id}/receipt`).error?.code === 'payment.receipt_not_ready' &&
  !store.value.paid[id];

function summary(app, order) {
  const { id, charge, vehicle } = order;
  const isOwing = owes(app, order);
  const hasReceipt = charge?.amount > 0 && isEnded(order) && !isOwing;
  const open = () => {
    app.store.setOrder(order);
    go('/');
  };
  return h(
    'section',
    { class: 'card stack', key: 'facts' },
    h('div', { class: 'row between' }, h('span', { class: 'ticket' }, order.ticket), orderBadge(order)),
    facts([
      [t('order.day'), day(order.createdAt)],
      [t('vehicle'), vehicle && [vehicle.plate, vehicle.make, vehicle.model].filter(Boolean).join(' · ')],
      [t('order.from'), order.dropOff.address],
      [t('order.to'), order.returnTo?.address],
      [t('choose.extras'), order.extras.map((kind) => t(`extra.${kind}`)).join(', ')],
      [t('order.reason'), reasonText(order)],
      [t('bill.total'), charge && money(charge)],
    ]),
    isOwing || !isEnded(order)
      ? button(t(isOwing ? 'pay.open' : 'order.open'), { look: 'primary', wide: true, onclick: open })
      : null,
    hasReceipt ? h('a', { class: 'button', href: `#/orders/${id}/receipt` }, icon('receipt'), t('receipt.open')) : null,
  );
}

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

function pictures({ resources }, order) {
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

// MARK: What happened

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

/** The hand-overs of the vehicle. */
function record({ resources }, { id }) {
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

/** With dates, if there is more than one. */
function timeline(title, items) {
  const when = new Set(items.map(([at]) => day(at))).size > 1 ? dateTime : time;
  return h(
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
}
