// Parking spots that drivers pass on: the person's offers and requests, and all their screens.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, screen } from '/apps/shared/shell.js';
import { badge, button, empty, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { createAlerts } from './alerts.js';
import { createEarnings } from './earnings.js';
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
  const app = { ...park, changed, owedFor };
  const sell = createSell(app);
  const spot = createSpot(app);
  const alerts = createAlerts(app);
  const earnings = createEarnings(app);
  let isShown = false;

  /** After a change of a spot, everything about spots is loaded again. */
  function changed() {
    for (const path of ['/v1/spots', '/v1/bills/', MINE, WANTED]) resources.reload(path);
  }

  /** The unpaid bill of a finished request. */
  function owedFor({ id, status }) {
    const bill = ['handedOver', 'failed', 'cancelled'].includes(status)
      ? resources.get(escaped`/v1/bills/${id}`).value
      : null;
    return ['due', 'overdue'].includes(bill?.status) ? bill : null;
  }

  live.events.on('notification', ({ link }) => link?.startsWith('/spots/') && changed());
  live.events.on('spot', ({ spot: one }) => {
    if (one) spot.hear(one);
    changed();
  });
  // Keeps clocks running.
  setInterval(() => isShown && !document.hidden && address().path.startsWith('/spots/') && redraw(), SECOND);

  // MARK: The person's own

  const link = (path, one, name, ...more) =>
    h(
      'li',
      { key: path },
      h(
        'a',
        { class: 'card stack tight', href: `#${path}` },
        h('span', { class: 'row between' }, h('span', { class: 'strong' }, name), one),
        more,
      ),
    );

  function list(path, line, none) {
    const entry = resources.list(path);
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(3);
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      value.items.length
        ? h('ul', { class: 'list', key: path, 'aria-label': none.title }, value.items.map(line))
        : h('p', { class: 'muted', key: path }, none.text),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  const door = (path, name, text) => h('a', { class: 'button', key: path, href: `#${path}` }, icon(name), text);
  function owed() {
    const over =
      resources
        .list(WANTED)
        .value?.items.filter((one) => !isWanted(one))
        .slice(0, NEWEST) ?? [];
    return new Map(over.map((one) => [one.id, owedFor(one)]));
  }

  const wantedLine = (bills) => (one) => {
    const bill = bills.get(one.id);
    return link(
      escaped`/spots/${one.spotId}`,
      requestBadge(one),
      money(one.price),
      h(
        'span',
        { class: 'row between small' },
        h('span', { class: 'muted' }, dateTime(one.createdAt)),
        bill ? badge(t('spots.toPay', { price: money(bill.total) }), 'danger') : null,
      ),
    );
  };

  const mine = () => ({
    title: t('spots.mine'),
    view: screen(
      t('spots.mine'),
      { back: '/park' },
      h(
        'div',
        { class: 'actions', key: 'doors' },
        door('/spots/sell', 'plus', t('spots.sell')),
        door('/spots/alerts', 'bell', t('spots.alerts')),
        door('/spots/earnings', 'wallet', t('spots.earnings')),
      ),
      h('h2', { key: 'offered' }, t('spots.offered')),
      list(
        MINE,
        (one) =>
          link(
            escaped`/spots/${one.id}`,
            spotBadge(one),
            money(one.price),
            h('span', { class: 'muted small' }, dateTime(one.createdAt)),
          ),
        { title: t('spots.offered'), text: t('spots.offered.none') },
      ),
      h('h2', { key: 'wanted' }, t('spots.wanted')),
      list(WANTED, wantedLine(owed()), { title: t('spots.wanted'), text: t('spots.wanted.none') }),
    ),
  });

  return {
    routes: [
      ['/spots', mine],
      ['/spots/sell', sell.draw],
      ['/spots/alerts', alerts.draw],
      ['/spots/earnings', earnings.draw],
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
    /** A line of a list of spots around. */
    line: (one) =>
      h(
        'li',
        { key: one.id },
        h(
          'a',
          { class: 'card stack tight', href: `#${escaped`/spots/${one.id}`}` },
          h(
            'span',
            { class: 'row between' },
            h('span', { class: 'strong' }, t('spots.from', { name: nameOf(one.seller) })),
            badge(t(one.sale === 'auction' ? 'spots.auction' : 'spots.spot'), 'accent'),
          ),
          about(one),
          h(
            'span',
            { class: 'row between small' },
            h('span', null, t('spots.leaves', { time: dateTime(one.leavesAt) })),
            h('span', { class: 'strong numbers price' }, priceOf(one)),
          ),
        ),
      ),
    empty: () => empty('parking', t('spots.none'), t('spots.none.lead')),
  };
}
