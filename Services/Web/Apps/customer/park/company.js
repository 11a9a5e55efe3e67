// The company that runs the car parks, and a list of them all.

import { escaped } from '/apps/shared/api.js';
import { stateBadge } from '/apps/shared/car-parks.js';
import { h, meta } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { empty, facts } from '/apps/shared/ui.js';
import { loadedList } from './loaded.js';

/** `{ name, text, email, phone, link }` from the operator's setting, null if absent; null without the setting. */
export const company = meta('company') ? JSON.parse(meta('company')) : null;

export const createCompany = (park) => ({
  draw() {
    const title = company?.name ?? t('park.title');
    return {
      title,
      view: screen(
        title,
        { back: '/park' },
        company ? about(company) : null,
        h('h2', { key: 'list' }, t('company.parks')),
        list(park),
      ),
    };
  },
});

const about = ({ text, email, phone, link }) =>
  h(
    'section',
    { class: 'card stack', key: 'about' },
    text ? h('p', { class: 'terms' }, text) : null,
    facts([
      [t('park.phone'), phone && h('a', { href: `tel:${phone}` }, phone)],
      [t('account.email'), email && h('a', { href: `mailto:${email}` }, email)],
      [t('company.link'), link && h('a', { href: link, target: '_blank', rel: 'noopener' }, link)],
    ]),
  );

const list = (park) =>
  loadedList(park, park.resources.get('/v1/car-parks?limit=20', { anonymous: true }), (items) =>
    items.length ? h('ul', { class: 'list', key: 'items' }, items.map(line)) : empty('parking', t('park.none')),
  );

const line = (carPark) =>
  h(
    'li',
    { key: carPark.id },
    h(
      'a',
      { class: 'card stack tight', href: `#${escaped`/park/${carPark.id}`}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, carPark.name), stateBadge(carPark)),
      h('span', { class: 'muted small' }, carPark.address),
    ),
  );
