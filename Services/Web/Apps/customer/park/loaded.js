// Data of the server on a screen: while they load, when they are old, and if they could not be loaded.

import { dateTime, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { button, notice, problemNotice, skeleton } from '/apps/shared/ui.js';

/** The view of a loaded value; grey bars or a problem until there is one. */
export const loaded = ({ resources }, { path, value, error }, draw, bars = 5) =>
  value ? draw(value) : error ? problemNotice(error, () => resources.reload(path)) : skeleton(bars);

/** Says how old a value is that could not be loaded again. */
export const oldNotice = ({ value, error, at }) =>
  value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null;

/** A screen of one loaded thing. */
export const loadedScreen = (park, entry, { title, back, bars = 5 }, draw) => ({
  title,
  view: screen(title, { back }, oldNotice(entry), loaded(park, entry, draw, bars)),
});

/** A list that loads page by page. */
export const loadedList = (park, entry, draw) =>
  loaded(park, entry, ({ items, next }) => [
    oldNotice(entry),
    draw(items),
    next
      ? button(t('action.more'), {
          wide: true,
          isBusy: entry.isLoading,
          onclick: () => park.resources.more(entry),
        })
      : null,
  ]);
