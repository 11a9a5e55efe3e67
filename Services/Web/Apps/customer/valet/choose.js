// The sheets for choosing a point: for the drop-off with its options and price, or for the return.

import { unverified } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { cityOf } from '/apps/shared/demo.js';
import { dateTime, distance, minutes, money, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, choices, field, iconButton, notice, problemNotice, skeleton, toast, toggle } from '/apps/shared/ui.js';
import { pointText } from './plan.js';

export function dropOffSheet(app, head) {
  const { api, plan, resources, store } = app;
  const { point, when } = plan.value;
  const { areas, areasProblem } = store.value;
  const area = plan.areaOf(point);
  const city = cityOf(areas);
  const { value: cars, error } = resources.get('/v1/me/vehicles');
  return [
    head(t('choose.title'), city ? t('demo.city', { area: city.properties.name }) : null),
    where(app),
    walkLine(app),
    areas ? null : areasProblem ? problemNotice(areasProblem, store.loadAreas) : skeleton(2),
    outside(app, area),
    area ? orderOptions(plan, cars, area.properties.tariff) : null,
    area ? h('p', { class: 'muted small' }, tariffText(area.properties.tariff)) : null,
    problem(plan),
    reminder(unverified(api.account)),
    foot(availability(plan), {
      label: when ? t('choose.dropOffAt', { time: dateTime(when) }) : t('choose.dropOff'),
      isBusy: plan.value.isBusy,
      disabled: !area || !(cars || error),
      onclick: () => dropOff(app, cars?.items ?? []),
    }),
  ];
}

export function returnSheet(app, head, order) {
  const { plan, goTo } = app;
  const area = plan.areaOf(plan.value.point);
  return [
    head(t('return.title'), t('return.lead')),
    where(app),
    walkLine(app),
    outside(app, area),
    problem(plan),
    foot(button(t('return.sameplace'), { look: 'quiet', icon: 'back', onclick: () => goTo(order.dropOff) }), {
      label: t('return.here'),
      isBusy: plan.value.isBusy,
      disabled: !area,
      onclick: () => bringBack(app, order),
    }),
  ];
}

async function dropOff({ plan, store }, vehicles) {
  plan.set({ isBusy: true, problem: null });
  try {
    store.setOrder(await plan.place(vehicles));
    plan.reset();
  } catch (error) {
    plan.set({ isBusy: false, problem: error });
    if (!error.code) store.refresh();
  }
}

async function bringBack({ plan, store }, order) {
  plan.set({ isBusy: true, problem: null });
  try {
    const { queued } = await store.act(order, 'recall', t('tap.recall'), { returnTo: plan.returnPlace() });
    if (queued) toast(t('state.queued'));
    plan.reset();
    go('/');
  } catch (error) {
    plan.set({ isBusy: false, problem: error });
  }
}

const foot = (above, { label, ...props }) =>
  h(
    'div',
    { class: 'sheet-foot', key: 'foot' },
    above,
    button(label, { look: 'primary', class: 'button primary wide big', ...props }),
  );

function where({ plan, position: { failure } }) {
  const { point, walk } = plan.value;
  return h(
    'div',
    { class: 'where', role: 'status' },
    icon('pin'),
    point
      ? h(
          'div',
          { class: 'grow' },
          h(
            'p',
            { class: 'strong' },
            walk ? t('walk.servicePoint', { area: walk.area.properties.name }) : pointText(point),
          ),
          h(
            'p',
            { class: 'muted small' },
            walk ? pointText(walk.to) : point.name && point.address !== point.name ? point.address : t('choose.hint'),
          ),
        )
      : h(
          'p',
          { class: 'grow muted' },
          t(failure === 'denied' ? 'choose.denied' : failure ? 'choose.noPosition' : 'choose.locating'),
        ),
  );
}

/** For a point outside all areas: the way to the service point of the nearest one. */
function outside(app, area) {
  const { plan, store } = app;
  const { point, problem: error } = plan.value;
  if (!store.value.areas || !point || (area && error?.code !== 'order.outside_service_area')) return null;
  const nearest = plan.nearestArea(point);
  const way = nearest && plan.wayTo(nearest);
  return notice(
    'warning',
    way?.isFar ? t('choose.outside.far', { distance: distance(way.meters) }) : t('choose.outside'),
    nearest
      ? h(
          'a',
          {
            class: 'button',
            href: '#/',
            onclick: (event) => {
              event.preventDefault();
              plan.walkTo(nearest);
              app.fitWalk();
            },
          },
          icon('route'),
          t('walk.go'),
        )
      : null,
  );
}

/** For use in a sentence, where "any moment" would not fit. */
const wholeMinutes = (seconds) => minutes(Math.max(60, seconds));

const walkText = ({ meters, seconds, isFar }) => {
  if (!meters) return t('walk.noPosition');
  return isFar
    ? t('walk.far', { distance: distance(meters) })
    : t('walk.line', { distance: distance(meters), time: wholeMinutes(seconds) });
};

const walkLine = ({ plan, goToMe }) =>
  plan.value.walk &&
  h(
    'div',
    { class: 'notice' },
    icon('route'),
    h(
      'div',
      null,
      h('p', null, walkText(plan.value.walk)),
      button(t('walk.other'), {
        look: 'quiet',
        onclick: () => {
          plan.endWalk();
          goToMe();
        },
      }),
    ),
  );

