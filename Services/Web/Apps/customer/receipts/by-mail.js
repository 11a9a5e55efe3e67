// Receipts by e-mail: the profile's card that turns them on, and sending one of them.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { button, problemNotice, skeleton, toast, toggle } from '/apps/shared/ui.js';

const PATH = '/v1/me/receipt-settings';

export function createReceiptMails({ api, redraw, resources }) {
  let isBusy = false;

  async function put(byEmail) {
    isBusy = true;
    redraw();
    try {
      resources.keep(PATH, await api.put(PATH, { byEmail }));
      toast(t('action.saved'), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    isBusy = false;
    redraw();
  }

  const content = ({ byEmail, hasEmail }) =>
    hasEmail
      ? toggle({
          id: 'receipts-by-mail',
          label: t('receipts.byMail'),
          hint: t('receipts.byMail.hint'),
          isOn: byEmail,
          isBusy,
          onchange: put,
        })
      : h('p', { class: 'muted' }, t('receipts.byMail.none'));

  return {
    draw() {
      const { value, error } = resources.get(PATH);
      return h(
        'section',
        { class: 'card stack', key: 'receipts' },
        h('h2', null, t('receipts.title')),
        value ? content(value) : error ? problemNotice(error, () => resources.reload(PATH)) : skeleton(2),
      );
    },
  };
}

let isSending = false;

const send = oneAtATime(async ({ api, redraw }, id) => {
  isSending = true;
  redraw();
  try {
    await api.post(escaped`/v1/documents/${id}/mail`, {});
    toast(t('receipts.mailed'), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  isSending = false;
  redraw();
});

/** Sends a document to the address of the person's account; nothing without a document. */
export const mailButton = (app, id) =>
  id ? button(t('receipts.mail'), { icon: 'message', isBusy: isSending, onclick: () => send(app, id) }) : null;
