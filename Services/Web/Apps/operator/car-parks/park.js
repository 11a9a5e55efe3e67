// A car park now: free spaces, vehicles inside and expected, prices, gates; it is opened, closed and removed here.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { button, empty, problemNotice } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { everyPage } from '../store.js';
import { createResource, every, head } from '../parts.js';
import { loading } from '../detail-parts.js';
import { remove } from './park-actions.js';
import { about, gates, occupancy, photos, products, state, tariff } from './park-view.js';

const PACE = 10_000;

export function parkScreen({ id }) {
  const park = createResource(() => api.get(escaped`/v1/car-parks/${id}`));
  const bookings = createResource(() => everyPage('/v1/bookings', { carParkId: id, state: 'current' }));
  const screen = {
    id,
    admin: escaped`/v1/admin/car-parks/${id}`,
    park,
    bookings,
    gates: createResource(async () => (await everyPage('/v1/admin/gates')).filter((gate) => gate.carParkId === id)),
    /** The name of the action that runs. */
    busy: null,
  };
  return {
    title: () => park.value?.name ?? t('op.park'),
    view: () => view(screen),
    leave: every(PACE, () => [park, bookings].forEach((one) => one.isBusy || one.reload())),
  };
}

function view(screen) {
  const { id, park } = screen;
  const { value, error, at } = park;
  const back = '/car-parks';
  if (!value) return [head(t('op.park'), { back }), loading(park, empty('parking', t('op.park.gone')))];
  return [
    head(value.name, { back, age: at, actions: links(id) }),
    error ? problemNotice(error, park.reload) : null,
    h(
      'div',
      { class: 'columns', key: 'columns' },
      h('div', { class: 'stack' }, occupancy(screen, value), products(screen, value), tariff(value), gates(screen)),
      h(
        'div',
        { class: 'stack' },
        state(screen, value),
        about(value),
        photos(screen, value),
        button(t('op.park.remove'), {
          look: 'quiet danger-text',
          icon: 'trash',
          isBusy: screen.busy === 'remove',
          onclick: () => remove(screen),
        }),
      ),
    ),
  ];
}

function links(id) {
  const link = (to, name, label, look = 'button') =>
    h('a', { class: look, href: `#/car-parks/${to}` }, icon(name), label);
  return [
    link(`bookings?carPark=${id}`, 'list', t('op.parks.bookings')),
    link(`stays?carPark=${id}`, 'car', t('op.stays')),
    link(`${id}/report`, 'chart', t('op.report')),
    link(`${id}/edit`, 'edit', t('action.edit'), 'button primary'),
  ];
}
