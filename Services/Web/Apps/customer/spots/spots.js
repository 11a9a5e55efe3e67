// Parking spots that drivers pass on: the person's offers and requests, and all their screens.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, screen } from '/apps/shared/shell.js';
import { badge, empty, problemNotice, skeleton } from '/apps/shared/ui.js';
import { billPath } from '../shared/charge.js';
import { age, moreButton } from '../shared/entries.js';
import { isOwed } from '../shared/owed.js';
import { createAlerts } from './alerts.js';
import { createSell } from './sell.js';
import { createSpot } from './spot.js';
import { about, nameOf, priceOf } from './spot-view.js';
import { MINE, WANTED, isWanted, requestBadge, spotBadge } from './status.js';

/** In ms. */
const SECOND = 1_000;
/** The number of newest finished requests to check for an unpaid bill, which blocks further requests. */
const NEWEST = 3;

export function createSpots(park) {
  const { live, redraw, resources } = park;
  /** After a change of a spot, everything about spots is loaded again. */
  const changed = () => ['/v1/spots', '/v1/bills/', MINE, WANTED].forEach(resources.reload);
  const app = { ...park, changed, owedFor: (request) => owedFor(resources, request) };
  const sell = createSell(app);
  const spot = createSpot(app);
  const alerts = createAlerts(app);
  let isShown = false;

  live.events.on('notification', ({ link }) => link?.startsWith('/spots/') && changed());
  live.events.on('spot', ({ spot: one }) => {
    if (one) spot.hear(one);
    changed();
  });
  // Keeps clocks running.
  setInterval(() => isShown && !document.hidden && address().path.startsWith('/spots/') && redraw(), SECOND);

  return {
    routes: [
      ['/spots', () => mine(app)],
      ['/spots/sell', sell.draw],
      ['/spots/alerts', alerts.draw],
      ['/spots/:id', spot.draw],
    ],
    /** Ends what belongs to other screens than the new one. */
    enter(path) {
      isShown = true;
      if (path !== '/spots/sell') sell.leave();
      if (path !== '/spots/alerts') alerts.leave();
      if (!/^\/spots\/[0-9a-f-]{36}$/.test(path)) spot.leave();
    },
    leave() {
      isShown = false;
      [sell, alerts, spot].forEach((one) => one.leave());
    },
    line,
    empty: () => empty('parking', t('spots.none'), t('spots.none.lead')),
  };
}

/** The unpaid bill of a finished request. */
function owedFor(resources, { id, status }) {
  const bill = ['handedOver', 'failed', 'cancelled'].includes(status) ? resources.get(billPath(id)).value : null;
  return isOwed(bill) ? bill : null;
}

/** A line of a list of spots around. */
const line = (one) =>
  link(
    one.id,
    escaped`/spots/${one.id}`,
    t('spots.from', { name: nameOf(one.seller) }),
    badge(t(one.sale === 'auction' ? 'spots.auction' : 'spots.spot'), 'accent'),
    about(one),
    h(
      'span',
      { class: 'row between small' },
      h('span', null, t('spots.leaves', { time: dateTime(one.leavesAt) })),
      h('span', { class: 'strong numbers price' }, priceOf(one)),
    ),
  );

const link = (key, path, name, one, ...more) =>
  h(
    'li',
    { key },
    h(
      'a',
      { class: 'card stack tight', href: `#${path}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, name), one),
      more,
    ),
  );

// MARK: The person's own

const mine = (app) => ({
  title: t('spots.mine'),
  view: screen(
    t('spots.mine'),
    { back: '/park' },
    h(
      'div',
      { class: 'actions', key: 'doors' },
      door('/spots/sell', 'plus', t('spots.sell')),
      door('/spots/alerts', 'bell', t('spots.alerts')),
      door('/payouts', 'wallet', t('spots.earnings')),
    ),
    h('h2', { key: 'offered' }, t('spots.offered')),
    list(app, MINE, offeredLine, { title: t('spots.offered'), text: t('spots.offered.none') }),
    h('h2', { key: 'wanted' }, t('spots.wanted')),
    list(app, WANTED, wantedLine(owed(app)), { title: t('spots.wanted'), text: t('spots.wanted.none') }),
  ),
});

const door = (path, name, text) => h('a', { class: 'button', key: path, href: `#${path}` }, icon(name), text);

function list({ resources }, path, lineOf, { title, text }) {
  const entry = resources.list(path);
  const { value, error } = entry;
  if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(3);
  return [
    age(entry),
    value.items.length
      ? h('ul', { class: 'list', key: path, 'aria-label': title }, value.items.map(lineOf))
      : h('p', { class: 'muted', key: path }, text),
    moreButton(resources, entry),
  ];
}

function offeredLine(one) {
  const path = escaped`/spots/${one.id}`;
  const at = h('span', { class: 'muted small' }, dateTime(one.createdAt));
  return link(path, path, money(one.price), spotBadge(one), at);
}

/** The unpaid bills of the newest finished requests, by request. */
function owed({ owedFor, resources }) {
  const items = resources.list(WANTED).value?.items ?? [];
  const over = items.filter((one) => !isWanted(one)).slice(0, NEWEST);
  return new Map(over.map((one) => [one.id, owedFor(one)]));
}

const wantedLine = (bills) => (one) => {
  const path = escaped`/spots/${one.spotId}`;
  const bill = bills.get(one.id);
  return link(
    path,
    path,
    money(one.price),
    requestBadge(one),
    h(
      'span',
      { class: 'row between small' },
      h('span', { class: 'muted' }, dateTime(one.createdAt)),
      bill ? badge(t('spots.toPay', { price: money(bill.total) }), 'danger') : null,
    ),
  );
};
