// One spot, as its seller, its buyer or anyone else sees it: requested, approved, reached and handed over.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { problemNotice, skeleton } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { age } from '../shared/entries.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { wanting } from './ask.js';
import { offered } from './offered.js';
import { over } from './over.js';
import { reserved } from './reserved.js';
import { createSpotMap, follow, leave, mapView, share, stop, sync } from './spot-map.js';
import { card, earning } from './spot-view.js';
import { WANTED, isOpen, isReserved, isWanted, pathOf, requestBadge } from './status.js';
import { createVehicle } from './vehicle.js';

export function createSpot(app) {
  const page = {
    app,
    cards: createCards(app),
    vehicle: createVehicle(app),
    map: createSpotMap(app),
    once: createOnce(app.api),
    form: null,
    state: { of: null },
  };
  /** Runs one action at a time, and shows the reason of a refusal. */
  page.act = createAct(() => page.state, { redraw: app.redraw, after: app.changed });
  return {
    draw: ({ id }) => draw(page, id),
    /** It ended while another screen was open. */
    hear: (one) => one.status !== 'reserved' && share(page.map, one),
    leave() {
      leave(page.map);
      page.state = { of: null };
    },
  };
}

function draw(page, id) {
  const { map } = page;
  const { redraw, resources } = page.app;
  if (page.state.of !== id) {
    page.state = { of: id, busy: null, problem: null, stars: null, isRating: false };
    page.form = createForm(redraw);
    stop(map);
  }
  const entry = resources.get(pathOf(id));
  const { value, error } = entry;
  const request = resources.list(WANTED).value?.items.find(({ spotId }) => spotId === id);
  follow(map, value);
  queueMicrotask(() => requestAnimationFrame(() => sync(map, value)));
  return {
    title: t('spots.spot'),
    view: screen(
      t('spots.spot'),
      { back: '/spots' },
      age(entry),
      value
        ? content(page, value, request)
        : error
          ? problemNotice(error, () => resources.reload(pathOf(id)))
          : skeleton(6),
    ),
  };
}

const content = (page, spot, request) => [
  mapView(page.map),
  isReserved(spot) ? null : card(spot),
  earning(spot, page.app.resources),
  // The spot's state tells its buyer how it ended. The request changes later, and its badge would move the buttons.
  request && !isWanted(request) && !spot.isMine && (isOpen(spot) || !spot.reservation)
    ? h('p', { class: 'row', key: 'mine' }, requestBadge(request))
    : null,
  stage(page, spot, request),
];

function stage(page, spot, request) {
  if (isReserved(spot)) return [...reserved(page, spot), refusal(page.state.problem)];
  if (!isOpen(spot)) return over(page, spot, request);
  return spot.isMine ? [...offered(page, spot), refusal(page.state.problem)] : wanting(page, spot, request);
}
