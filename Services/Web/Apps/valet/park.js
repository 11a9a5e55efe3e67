// Parking the vehicle: photos, the recogniser's proposals, where it is parked, and its key tag.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { go, screen } from '/apps/shared/shell.js';
import {
  badge,
  button,
  confirm,
  createForm,
  field,
  notice,
  plateField,
  problemNotice,
  skeleton,
} from '/apps/shared/ui.js';
import { number, t } from '/apps/shared/i18n.js';
import { Offline } from '/apps/shared/api.js';
import { recall, remember } from '/apps/shared/storage.js';
import { api, loadOrder, orderOf, state, tap } from './store.js';
import { samePlate, stepOf } from './jobs.js';
import { recognise } from './photos.js';
import { countOfPhotos, photoStrip } from './photostrip.js';
import { placePicker } from './map.js';
import { carParkChoice, lookAround } from './nearby.js';
import { waitingNote } from './home.js';

const DRAFT = 'openvalet.valet.draft';
const VEHICLE = ['plate', 'make', 'model', 'colour'];
const PLACE = ['lot', 'level', 'bay', 'keyTag'];
const LONGEST = { plate: 16, make: 40, model: 40, colour: 40, lot: 40, level: 40, bay: 40, keyTag: 40 };
/** Below this a proposal is marked as doubtful. */
const SURE = 0.8;

let page = null;

/** Leaves the screen; the draft is kept on the device until the vehicle is parked. */
export function closePark() {
  page?.picker?.then((picker) => picker.remove());
  page = null;
}

function open(order, redraw) {
  const draft = recall(`${DRAFT}.${order.id}`) ?? {};
  const given = order.vehicle ?? {};
  const values = Object.fromEntries([...VEHICLE, ...PLACE].map((name) => [name, draft[name] ?? given[name] ?? '']));
  return {
    id: order.id,
    values,
    place: draft.place ?? null,
    isMoved: Boolean(draft.place),
    carPark: draft.carPark ?? null,
    parks: [],
    recognition: null,
    confidence: {},
    picker: null,
    redraw,
    form: createForm(redraw, {
      'vehicle.plate': 'plate',
      'vehicle.make': 'make',
      'vehicle.model': 'model',
      'vehicle.colour': 'colour',
    }),
  };
}

const keep = (it) =>
  remember(`${DRAFT}.${it.id}`, {
    ...it.values,
    place: it.isMoved ? it.place : undefined,
    carPark: it.carPark ?? undefined,
  });

export const parkScreen =
  (redraw) =>
  ({ id }) => {
    const order = orderOf(id);
    const title = t('step.parking');
    if (!order) {
      loadOrder(id).catch(() => go('/'));
      return { title, view: screen(title, { back: '/' }, skeleton(6)) };
    }
    if (page?.id !== id) {
      closePark();
      page = open(order, redraw);
    }
    const it = page;
    if (stepOf(order, api.account.id) !== 'parking') {
      queueMicrotask(() => go(`/orders/${id}`));
      return { title, view: screen(title, { back: '/' }, skeleton(6)) };
    }
    if (!it.isMoved && state.value.position) it.place = state.value.position;
    queueMicrotask(() => {
      showPicker(it, redraw);
      lookAround(it, order, redraw);
    });
    return {
      title,
      view: screen(
        title,
        { back: `/orders/${id}`, actions: h('span', { class: 'ticket' }, order.ticket) },
        state.value.waiting.some(({ subject }) => subject === id) ? waitingNote(state.value, id) : null,
        it.form.view(
          { class: 'park', key: `park-${id}`, onsubmit: it.form.submit(() => finish(order, it)) },
          step(
            1,
            t('park.photos'),
            photoStrip(order, 'handOver', it, redraw, {
              isBig: true,
              title: 'parking',
              onadded: (added) => !it.recognition && added[0] && read(added[0], it, order, redraw),
              extra: (photo, number) => readButton(photo, number, it, order, redraw),
            }),
          ),
          step(
            2,
            t('park.vehicle'),
            h('div', null, recognitionNote(it, order, redraw)),
            h(
              'div',
              { class: 'pair' },
              VEHICLE.map((name) => input(name, it)),
            ),
          ),
          step(
            3,
            t('park.place'),
            carParkChoice(it, choose(it, redraw)),
            placeMap(it, redraw),
            h('p', { class: 'muted' }, t('park.place.hint')),
            h(
              'div',
              { class: 'pair' },
              PLACE.map((name) => input(name, it)),
            ),
          ),
          h(
            'div',
            { class: 'park-foot' },
            button(t('do.park'), {
              look: 'primary big',
              wide: true,
              type: 'submit',
              icon: 'check',
              isBusy: it.form.isBusy,
              disabled: state.value.waiting.some(({ subject }) => subject === id),
            }),
          ),
        ),
      ),
    };
  };

