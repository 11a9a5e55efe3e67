// A service area: its outline on the map and in a table, its name, where customers outside are sent,
// how valets get their jobs. A change by someone else in the meantime is shown before anything is lost.

import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { go } from '/apps/shared/shell.js';
import { button, empty, problemNotice, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import { createMapSlot, createResource, head } from './parts.js';
import { conflictNotice, focusLater, loading, readTagged, waysOut } from './detail-parts.js';
import {
  allPoints,
  change,
  differences,
  draftOf,
  featureOf,
  insert,
  newDraft,
  pointsOf,
  remove,
  undo,
} from './area-draft.js';
import { ROWS, choose, details, outline } from './area-form.js';
import { createPolygonEditor, round } from './polygon-editor.js';

/** An area with the tag that proves which version was read. */
export async function readArea(id) {
  const { value: feature, tag } = await readTagged(escaped`/v1/admin/service-areas/${id}`);
  return { feature, tag };
}

export function areaScreen({ id }) {
  const isNew = id === 'new';
  const screen = {
    isNew,
    draft: isNew ? newDraft() : null,
    tag: null,
    active: 0,
    selected: null,
    isAdding: isNew,
    isBusy: false,
    problem: null,
    errors: {},
    conflict: null,
    rows: ROWS,
    isFitted: false,
    editor: null,
    steps: [],
  };
  screen.source = isNew ? null : createResource(async () => take(screen, await readArea(id)));
  screen.slot = createMapSlot('area-map', {
    label: () => t('op.edit.map'),
    onready() {
      screen.editor = null;
      screen.isFitted = false;
      drawMap(screen);
    },
    onclick: (at) => tap(screen, at),
  });
  return {
    title: () => (isNew ? t('op.area.new') : (screen.draft?.name ?? t('op.area'))),
    view: () => view(screen),
    leave: () => screen.slot.leave(),
  };
}

/** Edits this version of the area. */
function take(screen, { feature, tag }) {
  screen.steps.length = 0;
  Object.assign(screen, { draft: draftOf(feature), tag, active: 0, conflict: null, problem: null, errors: {} });
}

// MARK: Map

function tap(screen, at) {
  const { isAdding, editor } = screen;
  if (!isAdding || !editor) return;
  insert(screen, editor.indexFor(at), { latitude: round(at.latitude), longitude: round(at.longitude) });
  redraw();
}

function drawMap(screen) {
  const {
    draft,
    active,
    selected,
    slot: { map },
  } = screen;
  if (!map || map.isPlain || !draft) return;
  map.setAreas(store.value.areas.filter((area) => area.properties.id !== draft.id));
  screen.editor ??= createPolygonEditor(map, handlers(screen));
  screen.editor.draw({ rings: draft.rings, active, selected, servicePoint: draft.servicePoint });
  if (screen.isFitted) return;
  const points = allPoints(draft.rings);
  const { areas } = store.value;
  map.fit(points.length ? points : areas.flatMap(({ geometry }) => pointsOf(geometry)));
  screen.isFitted = points.length > 0 || areas.length > 0;
}

const handlers = (screen) => ({
  move(index, point) {
    change(screen, (points) => {
      points[index] = point;
    });
    redraw();
  },
  insert(index, point) {
    insert(screen, index, point);
    redraw();
  },
  remove(index) {
    remove(screen, index);
    redraw();
  },
  select: (index) => choose(screen, index),
  service(point) {
    screen.draft.servicePoint = { ...screen.draft.servicePoint, ...point };
    redraw();
  },
});

// MARK: Saving

async function save(screen, event) {
  event?.preventDefault();
  if (screen.isBusy) return;
  const { draft, isNew } = screen;
  const { areas } = store.value;
  const errors = {};
  if (isNew && areas.some((area) => area.properties.id === draft.id)) errors.id = t('op.area.id.taken');
  if (!draft.servicePoint) errors['properties.servicePoint'] = t('op.area.servicePoint.missing');
  Object.assign(screen, { errors, problem: null, isBusy: !Object.keys(errors).length });
  redraw();
  if (!screen.isBusy) return;
  try {
    await api.put(escaped`/v1/admin/service-areas/${draft.id || ' '}`, featureOf(draft, areas), {
      headers: screen.tag ? { 'if-match': screen.tag } : {},
      onResponse: (response) => {
        if (response.ok) screen.tag = response.headers.get('etag');
      },
    });
    screen.isBusy = false;
    toast(t('op.area.saved', { name: draft.name }), 'success');
    refresh('areas');
    go('/areas');
  } catch (error) {
    screen.isBusy = false;
    await refused(screen, error);
    redraw();
    focusLater(() => document.querySelector('.page [aria-invalid="true"], .page .notice.danger'));
  }
}

async function refused(screen, error) {
  if (error instanceof Problem && error.status === 412) await meet(screen);
  else if (error.field) screen.errors = { [error.field]: tProblem(error) };
  else if (error.status === 404 && screen.isNew)
    screen.problem = Object.assign(new Error(t('op.area.id.wrong')), { code: 'form' });
  else screen.problem = error;
}

/** Reads the version that someone else has saved first, to compare it. */
async function meet(screen) {
  try {
    screen.conflict = await readArea(screen.draft.id);
  } catch (error) {
    screen.problem = error;
  }
}

// MARK: Views

function view(screen) {
  const { isNew, draft, conflict, problem } = screen;
  if (!draft) {
    const gone = empty('map', t('op.area.gone'), t('op.area.gone.text'));
    return [head(t('op.area'), { back: '/areas' }), loading(screen.source, gone)];
  }
  queueMicrotask(() => drawMap(screen));
  return [
    head(isNew ? t('op.area.new') : draft.name || t('op.area'), { back: '/areas', actions: actions(screen) }),
    conflict ? conflictView(screen) : null,
    problem ? h('div', { tabindex: '-1' }, problemNotice(problem)) : null,
    h(
      'div',
      { class: 'columns edit', key: 'columns' },
      h('div', { class: 'column-main stack' }, mapPanel(screen)),
      h('div', { class: 'column-side stack' }, details(screen), outline(screen)),
    ),
  ];
}

const actions = (screen) => [
  button(t('op.undo'), {
    icon: 'back',
    disabled: !screen.steps.length,
    onclick: () => {
      undo(screen);
      redraw();
    },
  }),
  button(t('action.save'), {
    look: 'primary',
    icon: 'check',
    isBusy: screen.isBusy,
    onclick: (event) => save(screen, event),
  }),
];

function conflictView(screen) {
  const { conflict, draft } = screen;
  const found = differences(draftOf(conflict.feature), draft);
  const list = (found.length ? found : [t('op.conflict.tariff')]).map((text) => h('li', { key: text }, text));
  return conflictNotice(t('op.conflict'), h('ul', { class: 'bullets' }, list), waysOut(screen, { take, save }));
}

const mapPanel = (screen) =>
  h(
    'div',
    { class: 'panel flush' },
    screen.slot.view(`tall${screen.isAdding ? ' adding' : ''}`),
    h(
      'div',
      { class: 'map-tools' },
      h(
        'button',
        {
          type: 'button',
          class: `button${screen.isAdding ? ' primary' : ''}`,
          'aria-pressed': String(screen.isAdding),
          onclick: () => {
            screen.isAdding = !screen.isAdding;
            redraw();
          },
        },
        t('op.edit.tap'),
      ),
      h('p', { class: 'muted small grow' }, t('op.edit.help')),
    ),
  );
