// The recogniser's proposals for a parked vehicle, read from its photos.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { button, notice, problemNotice } from '/apps/shared/ui.js';
import { t } from '/apps/shared/i18n.js';
import { Offline } from '/apps/shared/api.js';
import { samePlate } from '/apps/shared/forms.js';
import { keepDraft, propose } from './park-draft.js';
import { recognise } from './photos.js';

/** Reads a photo, and fills the fields with what was recognised. */
export async function read(parking, photo) {
  const { order, redraw } = parking;
  parking.recognition = { photo: photo.id, isReading: true };
  redraw();
  try {
    const answer = await recognise(photo);
    parking.recognition = { photo: photo.id, answer };
    propose(parking, answer, Boolean(order.vehicle));
    keepDraft(parking);
  } catch (error) {
    parking.recognition = { photo: photo.id, error, again: () => read(parking, photo) };
  }
  redraw();
}

/** A button to read another photo, when the first was bad. */
export const readButton = (parking, photo, number) =>
  photo.blob && parking.recognition?.photo !== photo.id
    ? h(
        'button',
        { type: 'button', class: 'photo-action read', onclick: () => read(parking, photo) },
        t('park.read'),
        h('span', { class: 'visually-hidden' }, ` ${number}`),
      )
    : null;

export function recognitionNote(parking) {
  const { order, recognition } = parking;
  if (!recognition) return h('p', { class: 'muted' }, t(order.vehicle ? 'park.known' : 'park.unknown'));
  const { isReading, error, again, answer } = recognition;
  if (isReading)
    return h(
      'p',
      { class: 'row muted', role: 'status' },
      h('span', { class: 'spinner', 'aria-hidden': 'true' }),
      t('park.reading'),
    );
  if (error)
    return error instanceof Offline
      ? notice('warning', t('park.readLater'), button(t('action.retry'), { look: 'quiet', onclick: again }))
      : problemNotice(error, again);
  return answer.plate ? platesRead(parking, answer) : notice('warning', t('park.nothing'));
}

/** The plate that was read, and others that it may be. */
function platesRead(parking, { plate, confidence, candidates, isStub }) {
  const { values } = parking;
  const others = candidates.filter((one) => one.plate !== plate).slice(0, 3);
  return h(
    'div',
    { class: 'stack tight', key: 'recognition', role: 'status' },
    samePlate(plate, values.plate)
      ? h('p', { class: 'row success-text' }, icon('check'), h('span', null, t('park.read.done', { plate })))
      : notice(
          'warning',
          t('park.differs', { plate, given: values.plate || '–' }),
          takeButton(parking, t('park.take', { plate }), 'quiet', { plate, confidence }),
        ),
    others.length
      ? h(
          'div',
          { class: 'row wrap small' },
          h('span', { class: 'muted' }, t('park.others')),
          others.map((other) => takeButton(parking, other.plate, 'chip', other)),
        )
      : null,
    isStub ? h('p', { class: 'hint' }, t('park.stub')) : null,
  );
}

const takeButton = (parking, text, look, { plate, confidence }) =>
  button(text, {
    look,
    onclick: () => {
      parking.values.plate = plate;
      parking.confidence.plate = confidence;
      keepDraft(parking);
      parking.redraw();
    },
  });