const step = (index, title, ...content) =>
  h(
    'section',
    { class: 'card stack', key: `step-${index}` },
    h('h2', { class: 'row' }, h('span', { class: 'step-number', 'aria-hidden': 'true' }, index), title),
    content,
  );

function input(name, it, props = {}) {
  const sure = it.confidence[name];
  return h(
    'div',
    { class: 'proposed', key: name },
    (name === 'plate' ? plateField : field)({
      id: name,
      label: t(VEHICLE.includes(name) ? `vehicle.${name}` : `parked.${name}`),
      value: it.values[name],
      maxlength: LONGEST[name],
      error: it.form.errors[name],
      autocomplete: 'off',
      ...(name === 'plate' ? { class: 'input plate' } : { autocapitalize: 'words' }),
      oninput: (event) => {
        it.values[name] = event.target.value;
        keep(it);
        if (!(name in it.confidence)) return;
        delete it.confidence[name];
        it.redraw();
      },
      ...props,
    }),
    sure === undefined
      ? null
      : badge(
          t(sure < SURE ? 'park.doubtful' : 'park.sure', { percent: number(sure * 100) }),
          sure < SURE ? 'warning' : 'success',
        ),
  );
}

// MARK: Recognition

/** A button to read another photo, when the first was bad. */
const readButton = (photo, number, it, order, redraw) =>
  photo.blob && it.recognition?.photo !== photo.id
    ? h(
        'button',
        { type: 'button', class: 'photo-action read', onclick: () => read(photo, it, order, redraw) },
        t('park.read'),
        h('span', { class: 'visually-hidden' }, ` ${number}`),
      )
    : null;

async function read(photo, it, order, redraw) {
  it.recognition = { photo: photo.id, isReading: true };
  redraw();
  try {
    const answer = await recognise(photo);
    it.recognition = { photo: photo.id, answer };
    propose(it, answer, order);
  } catch (error) {
    it.recognition = { photo: photo.id, error, again: () => read(photo, it, order, redraw) };
  }
  redraw();
}

/** Fills the fields from the recogniser's answer; fields that the customer filled are not overwritten. */
function propose(it, answer, order) {
  for (const name of VEHICLE) {
    const value = answer[name];
    if (!value) continue;
    const isSame =
      name === 'plate' ? samePlate(value, it.values.plate) : value.toLowerCase() === it.values[name].toLowerCase();
    if (!isSame && it.values[name] && order.vehicle) continue;
    if (!isSame || !it.values[name]) it.values[name] = value;
    it.confidence[name] = answer[name === 'plate' ? 'confidence' : `${name}Confidence`] ?? undefined;
  }
  keep(it);
}

