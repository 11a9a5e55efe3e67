// "I want to drive": a new or changed trip, once or every week.

import { escaped } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { go, screen as page } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { notice, toast } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { bodyOf, draftOf, errorsOf } from './draft.js';
import { createEditMap, drawEditMap, endField, noPreview, previewSoon, stopField, stopPreview } from './edit-route.js';
import { tripForm } from './edit-view.js';
import { missing } from './entries.js';
import { afterDrawing, mapCard } from './map.js';
import { pathOf } from './paths.js';

export function createEdit(app) {
  const screen = {
    app,
    once: createOnce(app.api),
    form: createForm(app.redraw),
    draft: null,
    preview: noPreview(),
    /** The next preview's, and the running one's. */
    timer: null,
    stopper: null,
    /** The points on the map; and the preview and the ends that it shows. */
    editor: null,
    drawn: null,
    fitted: null,
    /** Counts stops, for the ids of their address fields. */
    stops: 0,
    set(change) {
      Object.assign(screen.draft, change, { isTouched: true });
      app.redraw();
    },
    vehicles: () => app.resources.get('/v1/me/vehicles').value?.items ?? [],
  };
  screen.slot = createEditMap(screen);
  return {
    make: () => draw(screen, t('lift.drive'), '/lift', null),
    change: ({ id }) => drawChange(screen, id),
    leave() {
      screen.slot.leave();
      stopPreview(screen);
      screen.editor = null;
      // A new draft stays; a changed trip starts again from its stored state.
      if (screen.draft?.id) screen.draft = null;
    },
    forget() {
      screen.draft = null;
    },
  };
}

// MARK: The draft

/** The search's ends, which a new draft takes over. */
const wished = ({ ends }) => JSON.stringify([ends.from.place, ends.to.place]);

function begin(screen, trip) {
  const { app, slot } = screen;
  screen.draft = draftOf(trip, {
    origin: endField(screen, 'origin'),
    destination: endField(screen, 'destination'),
    via: (trip?.via ?? []).map((place) => stopField(screen, place)),
  });
  screen.draft.wished = wished(app);
  screen.draft.origin.take(trip ? trip.origin : app.ends.from.place);
  screen.draft.destination.take(trip ? trip.destination : app.ends.to.place);
  Object.assign(screen, {
    form: createForm(app.redraw, { destination: 'destination' }),
    preview: noPreview(),
    editor: slot.map && !slot.map.isPlain ? screen.editor : null,
    fitted: null,
    drawn: null,
  });
  previewSoon(screen, 0);
}

/** Another trip is edited, or an untouched draft takes over the ends of another search. */
const isOver = ({ app, draft }, trip) =>
  !draft || draft.id !== (trip?.id ?? null) || (!trip && !draft.isTouched && draft.wished !== wished(app));

const send = (screen) =>
  screen.form.submit(async () => {
    const { app, draft, form } = screen;
    const currency = screen.preview.value?.mostPerSeat?.currency ?? null;
    form.errors = errorsOf(draft, currency);
    if (Object.keys(form.errors).length) form.refuse(form.errors);
    const body = bodyOf(draft, currency, screen.vehicles());
    const trip = draft.id
      ? await app.api.patch(pathOf(draft.id), body)
      : await screen.once('/v1/trips', { ...body, note: body.note || undefined, timeZone: draft.timeZone });
    toast(t(draft.id ? 'lift.changed' : 'lift.published'), 'success');
    screen.draft = null;
    app.changed();
    go(escaped`/lift/trips/${trip.id}`);
  });

// MARK: Drawing

function draw(screen, title, back, trip) {
  if (isOver(screen, trip)) begin(screen, trip);
  screen.app.position.start();
  afterDrawing(() => drawEditMap(screen));
  return {
    title,
    hasMap: true,
    view: page(title, { back }, mapCard(screen.slot), tripForm(screen, send(screen))),
  };
}

function drawChange(screen, id) {
  const { resources } = screen.app;
  const entry = resources.get(pathOf(id));
  const title = t('lift.change.title');
  const back = escaped`/lift/trips/${id}`;
  if (entry.value?.isMine) return draw(screen, title, back, entry.value);
  const isOthers = entry.value && !entry.error;
  return {
    title,
    view: page(title, { back }, isOthers ? notice('danger', t('problem.trip.unknown')) : missing(resources, entry)),
  };
}
