// The steps of a spot and of the requests for it: calls, and the buttons that make them. `page` is that of spot.js.

import { escaped } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button } from '/apps/shared/ui.js';
import { freshFix } from '../shared/fresh-position.js';
import { pathOf } from './status.js';

export const requestPath = (id) => escaped`/v1/spot-requests/${id}`;

/** Takes the spot from an answer. */
export const keep = ({ app }, spot) => app.resources.keep(pathOf(spot.id), spot);

const step = (page, path) => page.act(path, async () => keep(page, await page.app.api.post(path)));

/** @type {Ui.Step} */
export const tap = (page, path, text, { disabled, ...props } = {}) =>
  button(text, { wide: true, ...page.act.button(path, disabled), onclick: () => step(page, path), ...props });

/** A step that is made only after another question. */
export const sure = (page, path, text, question, props) =>
  tap(page, path, text, {
    ...props,
    onclick: async () =>
      (await confirm(question, null, { yes: text, no: t('action.keep'), look: 'danger' })) && step(page, path),
  });

export const giveUp = (page, id) => page.act('giveUp', () => page.app.api.post(`${requestPath(id)}/cancel`));

/** The seller sees the buyer's distance; a request without it is accepted too. */
export const tellWhere = ({ app }) =>
  freshFix()
    .then((here) => app.api.put('/v1/me/location', here))
    .catch(() => {});
