// The operator app: everything that happens in the city, and everything that can be set.

import '/apps/shared/texts.js';
import { createAccount } from '/apps/shared/account.js';
import { createAuth, createVerification } from '/apps/shared/auth.js';
import { renewPush } from '/apps/shared/push.js';
import { address, go, match, network, run } from '/apps/shared/shell.js';
import { h } from '/apps/shared/dom.js';
import { loadTexts, t } from '/apps/shared/i18n.js';
import { closeDialogs } from '/apps/shared/dialogs.js';
import { empty, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { api, drawing, redraw } from './context.js';
import { frame, menuScreen } from './frame.js';
import { startStore, stopStore, store } from './store.js';
import { head } from './parts.js';
import { liveScreen } from './overview.js';
import { ordersScreen } from './orders.js';
import { orderScreen } from './order.js';
import { valetsScreen } from './valets.js';
import { valetScreen } from './valet.js';
import { areasScreen } from './areas.js';
import { areaScreen } from './area-edit.js';
import { tariffScreen } from './tariff.js';
import { balancesScreen } from './balances.js';
import { dayScreen, daysScreen, statementScreen } from './book-days.js';
import { booksScreen } from './books.js';
import { paymentsScreen } from './payments.js';
import { payoutsScreen } from './payouts.js';
import { alertsScreen } from './alerts.js';
import { auditScreen } from './audit.js';
import { deadLettersScreen } from './dead-letters.js';
import { messagesScreen } from './messages.js';
import { liftScreen } from './lift.js';
import { reportsScreen } from './reports.js';
import { spotsScreen } from './spots.js';
import { todayScreen } from './today.js';
import { settingsScreen } from './settings.js';

const PROFILE = '/settings/profile';
const auth = createAuth(api, { role: 'operator', redraw });
const verification = createVerification(api, { redraw, done: () => go(PROFILE, true) });
const account = createAccount(api, { redraw, back: '/settings' });

/** Photo, password, devices and notifications, as in the other apps. */
function profileScreen() {
  account.reset();
  return { isWhole: true, title: () => t('me.title'), view: () => account.draw().view };
}

/** Screens that are loaded with their texts when the first of them is opened. */
const onDemand = (title, load) => {
  let room = null;
  return (name) => (params) => {
    let [screen, error] = [null, null];
    const open = async () => {
      error = null;
      room ??= load();
      try {
        const [screens] = await room;
        if (current.screen === shell) screen = screens[name](params);
      } catch (problem) {
        [room, error] = [null, problem];
      }
      redraw();
    };
    const shell = {
      title: () => screen?.title() ?? t(title),
      view: () => screen?.view() ?? [head(t(title)), error ? problemNotice(error, open) : skeleton(6)],
      leave: () => screen?.leave?.(),
    };
    queueMicrotask(open);
    return shell;
  };
};
const carParks = onDemand('op.nav.carParks', () =>
  Promise.all([
    import('./car-parks/screens.js'),
    loadTexts('/apps/shared/texts/car-parks', '/apps/operator/car-parks/texts'),
  ]),
);
const vendors = onDemand('op.nav.vendors', () =>
  Promise.all([import('./vendors/vendors.js'), loadTexts('/apps/shared/texts/places')]),
);
const company = onDemand('op.nav.settings', () =>
  Promise.all([
    import('./company/screens.js'),
    loadTexts('/apps/shared/texts/receipts', '/apps/operator/company/texts'),
  ]),
);

const cash = onDemand('op.nav.cash', () =>
  Promise.all([import('./cash/drawers.js'), loadTexts('/apps/operator/cash/texts')]),
);

const receipts = onDemand('op.nav.books', () =>
  Promise.all([import('./receipts.js'), loadTexts('/apps/shared/texts/receipts')]),
);

const routes = [
  ['/', liveScreen],
  ['/today', todayScreen],
  ['/orders', ordersScreen],
  ['/orders/:id', orderScreen],
  ['/valets', valetsScreen],
  ['/valets/:id', valetScreen],
  ['/areas', areasScreen],
  ['/areas/:id', areaScreen],
  ['/areas/:id/tariff', tariffScreen],
  ['/payments', paymentsScreen],
  ['/books', booksScreen],
  ['/cash', cash('drawersScreen')],
  ['/books/balances', balancesScreen],
  ['/books/payouts', payoutsScreen],
  ['/books/receipts', receipts('receiptsScreen')],
  ['/books/receipts/:id', receipts('receiptScreen')],
  ['/books/days', daysScreen],
  ['/books/days/:day', dayScreen],
  ['/books/statements/:month', statementScreen],
  ['/car-parks', carParks('parksScreen')],
  ['/car-parks/new', carParks('editScreen')],
  ['/car-parks/bookings', carParks('bookingsScreen')],
  ['/car-parks/bookings/:booking', carParks('bookingScreen')],
  ['/bookings/:booking', carParks('bookingScreen')],
  ['/car-parks/plates', carParks('platesScreen')],
  ['/car-parks/stays', carParks('staysScreen')],
  ['/car-parks/fines', carParks('finesScreen')],
  ['/car-parks/fines/:fine', carParks('fineScreen')],
  ['/fines/:fine', carParks('fineScreen')],
  ['/car-parks/:id', carParks('parkScreen')],
  ['/car-parks/:id/edit', carParks('editScreen')],
  ['/car-parks/:id/report', carParks('reportScreen')],
  ['/car-parks/:id/tariff', carParks('tariffScreen')],
  ['/spots', spotsScreen],
  ['/lift', liftScreen],
  ['/vendors', vendors('vendorsScreen')],
  ['/alerts', alertsScreen],
  ['/reports', reportsScreen],
  ['/messages', messagesScreen],
  ['/dead-letters', deadLettersScreen],
  ['/audit', auditScreen],
  ['/settings', settingsScreen],
  ['/settings/company', company('companyScreen')],
  ['/settings/taxes', company('taxesScreen')],
  [PROFILE, profileScreen],
  ['/menu', menuScreen],
];

const lostScreen = () => ({
  title: () => t('op.lost'),
  view: () => [
    head(t('op.lost')),
    empty('search', t('op.lost.title'), t('op.lost.text'), h('a', { class: 'button', href: '#/' }, t('op.nav.live'))),
  ],
});

let current = { path: null, screen: null };

function leave() {
  current.screen?.leave?.();
  current = { path: null, screen: null };
}

function draw() {
  if (!api.isSignedIn) {
    leave();
    return auth.draw();
  }
  const { path } = address();
  if (path === '/code') {
    leave();
    return verification.draw();
  }
  if (path !== current.path) {
    leave();
    const found = match(routes, path);
    current = { path, screen: (found?.screen ?? lostScreen)(found?.params ?? {}) };
  }
  return { title: current.screen.title(), view: frame(path, current.screen) };
}

api.events.on('signed-in', startStore);
api.events.on('signed-out', (reason) => {
  stopStore();
  closeDialogs();
  // Drafts belong to one account: drop them at once, since no frame may be drawn between two accounts.
  leave();
  if (reason === 'replaced') toast(t('auth.replaced'));
  if (reason !== 'ended') go('/');
  redraw();
});
api.events.on('account', redraw);
store.listen(({ error }) => {
  const isAway = Boolean(error) && error.status === undefined;
  if (network.value.isOnline === isAway) network.set({ isOnline: !isAway && navigator.onLine });
});
run({ app: 'operator', draw, states: [drawing, store] });
if (api.isSignedIn) {
  startStore();
  renewPush(api);
}
