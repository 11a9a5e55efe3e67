// Pictures of a fine, a car park or a parked vehicle: a row that enlarges each on a tap, and a button to add one.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { shrinkPicture } from '/apps/shared/shrink-picture.js';
import { dialog } from '/apps/shared/dialogs.js';
import { noPicture, picture } from '/apps/shared/people.js';

/** The largest size and the quality of sent pictures. */
const SENT = { longest: 1_600, quality: 0.85 };
export const MOST_PICTURES = 6;

const numbered = (number) => t('fine.picture', { number });

/** `name` returns the label of a picture's number. */
export const pictureRow = (photos, label, name = numbered) =>
  photos.length
    ? h(
        'ul',
        { class: 'photos', 'aria-label': label },
        photos.map((src, i) => {
          const alt = name(i + 1);
          const open = () => dialog(alt, () => [picture(src, noPicture, { class: 'photo-large', alt })]);
          return h(
            'li',
            { key: src.split('?')[0] },
            h(
              'button',
              { type: 'button', class: 'photo', 'aria-label': alt, onclick: open },
              picture(src, noPicture, { loading: 'lazy' }),
            ),
          );
        }),
      )
    : null;

/** A control to take or choose a picture; `send` gets the prepared file. */
export const pictureButton = (label, isBusy, send) =>
  h(
    'label',
    { class: 'button', 'aria-busy': isBusy ? 'true' : null },
    icon('camera'),
    label,
    h('input', {
      type: 'file',
      class: 'visually-hidden',
      accept: 'image/jpeg,image/png,image/webp',
      disabled: isBusy,
      onchange: async ({ target }) => {
        const [file] = target.files;
        target.value = '';
        // If the browser can't read it, the server reports the error.
        if (file) send(await shrinkPicture(file, SENT).catch(() => file));
      },
    }),
  );

export const sendPicture = (api, path, blob, method = 'POST') => api.call(method, path, { raw: blob, type: blob.type });

/** When a photo was taken: one after the hand-over was taken before parking. */
export const photoMoment = ({ moment, takenAt }, { collectedAt }) =>
  moment === 'handOver' && collectedAt && takenAt > collectedAt ? 'parking' : moment;
