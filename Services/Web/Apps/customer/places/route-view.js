// A route in words: its time, other routes to choose from, stages and steps.

import { escaped } from '/apps/shared/api.js';
import { period } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { day, distance, minutes, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import { choices, empty, notice, problemNotice, skeleton, toggle } from '/apps/shared/ui.js';
import { tone } from './tone.js';
import { whenView } from './when.js';
import { MODES, modeText, vendorPath } from './words.js';

const summary = ({ durationSeconds, distanceMeters }) => ({
  time: minutes(durationSeconds),
  distance: distance(distanceMeters),
});
const span = ({ departsAt, arrivesAt }, zone) =>
  t('places.route.times', { from: time(departsAt, zone), until: time(arrivesAt, zone) });
/** In the place's local time; with the date unless it is today. */
const daySpan = ({ departsAt, arrivesAt }, zone) =>
  day(departsAt, zone) === day(serverNow(), zone)
    ? span({ departsAt, arrivesAt }, zone)
    : period(departsAt, arrivesAt, zone);

/** `times` are the kinds of time that can be chosen, and `turn(mode, when)` shows another route. */
export function routeView(trip, { title, way, mode, when, times, isForRidden, turn }) {
  const { app, id, vendor } = trip;
  return h(
    'main',
    { class: 'sheet', key: 'route' },
    h(
      'header',
      { class: 'sheet-head', key: 'head' },
      h(
        'div',
        { class: 'grow' },
        h('h1', { 'data-focus': true }, title),
        h('p', { class: 'visually-hidden', role: 'status' }, way ? t('places.route.ready', summary(way)) : ''),
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
        names: times,
        zone: vendor?.timeZone,
        word: isForRidden ? t('places.when.ridden') : null,
        onchange: (one) => turn(mode, one),
      }),
      body(trip, way),
      toggle({
        id: 'tone',
        label: t('places.route.tone'),
        isOn: tone.isOn,
        onchange: (isOn) => {
          tone.set(isOn);
          app.redraw();
        },
      }),
    ),
  );
}

function body(trip, way) {
  const { app, id, vendor, error, start, ways } = trip;
  if (!vendor) return error ? problemNotice(error, () => app.resources.reload(vendorPath(id))) : skeleton(5);
  if (!start) return empty('locate', t('places.nowhere'), t('places.nowhere.lead'));
  if (!ways.value) return ways.error ? problemNotice(ways.error, ways.again) : skeleton(6);
  return way ? content(trip, way) : empty('route', t('places.route.none'), t('places.route.none.lead'));
}

function content(trip, way) {
  const { items, attribution } = trip.ways.value;
  const zone = trip.vendor.timeZone;
  return [
    h(
      'p',
      { class: 'row between strong', key: 'summary' },
      h('span', null, t('places.route.summary', summary(way))),
      h('span', { class: 'numbers' }, daySpan(way, zone)),
    ),
    items.length > 1 ? wayChoice(trip, items) : null,
    way.isStraightLine ? notice('neutral', t('places.straight')) : null,
    way.breaks.length
      ? notice(
          'warning',
          t('places.route.breaks', { limits: way.breaks.map((name) => t(`places.limit.${name}`)).join(', ') }),
        )
      : null,
    way.legs.length > 1 || way.legs.some(({ line }) => line)
      ? [
          h('h2', { key: 'legs-title' }, t('places.route.legs')),
          h(
            'ol',
            { class: 'list lined', key: 'legs', 'aria-label': t('places.route.legs') },
            way.legs.map((_, i, legs) => stage(legs, i, zone)),
          ),
        ]
      : null,
    way.steps.length
      ? [
          h('h2', { key: 'steps-title' }, t('places.route.steps')),
          h(
            'ol',
            { class: 'steps', key: 'steps', 'aria-label': t('places.route.steps') },
            way.steps.map((one, i) => stepView(trip, one, i)),
          ),
        ]
      : null,
    attribution ? h('p', { class: 'muted small', key: 'attribution' }, attribution) : null,
  ];
}

const wayChoice = (trip, items) =>
  choices({
    name: 'way',
    label: t('places.route.choice'),
    value: trip.choice,
    options: items.map((other, i) => [i, t('places.route.summary', summary(other))]),
    onchange: (choice) => {
      Object.assign(trip, { choice, step: null });
      trip.app.redraw();
    },
  });

/** A leg with its ends; where they have no name, they are those of the neighbours, or of the whole route. */
function stage(legs, i, zone) {
  const { mode, line, headsign, from, to, stops, distanceMeters } = legs[i];
  const ends = t('places.route.ends', {
    from: from.name ?? legs[i - 1]?.to.name ?? t('places.route.door'),
    to: to.name ?? legs[i + 1]?.from.name ?? t('places.route.goal'),
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
    h('span', { class: 'numbers small' }, span(legs[i], zone)),
  );
}

/** A step; one with a position is shown on the map. */
function stepView(trip, one, i) {
  const words = [
    h('span', { class: 'grow' }, one.text),
    one.distanceMeters ? h('span', { class: 'muted small numbers' }, distance(one.distanceMeters)) : null,
  ];
  const toggleStep = () => {
    trip.step = trip.step === one ? null : one;
    trip.app.redraw();
  };
  return h(
    'li',
    { key: i },
    one.position
      ? h(
          'button',
          {
            type: 'button',
            class: 'step',
            'aria-pressed': String(trip.step === one),
            title: t('places.route.step'),
            onclick: toggleStep,
          },
          words,
        )
      : words,
  );
}
