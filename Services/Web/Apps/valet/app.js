// The valet app: its screens by address, the bar at the bottom, and offers over everything.

import '/apps/shared/texts.js';
import { renewPush } from '/apps/shared/push.js';
import { h } from '/apps/shared/dom.js';
import { address, go, match, run } from '/apps/shared/shell.js';
import { createAuth, createVerification } from '/apps/shared/auth.js';
import { createAccount } from '/apps/shared/account.js';
import { icon } from '/apps/shared/icons.js';
import { toast } from '/apps/shared/ui.js';
import { t } from '/apps/shared/i18n.js';
import { api, begin, end, state } from './store.js';
import { forgetPhotos, photos, restorePhotos, unsent } from './photos.js';
import { offerCard } from './offers.js';
import { homeScreen } from './home.js';
import { jobScreen } from './job.js';
import { closePark, parkScreen } from './park.js';
import { tasksScreen } from './tasks.js';
import { createEarnings } from './earnings.js';
import { createPayoutScreens } from './payouts.js';
import { showOnMap } from './map.js';

let redraw = () => {};
const again = () => redraw();
const auth = createAuth(api, { role: 'valet', redraw: again });
const verification = createVerification(api, { redraw: again, done: () => go('/profile', true) });
const account = createAccount(api, { redraw: again, unsent: () => unsent().length });
const earnings = createEarnings(again);
const payouts = createPayoutScreens(again);

const routes = [
  ['/', homeScreen()],
  ['/orders/:id', jobScreen(again)],
  ['/orders/:id/park', parkScreen(again)],
  ['/tasks', tasksScreen(again)],
  ['/earnings', earnings.overview],
  ['/jobs', earnings.history],
  ['/payouts', payouts.draw],
  ['/payouts/:step', payouts.draw],
  ['/profile', account.draw],
  ['/code', verification.draw],
];
const tabs = [
  ['/', 'car', 'nav.jobs'],
  ['/tasks', 'list', 'nav.tasks'],
  ['/earnings', 'wallet', 'nav.earnings'],
  ['/profile', 'user', 'nav.profile'],
];

const tabBar = (path) =>
  h(
    'nav',
    { class: 'tab-bar', key: 'tabs', 'aria-label': t('nav.label') },
    tabs.map(([target, name, words]) =>
      h(
        'a',
        { href: `#${target}`, key: target, 'aria-current': path === target ? 'page' : null },
        icon(name),
        h('span', null, t(words)),
        target === '/tasks' && state.value.tasks.length
          ? h(
              'span',
              { class: 'count', 'aria-label': t('tasks.count', { count: state.value.tasks.length }) },
              state.value.tasks.length,
            )
          : null,
      ),
    ),
  );

let lastPath = null;

function draw() {
  const { path } = address();
  if (!api.isSignedIn) {
    closePark();
    showOnMap(null);
    return auth.draw();
  }
  if (path !== lastPath) {
    if (path === '/profile') account.reset();
    if (path === '/earnings' || path === '/jobs') earnings.reset();
    if (path === '/payouts') payouts.reset();
    if (!path.endsWith('/park')) closePark();
    lastPath = path;
  }
  const found = match(routes, path) ?? { screen: routes[0][1], params: {} };
  const { title, view } = found.screen(found.params);
  if (!/^\/(orders\/[^/]+)?$/.test(path)) showOnMap(null);
  return {
    title,
    view: h(
      'div',
      { class: 'valet', key: 'valet' },
      offerCard(again),
      view,
      tabs.some(([target]) => target === path) ? tabBar(path) : null,
    ),
  };
}

function start() {
  begin();
  restorePhotos();
}
api.events.on('signed-in', start);
api.events.on('signed-out', (reason) => {
  end();
  payouts.reset();
  // Photos that wait outlive a session that ended by itself, as taps and drafts do.
  if (reason !== 'ended') forgetPhotos();
  if (reason === 'replaced') toast(t('auth.replaced'));
  if (reason !== 'ended') go('/');
  again();
});
api.events.on('account', again);

redraw = run({ app: 'valet', draw, states: [state, photos] });
if (api.isSignedIn) {
  start();
  renewPush(api);
}
