// Calls, messages, reports or blocks a person met in a lift.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button } from '/apps/shared/ui.js';

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

/**
 * `subject` is what a report is about; `blocked` is called once the person is blocked.
 * @type {(api: object, person: object, more: { subject?: object, blocked?: () => void }) => HTMLElement}
 */
export function conductButtons(api, person, { subject, blocked = () => {} }) {
  const report = async () => {
    const { reportPerson } = await import('../conduct.js');
    await reportPerson(api, person, subject);
  };
  const block = async () => {
    const { blockPerson } = await import('../conduct.js');
    if (await blockPerson(api, person)) blocked();
  };
  return h(
    'div',
    { class: 'actions', key: 'conduct' },
    button(t('lift.report'), { look: 'quiet', onclick: report }),
    button(t('lift.block'), { look: 'quiet', onclick: block }),
  );
}
