// "Sell my spot": the position, the price, and the time of leaving.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { minorUnits, minutes, money, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, choices, createForm, field, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { freshFix } from '../shared/fresh-position.js';
import { MINE, isOpen } from './status.js';
import { lessCommission, termsAt } from './terms.js';
import { createVehicle } from './vehicle.js';

/** In minutes. */
const LEAVING = [5, 10, 15, 30, 60];
const CLOSING = [3, 5, 10];

export function createSell({ api, changed, plan, position, redraw, resources }) {
  const once = createOnce(api);
  const vehicle = createVehicle({ plan, resources });
  const form = createForm(redraw);
  let choice = fresh();
  let photo = null;
  let isSending = false;
  let problem = null;
  const slot = createMapSlot('sell-map', redraw, {
    label: () => t('spots.map'),
    onready: (map) => position.last && map.go(position.last, 18),
  });

  function fresh() {
    return { sale: 'fixed', leaving: 10, closing: 3 };
  }
  const set = (change) => {
    choice = { ...choice, ...change };
    // An auction ends before the seller leaves.
    choice.closing = Math.min(choice.closing, Math.max(...CLOSING.filter((count) => count <= choice.leaving)));
    redraw();
  };

  async function addPhoto(blob) {
    [isSending, problem] = [true, null];
    redraw();
    try {
      photo = await sendPicture(api, '/v1/me/spot-photos', blob);
    } catch (error) {
      problem = error;
    }
    isSending = false;
    redraw();
  }

  const send = (value) =>
    form.submit(async (values) => {
      const here = await freshFix();
      await api.put('/v1/me/location', here);
      const isFree = value.policy.sale !== 'allowed';
      const now = serverNow();
      const optional = Object.fromEntries(
        ['permit', 'restrictions', 'note'].map((name) => [name, values[name]?.trim() || undefined]),
      );
      const spot = await once('/v1/spots', {
        position: { latitude: here.latitude, longitude: here.longitude },
        accuracyMeters: Math.min(100, here.accuracyMeters ?? 100),
        price: isFree ? 0 : Math.round(Number(values.price) * minorUnits(value.currency)),
        leavesAt: new Date(now + choice.leaving * 60_000).toISOString(),
        sale: isFree ? 'fixed' : choice.sale,
        ...(choice.sale === 'auction' && !isFree
          ? { closesAt: new Date(now + choice.closing * 60_000).toISOString() }
          : {}),
        ...(Number(values.size) ? { sizeMeters: Number(values.size) } : {}),
        ...(values.meter ? { meterPaidUntil: new Date(values.meter).toISOString() } : {}),
        ...optional,
        ...(photo ? { photoId: photo.id } : {}),
        vehicleId: vehicle.chosen(),
      });
      [choice, photo] = [fresh(), null];
      changed();
      go(escaped`/spots/${spot.id}`, true);
    });

  const spans = (name, values, label) =>
    choices({
      name,
      label,
      value: String(choice[name]),
      options: values.map((count) => [String(count), minutes(count * 60)]),
      onchange: (text) => set({ [name]: Number(text) }),
    });

  function priceField({ currency, policy, suggestedPrice }) {
    if (policy.sale !== 'allowed') return notice('neutral', t('spots.informationOnly'));
    const unit = minorUnits(currency);
    const most = { amount: policy.priceCap, currency };
    const start = suggestedPrice?.amount ?? Math.round(policy.priceCap / 4);
    const get = lessCommission({ amount: Math.round(Number(choice.price ?? start / unit) * unit), currency }, policy);
    return [
      field({
        id: 'price',
        type: 'number',
        inputmode: 'decimal',
        required: true,
        min: 0,
        max: policy.priceCap / unit,
        step: 1 / unit,
        value: String(start / unit),
        error: form.errors.price,
        oninput: ({ target }) => set({ price: target.value }),
        label: t(choice.sale === 'auction' ? 'spots.price.start' : 'spots.price', { currency }),
        hint: [
          suggestedPrice ? t('spots.suggested', { price: money(suggestedPrice) }) : null,
          t('spots.cap', { price: money(most), percent: policy.commissionPercent }),
        ]
          .filter(Boolean)
          .join(' '),
      }),
      get.amount > 0
        ? h(
            'p',
            { class: 'strong', role: 'status', key: 'get' },
            t(choice.sale === 'auction' ? 'spots.get.least' : 'spots.get', { price: money(get) }),
          )
        : null,
    ];
  }

  const details = () =>
    h(
      'details',
      { class: 'fold', key: 'details' },
      h('summary', null, t('spots.details'), icon('next')),
      h(
        'div',
        { class: 'stack' },
        h(
          'div',
          { class: 'pair' },
          field({
            id: 'size',
            label: t('spots.size'),
            type: 'number',
            inputmode: 'decimal',
            min: 1,
            max: 30,
            step: 0.1,
            isOptional: true,
            error: form.errors.sizeMeters,
          }),
          field({
            id: 'meter',
            label: t('spots.meter'),
            type: 'datetime-local',
            isOptional: true,
            error: form.errors.meterPaidUntil,
          }),
        ),
        ['permit', 'restrictions'].map((name) =>
          field({ id: name, label: t(`spots.${name}`), isOptional: true, maxlength: 60, error: form.errors[name] }),
        ),
        field({
          id: 'note',
          label: t('spots.note'),
          isOptional: true,
          multiline: true,
          maxlength: 300,
          error: form.errors.note,
        }),
        photo
          ? h('p', { class: 'muted', role: 'status' }, t('spots.photo.added'))
          : pictureButton(t('spots.photo'), isSending, addPhoto),
        problem ? problemNotice(problem) : null,
      ),
    );

  const fields = (value) =>
    form.view(
      { class: 'stack', key: 'sell', onsubmit: send(value) },
      value.policy.sale === 'allowed'
        ? choices({
            name: 'sale',
            label: t('spots.how'),
            value: choice.sale,
            options: ['fixed', 'auction'].map((sale) => [sale, t(`spots.how.${sale}`)]),
            onchange: (sale) => set({ sale }),
          })
        : null,
      priceField(value),
      vehicle.view(),
      spans('leaving', LEAVING, t('spots.leaving')),
      choice.sale === 'auction' && value.policy.sale === 'allowed'
        ? spans(
            'closing',
            CLOSING.filter((count) => count <= choice.leaving),
            t('spots.closing'),
          )
        : null,
      details(),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('spots.offer'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
      ),
    );

  function content() {
    const open = resources.list(MINE).value?.items.find(isOpen);
    if (open)
      return notice(
        'neutral',
        t('spots.openExists'),
        h('a', { class: 'button', href: `#${escaped`/spots/${open.id}`}` }, t('spots.show')),
      );
    if (!position.last)
      return position.failure
        ? notice('warning', t('spots.noPosition'), button(t('action.retry'), { onclick: () => position.ask() }))
        : skeleton(5);
    const entry = termsAt(resources, position.last);
    const { value, error } = entry;
    return [
      h(
        'p',
        { class: 'muted', role: 'status', key: 'accuracy' },
        t('spots.accuracy', { meters: Math.round(position.last.accuracyMeters ?? 0) }),
      ),
      h('div', { class: 'card parked-map', key: 'map' }, slot.view('map-holder')),
      value
        ? fields(value)
        : error
          ? error.code === 'spot.outside_service_area'
            ? notice('warning', tProblem(error))
            : problemNotice(error, () => resources.reload(entry.path))
          : skeleton(4),
    ];
  }

  return {
    draw() {
      position.start();
      const here = position.last;
      queueMicrotask(() =>
        requestAnimationFrame(() =>
          slot.map?.setMarker('me', here && { ...here, kind: 'me', icon: 'car', title: t('spots.here') }),
        ),
      );
      return { title: t('spots.sell'), view: screen(t('spots.sell'), { back: '/park' }, content()) };
    },
    leave() {
      slot.leave();
      [choice, photo, problem] = [fresh(), null, null];
    },
  };
}
