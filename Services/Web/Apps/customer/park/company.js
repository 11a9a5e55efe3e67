// The company that runs the car parks, and a list of them all.

import { h, meta } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { button, empty, facts, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { stateBadge } from '/apps/shared/car-parks.js';

/** `{ name, text, email, phone, link }` from the operator's setting, null if absent; null without the setting. */
export const company = meta('company') ? JSON.parse(meta('company')) : null;

export function createCompany({ resources }) {
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

  function list() {
    const entry = resources.get('/v1/car-parks?limit=20', { anonymous: true });
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(5);
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      value.items.length
        ? h('ul', { class: 'list', key: 'items' }, value.items.map(line))
        : empty('parking', t('park.none')),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  function about() {
    const { text, email, phone, link } = company;
    return h(
      'section',
      { class: 'card stack', key: 'about' },
      text ? h('p', { class: 'terms' }, text) : null,
      facts([
        [t('park.phone'), phone && h('a', { href: `tel:${phone}` }, phone)],
        [t('account.email'), email && h('a', { href: `mailto:${email}` }, email)],
        [t('company.link'), link && h('a', { href: link, target: '_blank', rel: 'noopener' }, link)],
      ]),
    );
  }

  return {
    draw() {
      const title = company?.name ?? t('park.title');
      return {
        title,
        view: screen(
          title,
          { back: '/park' },
          company ? about() : null,
          h('h2', { key: 'list' }, t('company.parks')),
          list(),
        ),
      };
    },
  };
}