function problem(plan) {
  const { problem: error } = plan.value;
  if (!error) return null;
  if (['payment.due', 'order.unfinished_exists'].includes(error.code)) {
    return notice(
      'warning',
      tProblem(error),
      h(
        'a',
        { class: 'button', href: `#/orders/${error.body.engagementId ?? error.body.orderId}` },
        t(error.code === 'payment.due' ? 'choose.toBill' : 'choose.toOrder'),
      ),
    );
  }
  if (error.code === 'order.outside_service_area') return null;
  return problemNotice(error);
}

/** How soon a valet could be there. */
function availability(plan) {
  const { nearby, hasNearby } = plan.value;
  // Reserve the line from the start, so that content above it doesn't move from under a finger.
  if (!hasNearby) return h('p', { class: 'muted small row', 'aria-hidden': 'true' }, '\u00a0');
  return h(
    'p',
    { class: 'muted small row' },
    icon('user'),
    nearby.length
      ? t('choose.nearby', { count: nearby.length, time: wholeMinutes(nearby[0].etaSeconds) })
      : t('choose.nobody'),
  );
}

const reminder = (kind) =>
  kind &&
  h(
    'a',
    { class: 'reminder', href: '#/code' },
    icon('phone'),
    h('span', { class: 'grow' }, t(`choose.verify.${kind}`)),
    icon('next'),
  );

/** How far ahead customers can order, in minutes: the server's defaults. */
const EARLIEST = 20;
const LATEST = 14 * 24 * 60;

const localTime = (offsetMinutes) => {
  const date = new Date(serverNow() + offsetMinutes * 60_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const cents = (amount, { currency }) => money({ amount, currency });

const tariffText = (tariff) =>
  [
    tariff.freeMinutes
      ? t('tariff.free', { price: cents(tariff.baseFee, tariff), count: tariff.freeMinutes })
      : t('tariff.base', { price: cents(tariff.baseFee, tariff) }),
    t('tariff.then', {
      price: cents(tariff.incrementPrice, tariff),
      count: tariff.incrementMinutes,
      cap: cents(tariff.dailyCap, tariff),
    }),
  ].join(' ');

/** `cars` is the answer with the person's vehicles, undefined while it is loaded. */
const orderOptions = (plan, cars, tariff) =>
  h('div', { class: 'options' }, vehicleOption(plan, cars), extrasOption(plan, tariff), whenOption(plan), cardsLink());

/** A card can be added or chosen before the first order. */
const cardsLink = () =>
  h(
    'div',
    { class: 'option', key: 'cards' },
    h(
      'a',
      { class: 'option-head', href: '#/cards?back=/' },
      icon('card'),
      h('span', { class: 'option-label grow' }, t('cards.title')),
      icon('next'),
    ),
  );

/** A row that opens its choices. */
const option = (plan, name, icons, label, text, content) => {
  const isOpen = plan.value.open === name;
  return h(
    'div',
    { class: 'option', key: name },
    h(
      'button',
      {
        type: 'button',
        class: 'option-head',
        'aria-expanded': String(isOpen),
        'aria-controls': `option-${name}`,
        onclick: () => plan.set({ open: isOpen ? null : name }),
      },
      icon(icons),
      h('span', { class: 'option-label' }, label),
      h('span', { class: 'option-value' }, text),
      icon('next'),
    ),
    h('div', { class: 'option-body', id: `option-${name}`, hidden: !isOpen }, isOpen ? content() : null),
  );
};

const vehicleOption = (plan, cars) => {
  const vehicles = cars?.items ?? [];
  const chosen = plan.vehicleOf(vehicles);
  return option(plan, 'vehicle', 'car', t('vehicle'), chosen ? `${chosen.plate}` : t('choose.vehicle.none'), () => [
    cars
      ? choices({
          name: 'vehicle',
          label: t('vehicle'),
          hideLabel: true,
          value: chosen?.id ?? '',
          options: [
            ...vehicles.map(({ id, plate, make }) => [id, `${plate} · ${make}`]),
            ['', t('choose.vehicle.none')],
          ],
          onchange: plan.chooseVehicle,
        })
      : skeleton(1),
    h('a', { class: 'button quiet', href: '#/vehicles/new' }, icon('plus'), t('vehicles.add')),
  ]);
};

const extrasOption = (plan, tariff) => {
  const { extras } = plan.value;
  const offered = Object.entries(tariff.extras);
  if (!offered.length) return null;
  const text = extras.map((kind) => t(`extra.${kind}`)).join(', ') || t('choose.extras.none');
  return option(plan, 'extras', 'wash', t('choose.extras'), text, () =>
    offered.sort().map(([kind, price]) =>
      toggle({
        id: `extra-${kind}`,
        label: t(`extra.${kind}`),
        hint: cents(price, tariff),
        isOn: extras.includes(kind),
        onchange: (isOn) => plan.set({ extras: isOn ? [...extras, kind] : extras.filter((other) => other !== kind) }),
      }),
    ),
  );
};

const whenOption = (plan) => {
  const { when } = plan.value;
  return option(plan, 'when', 'clock', t('choose.when'), when ? dateTime(when) : t('choose.now'), () => [
    choices({
      name: 'when',
      label: t('choose.when'),
      hideLabel: true,
      value: when ? 'later' : 'now',
      options: [
        ['now', t('choose.now')],
        ['later', t('choose.later')],
      ],
      onchange: (choice) => plan.set({ when: choice === 'now' ? null : localTime(60) }),
    }),
    when
      ? field({
          id: 'scheduled',
          label: t('choose.time'),
          type: 'datetime-local',
          value: when,
          min: localTime(EARLIEST),
          max: localTime(LATEST),
          onchange: (event) => event.target.value && plan.set({ when: event.target.value }),
        })
      : null,
  ]);
};

// MARK: Search, a combobox (WAI-ARIA APG: editable, list autocomplete)

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
