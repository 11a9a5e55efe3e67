// Our car parks near the vehicle, one of which it may be parked in.

import { withQuery } from '/apps/shared/api.js';
import { select } from '/apps/shared/ui.js';
import { distance, t } from '/apps/shared/i18n.js';
import { api, state } from './store.js';

/** Search radius in metres. */
const RADIUS = 1_000;
const MOST = 8;

const currencyOf = ({ serviceArea }) => state.value.areas.find(({ id }) => id === serviceArea)?.properties.currency;
/** Null where that is not known. */
const freeOf = ({ spaces }) => spaces.find((one) => one.class === 'general')?.free ?? null;

/** Loads the car parks around the valet, again after about 100 m; without an answer there are none. */
export async function lookAround(it, order, redraw) {
  const here = state.value.position ?? it.place;
  if (!here) return;
  const { latitude, longitude } = here;
  const around = `${latitude.toFixed(3)} ${longitude.toFixed(3)}`;
  if (it.around === around) return;
  it.around = around;
  let found = [];
  try {
    found = (
      await api.get(
        withQuery('/v1/car-parks', { latitude, longitude, radiusMeters: RADIUS, openNow: true, limit: MOST }),
      )
    ).items;
  } catch {
    // The vehicle can be parked all the same.
  }
  if (it.around !== around) return;
  it.parks = found.filter((one) => one.status === 'open' && one.currency === currencyOf(order) && freeOf(one) !== 0);
  redraw();
}

const lineOf = (one) =>
  [one.name, freeOf(one) === null ? null : t('park.carPark.free', { count: freeOf(one) }), distance(one.distanceMeters)]
    .filter(Boolean)
    .join(' · ');

/** Null where none is near; the chosen one is always in the list. */
export function carParkChoice(it, onchoose) {
  const { carPark, parks } = it;
  if (!parks.length && !carPark) return null;
  const isListed = parks.some(({ id }) => id === carPark?.id);
  return select({
    id: 'carParkId',
    label: t('park.carPark'),
    hint: carPark ? t('park.carPark.chosen') : null,
    error: it.form.errors.carParkId,
    value: carPark?.id ?? '',
    options: [
      ['', t('park.carPark.none')],
      ...(carPark && !isListed ? [[carPark.id, carPark.name]] : []),
      ...parks.map((one) => [one.id, lineOf(one)]),
    ],
    onchange: ({ target }) => {
      const { id, name, position } = parks.find(({ id }) => id === target.value) ?? {};
      onchoose(id ? { id, name, position } : null);
    },
  });
}
