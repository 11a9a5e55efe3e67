// "Tell me when a spot is free around here": circles and drawn areas with days, hours and a price limit.

import { escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { cityOf } from '/apps/shared/demo.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { button, choices, createForm, field, problemNotice, skeleton, toast } from '/apps/shared/ui.js';

const PATH = '/v1/me/parking-alerts';
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const CENTS = 100;
const minuteOf = (text) => text && Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const hourOf = (minute) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export function createAlerts({ api, position, redraw, resources, store }) {
  const form = createForm(redraw, { radiusMeters: 'radius', polygon: 'radius' });
  let draft = null;
  let shapes = [];
  let isFitted = false;
  let removing = null;
  const slot = createMapSlot('alert-map', redraw, {
    label: () => t('spots.alerts.map'),
    onready(map) {
      isFitted = false;
      // The content is below the cross.
      map.setInset({ top: 40, right: 40 });
    },
    onclick: (at) => draft && put(at),
  });
  const isDrawing = () => Boolean(draft && slot.map && !slot.map.isPlain);

  function put(at) {
    if (draft.kind === 'circle') draft.center = at;
    else draft.corners = [...draft.corners, at];
    redraw();
  }

  function start() {
    const at =
      position.last ??
      cityOf(store.value.areas)?.properties.servicePoint ??
      store.value.areas?.[0]?.properties.servicePoint;
    return at && { latitude: at.latitude, longitude: at.longitude };
  }
  function begin() {
    draft = {
      kind: 'circle',
      center: (!position.last && isFitted && slot.map?.center()) || start(),
      radius: 300,
      corners: [],
      days: [],
      key: uuid(),
    };
    redraw();
  }

  function sync(items) {
    const view = slot.map;
    // The draft was begun before the position was known.
    if (draft) draft.center ??= start();
    if (!view || view.isPlain) return;
    shapes.forEach((shape) => shape.remove());
    const look = (isDraft) => ({ className: isDraft ? 'area draft' : 'area', interactive: false });
    const point = ({ latitude, longitude }) => [latitude, longitude];
    const drawn = [
      ...(items ?? []).map((one) => ({ ...one, isDraft: false })),
      draft && {
        isDraft: true,
        center: draft.kind === 'circle' ? draft.center : null,
        radiusMeters: draft.radius,
        polygon: draft.kind === 'area' ? draft.corners : null,
      },
    ].filter(Boolean);
    shapes = drawn.flatMap(({ center, radiusMeters, polygon, isDraft }) =>
      center
        ? [view.leaflet.circle(point(center), { radius: radiusMeters, ...look(isDraft) })]
        : polygon?.length
          ? [view.leaflet.polygon(polygon.map(point), look(isDraft))]
          : [],
    );
    shapes.forEach((shape) => shape.addTo(view.map));
    if (isFitted || !items) return;
    const places = items.flatMap(({ center, polygon }) => (center ? [center] : polygon));
    const shown = places.length ? places : [start()].filter(Boolean);
    isFitted = shown.length > 0;
    view.fit(shown, { maxZoom: 15 });
  }

  const save = form.submit(async ({ name, radius, from, until, price }) => {
    const { kind, center, corners, days, key } = draft;
    await api.post(
      PATH,
      {
        name: name.trim() || undefined,
        ...(kind === 'circle' ? { center, radiusMeters: Number(radius) } : { polygon: corners }),
        ...(days.length ? { days } : {}),
        ...(from && until ? { fromMinute: minuteOf(from), untilMinute: minuteOf(until) } : {}),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(price === '' ? {} : { maxPrice: Math.round(Number(price) * CENTS) }),
      },
      { key },
    );
    draft = null;
    resources.reload(PATH);
    toast(t('action.saved'), 'success');
  });

  async function remove({ id }) {
    removing = id;
    redraw();
    try {
      await api.delete(escaped`/v1/me/parking-alerts/${id}`);
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    removing = null;
    resources.reload(PATH);
  }

  const day = (name) =>
    h(
      'label',
      { class: 'choice', key: name },
      h('input', {
        type: 'checkbox',
        name,
        checked: draft.days.includes(name),
        onchange: ({ target }) => {
          draft.days = target.checked
            ? DAYS.filter((one) => one === name || draft.days.includes(one))
            : draft.days.filter((one) => one !== name);
          redraw();
        },
      }),
      h('span', null, t(`spots.day.${name}`)),
    );

  const editor = () =>
    form.view(
      { class: 'stack', key: 'edit', onsubmit: save },
      choices({
        name: 'kind',
        label: t('spots.alerts.kind'),
        value: draft.kind,
        options: ['circle', 'area'].map((kind) => [kind, t(`spots.alerts.${kind}`)]),
        onchange: (kind) => {
          draft.kind = kind;
          redraw();
        },
      }),
      h('p', { class: 'muted' }, t(`spots.alerts.${draft.kind}.lead`)),
      isDrawing()
        ? button(t(`spots.alerts.${draft.kind}.middle`), {
            icon: draft.kind === 'circle' ? 'pin' : 'plus',
            wide: true,
            onclick: () => put(slot.map.center()),
          })
        : null,
      field({
        id: 'radius',
        label:
          draft.kind === 'circle'
            ? t('spots.alerts.radius', { distance: distance(draft.radius) })
            : t('spots.alerts.corners', { count: draft.corners.length }),
        type: 'range',
        min: 50,
        max: 5_000,
        step: 50,
        value: String(draft.radius),
        disabled: draft.kind !== 'circle',
        error: form.errors.radius,
        oninput: ({ target }) => {
          draft.radius = Number(target.value);
          redraw();
        },
      }),
      draft.kind === 'area' && draft.corners.length
        ? button(t('spots.alerts.undo'), {
            look: 'quiet',
            onclick: () => {
              draft.corners = draft.corners.slice(0, -1);
              redraw();
            },
          })
        : null,
      field({ id: 'name', label: t('spots.alerts.name'), isOptional: true, maxlength: 60, error: form.errors.name }),
      h(
        'fieldset',
        { class: 'choices', key: 'days' },
        h('legend', null, t('spots.alerts.days')),
        h('div', { class: 'choice-row' }, DAYS.map(day)),
      ),
      h(
        'div',
        { class: 'pair' },
        ['from', 'until'].map((name) =>
          field({
            id: name,
            label: t(`spots.alerts.${name}`),
            type: 'time',
            isOptional: true,
            error: form.errors[`${name}Minute`],
          }),
        ),
      ),
      field({
        id: 'price',
        label: t('spots.alerts.price'),
        type: 'number',
        inputmode: 'decimal',
        min: 0,
        step: 0.01,
        isOptional: true,
        error: form.errors.maxPrice,
      }),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('spots.alerts.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
        button(t('action.cancel'), {
          look: 'quiet',
          wide: true,
          onclick: () => {
            draft = null;
            redraw();
          },
        }),
      ),
    );

  const line = (one) =>
    h(
      'li',
      { class: 'card row between', key: one.id },
      h(
        'div',
        null,
        h('p', { class: 'strong' }, one.name ?? t('spots.alerts.unnamed')),
        h(
          'p',
          { class: 'muted small' },
          [
            one.center ? t('spots.alerts.radius', { distance: distance(one.radiusMeters) }) : t('spots.alerts.area'),
            one.days?.map((name) => t(`spots.day.${name}`)).join(' '),
            one.fromMinute === null ? null : `${hourOf(one.fromMinute)}–${hourOf(one.untilMinute)}`,
          ]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
      button(t('spots.alerts.remove'), {
        look: 'quiet danger-text',
        isBusy: removing === one.id,
        onclick: () => remove(one),
      }),
    );

  return {
    draw() {
      const { value, error } = resources.get(PATH);
      queueMicrotask(() => requestAnimationFrame(() => sync(value?.items)));
      return {
        title: t('spots.alerts'),
        view: screen(
          t('spots.alerts'),
          { back: '/spots' },
          h(
            'div',
            { class: 'card parked-map', key: 'map' },
            slot.view('map-holder'),
            isDrawing() ? h('span', { class: 'map-cross', 'aria-hidden': 'true' }, icon('plus')) : null,
          ),
          draft
            ? editor()
            : [
                // Above content that loads later, so that it does not move from under a finger.
                button(t('spots.alerts.add'), { look: 'primary', icon: 'plus', wide: true, onclick: begin }),
                value
                  ? value.items.length
                    ? h('ul', { class: 'list', key: 'alerts', 'aria-label': t('spots.alerts') }, value.items.map(line))
                    : h('p', { class: 'muted', key: 'none' }, t('spots.alerts.none'))
                  : error
                    ? problemNotice(error, () => resources.reload(PATH))
                    : skeleton(3),
              ],
        ),
      };
    },
    leave() {
      slot.leave();
      [draft, shapes, isFitted] = [null, [], false];
    },
  };
}
