// Pieces of the screens that show valets.

import { h } from '/apps/shared/dom.js';
import { fullName, t } from '/apps/shared/i18n.js';
import { isInside } from '/apps/shared/position.js';
import { badge } from '/apps/shared/ui.js';
import { store } from './store.js';
import { nothing, shortDuration } from './parts.js';
import { activeValet } from './order-parts.js';

/** Seconds after which a valet's position is stale, as in the location service. */
export const STALE = 60;
export const isStale = (valet) => (valet.positionAgeSeconds ?? 0) > STALE;

export const valetTone = { available: 'success', busy: 'accent', onBreak: 'warning', offline: 'neutral' };
export const statusOf = (valet) => (valet.suspended ? 'suspended' : (valet.status ?? 'unknown'));
export const valetBadge = (valet) =>
  badge(t(`op.valet.${statusOf(valet)}`), valet.suspended ? 'danger' : valetTone[valet.status]);

export const valetOf = (id) => store.value.valets.find((valet) => valet.id === id);
export const valetName = (id) => {
  const valet = valetOf(id);
  return valet ? fullName(valet) : t('op.valet.unknown', { id: id.slice(-6) });
};
export const jobOf = (valet) => store.value.orders.find((order) => activeValet(order)?.id === valet.id);
/** The name of the service area in which a valet is. */
export const areaOf = (valet) =>
  valet.position && store.value.areas.find((area) => isInside(valet.position, area.geometry))?.properties.name;

/** The age of a valet's position. */
export const positionAge = (valet) =>
  valet.positionAgeSeconds === null || valet.positionAgeSeconds === undefined
    ? nothing()
    : h(
        'span',
        { class: isStale(valet) ? 'late' : '' },
        shortDuration(valet.positionAgeSeconds),
        isStale(valet) ? ` (${t('op.valet.stale')})` : '',
      );
