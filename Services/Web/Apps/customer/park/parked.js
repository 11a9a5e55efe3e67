// Where the person parked: the place on the map with a note and a picture, and the walk back.

import { h } from '/apps/shared/dom.js';
import { withQuery } from '/apps/shared/api.js';
import { dateTime, distance, minutes, t, tProblem } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { metersBetween } from '/apps/shared/position.js';
import { screen } from '/apps/shared/shell.js';
import { button, confirm, createForm, facts, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { pictureButton, pictureRow, sendPicture } from '/apps/shared/pictures.js';

const PATH = '/v1/me/parked-vehicle';
const PHOTO = `${PATH}/photo`;
const LONGEST = { level: 20, bay: 20, note: 200 };
/** In metres per second; routes are longer than the straight line by the second factor. */
const WALKING = 1.25;
const DETOUR = 1.3;
/** A person who has moved less than this counts as not moved; in metres. */
const STEP = 50;

export function createParked({ api, position, redraw, resources }) {
  const form = createForm(() => redraw());
  /** The pin's position while a place is chosen; `null` while the stored one is shown. */
  let draft = null;
  let fitted = null;
  let isSending = false;
  /** The last requested walk: `{ from, spot, value }`. */
  let asked = null;
  const slot = createMapSlot('parked-map', redraw, {
    label: () => t('parkedVehicle.map'),
    onready: () => (fitted = null),
    onclick: (at) => {
      if (!draft) return;
      draft = at;
      redraw();
    },
  });

  const isUnknown = ({ error }) => error?.status === 404;

  // MARK: Map

  function sync(spot) {
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
    if (fitted === what || !(spot ?? here)) return;
    fitted = what;
    view.fit([spot, here]);
  }

  // MARK: Actions

  function begin() {
    const from = position.last ?? resources.get(PATH).value?.position;
    draft = from ? { latitude: from.latitude, longitude: from.longitude } : (slot.map?.center() ?? null);
    fitted = null;
    if (!draft) toast(t('parkedVehicle.noPosition'), 'danger');
    redraw();
  }

  async function save(values) {
    const body = {
      position: draft,
      ...Object.fromEntries(Object.keys(LONGEST).map((name) => [name, values[name].trim() || null])),
    };
    const entry = resources.get(PATH);
    Object.assign(entry, { value: await api.put(PATH, body), error: null });
    draft = null;
    fitted = null;
    resources.reload(PATH);
    toast(t('action.saved'), 'success');
  }

  /** Requests the walk; without an answer it is estimated. */
  function ask(spot) {
    const here = position.last;
    const isOther = asked?.spot.latitude !== spot.latitude || asked.spot.longitude !== spot.longitude;
    if (!here || (!isOther && metersBetween(asked.from, here) < STEP)) return;
    const { latitude, longitude } = here;
    const mine = (asked = { from: { latitude, longitude }, spot, value: isOther ? null : asked.value });
    const answered = (value) => {
      mine.value = value;
      redraw();
    };
    api.get(withQuery(`${PATH}/route`, mine.from)).then(answered, () => answered(null));
  }

  /** Changes the picture; tasks that need the network fail offline. */
  async function change(task) {
    if (isSending) return;
    isSending = true;
    redraw();
    try {
      resources.keep(PATH, await task());
      toast(t('action.saved'), 'success');
    } catch (problem) {
      toast(tProblem(problem), 'danger');
    }
    isSending = false;
    resources.reload(PATH);
  }

  const addPhoto = (blob) => change(() => sendPicture(api, PHOTO, blob, 'PUT'));
  const removePhoto = (kept) =>
    change(async () => {
      await api.delete(PHOTO);
      return { ...kept, photo: null };
    });

  async function remove() {
    if (
      !(await confirm(t('parkedVehicle.forget.sure'), null, {
        yes: t('parkedVehicle.forget'),
        no: t('action.keep'),
        look: 'danger',
      }))
    )
      return;
    try {
      await api.delete(PATH);
      resources.get(PATH).value = undefined;
      resources.reload(PATH);
    } catch (problem) {
      toast(tProblem(problem), 'danger');
    }
    redraw();
  }

  // MARK: Drawing

  /** The walk's distance and time. */
  function way(spot) {
    if (!position.last) return h('p', { class: 'muted' }, t('parkedVehicle.noPosition'));
    ask(spot);
    const guess = metersBetween(position.last, spot) * DETOUR;
    const { distanceMeters, durationSeconds } = asked.value ?? {
      distanceMeters: guess,
      durationSeconds: guess / WALKING,
    };
    return h(
      'p',
      { class: 'strong', role: 'status' },
      t('parkedVehicle.way', { distance: distance(distanceMeters), time: minutes(durationSeconds) }),
    );
  }

  const mapBox = () => h('div', { class: 'card parked-map', key: 'map' }, slot.view('map-holder'));

  const editor = (kept) =>
    form.view(
      { class: 'stack', key: 'edit', onsubmit: form.submit(save) },
      h('p', { class: 'muted' }, t('parkedVehicle.tap')),
      h(
        'div',
        { class: 'pair' },
        ['level', 'bay'].map((name) =>
          field({
            id: name,
            label: t(`parked.${name}`),
            isOptional: true,
            value: kept?.[name] ?? '',
            maxlength: LONGEST[name],
            autocomplete: 'off',
            error: form.errors[name],
          }),
        ),
      ),
      field({
        id: 'note',
        label: t('parkedVehicle.note'),
        isOptional: true,
        multiline: true,
        value: kept?.note ?? '',
        maxlength: LONGEST.note,
        error: form.errors.note,
      }),
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('parkedVehicle.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
        button(t('action.cancel'), {
          look: 'quiet',
          wide: true,
          onclick: () => {
            draft = null;
            fitted = null;
            redraw();
          },
        }),
      ),
    );

  const photo = (kept) =>
    h(
      'section',
      { class: 'card stack', key: 'photo' },
      pictureRow(kept.photo ? [kept.photo] : [], t('parkedVehicle.photo'), () => t('parkedVehicle.photo')),
      pictureButton(t(kept.photo ? 'parkedVehicle.photo.other' : 'parkedVehicle.photo.add'), isSending, addPhoto),
      kept.photo
        ? button(t('parkedVehicle.photo.remove'), {
            look: 'quiet',
            icon: 'trash',
            isBusy: isSending,
            onclick: () => removePhoto(kept),
          })
        : null,
    );

  const shown = (kept) => [
    way(kept.position),
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
    photo(kept),
    button(t('parkedVehicle.again'), { icon: 'pin', wide: true, onclick: begin }),
    button(t('parkedVehicle.forget'), { look: 'quiet danger-text', icon: 'trash', onclick: remove }),
  ];

  return {
    draw() {
      position.start();
      const entry = resources.get(PATH);
      const { error, at } = entry;
      const value = isUnknown(entry) ? undefined : entry.value;
      queueMicrotask(() => requestAnimationFrame(() => sync(draft ?? value?.position)));
      const isKnown = value || isUnknown(entry);
      return {
        title: t('parkedVehicle.title'),
        view: screen(
          t('parkedVehicle.title'),
          { back: '/bookings' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          isKnown ? mapBox() : null,
          draft
            ? editor(value)
            : value
              ? shown(value)
              : isKnown
                ? h(
                    'div',
                    { class: 'stack', key: 'none' },
                    h('p', { class: 'muted' }, t('parkedVehicle.none')),
                    button(t('parkedVehicle.here'), { look: 'primary', icon: 'pin', wide: true, onclick: begin }),
                  )
                : error
                  ? problemNotice(error, () => resources.reload(PATH))
                  : skeleton(5),
        ),
      };
    },
    leave() {
      slot.leave();
      [draft, fitted, asked] = [null, null, null];
    },
  };
}
