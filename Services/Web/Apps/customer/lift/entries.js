// What a screen shows of an entry of `resources` besides its value: its age, and why it is missing.

import { t } from '/apps/shared/i18n.js';
import { notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { when } from './words.js';

/** The value is an old one, since a newer one can't be loaded. */
export const asOf = ({ value, error, at }) =>
  value && error ? notice('warning', t('state.asOf', { time: when(at) })) : null;

/** In place of a value: the reason, or lines that stand for it while it is loading. */
export const missing = (resources, { error, path }, lines = 6) =>
  error ? problemNotice(error, () => resources.reload(path)) : skeleton(lines);

/** The person may no longer see it, even if it is still stored on this device. */
export const isGone = ({ error }) => error?.status === 404;
