// The row of photos with its camera: each shows its progress and can be retried.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { Offline, escaped } from '/apps/shared/api.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { pictureEvents } from '/apps/shared/ui.js';
import { api } from './store.js';
import { addPhotos, MOST, photos, photosOf, removePhoto, retryPhoto } from './photos.js';

/** The server's photos by order, loaded once a screen shows them, and again when their URLs expire. */
const earlier = new Map();
let turn = 0;
pictureEvents.on('expired', () => {
  turn += 1;
  photos.set({});
});

async function loadEarlier(id, redraw) {
  earlier.set(id, earlier.get(id) ?? []);
  try {
    earlier.set(id, (await api.get(escaped`/v1/orders/${id}/photos?limit=${MOST}`)).items);
    redraw();
  } catch {
    // The phone's own photos are still shown.
  }
}

export const countOfPhotos = (order, moment) =>
  photosOf(order.id, moment).filter(({ status }) => status !== 'unreadable').length + others(order, moment).length;

function others(order, moment) {
  const own = new Set(photosOf(order.id, moment).map(({ remote }) => remote));
  return (earlier.get(order.id) ?? []).filter((photo) => photo.moment === moment && !own.has(photo.id));
}

/** `onadded` receives new photos, `extra(photo)` draws more beside one. */
export function photoStrip(
  order,
  moment,
  own,
  redraw,
  { onadded = null, extra = () => null, isBig = false, title = moment } = {},
) {
  if (own.turn !== turn) {
    own.turn = turn;
    loadEarlier(order.id, redraw);
  }
  const take = async (event) => {
    const { files } = event.target;
    const added = await addPhotos(order.id, moment, files);
    event.target.value = '';
    onadded?.(added);
  };
  const list = photosOf(order.id, moment);
  const known = others(order, moment);
  return h(
    'section',
    { class: 'photos', key: `photos-${moment}`, 'aria-label': t(`photos.${title}`) },
    isBig ? null : h('p', { class: 'strong' }, t(`photos.${title}`)),
    h(
      'div',
      { class: 'photo-row' },
      h(
        'label',
        { class: `camera${isBig && !list.length && !known.length ? ' big' : ''}`, key: 'camera' },
        icon('camera'),
        h('span', null, t(list.length || known.length ? 'photos.more' : 'photos.take')),
        h('input', {
          type: 'file',
          accept: 'image/*',
          capture: 'environment',
          multiple: true,
          class: 'visually-hidden',
          onchange: take,
        }),
      ),
      known.map((photo, index) =>
        h(
          'div',
          { class: 'photo', key: photo.id },
          picture(photo.photoURL, noPicture, { alt: t('photos.one', { number: index + 1 }) }),
          h('span', { class: 'photo-mark' }, icon('check')),
        ),
      ),
      list.map((photo, index) => thumbnail(photo, known.length + index + 1, extra)),
    ),
  );
}

function thumbnail(photo, number, extra) {
  const { status, progress, url, error, id } = photo;
  const percent = Math.round(progress * 100);
  const isFailed = status === 'failed' || status === 'unreadable';
  const words =
    status === 'failed'
      ? error instanceof Offline
        ? t('photos.offline')
        : tProblem(error)
      : t(`photos.${status}`, { percent });
  return h(
    'div',
    { class: `photo ${status}`, key: id },
    url ? h('img', { src: url, alt: t('photos.one', { number }) }) : noPicture(),
    status === 'sending' || status === 'waiting'
      ? h('progress', {
          max: 100,
          value: status === 'sending' ? percent : 0,
          'aria-label': t('photos.one', { number }),
        })
      : null,
    status === 'sent'
      ? h('span', { class: 'photo-mark' }, icon('check'), h('span', { class: 'visually-hidden' }, words))
      : h('p', { class: 'photo-words', role: isFailed ? 'alert' : null }, words),
    status === 'failed'
      ? h('button', { type: 'button', class: 'photo-action', onclick: () => retryPhoto(id) }, t('action.retry'))
      : null,
    isFailed
      ? h(
          'button',
          {
            type: 'button',
            class: 'photo-remove',
            'aria-label': t('photos.remove', { number }),
            onclick: () => removePhoto(id),
          },
          icon('close'),
        )
      : null,
    isFailed ? null : extra(photo, number),
  );
}
