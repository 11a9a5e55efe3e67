// The search for a place: a combobox (WAI-ARIA APG: editable, list autocomplete).

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { iconButton } from '/apps/shared/ui.js';

export const placeSearch = (app) =>
  h('div', { class: 'search', role: 'search', key: 'search' }, searchBox(app), resultList(app), resultNote(app.plan));

const searchBox = (app) => {
  const { plan } = app;
  const { query, results, active } = plan.value;
  return h(
    'div',
    { class: 'search-box' },
    icon('search'),
    h('input', {
      id: 'search',
      type: 'search',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: t('search.label'),
      'aria-label': t('search.label'),
      value: query,
      'aria-expanded': String(Boolean(results?.length)),
      'aria-controls': 'search-results',
      'aria-autocomplete': 'list',
      'aria-activedescendant': active >= 0 ? `found-${active}` : null,
      oninput: (event) => plan.type(event.target.value),
      onkeydown: (event) => onKey(app, event),
    }),
    query ? iconButton('close', t('search.clear'), () => plan.clearSearch()) : null,
  );
};

const resultList = (app) => {
  const { results, active, attribution } = app.plan.value;
  return h(
    'div',
    { class: 'results', hidden: !results?.length },
    h(
      'ul',
      { id: 'search-results', role: 'listbox', 'aria-label': t('search.results') },
      (results ?? []).map((found, i) =>
        h(
          'li',
          {
            role: 'option',
            id: `found-${i}`,
            key: i,
            'aria-selected': String(i === active),
            class: i === active ? 'active' : '',
            onpointerdown: (event) => event.preventDefault(),
            onclick: () => choose(app, found),
          },
          icon('pin'),
          h(
            'span',
            null,
            h('span', { class: 'strong' }, found.name ?? found.address),
            found.name ? h('span', { class: 'muted small' }, found.address) : null,
          ),
        ),
      ),
    ),
    attribution ? h('p', { class: 'muted small' }, attribution) : null,
  );
};

const resultNote = ({ value: { results, isSearching, searchProblem, canFind } }) =>
  h(
    'p',
    { class: results && !results.length && !isSearching ? 'results-note' : 'visually-hidden', role: 'status' },
    searchProblem
      ? tProblem(searchProblem)
      : isSearching || !results
        ? ''
        : results.length
          ? t('search.found', { count: results.length })
          : t(canFind ? 'search.nothing' : 'search.away'),
  );

function onKey(app, event) {
  const { plan } = app;
  const { results, active } = plan.value;
  const count = results?.length ?? 0;
  if (event.key === 'Escape') plan.clearSearch();
  else if (event.key === 'ArrowDown' && count) plan.set({ active: (active + 1) % count });
  else if (event.key === 'ArrowUp' && count) plan.set({ active: (active - 1 + count) % count });
  else if (event.key === 'Enter' && count) choose(app, results[Math.max(active, 0)]);
  else return;
  event.preventDefault();
}

function choose({ plan, goTo }, found) {
  plan.clearSearch();
  plan.endWalk();
  plan.setPoint(
    { latitude: found.latitude, longitude: found.longitude, name: found.name, address: found.address },
    { isNamed: true },
  );
  goTo(found);
  document.getElementById('search')?.blur();
}
