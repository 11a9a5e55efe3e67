// The company that runs the car parks, its terms and privacy pages, and a list of the car parks.

import { escaped } from '/apps/shared/api.js';
import { stateBadge } from '/apps/shared/car-parks.js';
import { h, meta } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { empty, facts, problemNotice, skeleton } from '/apps/shared/ui.js';
import { loadedList } from './loaded.js';

const PATH = '/v1/company';
const PAGES = ['terms', 'privacy'];

/** `{ name, text, email, phone, link }` from the operator's setting, null if absent; null without the setting. */
const setting = meta('company') ? JSON.parse(meta('company')) : null;

/** The company that operators have entered, or else that of the setting; null while neither is known. */
export function companyOf({ resources }) {
  const saved = resources.get(PATH, { anonymous: true }).value;
  return saved?.version ? { ...saved, link: saved.website } : setting;
}

export const createCompany = (park) => ({
  draw() {
    const company = companyOf(park);
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
  /** The terms of business, or how personal data is handled: a text of the company. */
  page({ page }) {
    const isKnown = PAGES.includes(page);
    const title = isKnown ? t(`company.${page}`) : t('park.title');
    const { value, error } = park.resources.get(PATH, { anonymous: true });
    const content = isKnown ? value?.[page] : null;
    return {
      title,
      view: screen(
        title,
        { back: '/company' },
        value ? written(page, content) : error ? problemNotice(error, () => park.resources.reload(PATH)) : skeleton(6),
      ),
    };
  },
});

/** The text, or the way to the company's own page. */
const written = (page, content) =>
  content?.text ? paragraphs(content.text) : (pageLink(page, content) ?? empty('info', t('company.noPage')));

const paragraphs = (text) =>
  h(
    'section',
    { class: 'card stack', key: 'text' },
    text.split(/\n\s*\n/).map((paragraph, i) => h('p', { class: 'terms', key: i }, paragraph)),
  );

const about = (company) => {
  const { text, address, email, phone, link, companyNumber, taxNumber } = company;
  return h(
    'section',
    { class: 'card stack', key: 'about' },
    company.logoURL ? h('img', { class: 'receipt-logo', src: company.logoURL, alt: '' }) : null,
    text ? h('p', { class: 'terms' }, text) : null,
    facts([
      [t('company.address'), address?.join(', ')],
      [t('park.phone'), phone && h('a', { href: `tel:${phone}` }, phone)],
      [t('account.email'), email && h('a', { href: `mailto:${email}` }, email)],
      [t('company.link'), link && h('a', { href: link, target: '_blank', rel: 'noopener' }, link)],
      [t('company.number'), companyNumber],
      [t('company.taxNumber'), taxNumber],
    ]),
    PAGES.map((page) => pageLink(page, company[page])),
  );
};

/** Our page with the text, or the company's own page. */
function pageLink(page, content) {
  if (!content) return null;
  const elsewhere = content.link ? { href: content.link, target: '_blank', rel: 'noopener' } : null;
  return h(
    'a',
    { class: 'button quiet', key: page, ...(elsewhere ?? { href: `#${escaped`/company/${page}`}` }) },
    icon('info'),
    t(`company.${page}`),
  );
}

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
