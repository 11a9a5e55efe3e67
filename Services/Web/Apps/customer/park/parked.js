// Where the person parked: the place on the map with a note and a picture, and the walk back.

import { h } from '/apps/shared/dom.js';
import { dateTime, distance, minutes, t } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { pictureButton, pictureRow } from '/apps/shared/pictures.js';
import { screen } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { button, facts, field } from '/apps/shared/ui.js';
import { age } from '../shared/entries.js';
import { loaded } from './loaded.js';
import { LONGEST, PATH, abandon, addPhoto, begin, remove, removePhoto, save, walkTo } from './parked-place.js';

export function createParked({ api, position, redraw, resources }) {
  /**
   * `draft` is the pin's position while a place is chosen, null while the stored one is shown; `fitted` is which of the
   * two the map was moved to; `asked` is the last requested walk: `{ from, spot, value }`.
   */
  const parked = {
    api,
    position,
    redraw,
    resources,
    form: createForm(() => redraw()),
    draft: null,
    fitted: null,
    asked: null,
    isSending: false,
  };
  parked.slot = createMapSlot('parked-map', redraw, {
    label: () => t('parkedVehicle.map'),
    onready: () => (parked.fitted = null),
    onclick: (at) => {
      if (!parked.draft) return;
      parked.draft = at;
      redraw();
    },
  });
  return {
    draw: () => draw(parked),
    leave() {
      parked.slot.leave();
      Object.assign(parked, { draft: null, fitted: null, asked: null });
    },
  };
}

function draw(parked) {
  const { draft, position, resources } = parked;
  position.start();
  const entry = resources.get(PATH);
  const isNone = entry.error?.status === 404;
  const kept = isNone ? undefined : entry.value;
  queueMicrotask(() => requestAnimationFrame(() => drawMap(parked, parked.draft ?? kept?.position)));
  return {
    title: t('parkedVehicle.title'),
    view: screen(
      t('parkedVehicle.title'),
      { back: '/bookings' },
      isNone ? null : age(entry),
      kept || isNone ? h('div', { class: 'card parked-map', key: 'map' }, parked.slot.view('map-holder')) : null,
      draft ? editor(parked, kept) : isNone ? none(parked) : loaded(parked, entry, () => stored(parked, kept)),
    ),
  };
}

function drawMap(parked, spot) {
  const { asked, draft, position, slot } = parked;
  const view = slot.map;
  if (!view) return;
  const here = position.last;
  view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
  view.setMarker('spot', spot && { ...spot, kind: 'parked', icon: 'car', title: t('parkedVehicle.title') });
  const straight = here &&
    spot && {
      geometry: { coordinates: [here, spot].map(({ latitude, longitude }) => [longitude, latitude]) },
      source: 'straightLine',
    };
  view.setRoute('way', draft || !spot ? null : (asked?.value ?? straight));
  const what = draft ? 'draft' : 'kept';
  if (parked.fitted === what || !(spot ?? here)) return;
  parked.fitted = what;
  view.fit([spot, here]);
}

// MARK: Views

const none = (parked) =>
  h(
    'div',
    { class: 'stack', key: 'none' },
    h('p', { class: 'muted' }, t('parkedVehicle.none')),
    button(t('parkedVehicle.here'), { look: 'primary', icon: 'pin', wide: true, onclick: () => begin(parked) }),
  );

function editor(parked, kept) {
  const { form } = parked;
  const text = (name, label, props) =>
    field({
      id: name,
      label: t(label),
      isOptional: true,
      value: kept?.[name] ?? '',
      maxlength: LONGEST[name],
      error: form.errors[name],
      ...props,
    });
  return form.view(
    { class: 'stack', key: 'edit', onsubmit: form.submit((values) => save(parked, values)) },
    h('p', { class: 'muted' }, t('parkedVehicle.tap')),
    h(
      'div',
      { class: 'pair' },
      ['level', 'bay'].map((name) => text(name, `parked.${name}`, { autocomplete: 'off' })),
    ),
    text('note', 'parkedVehicle.note', { multiline: true }),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('parkedVehicle.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
      button(t('action.cancel'), { look: 'quiet', wide: true, onclick: () => abandon(parked) }),
    ),
  );
}

const stored = (parked, kept) => [
  walk(parked, kept.position),
  h(
    'section',
    { class: 'card stack', key: 'facts' },
    facts([
      [t('parked.level'), kept.level],
      [t('parked.bay'), kept.bay],
      [t('parkedVehicle.note'), kept.note],
      [t('parkedVehicle.at'), dateTime(kept.at)],
    ]),
  ),
  photo(parked, kept),
  button(t('parkedVehicle.again'), { icon: 'pin', wide: true, onclick: () => begin(parked) }),
  button(t('parkedVehicle.forget'), { look: 'quiet danger-text', icon: 'trash', onclick: () => remove(parked) }),
];

/** The walk's distance and time. */
function walk(parked, spot) {
  if (!parked.position.last) return h('p', { class: 'muted' }, t('parkedVehicle.noPosition'));
  const { distanceMeters, durationSeconds } = walkTo(parked, spot);
  return h(
    'p',
    { class: 'strong', role: 'status' },
    t('parkedVehicle.way', { distance: distance(distanceMeters), time: minutes(durationSeconds) }),
  );
}

function photo(parked, kept) {
  const isBusy = parked.isSending;
  const label = t(kept.photo ? 'parkedVehicle.photo.other' : 'parkedVehicle.photo.add');
  return h(
    'section',
    { class: 'card stack', key: 'photo' },
    pictureRow(kept.photo ? [kept.photo] : [], t('parkedVehicle.photo'), () => t('parkedVehicle.photo')),
    pictureButton(label, isBusy, (blob) => addPhoto(parked, blob)),
    kept.photo
      ? button(t('parkedVehicle.photo.remove'), {
          look: 'quiet',
          icon: 'trash',
          isBusy,
          onclick: () => removePhoto(parked, kept),
        })
      : null,
  );
}
