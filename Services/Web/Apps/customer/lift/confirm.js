// "Was … in the car?": asks drivers about one passenger at a time, when the app is next opened.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { loadTexts, t, tProblem } from '/apps/shared/i18n.js';
import { dialog } from '/apps/shared/dialogs.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { button, toast } from '/apps/shared/ui.js';
import { nameOf, when, wayText } from './words.js';

await loadTexts('/apps/shared/texts/lift');

/** Answers for one request; resolves with the updated request. */
export const answer = (api, id, inTheCar) => api.post(escaped`/v1/seat-requests/${id}/confirm`, { inTheCar });

/** Closing one dialog ends the questions for now. */
export const askAll = oneAtATime(async ({ api, resources }, items) => {
  try {
    for (const one of items) {
      const name = nameOf(one.passenger);
      const inTheCar = await dialog(t('lift.confirm.question', { name }), (close) => [
        h('p', null, wayText(one)),
        h('p', { class: 'muted' }, when(one.pickUp.at, one.timeZone)),
        h('p', { class: 'muted small' }, t('lift.confirm.why')),
        h(
          'div',
          { class: 'actions' },
          button(t('action.no'), { onclick: () => close(false) }),
          button(t('action.yes'), { look: 'primary', onclick: () => close(true) }),
        ),
      ]);
      if (inTheCar === undefined) break;
      await answer(api, one.id, inTheCar);
      toast(t(inTheCar ? 'lift.confirm.yes' : 'lift.confirm.no', { name }), 'success');
    }
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  for (const path of ['/v1/me/confirmations', '/v1/rides', '/v1/me/seat-requests']) resources.reload(path);
});
