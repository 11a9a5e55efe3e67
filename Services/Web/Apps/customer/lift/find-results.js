// What a search finds: the drivers, or an alert for later; and it as markers on the map.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem, time } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, empty, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { connectionLine, resultLine } from './result.js';
import { nameOf, when } from './words.js';

/** `search` repeats the search, `save` saves it. */
export function results(screen, { search, save }) {
  const { app, found } = screen;
  const { items, connections, error, isLoading } = found;
  if (isLoading) return skeleton(6);
  if (error) return problemNotice(error, search);
  if (!items) return null;
  return h(
    'section',
    { class: 'stack', key: 'results', 'aria-labelledby': 'lift-results' },
    h('h2', { id: 'lift-results', tabindex: '-1' }, t('lift.found', { count: items.length })),
    items.length
      ? h(
          'ul',
          { class: 'list', 'aria-labelledby': 'lift-results' },
          items.map((one) => resultLine(one, app.favourites)),
        )
      : connections.length
        ? null
        : empty('route', t('lift.none'), t('lift.none.lead')),
    connections.length ? withChange(connections) : null,
    offerAlert(screen, save),
  );
}

const withChange = (connections) => [
  h('h3', { id: 'lift-connections', key: 'connections' }, t('lift.connections')),
  h('p', { class: 'muted small', key: 'halves' }, t('lift.connections.lead')),
  h('ul', { class: 'list', key: 'two', 'aria-labelledby': 'lift-connections' }, connections.map(connectionLine)),
];

const offerAlert = ({ found, saving }, save) =>
  found.isSaved
    ? notice('success', t('lift.saved'), h('a', { class: 'button', href: '#/lift/searches' }, t('lift.searches')))
    : [
        button(t('lift.tell'), { icon: 'bell', wide: true, isBusy: saving?.isBusy, onclick: save }),
        saving?.error ? notice('danger', tProblem(saving.error)) : null,
      ];

// MARK: The map

export function drawFindMap(screen) {
  const { map } = screen.slot;
  if (!map || map.isPlain) return;
  const { ends, position } = screen.app;
  const here = position.last;
  map.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
  for (const [name, { place }] of Object.entries(ends))
    map.setMarker(
      name,
      place && {
        ...place,
        kind: name === 'from' ? 'place' : 'parked',
        icon: name === 'from' ? 'user' : 'check',
        title: t(`lift.${name}`),
      },
    );
  map.setMarkers('found-', (screen.found.items ?? []).map(pickUpMarker));
  fit(screen);
}

const pickUpMarker = ({ tripId, date, timeZone, driver, pickUp }) => ({
  ...pickUp.point,
  id: `${tripId}-${date}`,
  kind: 'car',
  icon: 'car',
  text: time(pickUp.at, timeZone),
  title: `${nameOf(driver)}, ${when(pickUp.at, timeZone)}`,
  onclick: () => go(`${escaped`/lift/trips/${tripId}`}?date=${date}`),
});

/** Shows the ends, or else the surroundings; again when they change. */
function fit(screen) {
  const { app, slot } = screen;
  const here = app.position.last;
  const places = Object.values(app.ends).flatMap(({ place }) => place ?? []);
  const shown = JSON.stringify([places, places.length ? null : Boolean(here)]);
  if (screen.fitted === shown) return;
  screen.fitted = shown;
  if (places.length) slot.map.fit(places, { maxZoom: 15 });
  else if (here) slot.map.go(here, 14);
  else if (app.store.value.areas?.length) slot.map.fitAreas(app.store.value.areas);
}
