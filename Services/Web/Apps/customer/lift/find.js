// Searching for a lift: start, destination and time; the drivers; and alerts for new trips.

import { serverNow } from '/apps/shared/clock.js';
import { h, uuid } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { screen as page } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { badge, notice, toast } from '/apps/shared/ui.js';
import { searchForm } from './find-form.js';
import { drawFindMap, results } from './find-results.js';
import { createIntroduction } from './introduction.js';
import { afterDrawing, mapCard } from './map.js';
import { errorsOf, isWeekly, newSearch, queryOf, savedSearch, weeklyTrips } from './search.js';
import { nameOf } from './words.js';

/** Results older than this are loaded again, in ms. */
const OLD = 60_000;
/** With fewer trips, two connecting lifts are searched as well, and this many shown. */
const FEW = 3;
const CONNECTIONS = 5;

export function createFind(app) {
  const { redraw } = app;
  const screen = {
    app,
    form: createForm(redraw),
    wanted: newSearch(),
    found: nothing(),
    /** The alert that is being saved. */
    saving: null,
    introduction: createIntroduction(redraw),
    /** There is room for a map; and what it shows. */
    wide: matchMedia('(min-width: 56.25rem)'),
    fitted: null,
    set(change) {
      Object.assign(screen.wanted, change);
      clear();
    },
  };
  /** The results belong to another search. */
  const clear = () => {
    screen.found = nothing();
    redraw();
  };
  screen.wide.addEventListener('change', redraw);
  screen.slot = createMapSlot('lift-find-map', redraw, {
    label: () => t('lift.map'),
    onready: () => (screen.fitted = null),
    onclick: (at) => [app.ends.from, app.ends.to].find(({ place }) => !place)?.set(at),
  });
  return {
    endsChanged: clear,
    draw: () => draw(screen),
    leave() {
      screen.slot.leave();
      screen.fitted = null;
    },
    forget() {
      Object.assign(screen.wanted, newSearch());
      Object.assign(screen, { found: nothing(), form: createForm(redraw), saving: null });
    },
  };
}

const nothing = () => ({ items: null, connections: [], error: null, at: null, isLoading: false, isSaved: false });

// MARK: Searching

function check({ app, form, wanted }) {
  form.errors = errorsOf(wanted, app.ends);
  return !Object.keys(form.errors).length;
}

/** If few trips cover the whole route on one day, two connecting lifts are searched as well. */
async function ask({ app, wanted }) {
  const look = (more) => app.api.call('POST', '/v1/trips/search', { body: { ...queryOf(wanted, app.ends), ...more } });
  let { items, connections = [] } = await look();
  if (isWeekly(wanted)) items = weeklyTrips(items, wanted);
  else if (items.length < FEW) ({ items, connections } = await look({ openEnds: true }));
  return { items, connections: connections.slice(0, CONNECTIONS), at: serverNow() };
}

/** Refreshes results that are old for a person who comes back to them. */
async function refresh(screen) {
  const { found } = screen;
  if (!found.items || found.isLoading || found.isAgain || serverNow() - found.at < OLD || !check(screen)) return;
  found.isAgain = true;
  try {
    Object.assign(found, await ask(screen));
  } catch (error) {
    Object.assign(found, { items: null, error });
  }
  found.isAgain = false;
  screen.app.redraw();
}

/** Focuses an element once it has been drawn. */
const focus = (find) => requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));

async function search(screen, node) {
  const { redraw } = screen.app;
  if (!check(screen)) {
    redraw();
    focus(() => node?.querySelector('[aria-invalid="true"]'));
    return;
  }
  const found = { ...nothing(), isLoading: true };
  screen.found = found;
  redraw();
  try {
    Object.assign(found, await ask(screen));
  } catch (error) {
    found.error = error;
  }
  found.isLoading = false;
  redraw();
  if (screen.found === found && found.items) focus(() => document.getElementById('lift-results'));
}

async function save(screen) {
  const { api, ends, redraw, resources } = screen.app;
  if (!check(screen)) return redraw();
  // A repeated attempt has the key of the first: the search is saved once.
  screen.saving = screen.saving?.error ? screen.saving : { key: uuid() };
  Object.assign(screen.saving, { isBusy: true, error: null });
  redraw();
  try {
    await api.post('/v1/me/saved-searches', savedSearch(screen.wanted, ends), { key: screen.saving.key });
    screen.saving = null;
    screen.found.isSaved = true;
    resources.reload('/v1/me/saved-searches');
    toast(t('lift.saved'), 'success');
  } catch (error) {
    Object.assign(screen.saving, { isBusy: false, error });
  }
  return redraw();
}

// MARK: Drawing

function draw(screen) {
  const { app, introduction, slot, wide } = screen;
  refresh(screen);
  if (wide.matches) afterDrawing(() => drawFindMap(screen));
  const onsubmit = (event) => {
    event.preventDefault();
    search(screen, event.currentTarget);
  };
  return {
    title: t('lift.title'),
    hasMap: wide.matches,
    view: page(
      t('lift.title'),
      { actions: h('a', { class: 'icon-button', href: '#/menu', 'aria-label': t('menu.open') }, icon('menu')) },
      introduction(),
      toConfirm(app),
      searchForm(screen, onsubmit),
      results(screen, { search: () => search(screen), save: () => save(screen) }),
      h('a', { class: 'button wide', key: 'drive', href: '#/lift/trips/new' }, icon('car'), t('lift.drive')),
      mine(app),
      wide.matches ? mapCard(slot) : null,
    ),
  };
}

function toConfirm({ resources }) {
  const [first] = resources.get('/v1/me/confirmations').value?.items ?? [];
  return first?.rideId
    ? notice(
        'warning',
        t('lift.confirm.question', { name: nameOf(first.passenger) }),
        h('a', { class: 'button', href: `#/lift/rides/${first.rideId}` }, t('lift.confirm.answer')),
      )
    : null;
}

/** The person's own lifts. */
function mine({ api, resources }) {
  const asked = (resources.list('/v1/me/seat-requests?open=true').value?.items ?? []).filter(
    ({ status, asks, driver }) => status === 'pending' && (asks === 'driver') === (driver.id === api.account.id),
  ).length;
  return h(
    'nav',
    { 'aria-label': t('lift.mine'), key: 'mine' },
    h(
      'ul',
      { class: 'list lined' },
      line('/lift/rides', 'clock', t('lift.rides.mine')),
      line('/lift/requests', 'user', t('lift.requests'), asked ? badge(String(asked), 'warning') : null),
      line('/lift/trips', 'car', t('lift.trips.mine')),
      line('/lift/favourites', 'heart', t('lift.favourites')),
      line('/lift/searches', 'bell', t('lift.searches')),
      line('/payouts', 'wallet', t('lift.payouts')),
      line('/lift/help', 'info', t('lift.help')),
    ),
  );
}

const line = (href, name, text, more = null) =>
  h(
    'li',
    { key: href },
    h(
      'a',
      { class: 'list-item', href: `#${href}` },
      icon(name),
      h('span', { class: 'grow' }, text),
      more,
      icon('next'),
    ),
  );
