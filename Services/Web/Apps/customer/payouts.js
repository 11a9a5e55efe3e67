// Payouts of sellers and drivers.

import { createPayouts } from '/apps/shared/payouts.js';

export function create({ api, live, redraw }) {
  const payouts = createPayouts({ api, redraw, back: '/menu', app: 'customer' });
  live.events.on('notification', ({ link }) => link === '/payouts' && payouts.reload());
  return payouts;
}
