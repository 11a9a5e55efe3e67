// The customer's app: signed out, the screens of shared/auth.js; signed in, the map with its sheet, and
// screens over it that are loaded on demand.

import '/apps/shared/texts.js';
import { h } from '/apps/shared/dom.js';
import { createApi, unverified } from '/apps/shared/api.js';
import { loadTexts, setLanguage, t, tProblem } from '/apps/shared/i18n.js';
import { createLive } from '/apps/shared/live.js';
import { createOutbox } from '/apps/shared/outbox.js';
import { createPosition } from '/apps/shared/position.js';
import { icon } from '/apps/shared/icons.js';
import { address, go, match, run, screen } from '/apps/shared/shell.js';
import { begun, recall } from '/apps/shared/storage.js';
import { pictureEvents, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createHome } from './valet/home.js';
import { createPlan } from './valet/plan.js';
import { createResources } from './resources.js';
import { createStore } from './valet/store.js';

const api = createApi('customer');
const live = createLive(api);
const outbox = createOutbox(api);
const position = createPosition(api);
let redraw = () => {};
const later = () => redraw();

const store = createStore({ api, live, outbox, position });
const plan = createPlan({ api, store, position });
const resources = createResources(api, later);
const app = { api, live, outbox, position, store, plan, resources, onwards, redraw: later };

// MARK: Parts loaded on demand

