// The route of the trip that is being edited: its points, as address fields and on the map, and its preview.

import { t } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { confirm } from '/apps/shared/dialogs.js';
import { createPlaceField, pointOf } from '../shared/place-field.js';
import { addStop, fieldsOf } from './draft.js';
import { pointsOf } from './map.js';
import { createWayEditor } from './way-editor.js';

export const MOST_STOPS = 8;
/** Pause between two previews while a point is dragged, in ms. */
const PAUSE = 350;
const placesOf = (draft) => fieldsOf(draft).map(({ place }) => place);

// MARK: Its points

function touch(screen) {
  screen.draft.isTouched = true;
  previewSoon(screen);
}

const pointField = (screen, id, label, near) =>
  createPlaceField(screen.app, { id, label, near, onchange: (_, isNamed) => !isNamed && touch(screen) });

export const endField = (screen, id) =>
  pointField(
    screen,
    id,
    `lift.${id}`,
    () => screen.draft?.origin.place ?? screen.draft?.destination.place ?? screen.app.position.last,
  );

export function stopField(screen, place) {
  screen.stops += 1;
  const stop = pointField(
    screen,
    `via-${screen.stops}`,
    () => t('lift.via.number', { number: (screen.draft?.via.indexOf(stop) ?? 0) + 1 }),
    () => screen.draft?.origin.place,
  );
  if (place) stop.take(place);
  return stop;
}

export function dropStop(screen, stop) {
  screen.draft.via = screen.draft.via.filter((other) => other !== stop);
  previewSoon(screen, 0);
  screen.app.redraw();
}

// MARK: Its preview

export const noPreview = () => ({ value: null, error: null, isLoading: false });

/** Requests the route soon; for a point that is dragged, before it is dropped. */
export function previewSoon(screen, pause = PAUSE, places = null) {
  if (places && screen.timer) return;
  clearTimeout(screen.timer);
  screen.timer = setTimeout(() => {
    screen.timer = null;
    if (screen.draft) loadPreview(screen, places ?? placesOf(screen.draft));
  }, pause);
}

async function loadPreview(screen, places) {
  const { api, redraw } = screen.app;
  screen.stopper?.abort();
  if (!places.every(Boolean)) {
    screen.preview = noPreview();
    return redraw();
  }
  const { signal } = (screen.stopper = new AbortController());
  screen.preview.isLoading = true;
  redraw();
  try {
    const [origin, via, destination] = [places[0], places.slice(1, -1), places.at(-1)];
    const value = await api.call('POST', '/v1/trips/preview', {
      body: { origin, destination, via: via.map(pointOf) },
      signal,
    });
    screen.preview = { ...noPreview(), value };
  } catch (error) {
    if (signal.aborted) return undefined;
    screen.preview = { ...noPreview(), error };
  }
  return redraw();
}

/** The screen is left: neither a later preview nor its answer is wanted. */
export function stopPreview(screen) {
  clearTimeout(screen.timer);
  screen.stopper?.abort();
  screen.timer = null;
}

// MARK: The map

export const createEditMap = (screen) =>
  createMapSlot('lift-edit-map', screen.app.redraw, {
    label: () => t('lift.map.edit'),
    onready(map) {
      Object.assign(screen, {
        editor: map.isPlain ? null : createWayEditor(map, actionsOf(screen)),
        fitted: null,
        drawn: null,
      });
      map.setInset({ top: 40, left: 40, right: 64, bottom: 48 });
    },
    onclick(at) {
      const { draft } = screen;
      const end = draft && [draft.origin, draft.destination].find(({ place }) => !place);
      if (end) end.set(at);
    },
  });

/** What is done to points on the map; `isOver` once a drag has ended. */
const actionsOf = (screen) => ({
  move(index, at, isOver) {
    const fields = fieldsOf(screen.draft);
    if (isOver) fields[index].set(at);
    else
      previewSoon(
        screen,
        PAUSE,
        fields.map(({ place }, i) => (i === index ? at : place)),
      );
  },
  insert(index, at, isOver) {
    if (!isOver) {
      const places = placesOf(screen.draft);
      previewSoon(screen, PAUSE, [...places.slice(0, index), at, ...places.slice(index)]);
      return;
    }
    const stop = stopField(screen, null);
    addStop(screen.draft, stop, fieldsOf(screen.draft)[index]);
    stop.set(at);
  },
  async remove(index) {
    const stop = fieldsOf(screen.draft)[index];
    if (await confirm(t('lift.via.remove.sure'), null, { yes: t('lift.via.remove'), no: t('action.keep') }))
      dropStop(screen, stop);
  },
});

export function drawEditMap(screen) {
  const { draft, editor, preview, slot } = screen;
  const { map } = slot;
  if (!map || map.isPlain || !draft) return;
  const places = placesOf(draft);
  editor?.show(places, preview.value?.way, MOST_STOPS);
  if (screen.drawn !== preview.value) {
    screen.drawn = preview.value;
    map.setRoute('way', preview.value && routeOf(preview.value));
  }
  fit(screen, places);
}

const routeOf = ({ way, isStraightLine, attribution }) => ({
  geometry: way,
  source: isStraightLine ? 'straightLine' : 'router',
  attribution,
});

/** Shows the whole route again when one of its ends has changed. */
function fit(screen, places) {
  const { app, preview, slot } = screen;
  const ends = JSON.stringify([places[0], places.at(-1)].map((place) => place && pointOf(place)));
  if (screen.fitted === ends) return;
  screen.fitted = ends;
  const known = places.filter(Boolean);
  const only = known[0] ?? app.position.last;
  if (known.length > 1) slot.map.fit([...known, ...pointsOf(preview.value?.way)], { maxZoom: 15 });
  else if (only) slot.map.go(only, 13);
}
