// The editor of a car park: where it is and its entrances on the map, when it is open, how many spaces it has, its
// rules. A change by someone else in the meantime is shown before anything is lost.

import { h, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, empty, problemNotice, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { store } from '../store.js';
import { createMapSlot, createResource, head } from '../parts.js';
import { conflictNotice, focusLater, loading, readTagged, waysOut } from '../detail-parts.js';
import { round } from '../polygon-editor.js';
import { differing, draftOf, markersOf, newDraft, parsed } from './draft.js';
import { about, equipment, place, rules, spaces } from './edit-view.js';

export function editScreen({ id }) {
  const isNew = !id;
  const screen = {
    id,
    isNew,
    key: uuid(),
    draft: isNew ? newDraft(store.value.areas[0]?.properties.currency) : null,
    tag: null,
    errors: {},
    problem: null,
    conflict: null,
    isBusy: false,
    /** What the next tap on the map moves: `position`, or the index of an entrance. */
    tapped: 'position',
    isFitted: false,
  };
  screen.source = isNew ? null : createResource(async () => take(screen, await fetched(id)));
  screen.slot = createMapSlot('park-map', {
    label: () => t('op.park.map'),
    onready: () => {
      screen.isFitted = false;
      drawMap(screen);
    },
    onclick: (at) => tap(screen, at),
  });
  return { title: () => titleOf(screen), view: () => view(screen), leave: () => screen.slot.leave() };
}

async function fetched(id) {
  const { value: park, tag } = await readTagged(escaped`/v1/car-parks/${id}`);
  return { park, tag };
}

/** Edits this version of the car park. */
function take(screen, { park, tag }) {
  Object.assign(screen, { draft: draftOf(park), tag, errors: {}, problem: null, conflict: null });
}

// MARK: Map

function tap({ draft, tapped }, at) {
  const target = tapped === 'position' ? draft : draft.entrances[Number(tapped)];
  if (!target) return;
  target.position = { latitude: round(at.latitude), longitude: round(at.longitude) };
  redraw();
}

function drawMap(screen) {
  const { map } = screen.slot;
  if (!map || map.isPlain || !screen.draft) return;
  const markers = markersOf(screen.draft);
  map.setMarkers('park-', markers);
  if (screen.isFitted) return;
  screen.isFitted = true;
  map.fit(markers.length ? markers : store.value.areas.map(({ properties }) => properties.servicePoint));
}

// MARK: Saving

async function save(screen, event) {
  event?.preventDefault();
  if (screen.isBusy) return;
  const { id, isNew, key, tag } = screen;
  const { body, errors } = parsed(screen.draft);
  const isWrong = Object.keys(errors).length > 0;
  Object.assign(screen, { errors, problem: null, isBusy: !isWrong });
  redraw();
  if (isWrong) return void focusWrong();
  try {
    const saved = await (isNew
      ? api.post('/v1/admin/car-parks', body, { key })
      : api.put(escaped`/v1/admin/car-parks/${id}`, body, { headers: { 'if-match': tag } }));
    toast(t('action.saved'), 'success');
    go(`/car-parks/${saved.id}`);
  } catch (error) {
    if (error.status === 412) await meet(screen);
    else if (error.field) screen.errors = { [error.field]: tProblem(error) };
    if (error.status !== 412 && !isShown(error.field)) screen.problem = error;
    focusWrong();
  }
  screen.isBusy = false;
  redraw();
}

const focusWrong = () => focusLater(() => document.querySelector('.page [aria-invalid="true"], .page .notice'));
/** Whether a field of the form shows an error. */
const isShown = (name) => Boolean(name && document.getElementById(name));

/** Reads the version that someone else has saved first, to compare it. */
async function meet(screen) {
  try {
    screen.conflict = await fetched(screen.id);
  } catch (error) {
    screen.problem = error;
  }
}

// MARK: Views

const titleOf = ({ isNew }) => t(isNew ? 'op.parks.new' : 'op.park.edit');

function view(screen) {
  const { id, isNew, draft, isBusy, conflict, problem } = screen;
  const title = titleOf(screen);
  const back = isNew ? '/car-parks' : `/car-parks/${id}`;
  if (!draft) return [head(title, { back }), loading(screen.source, empty('parking', t('op.park.gone')))];
  queueMicrotask(() => drawMap(screen));
  const onsubmit = (event) => save(screen, event);
  /** @type {Ui.ButtonProps} */
  const look = { look: 'primary', icon: 'check', isBusy };
  return [
    head(title, {
      back,
      lead: isNew ? null : draft.name,
      actions: button(t('action.save'), { ...look, onclick: onsubmit }),
    }),
    conflict ? conflictView(screen) : null,
    problem ? problemNotice(problem) : null,
    h(
      'form',
      { class: 'columns even', key: 'columns', novalidate: true, onsubmit },
      h('div', { class: 'stack' }, about(screen), place(screen)),
      h(
        'div',
        { class: 'stack' },
        spaces(screen),
        equipment(screen),
        rules(screen),
        button(t('action.save'), { ...look, type: 'submit' }),
      ),
    ),
  ];
}

function conflictView(screen) {
  const { conflict, draft } = screen;
  const fields = differing(draftOf(conflict.park), draft).map((name) => t(`op.park.field.${name}`));
  return conflictNotice(
    t('op.conflict'),
    h('p', null, t('op.park.conflict', { fields: fields.join(', ') || '–' })),
    waysOut(screen, { take, save }),
  );
}
