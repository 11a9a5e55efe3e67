// The parts of a car park's screen: occupancy, prices, gates, state, rules, pictures.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { tariffGroups } from '/apps/shared/park-tariff.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { badge, button, facts, iconButton, notice } from '/apps/shared/ui.js';
import { pictureButton } from '/apps/shared/pictures.js';
import { byUnit, hours, stateBadge, stateOf, unitPrice, wallTime } from '/apps/shared/car-parks.js';
import { section, shortID, shown, since, table } from '../parts.js';
import {
  addGate,
  addPhoto,
  close,
  count,
  editProduct,
  open,
  putFirst,
  removePhoto,
  rotateToken,
} from './park-actions.js';
import { cancellationText } from './parts.js';
import { payCodeDialog } from './pay-code.js';
import { lostTicketDialog, openGateDialog } from './stay-dialogs.js';

const MOST_PHOTOS = 10;

// MARK: Occupancy

export const occupancy = (screen, park) =>
  section(
    t('op.park.occupancy'),
    { id: 'occupancy', actions: button(t('op.park.count'), { icon: 'edit', onclick: () => count(screen) }) },
    park.spaces.length
      ? table(t('op.park.occupancy'), spaceColumns(park), park.spaces, { key: (row) => row.class, isTight: true })
      : h('p', { class: 'muted' }, t('op.park.noSpaces')),
    shown(screen.bookings, expected, 2),
  );

const spaceColumns = ({ bookable }) => [
  { label: t('park.class'), isHead: true, cell: (row) => t(`park.class.${row.class}`) },
  {
    label: t('op.parks.free'),
    isAmount: true,
    cell: (row) => h('strong', null, row.free === null || row.freshness === 'unknown' ? '–' : row.free),
  },
  { label: t('op.park.capacity'), isAmount: true, cell: (row) => row.capacity },
  { label: t('op.park.bookable'), isAmount: true, cell: (row) => bookable[row.class] ?? 0 },
  { label: t('op.park.counted'), cell: (row) => (row.at ? counted(row) : t('op.park.never')) },
];

const counted = ({ at, source, freshness }) =>
  h(
    'span',
    null,
    since(at, 'age'),
    source ? h('span', { class: 'muted small block' }, t(`op.park.source.${source}`)) : null,
    freshness === 'live' ? null : badge(t('op.parks.old'), 'warning'),
  );

/** Counts the current bookings inside and expected; the newest pages suffice. */
function expected(bookings) {
  const isDue = ({ status, start }) => status === 'confirmed' && Date.parse(start) <= serverNow();
  return facts([
    [t('op.park.inside'), bookings.filter(({ status }) => status === 'active').length],
    [t('op.park.due'), bookings.filter(isDue).length],
    [t('op.park.coming'), bookings.filter((one) => one.status === 'confirmed' && !isDue(one)).length],
  ]);
}

// MARK: Prices

export const products = (screen, park) =>
  section(
    t('park.prices'),
    { id: 'products', actions: button(t('op.product.new'), { icon: 'plus', onclick: () => editProduct(screen) }) },
    park.products.length
      ? table(t('park.prices'), productColumns(screen, park), byUnit(park.products), { isTight: true })
      : h('p', { class: 'muted' }, t('op.product.none')),
  );

const productColumns = (screen, { currency }) => [
  {
    label: t('op.name'),
    isHead: true,
    cell: ({ name, version }) =>
      h('span', null, name, h('span', { class: 'muted small block' }, t('op.product.version', { version }))),
  },
  {
    label: t('op.product.price'),
    isAmount: true,
    cell: ({ price, kind }) => unitPrice({ amount: price, currency }, kind),
  },
  { label: t('park.class'), cell: ({ classes }) => classes.map((kind) => t(`park.class.${kind}`)).join(', ') },
  { label: t('op.product.quantity'), cell: ({ minQuantity, maxQuantity }) => `${minQuantity}–${maxQuantity}` },
  {
    label: t('op.state'),
    cell: ({ isOffered }) => (isOffered ? badge(t('op.product.offered'), 'success') : badge(t('op.product.off'))),
  },
  {
    label: '',
    cell: (product) => iconButton('edit', t('op.product.edit', product), () => editProduct(screen, product)),
  },
];