const parts = new Map();
/** The part that `load` imports, with its `texts`; null while they load, and then the app is drawn again. */
function part(name, load, ...texts) {
  if (!parts.has(name)) {
    const entry = { made: null, error: null };
    parts.set(name, entry);
    Promise.all([load(), loadTexts(...texts.map((folder) => `/apps/shared/texts/${folder}`))])
      .then(([{ create }]) => create(app))
      .then(
        (made) => (entry.made = made),
        (error) => (entry.error = error),
      )
      .finally(later);
  }
  return parts.get(name).made;
}
/** Browsers remember a module that failed to load, so the page reloads once the server answers. */
const reload = () =>
  fetch('/apps/index.json', { cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => toast(tProblem({}), 'danger'),
  );
/** Says that a part could not be loaded; null if none failed. */
app.broken = () => ([...parts.values()].some(({ error }) => error) ? problemNotice({}, reload) : null);
// At the same time, since the first imports the second.
const doors = () =>
  part('doors', () => Promise.all([import('./doors.js'), import('/apps/shared/auth.js')]).then(([module]) => module));
app.journey = () => part('journey', () => import('./valet/journey.js'));
app.pay = () => part('pay', () => import('./valet/pay.js'));
const lists = () => part('lists', () => import('./valet/lists.js'));
const park = () => part('park', () => import('./park/park.js'), 'car-parks', 'spots');
const lift = () => part('lift', () => import('./lift/lift.js'), 'lift');
const places = () => part('places', () => import('./places/places.js'), 'places', 'car-parks', 'lift');
const garage = () => part('garage', () => import('./garage.js'));
const payouts = () => part('payouts', () => import('./payouts.js'));
const receipts = () => part('receipts', () => import('./receipts/receipts.js'), 'receipts');
const profile = () => part('profile', () => import('./profile.js'));
const bill = () => part('bill', () => import('./shared/bill-page.js'));

const home = createHome(app);

const follow = () => part('follow', async () => (await import('./valet/follow.js')).followOrder(app));
store.state.listen(({ order }) => order && follow());

/** Where somebody was asked to sign in: they continue there, even with a new account. */
const ASKED_AT = 'openvalet.park.askedAt';
function onwards() {
  const path = begun.recall(ASKED_AT);
  begun.remember(ASKED_AT);
  return path ?? '/';
}

/** The customer has seen that an order ended. */
app.leave = () => {
  store.dismiss();
  plan.reset();
  go('/');
};
app.said = (order) => app.journey()?.said(order) ?? '';

const routes = [
  ['/menu', (params) => lists()?.menu(params)],
  ['/orders', (params) => lists()?.history(params)],
  ['/orders/:id', (params) => lists()?.detail(params)],
  ['/orders/:id/receipt', (params) => receipts()?.ofOrder(params)],
  ['/receipts', () => receipts()?.list()],
  ['/receipts/bill/:id', (params) => receipts()?.ofBill(params)],
  ['/receipts/:id', (params) => receipts()?.document(params)],
  ['/notifications', (params) => lists()?.feed(params)],
  ['/vehicles', (params) => garage()?.vehicles(params)],
  ['/vehicles/:id', (params) => garage()?.vehicle(params)],
  ['/cards', (params) => garage()?.cards(params)],
  ['/payouts', (params) => payouts()?.draw(params)],
  ['/payouts/:step', (params) => payouts()?.draw(params)],
  // Older links.
  ['/spots/earnings', (params) => payouts()?.draw(params)],
  ['/profile', () => profile()?.draw()],
  ['/pay/:id', (params) => bill()?.draw(params)],
];

/**
 * Parts by address: car parks and places are public, the others need an account.
 * @type {[string, () => any, RegExp][]}
 */
const rooms = [
  ['park', park, /^\/(park|spots(?!\/earnings)|bookings|parked|fines|stays|points|company)(\/|$)/],
  ['lift', lift, /^\/lift(\/|$)/],
  ['places', places, /^\/places(\/|$)/],
];
const isOpenToAll = (path) =>
  /^\/(park(\/[^/]+(\/when)?)?|company(\/(terms|privacy))?|places(\/[-0-9a-f]{36}(\/route)?)?)$/.test(path);

/** Each tab's purpose, below its start screen. */
const TABS = {
  '/': ['key', 'tab.valet'],
  '/park': ['parking', 'tab.park'],
  '/lift': ['route', 'tab.lift'],
  '/places': ['pin', 'tab.places'],
  '/spots/sell': ['plus', 'tab.sell'],
};
const tabs = (path) =>
  path in TABS && path !== '/spots/sell'
    ? h(
        'nav',
        { class: 'tab-bar', 'aria-label': t('tabs'), key: 'tabs' },
        Object.entries(TABS).map(([to, [name, label]]) =>
          h(
            'a',
            { href: `#${to}`, 'aria-current': to === path ? 'page' : null, key: to },
            icon(name),
            h('span', null, t(label)),
          ),
        ),
      )
    : null;

const waiting = () => (app.broken() ? loading() : { title: '', view: null });
const loading = () => ({
  title: t('state.loading'),
  view: screen(t('state.loading'), { back: '/' }, app.broken() ?? skeleton(4)),
});

function draw() {
  const { path } = address();
  const isAsked = !api.isSignedIn && !isOpenToAll(path);
  const room = rooms.find(([, , paths]) => paths.test(path));
  for (const [name] of rooms) if (isAsked || name !== room?.[0]) parts.get(name)?.made?.leave();
  if (isAsked) {
    if (room) begun.remember(ASKED_AT, path);
    return doors()?.auth.draw() ?? waiting();
  }
  if (path === '/code' && unverified(api.account)) return doors()?.verification.draw() ?? waiting();
  if (room) {
    home.leave();
    const { title, view } = room[1]()?.draw(path) ?? loading();
    return { title, view: [view, tabs(path)] };
  }
  const found = match(routes, path);
  if (!found) return { title: path === '/return' ? t('return.title') : '', view: [home.draw(path), tabs(path)] };
  const drawn = found.screen(found.params) ?? loading();
  return { title: drawn.title, view: home.draw(path, drawn.view) };
}

// MARK: Life cycle

async function askWhoRode() {
  try {
    const { items } = await api.get('/v1/me/confirmations');
    if (items.length) (await import('./lift/confirm.js')).askAll(app, items);
  } catch {
    // Asked again when the app is next opened.
  }
}

function begin() {
  askWhoRode();
  live.start();
  position.start();
  store.start();
  outbox.flush();
  if (api.isPushed)
    import('/apps/shared/push.js').then(
      ({ renewPush }) => renewPush(api),
      () => {},
    );
}

api.events.on('signed-in', (account) => {
  if (!recall('openvalet.language')) setLanguage(account.language);
  begin();
  later();
});
api.events.on('signed-out', (reason) => {
  live.stop();
  position.stop();
  store.reset();
  plan.reset();
  resources.forget();
  home.leave();
  for (const [name] of rooms) parts.get(name)?.made?.forget();
  begun.remember(ASKED_AT);
  parts.delete('profile');
  parts.get('payouts')?.made?.reset();
  if (reason === 'replaced') toast(t('auth.replaced'));
  // People continue here after signing in again.
  if (reason !== 'ended') go('/');
  later();
});
api.events.on('account', later);

/** The sheet shows that an order was reset or ended, but not why. */
const TURNS = /withdrawn|unfulfilled|overridden|cancelled/;
live.events.on('notification', ({ title, text, order, event }) => {
  resources.reload('/v1/notifications');
  // Don't repeat what the sheet shows; an order that is being placed gets its id last.
  const shown = store.value.order?.id ?? (plan.value.isBusy ? order?.id : undefined);
  if (order?.id === shown && ['/', '/return'].includes(address().path) && !TURNS.test(event)) return;
  toast([title, text].filter(Boolean).join(' · '));
  store.state.set(({ news }) => ({ news: news + 1 }));
});
live.events.on('woken', () => {
  askWhoRode();
  resources.age();
  later();
});
outbox.events.on('refused', ({ item, problem }) => {
  toast(`${item.label}: ${tProblem(problem)}`, 'danger');
  store.refresh();
});
outbox.events.on('expired', (item) => toast(t('tap.expired', { label: item.label }), 'danger'));
outbox.events.on('change', later);
position.events.on('change', later);
position.events.on('error', later);
addEventListener('installable', later);
/** Picture URLs are valid for minutes. */
function renewPictures() {
  resources.age();
  app.photosOf = null;
}
pictureEvents.on('expired', () => {
  renewPictures();
  store.refresh();
  later();
});
addEventListener('hashchange', () => {
  renewPictures();
  plan.endWalk();
  if (address().path === '/profile') parts.get('profile')?.made?.reset();
  if (/^\/(payouts|spots\/earnings)$/.test(address().path)) parts.get('payouts')?.made?.reload();
  if (address().path === '/receipts') parts.get('receipts')?.made?.reset();
});
setInterval(() => document.hidden || store.value.order || plan.lookAround(), 10_000);

redraw = run({ app: 'customer', draw, states: [store.state, plan.state] });
if (api.isSignedIn) begin();
