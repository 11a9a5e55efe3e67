// A button that records a payment in cash or by card terminal; its dialog is loaded when it is needed.

import { loadTexts, t, tProblem } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { button, toast } from '/apps/shared/ui.js';

let room = null;
const dialogs = () =>
  (room ??= Promise.all([import('./cash/receive-dialog.js'), loadTexts('/apps/operator/cash/texts')]).then(
    ([module]) => module,
    (error) => {
      room = null;
      throw error;
    },
  ));

/** Asks for the payment of `due`, a price or null; `send(body, key)` records it. The answer, or undefined. */
export const receive = oneAtATime(async (name, due, send) => {
  try {
    return await (await dialogs()).receiveDialog(name, due, send);
  } catch (error) {
    toast(tProblem(error), 'danger');
    return undefined;
  }
});

export const receiveButton = (name, due, send, done) =>
  button(t('op.receive'), {
    icon: 'wallet',
    'aria-label': t('op.receive.of', { name }),
    onclick: async () => (await receive(name, due, send)) && done(),
  });