/** The prices without a booking. */
export const tariff = ({ currency, id, tariff: current, timeZone }) =>
  section(
    t('op.tariff.park'),
    {
      id: 'tariff',
      actions: h(
        'a',
        { class: 'button', href: `#${escaped`/car-parks/${id}/tariff`}` },
        icon('edit'),
        t(current ? 'op.tariff.park.edit' : 'op.tariff.park.set'),
      ),
    },
    current
      ? tariffGroups(current, currency, wallTime(serverNow(), timeZone).slice(0, 10)).map(({ title, rows }) => [
          title ? h('h3', null, title) : null,
          facts(rows),
        ])
      : h('p', { class: 'muted' }, t('op.tariff.park.none')),
  );

// MARK: Gates

export const gates = (screen) =>
  section(
    t('op.gates'),
    {
      id: 'gates',
      actions: [
        button(t('op.payCode'), { onclick: () => payCodeDialog(screen) }),
        button(t('op.lostTicket'), { onclick: () => lostTicketDialog(screen.park.value) }),
        button(t('op.gate.new'), { icon: 'plus', onclick: () => addGate(screen) }),
      ],
    },
    shown(
      screen.gates,
      (list) =>
        list.length
          ? table(t('op.gates'), gateColumns(screen), list, { isTight: true })
          : h('p', { class: 'muted' }, t('op.gates.none')),
      2,
    ),
  );

const gateColumns = (screen) => [
  { label: t('op.name'), isHead: true, cell: ({ name }) => name },
  { label: t('op.gate.id'), cell: ({ id }) => shortID(id) },
  {
    label: '',
    cell: (gate) =>
      h(
        'div',
        { class: 'row' },
        button(t('op.gate.open'), {
          'aria-label': t('op.gate.open.of', { name: gate.name }),
          onclick: () => openGateDialog(gate),
        }),
        button(t('op.gate.rotate'), {
          isBusy: screen.busy === gate.id,
          'aria-label': t('op.gate.rotate.of', { name: gate.name }),
          onclick: () => rotateToken(screen, gate),
        }),
      ),
  },
];

// MARK: State and rules

export function state(screen, park) {
  const isClosed = park.status === 'closed';
  const { statusReason: reason } = park;
  return section(
    t('op.state'),
    { id: 'state', actions: stateBadge(park) },
    isClosed ? notice('warning', reason ? t('park.closed.reason', { reason }) : t('park.closed')) : null,
    stateOf(park) === 'shut' ? h('p', { class: 'muted' }, t('park.shut')) : null,
    facts([
      [t('op.address'), park.address],
      [t('park.hours'), hours(park.openingHours)],
      [t('op.park.zone'), park.timeZone],
      [t('park.phone'), park.phone],
    ]),
    h(
      'div',
      { class: 'actions' },
      isClosed
        ? button(t('op.park.open'), { look: 'primary', isBusy: screen.busy === 'open', onclick: () => open(screen) })
        : button(t('op.park.close'), { look: 'danger', onclick: () => close(screen) }),
    ),
  );
}

export const about = (park) =>
  section(
    t('park.about'),
    { id: 'about' },
    facts([
      [
        t('park.maxHeight'),
        park.maxHeightMeters ? t('park.meters', { meters: park.maxHeightMeters }) : park.maxHeightText,
      ],
      [t('park.features'), park.features.map((feature) => t(`park.feature.${feature}`)).join(', ')],
      [t('op.park.overstayFee'), money({ amount: park.overstayFee, currency: park.currency })],
      [t('op.park.terms'), t('op.product.version', { version: park.terms.version })],
    ]),
    cancellationText(park),
  );

// MARK: Pictures

export const photos = (screen, park) =>
  section(
    t('park.photos'),
    { id: 'photos' },
    park.photos.length
      ? h(
          'ol',
          { class: 'photos', 'aria-label': t('park.photos') },
          park.photos.map((src, i) => photo(screen, park, src, i + 1)),
        )
      : h('p', { class: 'muted' }, t('op.park.photos.none')),
    park.photos.length < MOST_PHOTOS
      ? pictureButton(t('fine.picture.add'), screen.busy === 'photo', (blob) => addPhoto(screen, blob))
      : null,
  );

const photo = (screen, park, src, number) =>
  h(
    'li',
    { key: src },
    picture(src, noPicture, { loading: 'lazy', alt: t('park.photo', { number, name: park.name }) }),
    h(
      'div',
      { class: 'row between' },
      number > 1
        ? button(t('op.park.photo.first', { number }), {
            isBusy: screen.busy === src,
            onclick: () => putFirst(screen, park, src),
          })
        : null,
      iconButton('trash', t('op.park.photo.remove', { number }), () => removePhoto(screen, park, src, number)),
    ),
  );
