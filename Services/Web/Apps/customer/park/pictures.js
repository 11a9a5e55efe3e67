// Pictures of a fine, a car park or a parked vehicle: shown in a row, each larger at a tap, and another one added.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { shrinkPicture } from '/apps/shared/picture.js';
import { dialog, noPicture, picture } from '/apps/shared/ui.js';

/** What is sent is no larger than this. */
const SENT = { longest: 1_600, quality: 0.85 };
export const MOST_PICTURES = 6;

const numbered = (number) => t('fine.picture', { number });

/** `name` says what the picture of a number is called. */
export const pictureRow = (photos, label, name = numbered) => (photos.length ? h('ul', { class: 'photos', 'aria-label': label }, photos.map((src, i) => {
  const alt = name(i + 1);
  const open = () => dialog(alt, () => [picture(src, noPicture, { class: 'photo-large', alt })]);
  return h('li', { key: src.split('?')[0] }, h('button', { type: 'button', class: 'photo', 'aria-label': alt, onclick: open }, picture(src, noPicture, { loading: 'lazy' })));
})) : null);

/** A control that takes a picture or chooses one; `send` is given what is to be sent. */
export const pictureButton = (label, isBusy, send) => h('label', { class: 'button', 'aria-busy': isBusy ? 'true' : null }, icon('camera'), label,
  h('input', {
    type: 'file', class: 'visually-hidden', accept: 'image/jpeg,image/png,image/webp', disabled: isBusy,
    onchange: async ({ target }) => {
      const [file] = target.files;
      target.value = '';
      // The server says what is wrong with what the browser can't read.
      if (file) send(await shrinkPicture(file, SENT).catch(() => file));
    },
  }));

export const sendPicture = (api, path, blob, method = 'POST') => api.call(method, path, { raw: blob, type: blob.type });
