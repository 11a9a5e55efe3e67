// "Tell me when a spot is free around here": the alerts, and a new one.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { button, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { ALERTS, begin, editor } from './alert-editor.js';
import { createAlertMap, mapView, sync } from './alert-map.js';

export function createAlerts(app) {
  const page = {
    app,
    form: createForm(app.redraw, { radiusMeters: 'radius', polygon: 'radius' }),
    draft: null,
    shapes: [],
    isFitted: false,
    removing: null,
  };
  page.slot = createAlertMap(page);
  return {
    draw: () => draw(page),
    leave() {
      page.slot.leave();
      Object.assign(page, { draft: null, shapes: [], isFitted: false });
    },
  };
}

function draw(page) {
  const { value, error } = page.app.resources.get(ALERTS);
  queueMicrotask(() => requestAnimationFrame(() => sync(page, value?.items)));
  return {
    title: t('spots.alerts'),
    view: screen(
      t('spots.alerts'),
      { back: '/spots' },
      mapView(page),
      page.draft
        ? editor(page)
        : [
            // Above content that loads later, so that it does not move from under a finger.
            button(t('spots.alerts.add'), { look: 'primary', icon: 'plus', wide: true, onclick: () => begin(page) }),
            value
              ? list(page, value.items)
              : error
                ? problemNotice(error, () => page.app.resources.reload(ALERTS))
                : skeleton(3),
          ],
    ),
  };
}

const list = (page, items) =>
  items.length
    ? h(
        'ul',
        { class: 'list', key: 'alerts', 'aria-label': t('spots.alerts') },
        items.map((one) => line(page, one)),
      )
    : h('p', { class: 'muted', key: 'none' }, t('spots.alerts.none'));

const line = (page, one) =>
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
      isBusy: page.removing === one.id,
      onclick: () => remove(page, one),
    }),
  );

export const hourOf = (minute) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

async function remove(page, { id }) {
  const { api, redraw, resources } = page.app;
  page.removing = id;
  redraw();
  try {
    await api.delete(escaped`/v1/me/parking-alerts/${id}`);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  page.removing = null;
  resources.reload(ALERTS);
}
