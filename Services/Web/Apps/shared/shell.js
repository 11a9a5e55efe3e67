// The frame of an app: addresses, the page's title and focus, network state, installing.

import { h, meta, render } from './dom.js';
import { listenForFaults, tellFault } from './faults.js';
import { createState } from './state.js';
import { icon } from './icons.js';
import { languageEvents, t } from './i18n.js';
import { storageEvents } from './storage.js';
import { button, focusHeading, notice, toast } from './ui.js';

/** Whether there is a network, according to the browser, and whether the server answers. */
export const network = createState({ isOnline: navigator.onLine });
addEventListener('online', () => network.set({ isOnline: true }));
addEventListener('offline', () => network.set({ isOnline: false }));

/** The waiting worker with a newer version of the app; and whether it has taken over, for another tab. */
const update = createState({ worker: null, isOver: false });
/** Whether the newer version is wanted here; and whether something was typed on this screen. */
let isWanted = false;
let isTyped = false;
/** `insist.js`, loaded before the older version is asked to stop, since a fetch may hang then. */
let insistence = null;

/** The path and query behind the hash: `#/orders/12?tab=photos` → path `/orders/12`, query. */
export function address() {
  const [path, query] = (location.hash.slice(1) || '/').split('?');
  return { path, query: new URLSearchParams(query) };
}

/** Opens a screen; `isInstead` of this one, so that Back does not return to it. */
export const go = (path, isInstead) => {
  if (location.hash.slice(1) === path) dispatchEvent(new HashChangeEvent('hashchange'));
  else if (isInstead) location.replace(`#${path}`);
  else location.hash = path;
};

/** A decoded part of a path; an invalid escape stays. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first screen that matches a path: `['/orders/:id', screen]`. */
export function match(routes, path) {
  for (const [pattern, screen] of routes) {
    const names = [];
    const expression = pattern.replace(/:(\w+)/g, (_, name) => {
      names.push(name);
      return '([^/]+)';
    });
    const found = new RegExp(`^${expression}$`).exec(path);
    if (found) return { screen, params: Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1])])) };
  }
  return null;
}

/**
 * Runs an app: `draw()` returns `{ title, view }` after each change of path, language, network or one
 * of the states. On a new path the focus goes to the heading, where a screen reader begins.
 */
export function run({ app, draw, states = [] }) {
  const root = document.getElementById('app');
  let lastPath = null;
  let isPending = false;

  function redraw() {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(() => {
      isPending = false;
      const { title, view } = drawn(draw);
      document.title = title ? `${title} – ${t(`app.${app}`)}` : t(`app.${app}`);
      const held = /** @type {HTMLElement} */ (document.activeElement);
      const isInside = root.contains(held);
      render(root, offlineBar(), updateBar(), view);
      const { path } = address();
      // Its element was removed, or the path is new.
      if ((lastPath !== null && path !== lastPath) || (isInside && !held.isConnected)) focusHeading(root);
      // Moving an element takes its focus.
      else if (isInside && document.activeElement !== held) held.focus({ preventScroll: true });
      lastPath = path;
    });
  }

  addEventListener('hashchange', redraw);
  languageEvents.on('change', redraw);
  for (const state of [network, update, ...states]) state.listen(redraw);
  listenForFaults();
  const stopSaying = storageEvents.on('refused', () => {
    stopSaying();
    toast(t('storage.refused'), 'danger');
  });
  register();
  offerInstall();
  redraw();
  return redraw;
}

/** A failing screen shows an error, and the others still work. */
function drawn(draw) {
  try {
    return draw();
  } catch (error) {
    console.error(error);
    tellFault(error);
    const title = t('fault.title');
    return {
      title,
      view: screen(
        title,
        { back: '/' },
        notice('danger', t('fault.text'), button(t('fault.again'), { onclick: () => location.reload() })),
      ),
    };
  }
}

const offlineBar = () =>
  network.value.isOnline
    ? null
    : h(
        'div',
        { class: 'offline-bar', role: 'status', key: 'offline' },
        icon('offline'),
        h('span', null, t('state.offline')),
      );

const updateBar = () =>
  (update.value.worker || update.value.isOver) &&
  h(
    'div',
    { class: 'update-bar', role: 'status', key: 'update' },
    h('span', null, t('update.ready')),
    button(t('update.now'), { onclick: takeOver }),
  );

function takeOver() {
  isWanted = true;
  if (update.value.isOver) return turnOver();
  const ask = () => update.value.worker?.postMessage({ type: 'update' });
  ask();
  insistence?.then((loaded) => loaded?.insist(() => isWanted, ask));
}

/** Loads the newer version once its worker is active, if the person loses nothing by it. */
function turnOver() {
  if (update.value.isOver && (isWanted || (document.hidden && !isTyped))) location.reload();
}

/** Interval of update checks, in ms. */
const UPDATE_PACE = 3_600_000;

async function register() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  workers.addEventListener('message', ({ data }) => {
    if (data?.type === 'open') location.hash = data.hash;
    // Another version has taken over.
    if (data?.type !== 'active' || data.version === meta('version')) return;
    update.set({ isOver: true });
    turnOver();
  });
  document.addEventListener('visibilitychange', turnOver);
  addEventListener('input', () => {
    isTyped = true;
    isWanted = false;
  });
  addEventListener('hashchange', () => {
    isTyped = false;
    if (update.value.isOver) location.reload();
  });
  try {
    const registration = await workers.register('/service-worker.js');
    const look = () => {
      const worker = workers.controller && registration.waiting;
      if (worker) insistence ??= import('./insist.js').catch(() => null);
      update.set({ worker });
    };
    const follow = () => registration.installing?.addEventListener('statechange', look);
    registration.addEventListener('updatefound', follow);
    follow();
    look();
    const ask = () => document.hidden || registration.update().catch(() => {});
    document.addEventListener('visibilitychange', ask);
    setInterval(ask, UPDATE_PACE);
  } catch {
    // Everything but offline use works without a worker.
  }
}

let installer = null;
function offerInstall() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installer = event;
    dispatchEvent(new CustomEvent('installable'));
  });
}

/** Installs the app, if the browser offers it. */
export const installButton = () =>
  installer &&
  button(t('app.install'), {
    icon: 'plus',
    onclick: async () => {
      await installer.prompt();
      if ((await installer.userChoice).outcome === 'accepted') toast(t('app.installed'), 'success');
      installer = null;
    },
  });

/**
 * A screen without a map: heading, back button, content.
 * @type {Ui.Screen}
 */
export const screen = (title, { back, actions } = {}, ...content) =>
  h(
    'main',
    { class: 'screen', key: `screen-${title}` },
    h(
      'header',
      { class: 'screen-head' },
      back ? h('a', { class: 'icon-button', href: `#${back}`, 'aria-label': t('action.back') }, icon('back')) : null,
      h('h1', { 'data-focus': true }, title),
      actions ? h('div', { class: 'screen-actions' }, actions) : null,
    ),
    h('div', { class: 'screen-body' }, content),
  );
