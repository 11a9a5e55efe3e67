// The vehicle that leaves a spot, or comes to it: of several, the one last chosen.

import { t } from '/apps/shared/i18n.js';
import { choices } from '/apps/shared/ui.js';

export function createVehicle({ plan, resources }) {
  const all = () => resources.get('/v1/me/vehicles').value?.items ?? [];
  const chosen = () => (plan.vehicleOf(all()) ?? all()[0])?.id;
  return {
    chosen,
    view: () =>
      all().length > 1
        ? choices({
            name: 'vehicle',
            label: t('vehicle'),
            value: chosen(),
            options: all().map(({ id, plate, make }) => [id, `${plate} · ${make}`]),
            onchange: plan.chooseVehicle,
          })
        : null,
  };
}
