// Fines on the person's vehicles.

import { escaped } from '/apps/shared/api.js';
import { fineBadge } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { empty } from '/apps/shared/ui.js';
import { loadedList } from './loaded.js';
import { createPlateCode } from './plate-code.js';

const FINES = '/v1/me/fines';

export function createFines(park) {
  const plateCode = createPlateCode(park, 'fine');
  return {
    draw: () => ({
      title: t('fines.title'),
      view: screen(t('fines.title'), { back: '/bookings' }, list(park), plateCode()),
    }),
  };
}

const list = (park) =>
  loadedList(park, park.resources.list(FINES), (items) =>
    items.length
      ? h('ul', { class: 'list', key: 'fines' }, items.map(line))
      : empty('receipt', t('fines.none'), t('fines.none.lead')),
  );

const line = (fine) =>
  h(
    'li',
    { key: fine.id },
    h(
      'a',
      { class: 'card stack tight', href: `#${escaped`/fines/${fine.id}`}` },
      h('span', { class: 'row between' }, h('span', { class: 'strong' }, fine.carPark.name), fineBadge(fine)),
      h('span', null, fine.reason),
      h(
        'span',
        { class: 'row between small' },
        h(
          'span',
          null,
          h('span', { class: 'plate' }, fine.plate),
          ' ',
          h('span', { class: 'ticket muted' }, fine.reference),
        ),
        h('span', { class: 'strong numbers' }, money(fine.amount)),
      ),
    ),
  );
