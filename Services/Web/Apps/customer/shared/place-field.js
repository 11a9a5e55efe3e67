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
  let place = null;
  let text = '';
  let found = {};
  let isLocating = false;
  let problem = null;
  let timer = null;
  let stopper = null;

  const forget = () => {
    clearTimeout(timer);
    stopper?.abort();
    found = { results: null, active: -1 };
  };
  forget();

  function set(one, isQuiet) {
    forget();
    place = one && placeOf(one);
    text = place ? words(place) : '';
    problem = null;
    if (!isQuiet) onchange(place);
    redraw();
    if (place && !place.address) name(place);
  }

  /** Looks up the address of a point on the map. */
  async function name(point) {
    try {
      const { items } = await api.get(withQuery('/v1/places/reverse', pointOf(point)));
      if (place !== point || !items[0]?.address) return;
      place = placeOf({ ...items[0], ...pointOf(point) });
      text = words(place);
      onchange(place, true);
      redraw();
    } catch {
      // Its coordinates are enough.
    }
  }

  async function search() {
    const query = text.trim();
    if (query.length < 2) return;
    stopper?.abort();
    const { signal } = (stopper = new AbortController());
    try {
      const at = near();
      const { items, attribution, source } = await api.get(
        withQuery('/v1/places', { query, latitude: at?.latitude, longitude: at?.longitude, limit: 5 }),
        { signal },
      );
      found = { results: items, active: -1, attribution, canFind: source !== 'coordinates' };
    } catch (error) {
      if (signal.aborted) return;
      found = { results: [], active: -1, problem: error instanceof Problem && error.status === 404 ? null : error };
    }
    redraw();
  }

  function type(value) {
    forget();
    text = value;
    problem = null;
    if (place) {
      place = null;
      onchange(null);
    }
    timer = setTimeout(search, PAUSE);
    redraw();
  }

  async function locate() {
    [isLocating, problem] = [true, null];
    redraw();
    try {
      set(await freshFix());
    } catch {
      problem = t('lift.noPosition');
    }
    isLocating = false;
    redraw();
  }

  function onkeydown(event) {
    const { results, active } = found;
    const count = results?.length ?? 0;
    if (event.key === 'Escape' && results) forget();
    else if (event.key === 'ArrowDown' && count) found.active = (active + 1) % count;
    else if (event.key === 'ArrowUp' && count) found.active = (active - 1 + count) % count;
    else if (event.key === 'Enter' && count) set(results[Math.max(active, 0)]);
    else return;
    event.preventDefault();
    redraw();
  }

  const said = () => {
    const { results } = found;
    if (found.problem) return tProblem(found.problem);
    if (!results) return '';
    return results.length
      ? t('search.found', { count: results.length })
      : t(found.canFind ? 'lift.end.nothing' : 'search.away');
  };

  return {
    id,
    get place() {
      return place;
    },
    set,
    /** Sets the place without calling `onchange`. */
    take: (one) => set(one, true),
    view(error) {
      const { results, active, attribution } = found;
      const wrong = problem ?? (place ? null : error);
      const name = typeof label === 'function' ? label() : t(label);
      return h(
        'div',
        { class: `field end${wrong ? ' wrong' : ''}`, key: `end-${id}` },
        h('label', { for: id }, name),
        h(
          'div',
          { class: 'end-box' },
          h('input', {
            id,
            class: 'input',
            type: 'text',
            role: 'combobox',
            autocomplete: 'off',
            spellcheck: 'false',
            maxlength: LONGEST,
            value: text,
            placeholder: t('lift.end.hint'),
            'aria-expanded': String(Boolean(results?.length)),
            'aria-controls': `${id}-results`,
            'aria-autocomplete': 'list',
            'aria-activedescendant': active >= 0 ? `${id}-${active}` : null,
            'aria-describedby': wrong ? `${id}-error` : null,
            'aria-invalid': wrong ? 'true' : null,
            oninput: ({ target }) => type(target.value),
            onkeydown,
          }),
          iconButton('locate', t('lift.here.of', { end: name }), locate, { 'aria-busy': isLocating ? 'true' : null }),
          h(
            'div',
            { class: 'results', hidden: !results?.length },
            h(
              'ul',
              { id: `${id}-results`, role: 'listbox', 'aria-label': t('search.results') },
              (results ?? []).map((one, i) =>
                h(
                  'li',
                  {
                    role: 'option',
                    id: `${id}-${i}`,
                    key: i,
                    'aria-selected': String(i === active),
                    class: i === active ? 'active' : '',
                    onpointerdown: (event) => event.preventDefault(),
                    onclick: () => set(one),
                  },
                  icon('pin'),
                  h(
                    'span',
                    null,
                    h('span', { class: 'strong' }, one.name ?? one.address),
                    one.name ? h('span', { class: 'muted small' }, one.address) : null,
                  ),
                ),
              ),
            ),
            attribution ? h('p', { class: 'muted small' }, attribution) : null,
          ),
        ),
        h('p', { class: results && !results.length ? 'hint' : 'visually-hidden', role: 'status' }, said()),
        wrong ? h('p', { class: 'error', id: `${id}-error` }, icon('alert'), wrong) : null,
      );
    },
  };
}
