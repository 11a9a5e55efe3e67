// Where the vehicle is parked: found by the phone, corrected on a map, or one of our car parks.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { button, notice } from '/apps/shared/ui.js';
import { t } from '/apps/shared/i18n.js';
import { state } from './store.js';
import { placePicker } from './map.js';
import { keepDraft } from './park-draft.js';

/** Changes the draft. */
function set(parking, change) {
  Object.assign(parking, change);
  keepDraft(parking);
  parking.redraw();
}

/** One of our car parks sets the place: its entrance is what the next valet needs. */
export function chooseCarPark(parking, carPark) {
  if (carPark) parking.picker?.then((picker) => picker.go(carPark.position));
  set(parking, { carPark, ...(carPark ? { place: carPark.position, isMoved: true } : {}) });
}

export function placeMap(parking) {
  const { place, isMoved } = parking;
  return h(
    'div',
    { class: 'stack tight', key: 'place' },
    h(
      'div',
      { class: 'pick' },
      h('div', { class: 'pick-map', id: 'pick-map', key: 'pick', keep: true }, h('div', { class: 'map-inner' })),
      h('span', { class: 'pick-pin', 'aria-hidden': 'true' }, icon('pin')),
    ),
    place
      ? h(
          'p',
          { class: 'row between small' },
          h(
            'span',
            { class: 'muted' },
            h('span', { role: 'status' }, isMoved ? t('park.place.moved') : null),
            isMoved ? null : t('park.place.gps', { meters: Math.max(1, Math.round(place.accuracyMeters ?? 0)) }),
          ),
          isMoved && state.value.position
            ? button(t('park.place.back'), { look: 'quiet', onclick: () => set(parking, { isMoved: false }) })
            : null,
        )
      : notice('warning', t('park.place.none')),
  );
}

/** Makes the map once its element is in the page, and shows the place that the phone found. */
export async function showPicker(parking) {
  const outer = document.getElementById('pick-map');
  if (!outer || !parking.isOpen) return;
  if (parking.outer !== outer) {
    parking.picker?.then((before) => before.remove());
    parking.outer = outer;
    parking.picker = placePicker(outer.firstElementChild, {
      at: parking.place ?? parking.order.dropOff,
      areas: state.value.areas,
      onchange: ({ latitude, longitude }) => set(parking, { place: { latitude, longitude }, isMoved: true }),
    });
  }
  const picker = await parking.picker;
  if (!parking.isMoved && parking.place && parking.isOpen) picker.go(parking.place);
}
