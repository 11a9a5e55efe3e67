// All orders: the same list as beside the map, but wide, with ended orders in pages.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { every, head } from './parts.js';
import { createOrderList } from './order-list.js';
import { store } from './store.js';

const PACE = 15_000;

export function ordersScreen() {
  const list = createOrderList({ state: 'all' });
  const stop = every(PACE, list.follow);
  return {
    title: () => t('op.nav.orders'),
    view: () => [
      head(t('op.nav.orders'), { lead: t('op.orders.lead'), age: store.value.at }),
      h('div', { class: 'panel' }, list.filters()),
      list.view({ isWide: true }),
    ],
    leave: stop,
  };
}
