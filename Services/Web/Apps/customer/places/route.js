// The route to a place: on the map, and as steps in words.

import { escaped, withQuery } from '/apps/shared/api.js';
import { period } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { day, distance, minutes, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, go } from '/apps/shared/shell.js';
import { choices, empty, notice, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { createLatest } from './latest.js';
import { tone } from './tone.js';
import { isToCome, whenView } from './when.js';
import { MODES, RIDDEN, modeText, vendorPath } from './words.js';

const MOST = 3;
const pair = ({ latitude, longitude }) => `${latitude},${longitude}`;
const path = (id, mode, when = {}) => withQuery(escaped`/places/${id}/route`, { mode, ...when });
const TIMES = ['departAt', 'arriveBy'];

/** The parameters of the address: `mode`, and `when` as `{ departAt }`, `{ arriveBy }` or `{}`. */
function asked() {
  const { query } = address();
  const when = TIMES.filter((name) => Date.parse(query.get(name)))
    .slice(0, 1)
    .map((name) => [name, query.get(name)]);
  return { mode: query.get('mode'), when: Object.fromEntries(when) };
}
const isForRidden = ({ mode, when }) => when.arriveBy && !RIDDEN.includes(mode);
/** The part of them that the server accepts. */
function timeOf({ mode, when }) {
  return Object.values(when).every(isToCome) && !isForRidden({ mode, when }) ? when : {};
}

export function createRoute({ api, find, mobility, redraw, resources }) {
  const ways = createLatest(api, redraw, {
    onanswer({ items }) {
      [choice, chosenStep] = [0, null];
      if (items.length) tone.play();
      // The default mode has no route and was not chosen by the person: try on foot, or by wheelchair.
      else if (!asked().mode)
        location.replace(`#${path(of, mobility()?.modes.wheelchair ? 'wheelchair' : 'walk', asked().when)}`);
    },
  });
  let choice = 0;
  /** The step shown on the map. */
  let chosenStep = null;
  /** The start, which stays while the person moves on. */
  let start = null;
  let of = null;
  let zone;

  function ask(id, vendor) {
    of = id;
    start ??= find.center();
    if (start && vendor)
      ways.ask(
        withQuery('/v1/routes', {
          from: pair(start),
          to: pair(vendor.position),
          mode: asked().mode,
          ...timeOf(asked()),
          alternatives: MOST,
        }),
      );
  }
  const way = () => ways.value?.items[choice] ?? null;
  const summary = ({ durationSeconds, distanceMeters }) => ({
    time: minutes(durationSeconds),
    distance: distance(distanceMeters),
  });

  /** In the place's local time; with the date unless it is today. */
  const span = ({ departsAt, arrivesAt }) =>
    day(departsAt, zone) === day(serverNow(), zone)
      ? t('places.route.times', { from: time(departsAt, zone), until: time(arrivesAt, zone) })
      : period(departsAt, arrivesAt, zone);

  function leg({ mode, line, headsign, from, to, departsAt, arrivesAt, stops, distanceMeters }, i, all) {
    const ends = t('places.route.ends', {
      from: from.name ?? all[i - 1]?.to.name ?? t('places.route.door'),
      to: to.name ?? all[i + 1]?.from.name ?? t('places.route.goal'),
    });
    const about = [
      headsign ? t('places.route.headsign', { name: headsign }) : null,
      stops === null ? distance(distanceMeters) : t('places.route.stops', { count: stops }),
    ]
      .filter(Boolean)
      .join(' · ');
    return h(
      'li',
      { key: i, class: 'list-item still' },
      h(
        'span',
        { class: 'grow' },
        h(
          'span',
          { class: 'strong block' },
          line ? t('places.route.leg', { mode: modeText(mode), line }) : modeText(mode),
        ),
        h('span', { class: 'block small' }, ends),
        h('span', { class: 'muted small' }, about),
      ),
      h(
        'span',
        { class: 'numbers small' },
        t('places.route.times', { from: time(departsAt, zone), until: time(arrivesAt, zone) }),
      ),
    );
  }

  function show(one) {
    chosenStep = chosenStep === one ? null : one;
    redraw();
  }
  function step(one, i) {
    const words = [
      h('span', { class: 'grow' }, one.text),
      one.distanceMeters ? h('span', { class: 'muted small numbers' }, distance(one.distanceMeters)) : null,
    ];
    return h(
      'li',
      { key: i },
      one.position
        ? h(
            'button',
            {
              type: 'button',
              class: 'step',
              'aria-pressed': String(chosenStep === one),
              title: t('places.route.step'),
              onclick: () => show(one),
            },
            words,
          )
        : words,
    );
  }

  function content(one) {
    const { items, attribution } = ways.value;
    return [
      h(
        'p',
        { class: 'row between strong', key: 'summary' },
        h('span', null, t('places.route.summary', summary(one))),
        h('span', { class: 'numbers' }, span(one)),
      ),
      items.length > 1
        ? choices({
            name: 'way',
            label: t('places.route.choice'),
            value: choice,
            options: items.map((other, i) => [i, t('places.route.summary', summary(other))]),
            onchange: (i) => {
              [choice, chosenStep] = [i, null];
              redraw();
            },
          })
        : null,
      one.isStraightLine ? notice('neutral', t('places.straight')) : null,
      one.breaks.length
        ? notice(
            'warning',
            t('places.route.breaks', { limits: one.breaks.map((name) => t(`places.limit.${name}`)).join(', ') }),
          )
        : null,
      one.legs.length > 1 || one.legs.some(({ line }) => line)
        ? [
            h('h2', { key: 'legs-title' }, t('places.route.legs')),
            h('ol', { class: 'list lined', key: 'legs', 'aria-label': t('places.route.legs') }, one.legs.map(leg)),
          ]
        : null,
      one.steps.length
        ? [
            h('h2', { key: 'steps-title' }, t('places.route.steps')),
            h('ol', { class: 'steps', key: 'steps', 'aria-label': t('places.route.steps') }, one.steps.map(step)),
          ]
        : null,
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
      zone = vendor?.timeZone;
      ask(id, vendor);
      const name = vendor?.name ?? t('places.one');
      const title = t('places.route.to', { name });
      const { when } = asked();
      const mode = asked().mode ?? way()?.mode;
      const turn = (...to) => location.replace(`#${path(id, ...to)}`);
      return {
        title,
        vendor,
        way: way(),
        start,
        step: chosenStep,
        isSheet: true,
        attribution: ways.value?.attribution,
        view: h(
          'main',
          { class: 'sheet', key: 'route' },
          h(
            'header',
            { class: 'sheet-head', key: 'head' },
            h(
              'div',
              { class: 'grow' },
              h('h1', { 'data-focus': true }, title),
              h(
                'p',
                { class: 'visually-hidden', role: 'status' },
                way() ? t('places.route.ready', summary(way())) : '',
              ),
            ),
            h(
              'button',
              { type: 'button', class: 'button', onclick: () => go(escaped`/places/${id}`) },
              icon('close'),
              h('span', null, t('places.route.end')),
            ),
          ),
          h(
            'div',
            { class: 'sheet-body', key: 'body' },
            choices({
              name: 'mode',
              label: t('places.mode'),
              hideLabel: true,
              value: mode,
              options: MODES.map((one) => [one, modeText(one)]),
              onchange: (one) => turn(one, when),
            }),
            whenView({
              when,
              names: RIDDEN.includes(mode) || when.arriveBy ? TIMES : TIMES.slice(0, 1),
              zone,
              word: isForRidden({ mode, when }) ? t('places.when.ridden') : null,
              onchange: (one) => turn(mode, one),
            }),
            body(vendor, error, id),
            toggle({
              id: 'tone',
              label: t('places.route.tone'),
              isOn: tone.isOn,
              onchange: (isOn) => {
                tone.set(isOn);
                redraw();
              },
            }),
          ),
        ),
      };
    },
    leave() {
      ways.forget();
      [start, chosenStep] = [null, null];
    },
  };
}
