// The code of a hand-over: on the sheet, large for a car window, and in a demo sent to the simulated valet.

import { h } from '/apps/shared/dom.js';
import { isDemo } from '/apps/shared/demo.js';
import { readOut } from '/apps/shared/demo-people.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { dialog } from '/apps/shared/dialogs.js';
import { button, toast } from '/apps/shared/ui.js';

/** `large` is the code that is shown large, and `spoken` has those that were sent. */
export const createCode = () => ({ large: null, spoken: new Set(), isSending: false });

/** In large, spaced digits, which screen readers read one by one. */
const bigCode = (code) =>
  h(
    'p',
    { class: 'big-code', role: 'img', 'aria-label': [...code].join(' ') },
    [...code].map((digit, i) => h('span', { key: i, 'aria-hidden': 'true' }, digit)),
  );

async function enlarge(shown, { handoverCode: code, ticket }, text) {
  await dialog(
    t('code.title'),
    (close) => {
      shown.large = { code, close };
      return [
        h('p', { class: 'muted' }, text),
        bigCode(code),
        h('p', { class: 'ticket-line' }, t('order.ticket'), ' ', h('span', { class: 'ticket' }, ticket)),
      ];
    },
    { look: 'code-dialog' },
  );
  shown.large = null;
}

/** Closes a large code that is no longer valid. */
export function closeOld({ large }, order) {
  if (large && large.code !== order.handoverCode) large.close();
}

/** A button with the code, which opens it large. */
export const codeCard = ({ code }, order, text) =>
  order.handoverCode &&
  h(
    'button',
    {
      type: 'button',
      class: 'code-card',
      key: 'code',
      'aria-label': t('code.enlarge', { code: [...order.handoverCode].join(' ') }),
      onclick: () => enlarge(code, order, text),
    },
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'strong' }, t('code.title')),
      h('span', { class: 'muted small' }, text),
    ),
    h('span', { class: 'code-digits', 'aria-hidden': 'true' }, order.handoverCode),
  );

async function say({ app, code }, order) {
  code.isSending = true;
  app.redraw();
  try {
    await readOut(app.api, order, ['requested', 'droppingOff'].includes(order.status) ? 'dropOff' : 'return');
    code.spoken.add(order.handoverCode);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  code.isSending = false;
  app.redraw();
}

/** In a demo, the code is sent to the simulated valet. */
export function voice(screen, order) {
  if (!isDemo || !order.handoverCode) return null;
  const { spoken, isSending } = screen.code;
  const isSaid = spoken.has(order.handoverCode);
  return h(
    'div',
    { class: 'stack tight', key: 'voice' },
    h('p', { class: 'muted small', role: 'status' }, t(isSaid ? 'demo.said' : 'demo.say.lead')),
    button(t(isSaid ? 'demo.say.again' : 'demo.say'), {
      icon: 'message',
      wide: true,
      isBusy: isSending,
      onclick: () => say(screen, order),
    }),
  );
}
