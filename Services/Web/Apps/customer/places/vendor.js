// The page of a place: opening hours, food stamps, measurements of its entrance; and saving it.

import { escaped } from '/apps/shared/api.js';
import { hours, timeOrDay, zoneHint } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, day, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import { badge, button, empty, facts, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { sourceText, sourcesText } from '/apps/shared/vendors.js';
import { known, routeTo } from './find.js';
import { kindText, measures, openBadge, reachText, vendorPath } from './words.js';

const SAVED = '/v1/me/saved-vendors';
const savedPath = (id) => escaped`/v1/me/saved-vendors/${id}`;
const STAMP_TONES = { yes: 'success', no: 'neutral', unknown: 'neutral' };

export function createVendor(app) {
  /** `busy` is the id of the place that is being saved. */
  const page = { app, busy: null };
  return {
    draw: ({ id }) => draw(page, id),
    /** Saves a place as requested before sign-in. */
    save({ id }) {
      if (page.busy !== id) keep(page, id, true).then(() => location.replace(`#${escaped`/places/${id}`}`));
      return { title: t('places.save'), view: screen(t('places.save'), { back: escaped`/places/${id}` }, skeleton(3)) };
    },
  };
}

function draw(page, id) {
  const { resources } = page.app;
  const { value, error, at } = resources.get(vendorPath(id), { anonymous: true });
  const title = value?.name ?? t('places.one');
  return {
    title,
    vendor: value,
    view: screen(
      title,
      { back: '/places' },
      error?.status === 404
        ? empty('pin', t('places.gone'))
        : [
            value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
            value
              ? content(page, value)
              : error
                ? problemNotice(error, () => resources.reload(vendorPath(id)))
                : skeleton(6),
          ],
    ),
  };
}

/** Saves a place, or removes it from the saved ones. */
async function keep(page, id, isOn) {
  const { api, redraw, resources } = page.app;
  if (page.busy) return;
  page.busy = id;
  redraw();
  try {
    await (isOn ? api.put(savedPath(id)) : api.delete(savedPath(id)));
    toast(t(isOn ? 'places.save.done' : 'places.unsave.done'), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  page.busy = null;
  resources.reload(SAVED);
}

const content = (page, vendor) => [
  vendor.duplicateOf
    ? notice(
        'neutral',
        t('places.duplicate'),
        h('a', { href: `#${escaped`/places/${vendor.duplicateOf}`}` }, t('places.duplicate.show')),
      )
    : null,
  summary(page, vendor),
  about(vendor),
  access(vendor),
  h(
    'a',
    { class: 'button quiet', key: 'suggest', href: `#${escaped`/places/${vendor.id}/suggest`}` },
    icon('edit'),
    t('places.suggest'),
  ),
];

function summary(page, vendor) {
  const { find } = page.app;
  const { id, address, phone } = vendor;
  const { reach, isOpenOnArrival } = known(find, id) ?? {};
  return h(
    'section',
    { class: 'card stack', key: 'state' },
    h(
      'div',
      { class: 'row between' },
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'block' }, kindText(vendor)),
        h('span', { class: 'muted' }, address),
      ),
      openBadge({ ...vendor, isOpenOnArrival }),
    ),
    openUntil(vendor),
    reach ? h('p', { class: 'strong' }, reachText(reach)) : null,
    h(
      'div',
      { class: 'row wrap' },
      h('a', { class: 'button primary', href: `#${routeTo(find, { id, reach })}` }, icon('route'), t('places.route')),
      saveButton(page, id),
      phone ? h('a', { class: 'button', href: `tel:${phone}` }, icon('phone'), t('action.call')) : null,
    ),
  );
}

const openUntil = ({ isOpen, changesAt, timeZone }) =>
  isOpen === null || !changesAt
    ? null
    : h(
        'p',
        { class: 'muted' },
        t(isOpen ? 'places.until.open' : 'places.until.closed', { time: timeOrDay(changesAt, timeZone) }),
      );

function saveButton(page, id) {
  const { api, resources } = page.app;
  // A person who has to sign in first returns to save the place.
  if (!api.isSignedIn)
    return h('a', { class: 'button', href: `#${escaped`/places/${id}/save`}` }, icon('heart'), t('places.save'));
  const isSaved = Boolean(resources.get(SAVED).value?.items.some(({ vendor }) => vendor.id === id));
  return button(t(isSaved ? 'places.unsave' : 'places.save'), {
    icon: 'heart',
    isBusy: page.busy === id,
    'aria-pressed': String(isSaved),
    onclick: () => keep(page, id, !isSaved),
  });
}

function about({ phone, website, photo, openingHours, acceptsStamps, timeZone, ...vendor }) {
  const outside = (address) =>
    h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, new URL(address).hostname);
  return h(
    'section',
    { class: 'card stack', key: 'about' },
    h('h2', null, t('places.about')),
    facts([
      [
        t('places.hours'),
        openingHours && [
          hours(openingHours),
          zoneHint(timeZone) ? h('span', { class: 'muted small block' }, t('places.zone')) : null,
        ],
      ],
      [t('places.stamps'), badge(t(`places.stamps.${acceptsStamps}`), STAMP_TONES[acceptsStamps])],
      [t('places.phone'), phone && h('a', { href: `tel:${phone}` }, phone)],
      [t('places.website'), website && outside(website)],
      [t('places.photo'), photo && outside(photo)],
      [t('places.updated'), day(vendor.updatedAt)],
      [t('places.confirmed'), vendor.confirmedBy && sourceText(vendor.confirmedBy)],
      [t('places.sources'), sourcesText(vendor.sources)],
    ]),
  );
}

function access({ accessibility }) {
  const measured = measures(accessibility);
  return h(
    'section',
    { class: 'card stack', key: 'access' },
    h('h2', null, t('places.access')),
    measured.length
      ? facts(
          measured.map(([name, value, from]) => [
            t(`places.access.${name}`).replace(/ ?[(（].*/, ''),
            [h('span', { class: 'block' }, value), from ? h('span', { class: 'muted small' }, from) : null],
          ]),
        )
      : h('p', { class: 'muted' }, t('places.access.none')),
  );
}

/** A person's saved places. */
export function createSaved({ resources }) {
  const line = ({ vendor }) =>
    h(
      'li',
      { key: vendor.id },
      h(
        'a',
        { class: 'card stack tight', href: `#${escaped`/places/${vendor.id}`}` },
        h('span', { class: 'row between' }, h('span', { class: 'strong' }, vendor.name), openBadge(vendor)),
        h('span', { class: 'muted small' }, [kindText(vendor), vendor.address].filter(Boolean).join(' · ')),
      ),
    );
  return {
    draw() {
      const { value, error, at } = resources.get(SAVED);
      return {
        title: t('places.saved'),
        view: screen(
          t('places.saved'),
          { back: '/places' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          value
            ? value.items.length
              ? h('ul', { class: 'list', key: 'saved', 'aria-label': t('places.saved') }, value.items.map(line))
              : empty(
                  'heart',
                  t('places.saved.none'),
                  t('places.saved.none.lead'),
                  button(t('places.title'), { onclick: () => go('/places') }),
                )
            : error
              ? problemNotice(error, () => resources.reload(SAVED))
              : skeleton(4),
        ),
      };
    },
  };
}
