// All car parks, with their free spaces now.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge, button, empty, field } from '/apps/shared/ui.js';
import { spacesText, stateBadge, unitPrice } from '/apps/shared/car-parks.js';
import { createPages, every, head, shownPages, table } from '../parts.js';

const PACE = 10_000;
const PAGE = 50;

/** Free spaces of each class, with a mark on old counts. */
const spacesList = ({ spaces }) =>
  !spaces.length
    ? h('span', { class: 'muted small' }, t('park.spacesUnknown'))
    : h(
        'ul',
        { class: 'small' },
        spaces.map((one) =>
          h(
            'li',
            { key: one.class },
            `${t(`park.class.${one.class}`)}: ${spacesText(one)} `,
            one.freshness === 'old' ? badge(t('op.parks.old'), 'warning') : null,
          ),
        ),
      );

export function parksScreen() {
  let q = '';
  const pages = createPages('/v1/car-parks', {}, PAGE);
  const stop = every(PACE, () => pages.items.length <= PAGE && !pages.isBusy && pages.reload());
  const search = (event) => {
    event.preventDefault();
    pages.reload({ q: q.trim() });
  };
  return {
    title: () => t('op.nav.carParks'),
    view: () => [
      head(t('op.nav.carParks'), {
        lead: t('op.parks.lead'),
        age: pages.at,
        actions: [
          h('a', { class: 'button', href: '#/car-parks/bookings' }, icon('list'), t('op.parks.bookings')),
          h('a', { class: 'button', href: '#/car-parks/stays' }, icon('car'), t('op.stays')),
          h('a', { class: 'button', href: '#/car-parks/fines' }, icon('receipt'), t('fines.title')),
          h('a', { class: 'button', href: '#/car-parks/plates' }, icon('shield'), t('op.plates')),
          h('a', { class: 'button primary', href: '#/car-parks/new' }, icon('plus'), t('op.parks.new')),
        ],
      }),
      h(
        'form',
        { class: 'panel inline-form', role: 'search', onsubmit: search },
        field({
          id: 'park-q',
          label: t('park.search'),
          type: 'search',
          value: q,
          maxlength: 100,
          autocomplete: 'off',
          oninput: ({ target }) => {
            q = target.value;
          },
        }),
        button(t('op.search'), { type: 'submit', icon: 'search' }),
      ),
      shownPages(
        pages,
        (items) => table(t('op.nav.carParks'), columns(), items),
        pages.query.q
          ? empty('search', t('op.parks.noneFound'))
          : empty('parking', t('op.parks.none'), t('op.parks.none.text')),
      ),
    ],
    leave: stop,
  };
}

const columns = () => [
  {
    label: t('op.name'),
    isHead: true,
    cell: ({ id, name, address }) =>
      h('span', null, h('a', { href: `#/car-parks/${id}` }, name), h('span', { class: 'muted small block' }, address)),
  },
  {
    label: t('op.state'),
    cell: (one) =>
      h(
        'span',
        null,
        stateBadge(one),
        one.statusReason ? h('span', { class: 'small muted block' }, one.statusReason) : null,
      ),
  },
  { label: t('op.parks.free'), cell: spacesList },
  {
    label: t('op.parks.from'),
    isAmount: true,
    cell: ({ price, priceUnit }) => (price ? unitPrice(price, priceUnit) : '–'),
  },
];
