// Steps that a person takes by a button, some of them after a question.

import { t } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button } from '/apps/shared/ui.js';

export const isSure = ({ title, text = null, yes }) =>
  confirm(title, text, { yes, no: t('action.keep'), look: 'danger' });

/**
 * A button that posts to a path; first it asks the `question`, if there is one.
 * @type {Ui.Step}
 */
export const step = ({ act, app }, path, text, { question, ...props } = {}) =>
  button(text, {
    wide: true,
    ...act.button(path),
    ...props,
    onclick: () =>
      act(path, async () => {
        if (!question || (await isSure({ yes: text, ...question }))) await app.api.post(path);
      }),
  });