function recognitionNote(it, order, redraw) {
  const { recognition } = it;
  const take = (plate, confidence) => () => {
    it.values.plate = plate;
    it.confidence.plate = confidence;
    keep(it);
    redraw();
  };
  if (!recognition) return h('p', { class: 'muted' }, t(order.vehicle ? 'park.known' : 'park.unknown'));
  if (recognition.isReading)
    return h(
      'p',
      { class: 'row muted', role: 'status' },
      h('span', { class: 'spinner', 'aria-hidden': 'true' }),
      t('park.reading'),
    );
  if (recognition.error)
    return recognition.error instanceof Offline
      ? notice('warning', t('park.readLater'), button(t('action.retry'), { look: 'quiet', onclick: recognition.again }))
      : problemNotice(recognition.error, recognition.again);
  const { plate, confidence, candidates, isStub } = recognition.answer;
  const others = candidates.filter((it) => it.plate !== plate).slice(0, 3);
  if (!plate) return notice('warning', t('park.nothing'));
  return h(
    'div',
    { class: 'stack tight', key: 'recognition', role: 'status' },
    samePlate(plate, it.values.plate)
      ? h('p', { class: 'row success-text' }, icon('check'), h('span', null, t('park.read.done', { plate })))
      : notice(
          'warning',
          t('park.differs', { plate, given: it.values.plate || '–' }),
          button(t('park.take', { plate }), { look: 'quiet', onclick: take(plate, confidence) }),
        ),
    others.length
      ? h(
          'div',
          { class: 'row wrap small' },
          h('span', { class: 'muted' }, t('park.others')),
          others.map((other) => button(other.plate, { look: 'chip', onclick: take(other.plate, other.confidence) })),
        )
      : null,
    isStub ? h('p', { class: 'hint' }, t('park.stub')) : null,
  );
}

// MARK: The place

/** One of our car parks sets the place: its entrance is what the next valet needs. */
const choose = (it, redraw) => (carPark) => {
  it.carPark = carPark;
  if (carPark) {
    Object.assign(it, { place: carPark.position, isMoved: true });
    it.picker?.then((picker) => picker.go(carPark.position));
  }
  keep(it);
  redraw();
};

function placeMap(it, redraw) {
  const back = () => {
    it.isMoved = false;
    keep(it);
    redraw();
  };
  return h(
    'div',
    { class: 'stack tight', key: 'place' },
    h(
      'div',
      { class: 'pick' },
      h('div', { class: 'pick-map', id: 'pick-map', key: 'pick', keep: true }, h('div', { class: 'map-inner' })),
      h('span', { class: 'pick-pin', 'aria-hidden': 'true' }, icon('pin')),
    ),
    it.place
      ? h(
          'p',
          { class: 'row between small' },
          h(
            'span',
            { class: 'muted' },
            h('span', { role: 'status' }, it.isMoved ? t('park.place.moved') : null),
            it.isMoved ? null : t('park.place.gps', { meters: Math.max(1, Math.round(it.place.accuracyMeters ?? 0)) }),
          ),
          it.isMoved && state.value.position ? button(t('park.place.back'), { look: 'quiet', onclick: back }) : null,
        )
      : notice('warning', t('park.place.none')),
  );
}

async function showPicker(it, redraw) {
  const outer = document.getElementById('pick-map');
  if (!outer || page !== it) return;
  if (it.outer !== outer) {
    it.outer = outer;
    it.picker?.then((before) => before.remove());
    const center = it.place ?? orderOf(it.id).dropOff;
    it.picker = placePicker(outer.firstElementChild, {
      at: center,
      areas: state.value.areas,
      onchange: ({ latitude, longitude }) => {
        Object.assign(it, { place: { latitude, longitude }, isMoved: true });
        keep(it);
        redraw();
      },
    });
  }
  const picker = await it.picker;
  if (!it.isMoved && it.place && page === it) picker.go(it.place);
}

// MARK: Done

async function finish(order, it) {
  for (const name of VEHICLE) if (!it.values[name].trim()) it.form.refuse({ [name]: t('form.required') });
  if (!it.place) throw Object.assign(new Error(t('park.place.none')), { code: 'form' });
  if (
    !countOfPhotos(order, 'handOver') &&
    !(await confirm(t('park.noPhoto'), t('park.noPhoto.text'), { yes: t('park.noPhoto.yes'), no: t('action.back') }))
  )
    return;
  const words = (names) => Object.fromEntries(names.map((name) => [name, it.values[name].trim() || undefined]));
  const { latitude, longitude } = it.place;
  const body = {
    latitude,
    longitude,
    ...words(PLACE),
    carParkId: it.carPark?.id,
    vehicle: words(VEHICLE),
    recognitionId: it.recognition?.answer?.id,
  };
  try {
    if (await tap(order, 'park', body, t('do.park'))) remember(`${DRAFT}.${it.id}`, undefined);
  } catch (error) {
    // The car park may be full by now: load them again.
    it.around = null;
    throw error;
  }
  go(`/orders/${order.id}`);
}
