// Parking the vehicle: photos, the recogniser's proposals, where it is parked, and its key tag.

import { h } from '/apps/shared/dom.js';
import { go, screen } from '/apps/shared/shell.js';
import { confirm } from '/apps/shared/dialogs.js';
import { createForm, LONGEST_PLATE, plateField } from '/apps/shared/forms.js';
import { badge, button, field, skeleton } from '/apps/shared/ui.js';
import { number, t } from '/apps/shared/i18n.js';
import { api, loadOrder, orderOf, state, tap } from './store.js';
import { stepOf } from './jobs.js';
import { countOfPhotos, photoStrip } from './photostrip.js';
import { carParkChoice, lookAround } from './nearby.js';
import { waitingNote } from './notes.js';
import { PLACE, VEHICLE, bodyOf, dropDraft, keepDraft, openDraft } from './park-draft.js';
import { chooseCarPark, placeMap, showPicker } from './park-place.js';
import { read, readButton, recognitionNote } from './recognition.js';

const LONGEST = { plate: LONGEST_PLATE, make: 40, model: 40, colour: 40, lot: 40, level: 40, bay: 40, keyTag: 40 };
/** Below this a proposal is marked as doubtful. */
const SURE = 0.8;

/** The open screen: the draft of its order, and what belongs to it. */
let page = null;

/** Leaves the screen; the draft stays. */
export function closePark() {
  if (!page) return;
  page.isOpen = false;
  page.picker?.then((picker) => picker.remove());
  page = null;
}

const open = (order, redraw) => ({
  id: order.id,
  redraw,
  isOpen: true,
  ...openDraft(order),
  /** Our car parks nearby. */
  parks: [],
  /** The photo that was read: `{ photo, isReading, answer, error, again }`. */
  recognition: null,
  /** The promise of the map, and its element. */
  picker: null,
  outer: null,
  form: createForm(redraw, {
    'vehicle.plate': 'plate',
    'vehicle.make': 'make',
    'vehicle.model': 'model',
    'vehicle.colour': 'colour',
  }),
});

export const parkScreen =
  (redraw) =>
  ({ id }) => {
    const order = orderOf(id);
    const title = t('step.parking');
    const loading = () => ({ title, view: screen(title, { back: '/' }, skeleton(6)) });
    if (!order) {
      loadOrder(id).catch(() => go('/'));
      return loading();
    }
    if (page?.id !== id) {
      closePark();
      page = open(order, redraw);
    }
    const parking = Object.assign(page, { order });
    if (stepOf(order, api.account.id) !== 'parking') {
      queueMicrotask(() => go(`/orders/${id}`));
      return loading();
    }
    if (!parking.isMoved && state.value.position) parking.place = state.value.position;
    queueMicrotask(() => {
      showPicker(parking);
      lookAround(parking, order, redraw);
    });
    return {
      title,
      view: screen(
        title,
        { back: `/orders/${id}`, actions: h('span', { class: 'ticket' }, order.ticket) },
        isWaiting(parking) ? waitingNote(state.value, id) : null,
        parkForm(parking),
      ),
    };
  };

const isWaiting = ({ id }) => state.value.waiting.some(({ subject }) => subject === id);

function parkForm(parking) {
  const { id, order, redraw, form } = parking;
  return form.view(
    { class: 'park', key: `park-${id}`, onsubmit: form.submit(() => finish(parking)) },
    step(
      1,
      t('park.photos'),
      photoStrip(order, 'handOver', parking, redraw, {
        isBig: true,
        title: 'parking',
        onadded: (added) => !parking.recognition && added[0] && read(parking, added[0]),
        extra: (photo, number) => readButton(parking, photo, number),
      }),
    ),
    step(2, t('park.vehicle'), h('div', null, recognitionNote(parking)), fields(parking, VEHICLE)),
    step(
      3,
      t('park.place'),
      carParkChoice(parking, (carPark) => chooseCarPark(parking, carPark)),
      placeMap(parking),
      h('p', { class: 'muted' }, t('park.place.hint')),
      fields(parking, PLACE),
    ),
    h(
      'div',
      { class: 'park-foot' },
      button(t('do.park'), {
        look: 'primary big',
        wide: true,
        type: 'submit',
        icon: 'check',
        isBusy: form.isBusy,
        disabled: isWaiting(parking),
      }),
    ),
  );
}

const step = (index, title, ...content) =>
  h(
    'section',
    { class: 'card stack', key: `step-${index}` },
    h('h2', { class: 'row' }, h('span', { class: 'step-number', 'aria-hidden': 'true' }, index), title),
    content,
  );

const fields = (parking, names) =>
  h(
    'div',
    { class: 'pair' },
    names.map((name) => input(parking, name)),
  );

/** A field, marked while it shows a proposal. */
function input(parking, name) {
  const { values, confidence, form } = parking;
  const sure = confidence[name];
  const type = ({ target }) => {
    values[name] = target.value;
    keepDraft(parking);
    if (!(name in confidence)) return;
    delete confidence[name];
    parking.redraw();
  };
  return h(
    'div',
    { class: 'proposed', key: name },
    (name === 'plate' ? plateField : field)({
      id: name,
      label: t(VEHICLE.includes(name) ? `vehicle.${name}` : `parked.${name}`),
      value: values[name],
      maxlength: LONGEST[name],
      error: form.errors[name],
      autocomplete: 'off',
      ...(name === 'plate' ? { class: 'input plate' } : { autocapitalize: 'words' }),
      oninput: type,
    }),
    sure === undefined
      ? null
      : badge(
          t(sure < SURE ? 'park.doubtful' : 'park.sure', { percent: number(sure * 100) }),
          sure < SURE ? 'warning' : 'success',
        ),
  );
}

async function finish(parking) {
  const { id, order, values, place, form } = parking;
  for (const name of VEHICLE) if (!values[name].trim()) form.refuse({ [name]: t('form.required') });
  if (!place) throw Object.assign(new Error(t('park.place.none')), { code: 'form' });
  if (
    !countOfPhotos(order, 'handOver') &&
    !(await confirm(t('park.noPhoto'), t('park.noPhoto.text'), { yes: t('park.noPhoto.yes'), no: t('action.back') }))
  )
    return;
  try {
    if (await tap(order, 'park', bodyOf(parking), t('do.park'))) dropDraft(parking);
  } catch (error) {
    // The car park may be full by now: load them again.
    parking.around = null;
    throw error;
  }
  go(`/orders/${id}`);
}
