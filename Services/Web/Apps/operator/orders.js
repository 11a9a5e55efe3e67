// All orders: the same list as beside the map, but wide, with ended orders in pages.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { every, head, reloadNewest } from './parts.js';
import { createOrderList, listView, orderFilters } from './order-list.js';
import { store } from './store.js';

const PACE = 15_000;

export function ordersScreen() {
  const list = createOrderList('all');
  const stop = every(PACE, () => list.pages && reloadNewest(list.pages));
  return {
    title: () => t('op.nav.orders'),
    view: () => [
      head(t('op.nav.orders'), { lead: t('op.orders.lead'), age: store.value.at }),
      h('div', { class: 'panel' }, orderFilters(list)),
      listView(list, { isWide: true }),
    ],
    leave: stop,
  };
}
