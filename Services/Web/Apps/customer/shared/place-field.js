// One end of a route: an address with suggestions, a point on the map, or the person's position.

import { Problem, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { iconButton } from '/apps/shared/ui.js';
import { freshFix } from './fresh-position.js';

/** Pause between typing and searching, in ms. */
const PAUSE = 500;
const LONGEST = 200;
/** Six decimals are a tenth of a metre. */
const round = (degrees) => Math.round(degrees * 1e6) / 1e6;

/** What the server takes: `{ latitude, longitude, address? }`. */
export function placeOf({ latitude, longitude, name, address }) {
  const words = (name && address?.startsWith(name) ? [address] : [name, address])
    .filter(Boolean)
    .join(', ')
    .slice(0, LONGEST);
  return { latitude: round(latitude), longitude: round(longitude), ...(words ? { address: words } : {}) };
}
export const pointOf = ({ latitude, longitude }) => ({ latitude: round(latitude), longitude: round(longitude) });
const words = (place) => place.address ?? `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`;

/** `onchange` gets each new place, and null when a chosen one is typed over. */
export function createPlaceField({ api, redraw }, { id, label, near = () => null, onchange = () => {} }) {
  const state = {
    api,
    redraw,
    id,
    label,
    near,
    onchange,
    place: null,
    text: '',
    found: nothing(),
    isLocating: false,
    problem: null,
    /** The next search's, and the running one's. */
    timer: null,
    stopper: null,
  };
  return {
    id,
    get place() {
      return state.place;
    },
    set: (place) => set(state, place),
    /** Sets the place without calling `onchange`. */
    take: (place) => set(state, place, true),
    view: (error) => view(state, error),
  };
}

const nothing = () => ({ results: null, active: -1 });

function forget(state) {
  clearTimeout(state.timer);
  state.stopper?.abort();
  state.found = nothing();
}

// MARK: The place

function set(state, place, isQuiet) {
  forget(state);
  state.place = place && placeOf(place);
  state.text = state.place ? words(state.place) : '';
  state.problem = null;
  if (!isQuiet) state.onchange(state.place);
  state.redraw();
  if (state.place && !state.place.address) name(state);
}

/** Looks up the address of a point on the map. */
async function name(state) {
  const { api, onchange, place, redraw } = state;
  try {
    const { items } = await api.get(withQuery('/v1/places/reverse', pointOf(place)));
    if (state.place !== place || !items[0]?.address) return;
    state.place = placeOf({ ...items[0], ...pointOf(place) });
    state.text = words(state.place);
    onchange(state.place, true);
    redraw();
  } catch {
    // Its coordinates are enough.
  }
}

async function locate(state) {
  Object.assign(state, { isLocating: true, problem: null });
  state.redraw();
  try {
    set(state, await freshFix());
  } catch {
    state.problem = t('lift.noPosition');
  }
  state.isLocating = false;
  state.redraw();
}

// MARK: Typing

function type(state, text) {
  forget(state);
  state.text = text;
  state.problem = null;
  if (state.place) {
    state.place = null;
    state.onchange(null);
  }
  state.timer = setTimeout(() => search(state), PAUSE);
  state.redraw();
}

async function search(state) {
  const { api, near, redraw } = state;
  const query = state.text.trim();
  if (query.length < 2) return;
  state.stopper?.abort();
  const { signal } = (state.stopper = new AbortController());
  try {
    const at = near();
    const { items, attribution, source } = await api.get(
      withQuery('/v1/places', { query, latitude: at?.latitude, longitude: at?.longitude, limit: 5 }),
      { signal },
    );
    state.found = { results: items, active: -1, attribution, canFind: source !== 'coordinates' };
  } catch (error) {
    if (signal.aborted) return;
    state.found = { results: [], active: -1, problem: error instanceof Problem && error.status === 404 ? null : error };
  }
  redraw();
}

function press(state, event) {
  const { found } = state;
  const { results, active } = found;
  const count = results?.length ?? 0;
  if (event.key === 'Escape' && results) forget(state);
  else if (event.key === 'ArrowDown' && count) found.active = (active + 1) % count;
  else if (event.key === 'ArrowUp' && count) found.active = (active - 1 + count) % count;
  else if (event.key === 'Enter' && count) set(state, results[Math.max(active, 0)]);
  else return;
  event.preventDefault();
  state.redraw();
}

// MARK: Drawing

function view(state, error) {
  const { found, id, isLocating, label, place, problem } = state;
  const wrong = problem ?? (place ? null : error);
  const title = typeof label === 'function' ? label() : t(label);
  const isEmpty = found.results && !found.results.length;
  return h(
    'div',
    { class: `field end${wrong ? ' wrong' : ''}`, key: `end-${id}` },
    h('label', { for: id }, title),
    h(
      'div',
      { class: 'end-box' },
      input(state, wrong),
      iconButton('locate', t('lift.here.of', { end: title }), () => locate(state), {
        'aria-busy': isLocating ? 'true' : null,
      }),
      suggestions(state),
    ),
    h('p', { class: isEmpty ? 'hint' : 'visually-hidden', role: 'status' }, outcome(found)),
    wrong ? h('p', { class: 'error', id: `${id}-error` }, icon('alert'), wrong) : null,
  );
}

function input(state, wrong) {
  const { found, id, text } = state;
  return h('input', {
    id,
    class: 'input',
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: LONGEST,
    value: text,
    placeholder: t('lift.end.hint'),
    'aria-expanded': String(Boolean(found.results?.length)),
    'aria-controls': `${id}-results`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': found.active >= 0 ? `${id}-${found.active}` : null,
    'aria-describedby': wrong ? `${id}-error` : null,
    'aria-invalid': wrong ? 'true' : null,
    oninput: ({ target }) => type(state, target.value),
    onkeydown: (event) => press(state, event),
  });
}

function suggestions(state) {
  const { found, id } = state;
  const results = found.results ?? [];
  const option = (one, i) =>
    h(
      'li',
      {
        role: 'option',
        id: `${id}-${i}`,
        key: i,
        'aria-selected': String(i === found.active),
        class: i === found.active ? 'active' : '',
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => set(state, one),
      },
      icon('pin'),
      h(
        'span',
        null,
        h('span', { class: 'strong' }, one.name ?? one.address),
        one.name ? h('span', { class: 'muted small' }, one.address) : null,
      ),
    );
  return h(
    'div',
    { class: 'results', hidden: !results.length },
    h('ul', { id: `${id}-results`, role: 'listbox', 'aria-label': t('search.results') }, results.map(option)),
    found.attribution ? h('p', { class: 'muted small' }, found.attribution) : null,
  );
}

/** The outcome of a search, for screen readers; everybody sees that nothing was found. */
function outcome({ canFind, problem, results }) {
  if (problem) return tProblem(problem);
  if (!results) return '';
  return results.length
    ? t('search.found', { count: results.length })
    : t(canFind ? 'lift.end.nothing' : 'search.away');
}
