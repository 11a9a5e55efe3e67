// Parts of screens that show an entry of `resources`: `{ value, error, at, isLoading }`.

import { dateTime, t } from '/apps/shared/i18n.js';
import { button, notice } from '/apps/shared/ui.js';

/** The age of a state, if no newer one could be loaded. */
export const age = ({ value, error, at }) =>
  value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null;

/** Loads the next page of a list. */
export const moreButton = (resources, entry) =>
  entry.value?.next
    ? button(t('action.more'), { wide: true, isBusy: entry.isLoading, onclick: () => resources.more(entry) })
    : null;
