// The elements of an order, for its sheet and the history, with their styles.

import { h } from '/apps/shared/dom.js';
import { clock, dateTime, duration, fullName, minutes, money, t } from '/apps/shared/i18n.js';
import { photoMoment } from '/apps/shared/pictures.js';
import { icon } from '/apps/shared/icons.js';
import { dialog } from '/apps/shared/dialogs.js';
import { avatar, noPicture, picture, rating } from '/apps/shared/people.js';
import { badge, facts } from '/apps/shared/ui.js';
import { hasArrived, secondsLeft } from './arrival.js';
import { STALE } from './store.js';

// Loads the styles of orders, so that the first view stays small.
await new Promise((done) => {
  const href = '/apps/customer/valet/order.css';
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done }),
  );
});

/** Name, photo, stars and a call button. */
export const valetCard = (valet, role) =>
  valet &&
  h(
    'section',
    { class: 'valet', 'aria-label': role, key: `valet-${valet.id}` },
    avatar(valet),
    h(
      'div',
      { class: 'grow' },
      h('p', { class: 'muted small' }, role),
      h('p', { class: 'strong' }, fullName(valet)),
      rating(valet.rating),
    ),
    valet.phone
      ? h(
          'a',
          {
            class: 'icon-button call',
            href: `tel:${valet.phone}`,
            'aria-label': t('action.callPerson', { name: valet.firstName }),
            title: t('action.call'),
          },
          icon('phone'),
        )
      : null,
  );

/** How long nothing has come from the valet, in ms; null if that is normal. */
export function silence({ track, now }) {
  const age = track.valet ? now - track.valet.at : 0;
  return age > STALE ? age : null;
}

/** Its seconds run, so screen readers hear only of the beginning. */
export function signal(shown) {
  const age = silence(shown);
  return age
    ? h('p', { class: 'signal', key: 'signal' }, icon('offline'), t('state.signalLost', { time: duration(age / 1000) }))
    : null;
}

/** Time to arrival in large text; nothing if it is unknown. */
export function arrival(shown) {
  const left = secondsLeft(shown);
  return left === null || hasArrived(shown)
    ? null
    : h('p', { class: 'eta', key: 'eta' }, h('span', { class: 'eta-value' }, minutes(left)));
}

const ticketFact = ({ ticket }) => [t('order.ticket'), h('span', { class: 'ticket' }, ticket)];

export const places = (order) =>
  facts([
    [t('order.from'), order.dropOff.address],
    [t('order.to'), order.returnTo?.address],
    [t('vehicle'), order.vehicle ? `${order.vehicle.plate} · ${order.vehicle.make}` : null],
    ticketFact(order),
  ]);

export const searching = (text) =>
  h(
    'div',
    { class: 'searching', key: 'searching' },
    h('span', { class: 'radar', 'aria-hidden': 'true' }, icon('search')),
    h('p', { class: 'muted' }, text),
  );

// MARK: While the vehicle is parked

/** The lot, the level and the bay in one line. */
export const bayText = ({ lot, level, bay }) =>
  [lot, level && `${t('parked.level')} ${level}`, bay && `${t('parked.bay')} ${bay}`].filter(Boolean).join(' · ');

/** The time so far, and its price. */
export function meter({ collectedAt }, { quote, now }) {
  const seconds = quote ? quote.durationSeconds + (now - quote.at) / 1000 : (now - Date.parse(collectedAt)) / 1000;
  return h(
    'section',
    { class: 'meter', key: 'meter', 'aria-label': t('parked.soFar') },
    h(
      'div',
      null,
      h('p', { class: 'muted small' }, t('parked.elapsed')),
      h('p', { class: 'meter-value', role: 'timer' }, clock(seconds)),
    ),
    h(
      'div',
      null,
      h('p', { class: 'muted small' }, t('parked.soFar')),
      h('p', { class: 'meter-value' }, quote ? money(quote.charge) : '…'),
    ),
  );
}

export const priceDetails = ({ quote, isFresh }) =>
  quote &&
  h(
    'details',
    { class: 'fold', key: 'lines' },
    h('summary', null, t('parked.lines'), icon('next')),
    h(
      'div',
      { class: 'stack tight' },
      facts(quote.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)])),
      isFresh ? null : h('p', { class: 'muted small' }, t('state.asOf', { time: dateTime(quote.at) })),
    ),
  );

export const tasks = (order) =>
  order.tasks.length
    ? h(
        'ul',
        { class: 'tasks', key: 'tasks' },
        order.tasks.map(({ kind, status }) =>
          h(
            'li',
            { key: kind },
            icon(kind === 'wash' ? 'wash' : 'fuel'),
            h('span', { class: 'grow' }, t(`extra.${kind}`)),
            badge(t(`task.${status}`), status === 'done' ? 'success' : status === 'taken' ? 'accent' : 'neutral'),
          ),
        ),
      )
    : null;

export const photoList = (photos, order) =>
  photos.length
    ? h(
        'ul',
        { class: 'photos', key: 'photos', 'aria-label': t('photos.title') },
        photos.map((photo) => h('li', { key: photo.id }, photoButton(photo, order))),
      )
    : null;

/** A small picture that opens large. */
export const photoButton = (photo, order) => {
  const moment = t(`photo.${photoMoment(photo, order)}`);
  const text = `${moment}, ${dateTime(photo.takenAt)}`;
  return h(
    'button',
    {
      type: 'button',
      class: 'photo',
      'aria-label': text,
      onclick: () =>
        dialog(moment, () => [
          picture(photo.photoURL, noPicture, { class: 'photo-large', alt: text }),
          h('p', { class: 'muted small' }, dateTime(photo.takenAt)),
        ]),
    },
    picture(photo.photoURL, noPicture, { loading: 'lazy' }),
  );
};

export const parkedFacts = (order) => {
  const { vehicle } = order;
  return facts([
    [t('parked.keyTag'), order.parked?.keyTag],
    [t('vehicle'), vehicle ? [vehicle.plate, vehicle.make, vehicle.model].filter(Boolean).join(' · ') : null],
    ticketFact(order),
  ]);
};
