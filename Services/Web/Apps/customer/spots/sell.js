// "Sell my spot": the person's position, and the form of the offer.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { screen } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { button, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { offerForm } from './sell-form.js';
import { newChoice } from './sell-offer.js';
import { MINE, isOpen } from './status.js';
import { termsAt } from './terms.js';
import { createVehicle } from './vehicle.js';

export function createSell(app) {
  const page = {
    app,
    once: createOnce(app.api),
    vehicle: createVehicle(app),
    form: createForm(app.redraw),
    choice: newChoice(),
    photo: null,
    isSending: false,
    problem: null,
  };
  page.slot = createMapSlot('sell-map', app.redraw, {
    label: () => t('spots.map'),
    onready: (map) => app.position.last && map.go(app.position.last, 18),
  });
  return {
    draw: () => draw(page),
    leave() {
      page.slot.leave();
      Object.assign(page, { choice: newChoice(), photo: null, problem: null });
    },
  };
}

function draw(page) {
  const { position } = page.app;
  position.start();
  const here = position.last;
  queueMicrotask(() =>
    requestAnimationFrame(() =>
      page.slot.map?.setMarker('me', here && { ...here, kind: 'me', icon: 'car', title: t('spots.here') }),
    ),
  );
  return { title: t('spots.sell'), view: screen(t('spots.sell'), { back: '/park' }, content(page)) };
}

function content(page) {
  const { position, resources } = page.app;
  const open = resources.list(MINE).value?.items.find(isOpen);
  if (open)
    return notice(
      'neutral',
      t('spots.openExists'),
      h('a', { class: 'button', href: `#${escaped`/spots/${open.id}`}` }, t('spots.show')),
    );
  if (!position.last)
    return position.failure
      ? notice('warning', t('spots.noPosition'), button(t('action.retry'), { onclick: () => position.ask() }))
      : skeleton(5);
  const terms = termsAt(resources, position.last);
  return [
    h(
      'p',
      { class: 'muted', role: 'status', key: 'accuracy' },
      t('spots.accuracy', { meters: Math.round(position.last.accuracyMeters ?? 0) }),
    ),
    h('div', { class: 'card parked-map', key: 'map' }, page.slot.view('map-holder')),
    terms.value ? offerForm(page, terms.value) : noTerms(resources, terms),
  ];
}

function noTerms(resources, { error, path }) {
  if (!error) return skeleton(4);
  return error.code === 'spot.outside_service_area'
    ? notice('warning', tProblem(error))
    : problemNotice(error, () => resources.reload(path));
}
