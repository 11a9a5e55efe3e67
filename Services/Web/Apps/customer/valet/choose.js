// The sheet for choosing a point: for the drop-off with its options and price, or for the return.

import { unverified } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { cityOf } from '/apps/shared/demo.js';
import { dateTime, distance, minutes, money, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, choices, field, iconButton, notice, problemNotice, skeleton, toast, toggle } from '/apps/shared/ui.js';
import { pointText } from './plan.js';

/** How far ahead customers can order, in minutes: the server's defaults. */
const EARLIEST = 20;
const LATEST = 14 * 24 * 60;

const localTime = (offsetMinutes) => {
  const date = new Date(serverNow() + offsetMinutes * 60_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
/** For use in a sentence, where "any moment" would not fit. */
const wholeMinutes = (seconds) => minutes(Math.max(60, seconds));
const cents = (amount, tariff) => money({ amount, currency: tariff.currency });

/** The price of parking, in a sentence and a half. */
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

export function createChoose(app) {
  const { api, plan, store, resources } = app;

  async function dropOff(vehicles) {
    plan.set({ isBusy: true, problem: null });
    try {
      store.setOrder(await plan.place(vehicles));
      plan.reset();
    } catch (error) {
      plan.set({ isBusy: false, problem: error });
      if (!error.code) store.refresh();
    }
  }

  async function bringBack(order) {
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

  /** A row that opens its choices. */
  const option = (name, icons, label, text, content) => {
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

  const vehicleOption = (vehicles, isKnown) => {
    const chosen = plan.vehicleOf(vehicles);
    return option('vehicle', 'car', t('vehicle'), chosen ? `${chosen.plate}` : t('choose.vehicle.none'), () => [
      isKnown
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

  const extrasOption = (tariff) => {
    const { extras } = plan.value;
    const offered = Object.entries(tariff.extras);
    if (!offered.length) return null;
    return option(
      'extras',
      'wash',
      t('choose.extras'),
      extras.map((kind) => t(`extra.${kind}`)).join(', ') || t('choose.extras.none'),
      () =>
        offered.sort().map(([kind, price]) =>
          toggle({
            id: `extra-${kind}`,
            label: t(`extra.${kind}`),
            hint: cents(price, tariff),
            isOn: extras.includes(kind),
            onchange: (isOn) =>
              plan.set({ extras: isOn ? [...extras, kind] : extras.filter((other) => other !== kind) }),
          }),
        ),
    );
  };

  const whenOption = () => {
    const { when } = plan.value;
    return option('when', 'clock', t('choose.when'), when ? dateTime(when) : t('choose.now'), () => [
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

  const where = () => {
    const { point, walk } = plan.value;
    const { failure } = app.position;
    if (!point)
      return h(
        'div',
        { class: 'where', role: 'status' },
        icon('pin'),
        h(
          'p',
          { class: 'grow muted' },
          t(failure === 'denied' ? 'choose.denied' : failure ? 'choose.noPosition' : 'choose.locating'),
        ),
      );
    return h(
      'div',
      { class: 'where', role: 'status' },
      icon('pin'),
      h(
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
      ),
    );
  };

  const outside = (area) =>
    notice(
      'warning',
      outsideText(area),
      area
        ? h(
            'a',
            {
              class: 'button',
              href: '#/',
              onclick: (event) => {
                event.preventDefault();
                plan.walkTo(area);
                app.fitWalk();
              },
            },
            icon('route'),
            t('walk.go'),
          )
        : null,
    );

  const outsideText = (area) => {
    const { isFar, meters } = area ? plan.wayTo(area) : {};
    return isFar ? t('choose.outside.far', { distance: distance(meters) }) : t('choose.outside');
  };

  const walkText = ({ meters, seconds, isFar }) => {
    if (!meters) return t('walk.noPosition');
    return isFar
      ? t('walk.far', { distance: distance(meters) })
      : t('walk.line', { distance: distance(meters), time: wholeMinutes(seconds) });
  };
  const walkLine = (walk) =>
    h(
      'div',
      { class: 'notice' },
      icon('route'),
      h(
        'div',
        null,
        h('p', null, walkText(walk)),
        button(t('walk.other'), {
          look: 'quiet',
          onclick: () => {
            plan.endWalk();
            app.goToMe();
          },
        }),
      ),
    );

  function problem() {
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
  const availability = () => {
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
  };

  const reminder = () =>
    !unverified(api.account)
      ? null
      : h(
          'a',
          { class: 'reminder', href: '#/code' },
          icon('phone'),
          h('span', { class: 'grow' }, t(`choose.verify.${unverified(api.account)}`)),
          icon('next'),
        );

  function dropOffSheet(head) {
    const { point, walk, isBusy, when } = plan.value;
    const area = plan.areaOf(point);
    const city = cityOf(store.value.areas);
    const { value: cars, error } = resources.get('/v1/me/vehicles');
    const vehicles = cars?.items ?? [];
    const isRefused = plan.value.problem?.code === 'order.outside_service_area';
    return [
      head(t('choose.title'), city ? t('demo.city', { area: city.properties.name }) : null),
      where(),
      walk ? walkLine(walk) : null,
      store.value.areas
        ? null
        : store.value.areasProblem
          ? problemNotice(store.value.areasProblem, store.loadAreas)
          : skeleton(2),
      store.value.areas && point && (!area || isRefused) ? outside(plan.nearestArea(point)) : null,
      area
        ? h(
            'div',
            { class: 'options' },
            vehicleOption(vehicles, Boolean(cars)),
            extrasOption(area.properties.tariff),
            whenOption(),
          )
        : null,
      area ? h('p', { class: 'muted small' }, tariffText(area.properties.tariff)) : null,
      problem(),
      reminder(),
      h(
        'div',
        { class: 'sheet-foot', key: 'foot' },
        availability(),
        button(when ? t('choose.dropOffAt', { time: dateTime(when) }) : t('choose.dropOff'), {
          look: 'primary',
          wide: true,
          class: 'button primary wide big',
          isBusy,
          disabled: !area || !(cars || error),
          onclick: () => dropOff(vehicles),
        }),
      ),
    ];
  }

  function returnSheet(head, order) {
    const { point, walk, isBusy } = plan.value;
    const area = plan.areaOf(point);
    const isRefused = plan.value.problem?.code === 'order.outside_service_area';
    return [
      head(t('return.title'), t('return.lead')),
      where(),
      walk ? walkLine(walk) : null,
      store.value.areas && point && (!area || isRefused) ? outside(plan.nearestArea(point)) : null,
      problem(),
      h(
        'div',
        { class: 'sheet-foot', key: 'foot' },
        button(t('return.sameplace'), { look: 'quiet', icon: 'back', onclick: () => app.goTo(order.dropOff) }),
        button(t('return.here'), {
          look: 'primary',
          wide: true,
          class: 'button primary wide big',
          isBusy,
          disabled: !area,
          onclick: () => bringBack(order),
        }),
      ),
    ];
  }

  // MARK: Search, a combobox (WAI-ARIA APG: editable, list autocomplete)

  function choose(found) {
    plan.clearSearch();
    plan.endWalk();
    plan.setPoint(
      { latitude: found.latitude, longitude: found.longitude, name: found.name, address: found.address },
      { isNamed: true },
    );
    app.goTo(found);
    document.getElementById('search')?.blur();
  }

  function onkeydown(event) {
    const { results, active } = plan.value;
    const count = results?.length ?? 0;
    if (event.key === 'Escape') plan.clearSearch();
    else if (event.key === 'ArrowDown' && count) plan.set({ active: (active + 1) % count });
    else if (event.key === 'ArrowUp' && count) plan.set({ active: (active - 1 + count) % count });
    else if (event.key === 'Enter' && count) choose(results[Math.max(active, 0)]);
    else return;
    event.preventDefault();
  }

  function search() {
    const { query, results, active, isSearching, searchProblem, attribution, canFind } = plan.value;
    return h(
      'div',
      { class: 'search', role: 'search', key: 'search' },
      h(
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
          onkeydown,
        }),
        query ? iconButton('close', t('search.clear'), () => plan.clearSearch()) : null,
      ),
      h(
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
                onclick: () => choose(found),
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
      ),
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
      ),
    );
  }

  return { dropOffSheet, returnSheet, search };
}
