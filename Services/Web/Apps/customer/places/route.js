// The way to a place: on the map, and its steps in words.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, minutes, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, go } from '/apps/shared/shell.js';
import { button, choices, empty, notice, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { createLatest } from './latest.js';
import { tone } from './tone.js';
import { MODES, modeText, vendorPath } from './words.js';

const MOST = 3;
const pair = ({ latitude, longitude }) => `${latitude},${longitude}`;
const path = (id, mode) => withQuery(escaped`/places/${id}/route`, { mode });

export function createRoute({ api, find, mobility, redraw, resources }) {
  const ways = createLatest(api, redraw, {
    onanswer({ items }) {
      choice = 0;
      if (items.length) tone.play();
      // By the best that somebody has there is no way, and they have not asked for it: then on foot, or on wheels.
      else if (!address().query.has('mode')) location.replace(`#${path(of, mobility()?.modes.wheelchair ? 'wheelchair' : 'walk')}`);
    },
  });
  let choice = 0;
  /** Where it begins: it stays when somebody has gone on meanwhile. */
  let start = null;
  let of = null;

  function ask(id, vendor) {
    of = id;
    start ??= find.center();
    if (start && vendor) ways.ask(withQuery('/v1/routes', { from: pair(start), to: pair(vendor.position), mode: address().query.get('mode'), alternatives: MOST }));
  }
  const way = () => ways.value?.items[choice] ?? null;
  const summary = ({ durationSeconds, distanceMeters }) => ({ time: minutes(durationSeconds), distance: distance(distanceMeters) });

  function leg({ mode, line, headsign, from, to, departsAt, arrivesAt, stops, distanceMeters }, i, all) {
    const ends = t('places.route.ends', { from: from.name ?? all[i - 1]?.to.name ?? t('places.route.door'), to: to.name ?? all[i + 1]?.from.name ?? t('places.route.goal') });
    const about = [headsign ? t('places.route.headsign', { name: headsign }) : null, stops === null ? distance(distanceMeters) : t('places.route.stops', { count: stops })].filter(Boolean).join(' · ');
    return h('li', { key: i, class: 'list-item still' },
      h('span', { class: 'grow' }, h('span', { class: 'strong block' }, line ? t('places.route.leg', { mode: modeText(mode), line }) : modeText(mode)), h('span', { class: 'block small' }, ends), h('span', { class: 'muted small' }, about)),
      h('span', { class: 'numbers small' }, t('places.route.times', { from: time(departsAt), until: time(arrivesAt) })));
  }

  const step = ({ text, distanceMeters }, i) => h('li', { key: i }, h('span', { class: 'grow' }, text), distanceMeters ? h('span', { class: 'muted small numbers' }, distance(distanceMeters)) : null);

  function content(one) {
    const { items, attribution } = ways.value;
    return [
      h('p', { class: 'row between strong', key: 'summary' }, h('span', null, t('places.route.summary', summary(one))), h('span', { class: 'numbers' }, t('places.route.times', { from: time(one.departsAt), until: time(one.arrivesAt) }))),
      items.length > 1 ? choices({ name: 'way', label: t('places.route.choice'), value: choice, options: items.map((other, i) => [i, t('places.route.summary', summary(other))]), onchange: (i) => { choice = i; redraw(); } }) : null,
      one.isStraightLine ? notice('neutral', t('places.straight')) : null,
      one.breaks.length ? notice('warning', t('places.route.breaks', { limits: one.breaks.map((name) => t(`places.limit.${name}`)).join(', ') })) : null,
      one.legs.length > 1 || one.legs.some(({ line }) => line) ? [h('h2', { key: 'legs-title' }, t('places.route.legs')), h('ol', { class: 'list lined', key: 'legs', 'aria-label': t('places.route.legs') }, one.legs.map(leg))] : null,
      one.steps.length ? [h('h2', { key: 'steps-title' }, t('places.route.steps')), h('ol', { class: 'steps', key: 'steps', 'aria-label': t('places.route.steps') }, one.steps.map(step))] : null,
      attribution ? h('p', { class: 'muted small', key: 'attribution' }, attribution) : null,
    ];
  }

  function body(vendor, error, id) {
    if (!vendor) return error ? problemNotice(error, () => resources.reload(vendorPath(id))) : skeleton(5);
    if (!start) return empty('locate', t('places.nowhere'), t('places.nowhere.lead'));
    if (!ways.value) return ways.error ? problemNotice(ways.error, ways.again) : skeleton(6);
    return way() ? content(way()) : empty('route', t('places.route.none'), t('places.route.none.lead'));
  }

  return {
    draw({ id }) {
      const { value, error } = resources.get(vendorPath(id), { anonymous: true });
      const vendor = value ?? find.known(id);
      ask(id, vendor);
      const name = vendor?.name ?? t('places.one');
      const title = t('places.route.to', { name });
      const mode = address().query.get('mode') ?? way()?.mode;
      return {
        title, vendor, way: way(), start, isSheet: true, attribution: ways.value?.attribution,
        view: h('main', { class: 'sheet', key: 'route' },
          h('header', { class: 'sheet-head', key: 'head' },
            h('div', { class: 'grow' }, h('h1', { 'data-focus': true }, title), h('p', { class: 'visually-hidden', role: 'status' }, way() ? t('places.route.ready', summary(way())) : '')),
            h('button', { type: 'button', class: 'button', onclick: () => go(escaped`/places/${id}`) }, icon('close'), h('span', null, t('places.route.end')))),
          h('div', { class: 'sheet-body', key: 'body' },
            choices({ name: 'mode', label: t('places.mode'), hideLabel: true, value: mode, options: MODES.map((one) => [one, modeText(one)]), onchange: (one) => location.replace(`#${path(id, one)}`) }),
            body(vendor, error, id),
            toggle({ id: 'tone', label: t('places.route.tone'), isOn: tone.isOn, onchange: (isOn) => { tone.set(isOn); redraw(); } }))),
      };
    },
    leave() {
      ways.forget();
      start = null;
    },
  };
}
