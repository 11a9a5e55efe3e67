// A service area: its outline on the map and in a table, its name, where customers outside are sent,
// how valets get their jobs. A change by someone else in the meantime is shown before anything is lost.

import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { go } from '/apps/shared/shell.js';
import {
  button,
  choices,
  empty,
  field,
  iconButton,
  notice,
  problemNotice,
  select,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import { createMapSlot, createResource, head, section } from './parts.js';
import { createPolygonEditor, crossesItself, round } from './polygon-editor.js';

/** Steps that can be undone. */
const MOST_STEPS = 50;
/** Rows of the table that are drawn at once. */
const ROWS = 100;

const ringsOf = ({ type, coordinates }) =>
  (type === 'Polygon' ? [coordinates] : coordinates).flatMap((polygon, part) =>
    polygon.map((ring, hole) => ({
      part,
      hole,
      points: ring.slice(0, -1).map(([longitude, latitude]) => ({ latitude, longitude })),
    })),
  );

function geometryOf(rings) {
  const polygons = [];
  for (const { part, points } of rings) {
    const ring = points.map(({ latitude, longitude }) => [longitude, latitude]);
    (polygons[part] ??= []).push(ring.length ? [...ring, ring[0]] : ring);
  }
  return polygons.length > 1
    ? { type: 'MultiPolygon', coordinates: polygons }
    : { type: 'Polygon', coordinates: polygons[0] ?? [] };
}

const draftOf = ({ properties, geometry }) => ({
  id: properties.id,
  name: properties.name,
  currency: properties.currency,
  servicePoint: { ...properties.servicePoint },
  dispatch: { mode: 'direct', offerSeconds: 20, ...properties.dispatch },
  rings: ringsOf(geometry),
});
/** A new area; until a currency is entered it has that of the first area. */
const newDraft = () => ({
  id: '',
  name: '',
  currency: null,
  servicePoint: null,
  dispatch: { mode: 'direct', offerSeconds: 20 },
  rings: [{ part: 0, hole: 0, points: [] }],
});

/** An area with the tag that proves which version was read. */
export async function readArea(id) {
  let tag = null;
  const feature = await api.get(escaped`/v1/admin/service-areas/${id}`, {
    onResponse: (response) => {
      tag = response.headers.get('etag');
    },
  });
  return { feature, tag };
}

const usualCurrency = () => store.value.areas[0]?.properties.currency ?? '';

const number = (text) => Number(String(text).trim().replace(',', '.'));

export function areaScreen({ id }) {
  const isNew = id === 'new';
  let draft = isNew ? newDraft() : null;
  let tag = null;
  let active = 0;
  let selected = null;
  let isAdding = isNew;
  let isBusy = false;
  let problem = null;
  let errors = {};
  let conflict = null;
  let rows = ROWS;
  let isFitted = false;
  let editor = null;
  const steps = [];
  const source = isNew
    ? null
    : createResource(async () => {
        const read = await readArea(id);
        take(read);
        return read;
      });

  function take({ feature, tag: read }) {
    draft = draftOf(feature);
    tag = read;
    active = 0;
    steps.length = 0;
    conflict = null;
    problem = null;
    errors = {};
  }

  const slot = createMapSlot('area-map', {
    label: () => t('op.edit.map'),
    onready() {
      editor = null;
      isFitted = false;
      drawMap();
    },
    onclick: (at) =>
      isAdding &&
      editor &&
      insert(editor.indexFor(at), { latitude: round(at.latitude), longitude: round(at.longitude) }),
  });

  function drawMap() {
    const { map } = slot;
    if (!map || map.isPlain || !draft) return;
    map.setAreas(store.value.areas.filter((area) => area.properties.id !== draft.id));
    editor ??= createPolygonEditor(map, {
      move: (index, point) =>
        change((points) => {
          points[index] = point;
        }),
      insert,
      remove,
      select: (index) => {
        if (selected !== index) {
          selected = index;
          redraw();
        }
      },
      service: (point) => {
        draft.servicePoint = { ...draft.servicePoint, ...point };
        redraw();
      },
    });
    editor.draw({ rings: draft.rings, active, selected, servicePoint: draft.servicePoint });
    if (!isFitted) {
      const points = draft.rings.flatMap((ring) => ring.points);
      map.fit(
        points.length
          ? points
          : store.value.areas.flatMap((area) => ringsOf(area.geometry).flatMap((ring) => ring.points)),
      );
      isFitted = points.length > 0 || store.value.areas.length > 0;
    }
  }

  /** Changes the points of the active ring; the step can be undone. */
  function change(edit) {
    steps.push(JSON.stringify(draft.rings));
    if (steps.length > MOST_STEPS) steps.shift();
    edit(draft.rings[active].points);
    delete errors['geometry.coordinates'];
    if (!draft.servicePoint && draft.rings[0].points.length >= 3) draft.servicePoint = centre(draft.rings[0].points);
    redraw();
  }
  function insert(index, point) {
    selected = index;
    change((points) => points.splice(index, 0, point));
  }
  function remove(index) {
    selected = null;
    change((points) => points.splice(index, 1));
  }
  function undo() {
    if (!steps.length) return;
    draft.rings = JSON.parse(steps.pop());
    active = Math.min(active, draft.rings.length - 1);
    redraw();
  }
  /** Halfway to the next point, or for the first ones around the middle of the map. */
  function addAfter(index) {
    const { points } = draft.rings[active];
    if (points.length < 2) {
      const middle = slot.map?.center?.() ?? points[0] ?? { latitude: 0, longitude: 0 };
      insert(points.length, {
        latitude: round(middle.latitude + points.length * 0.002),
        longitude: round(middle.longitude + points.length * 0.002),
      });
      return;
    }
    const [a, b] = [points[index], points[(index + 1) % points.length]];
    insert(index + 1, {
      latitude: round((a.latitude + b.latitude) / 2),
      longitude: round((a.longitude + b.longitude) / 2),
    });
  }

  async function save(event) {
    event?.preventDefault();
    if (isBusy) return;
    errors = {};
    problem = null;
    if (isNew && store.value.areas.some((area) => area.properties.id === draft.id)) errors.id = t('op.area.id.taken');
    if (!draft.servicePoint) errors['properties.servicePoint'] = t('op.area.servicePoint.missing');
    if (Object.keys(errors).length) return redraw();
    isBusy = true;
    redraw();
    const { id: name, servicePoint, dispatch } = draft;
    const currency = draft.currency ?? usualCurrency();
    const body = {
      type: 'Feature',
      id: name,
      properties: { id: name, name: draft.name, servicePoint, currency, dispatch },
      geometry: geometryOf(draft.rings),
    };
    try {
      await api.put(escaped`/v1/admin/service-areas/${name || ' '}`, body, {
        headers: tag ? { 'if-match': tag } : {},
        onResponse: (response) => {
          if (response.ok) tag = response.headers.get('etag');
        },
      });
      isBusy = false;
      toast(t('op.area.saved', { name: draft.name }), 'success');
      refresh('areas');
      go('/areas');
    } catch (error) {
      isBusy = false;
      if (error instanceof Problem && error.status === 412) await meet();
      else if (error.field) errors = { [error.field]: tProblem(error) };
      else
        problem =
          error.status === 404 && isNew ? Object.assign(new Error(t('op.area.id.wrong')), { code: 'form' }) : error;
      redraw();
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          document.querySelector('.page [aria-invalid="true"], .page .notice.danger')?.focus?.(),
        ),
      );
    }
    return undefined;
  }

  /** Reads the version that someone else has saved first, to compare it. */
  async function meet() {
    try {
      conflict = await readArea(draft.id);
    } catch (error) {
      problem = error;
    }
  }

  const conflictNotice = () => {
    const theirs = draftOf(conflict.feature);
    const differences = [
      theirs.name !== draft.name ? t('op.conflict.name', { name: theirs.name }) : null,
      JSON.stringify(theirs.rings) !== JSON.stringify(draft.rings)
        ? t('op.conflict.outline', { theirs: count(theirs), mine: count(draft) })
        : null,
      theirs.servicePoint.latitude !== draft.servicePoint?.latitude ||
      theirs.servicePoint.longitude !== draft.servicePoint?.longitude
        ? t('op.conflict.servicePoint')
        : null,
      theirs.dispatch.mode !== draft.dispatch.mode || theirs.dispatch.offerSeconds !== draft.dispatch.offerSeconds
        ? t('op.conflict.dispatch')
        : null,
    ].filter(Boolean);
    return notice(
      'warning',
      t('op.conflict'),
      h(
        'ul',
        { class: 'bullets' },
        (differences.length ? differences : [t('op.conflict.tariff')]).map((text) => h('li', { key: text }, text)),
      ),
      h(
        'div',
        { class: 'actions' },
        button(t('op.conflict.theirs'), {
          onclick: () => {
            take(conflict);
            redraw();
          },
        }),
        button(t('op.conflict.mine'), {
          look: 'danger',
          onclick: () => {
            tag = conflict.tag;
            conflict = null;
            save();
          },
        }),
      ),
    );
  };

  const details = () =>
    section(
      t('op.area.about'),
      { id: 'about' },
      field({
        id: 'name',
        label: t('op.name'),
        value: draft.name,
        required: true,
        maxlength: 80,
        error: errors['properties.name'],
        oninput: (event) => {
          draft.name = event.target.value;
          redraw();
        },
      }),
      isNew
        ? h(
            'div',
            { class: 'pair' },
            field({
              id: 'area-id',
              label: t('op.area.id'),
              hint: t('op.area.id.hint'),
              value: draft.id,
              required: true,
              maxlength: 40,
              autocomplete: 'off',
              spellcheck: 'false',
              error: errors.id,
              oninput: (event) => {
                draft.id = event.target.value;
              },
            }),
            field({
              id: 'currency',
              label: t('op.currency'),
              value: draft.currency ?? usualCurrency(),
              maxlength: 3,
              required: true,
              error: errors['properties.currency'],
              oninput: (event) => {
                draft.currency = event.target.value.toUpperCase();
              },
            }),
          )
        : null,
      choices({
        name: 'mode',
        label: t('op.area.dispatch'),
        value: draft.dispatch.mode,
        options: ['direct', 'offer'].map((mode) => [mode, t(`op.area.dispatch.${mode}`)]),
        onchange: (mode) => {
          draft.dispatch = { ...draft.dispatch, mode };
          redraw();
        },
      }),
      h('p', { class: 'hint' }, t(`op.area.dispatch.${draft.dispatch.mode}.text`)),
      draft.dispatch.mode === 'offer'
        ? field({
            id: 'offerSeconds',
            label: t('op.area.offerSeconds'),
            inputmode: 'numeric',
            value: draft.dispatch.offerSeconds,
            error: errors['properties.dispatch.offerSeconds'],
            oninput: (event) => {
              draft.dispatch.offerSeconds = Math.round(number(event.target.value)) || 0;
            },
          })
        : null,
      h(
        'fieldset',
        { class: 'stack tight' },
        h('legend', { class: 'strong' }, t('op.area.servicePoint')),
        h('p', { class: 'hint' }, t('op.area.servicePoint.hint')),
        h(
          'div',
          { class: 'pair' },
          ['latitude', 'longitude'].map((axis) =>
            field({
              id: `service-${axis}`,
              label: t(`op.${axis}`),
              inputmode: 'decimal',
              value: draft.servicePoint?.[axis] ?? '',
              error:
                axis === 'latitude'
                  ? (errors['properties.servicePoint'] ?? errors['properties.servicePoint.latitude'])
                  : errors['properties.servicePoint.longitude'],
              onchange: (event) => {
                draft.servicePoint = {
                  latitude: 0,
                  longitude: 0,
                  ...draft.servicePoint,
                  [axis]: number(event.target.value),
                };
                redraw();
              },
            }),
          ),
        ),
        field({
          id: 'service-address',
          label: t('op.address'),
          isOptional: true,
          maxlength: 200,
          value: draft.servicePoint?.address ?? '',
          oninput: (event) => {
            if (draft.servicePoint) draft.servicePoint.address = event.target.value || undefined;
          },
        }),
      ),
    );

  const pointRow = (point, i, points) =>
    h(
      'tr',
      { key: `${active}-${i}`, class: i === selected ? 'selected' : '' },
      h('th', { scope: 'row' }, i + 1),
      ['latitude', 'longitude'].map((axis) =>
        h(
          'td',
          { key: axis },
          h('input', {
            class: 'input',
            inputmode: 'decimal',
            value: String(point[axis]),
            'aria-label': t('op.edit.axis', { axis: t(`op.${axis}`), number: i + 1 }),
            onfocus: () => {
              if (selected !== i) {
                selected = i;
                redraw();
              }
            },
            onchange: (event) => {
              const value = number(event.target.value);
              if (Number.isFinite(value) && event.target.value.trim())
                change((all) => {
                  all[i] = { ...all[i], [axis]: value };
                });
              else event.target.value = point[axis];
            },
          }),
        ),
      ),
      h(
        'td',
        { class: 'nowrap' },
        iconButton('plus', t('op.edit.after', { number: i + 1 }), () => addAfter(i)),
        iconButton('trash', t('op.edit.delete', { number: i + 1 }), () => remove(i), { disabled: points.length < 1 }),
      ),
    );

  const outline = () => {
    const { points } = draft.rings[active];
    return section(
      t('op.edit.points'),
      {
        id: 'points',
        actions: h('span', { class: 'muted small', role: 'status' }, t('op.edit.count', { count: points.length })),
      },
      errors['geometry.coordinates']
        ? h(
            'div',
            { tabindex: '-1', 'aria-invalid': 'true', class: 'outline-error' },
            notice('danger', errors['geometry.coordinates']),
          )
        : null,
      points.length > 3 && points.length < 500 && crossesItself(points)
        ? notice('warning', t('op.edit.crosses'))
        : null,
      draft.rings.length > 1
        ? select({
            id: 'ring',
            label: t('op.edit.ring'),
            value: String(active),
            options: draft.rings.map((ring, i) => [
              String(i),
              t(ring.hole ? 'op.edit.hole' : 'op.edit.part', { part: ring.part + 1, hole: ring.hole }),
            ]),
            onchange: (event) => {
              active = Number(event.target.value);
              selected = null;
              redraw();
            },
          })
        : null,
      points.length
        ? h(
            'table',
            { class: 'points' },
            h('caption', { class: 'visually-hidden' }, t('op.edit.points')),
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                h('th', { scope: 'col' }, '#'),
                h('th', { scope: 'col' }, t('op.latitude')),
                h('th', { scope: 'col' }, t('op.longitude')),
                h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, t('op.actions'))),
              ),
            ),
            h('tbody', null, points.slice(0, rows).map(pointRow)),
          )
        : h('p', { class: 'muted' }, t('op.edit.begin')),
      points.length > rows
        ? button(t('action.more'), {
            onclick: () => {
              rows += ROWS;
              redraw();
            },
          })
        : null,
      h(
        'div',
        { class: 'row wrap' },
        button(t('op.edit.add'), { icon: 'plus', onclick: () => addAfter(draft.rings[active].points.length - 1) }),
      ),
    );
  };

  return {
    title: () => (isNew ? t('op.area.new') : (draft?.name ?? t('op.area'))),
    view() {
      if (!draft) {
        const { error } = source;
        return [
          head(t('op.area'), { back: '/areas' }),
          error
            ? error.status === 404
              ? empty('map', t('op.area.gone'), t('op.area.gone.text'))
              : problemNotice(error, source.reload)
            : skeleton(8),
        ];
      }
      queueMicrotask(drawMap);
      return [
        head(isNew ? t('op.area.new') : draft.name || t('op.area'), {
          back: '/areas',
          actions: [
            button(t('op.undo'), { icon: 'back', onclick: undo, disabled: !steps.length }),
            button(t('action.save'), { look: 'primary', icon: 'check', isBusy, onclick: save }),
          ],
        }),
        conflict ? conflictNotice() : null,
        problem ? h('div', { tabindex: '-1' }, problemNotice(problem)) : null,
        h(
          'div',
          { class: 'columns edit', key: 'columns' },
          h(
            'div',
            { class: 'column-main stack' },
            h(
              'div',
              { class: 'panel flush' },
              slot.view(`tall${isAdding ? ' adding' : ''}`),
              h(
                'div',
                { class: 'map-tools' },
                h(
                  'button',
                  {
                    type: 'button',
                    class: `button${isAdding ? ' primary' : ''}`,
                    'aria-pressed': String(isAdding),
                    onclick: () => {
                      isAdding = !isAdding;
                      redraw();
                    },
                  },
                  t('op.edit.tap'),
                ),
                h('p', { class: 'muted small grow' }, t('op.edit.help')),
              ),
            ),
          ),
          h('div', { class: 'column-side stack' }, details(), outline()),
        ),
      ];
    },
    leave: () => slot.leave(),
  };
}

const count = (draft) => draft.rings.reduce((sum, ring) => sum + ring.points.length, 0);
const centre = (points) => ({
  latitude: round(points.reduce((sum, point) => sum + point.latitude, 0) / points.length),
  longitude: round(points.reduce((sum, point) => sum + point.longitude, 0) / points.length),
});
