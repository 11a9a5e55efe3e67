// What drivers and passengers do on a ride, and when.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, confirm } from '/apps/shared/ui.js';

export const isOpen = ({ status }) => ['planned', 'underWay'].includes(status);
export const isShared = (ride) => isOpen(ride) && ride.sharedFrom && Date.parse(ride.sharedFrom) <= serverNow();

export const requestPath = ({ id }, what) => escaped`/v1/seat-requests/${id}/${what}`;

/** A button that posts to a path, after a question if there is one. */
export const step = ({ act, app }, path, text, { question, ...props } = {}) =>
  button(text, {
    wide: true,
    ...act.button(path),
    ...props,
    onclick: () =>
      act(path, async () => {
        if (
          question &&
          !(await confirm(question.title, question.text, { yes: text, no: t('action.keep'), look: 'danger' }))
        )
          return;
        await app.api.post(path);
      }),
  });

/** To call or message a person whose phone number is visible. */
export const contact = ({ phone, firstName }) =>
  phone
    ? h(
        'div',
        { class: 'row' },
        h(
          'a',
          {
            class: 'icon-button call',
            href: `tel:${phone}`,
            'aria-label': t('action.callPerson', { name: firstName }),
          },
          icon('phone'),
        ),
        h(
          'a',
          { class: 'icon-button call', href: `sms:${phone}`, 'aria-label': t('lift.message.to', { name: firstName }) },
          icon('message'),
        ),
      )
    : null;
