// Service areas on a map and in a list, with their prices and how jobs are assigned.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { badge, empty, facts, problemNotice, skeleton } from '/apps/shared/ui.js';
import { icon } from '/apps/shared/icons.js';
import { refresh, store } from './store.js';
import { createMapSlot, head } from './parts.js';

/** `outlines` is what the map shows. */
export function areasScreen() {
  const screen = { outlines: null };
  screen.slot = createMapSlot('areas-map', { label: () => t('op.areas.map'), onready: () => drawMap(screen) });
  return {
    title: () => t('op.nav.areas'),
    view() {
      queueMicrotask(() => drawMap(screen));
      return [
        head(t('op.nav.areas'), {
          lead: t('op.areas.lead'),
          actions: h('a', { class: 'button primary', href: '#/areas/new' }, icon('plus'), t('op.area.new')),
        }),
        store.value.areas.length ? null : noAreas(store.value),
        h(
          'div',
          { class: 'columns', key: 'columns' },
          h('div', { class: 'column-main' }, h('div', { class: 'panel flush' }, screen.slot.view('tall'))),
          h('ul', { class: 'stack column-side' }, store.value.areas.map(card)),
        ),
      ];
    },
    leave: () => screen.slot.leave(),
  };
}

function noAreas({ error, isLoaded }) {
  if (error) return problemNotice(error, () => refresh('areas'));
  return isLoaded ? empty('map', t('op.areas.none'), t('op.areas.none.text')) : skeleton(5);
}

function drawMap(screen) {
  const { map } = screen.slot;
  const { areas } = store.value;
  if (!map || map.isPlain || !areas.length) return;
  const outlines = JSON.stringify(
    areas.map(({ geometry, properties }) => [geometry, properties.name, properties.servicePoint]),
  );
  if (outlines === screen.outlines) return;
  screen.outlines = outlines;
  map.setAreas(areas);
  map.setMarkers(
    'point-',
    areas.map(({ properties }) => ({
      id: properties.id,
      ...properties.servicePoint,
      kind: 'place',
      icon: 'parking',
      text: properties.name,
      title: t('op.area.point.of', { name: properties.name }),
    })),
  );
  map.fit(
    areas
      .flatMap(({ geometry }) => geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2))
      .map(([longitude, latitude]) => ({ latitude, longitude })),
  );
}

const card = ({ properties }) => {
  const { id, name, currency, tariff, dispatch } = properties;
  const orders = store.value.orders.filter((order) => order.serviceArea === id).length;
  return h(
    'li',
    { key: id, class: 'panel' },
    h('div', { class: 'panel-head' }, h('h2', null, name), h('code', { class: 'id' }, id)),
    facts([
      [
        t('op.area.dispatch'),
        badge(t(`op.area.dispatch.${dispatch?.mode ?? 'direct'}`), dispatch?.mode === 'offer' ? 'accent' : 'neutral'),
      ],
      [t('op.area.orders'), orders],
      [
        t('op.tariff'),
        tariff &&
          t('op.tariff.short', {
            version: tariff.version,
            base: money({ amount: tariff.baseFee, currency }),
            price: money({ amount: tariff.incrementPrice, currency }),
            minutes: tariff.incrementMinutes,
          }),
      ],
    ]),
    h(
      'div',
      { class: 'actions' },
      h(
        'a',
        { class: 'button', href: `#/areas/${id}/tariff`, 'aria-label': t('op.tariff.of', { name }) },
        icon('receipt'),
        t('op.tariff'),
      ),
      h(
        'a',
        { class: 'button', href: `#/areas/${id}`, 'aria-label': t('op.area.edit.of', { name }) },
        icon('edit'),
        t('action.edit'),
      ),
    ),
  );
};
