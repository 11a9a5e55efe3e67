// The options of a new order: the vehicle, extras, the time; and the price of parking.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { choices, field, skeleton, toggle } from '/apps/shared/ui.js';

/** How far ahead customers can order, in minutes: the server's defaults. */
const EARLIEST = 20;
const LATEST = 14 * 24 * 60;

const localTime = (offsetMinutes) => {
  const date = new Date(serverNow() + offsetMinutes * 60_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const cents = (amount, { currency }) => money({ amount, currency });

/** The price of parking, in a sentence and a half. */
export const tariffText = (tariff) =>
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
export const orderOptions = (plan, cars, tariff) =>
  h('div', { class: 'options' }, vehicleOption(plan, cars), extrasOption(plan, tariff), whenOption(plan));

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
