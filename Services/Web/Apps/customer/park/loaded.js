// Data of the server on a screen: while they load, when they are old, and if they could not be loaded.

import { screen } from '/apps/shared/shell.js';
import { problemNotice, skeleton } from '/apps/shared/ui.js';
import { age, moreButton } from '../shared/entries.js';

/** The view of a loaded value; grey bars or a problem until there is one. */
export const loaded = ({ resources }, { path, value, error }, draw, bars = 5) =>
  value ? draw(value) : error ? problemNotice(error, () => resources.reload(path)) : skeleton(bars);

/** A screen of one loaded thing. */
export const loadedScreen = (park, entry, { title, back, bars = 5 }, draw) => ({
  title,
  view: screen(title, { back }, age(entry), loaded(park, entry, draw, bars)),
});

/** A list that loads page by page. */
export const loadedList = (park, entry, draw) =>
  loaded(park, entry, ({ items }) => [age(entry), draw(items), moreButton(park.resources, entry)]);
