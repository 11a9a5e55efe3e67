// Where I left it: the place on the map with a note, and the way back on foot.

import { h } from '/apps/shared/dom.js';
import { dateTime, distance, minutes, t, tProblem } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { metersBetween } from '/apps/shared/position.js';
import { screen } from '/apps/shared/shell.js';
import { button, confirm, createForm, facts, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';

const PATH = '/v1/me/parked-vehicle';
const TEXTS = ['level', 'bay', 'note'];
/** In meters a second; streets are this much longer than the straight line. */
const WALKING = 1.25;
const DETOUR = 1.3;

export function createParked({ api, position, redraw, resources }) {
  const form = createForm(() => redraw());
  /** Where the pin stands while a place is chosen; `null` while the kept one is shown. */
  let draft = null;
  let fitted = null;
  const slot = createMapSlot('parked-map', redraw, {
    label: () => t('parked.map'),
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
    view.setMarker('spot', spot && { ...spot, kind: 'parked', icon: 'car', title: t('parked.title') });
    view.setRoute('way', !draft && here && spot ? { geometry: { coordinates: [here, spot].map(({ latitude, longitude }) => [longitude, latitude]) }, source: 'straightLine' } : null);
    const what = draft ? 'draft' : 'kept';
    if (fitted === what || !(spot ?? here)) return;
    fitted = what;
    view.fit([spot, here]);
  }

  // MARK: What can be done

  function begin() {
    const from = position.last ?? resources.get(PATH).value?.position;
    draft = from ? { latitude: from.latitude, longitude: from.longitude } : slot.map?.center() ?? null;
    fitted = null;
    if (!draft) toast(t('parked.noPosition'), 'danger');
    redraw();
  }

  async function save(values) {
    const body = { position: draft, ...Object.fromEntries(TEXTS.map((name) => [name, values[name].trim() || null])) };
    const entry = resources.get(PATH);
    Object.assign(entry, { value: await api.put(PATH, body), error: null });
    draft = null;
    fitted = null;
    resources.reload(PATH);
    toast(t('action.saved'), 'success');
  }

  async function remove() {
    if (!(await confirm(t('parked.forget.sure'), null, { yes: t('parked.forget'), no: t('action.keep'), look: 'danger' }))) return;
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

  /** How far it is, as people walk. */
  function way(spot) {
    if (!position.last) return h('p', { class: 'muted' }, t('parked.noPosition'));
    const meters = metersBetween(position.last, spot) * DETOUR;
    return h('p', { class: 'strong', role: 'status' }, t('parked.way', { distance: distance(meters), time: minutes(meters / WALKING) }));
  }

  const mapBox = () => h('div', { class: 'card parked-map', key: 'map' }, slot.view('map-holder'));

  const editor = (kept) => form.view({ class: 'stack', key: 'edit', onsubmit: form.submit(save) },
    h('p', { class: 'muted' }, t('parked.tap')),
    h('div', { class: 'pair' }, ['level', 'bay'].map((name) => field({ id: name, label: t(`parked.${name}`), isOptional: true, value: kept?.[name] ?? '', maxlength: 40, autocomplete: 'off', error: form.errors[name] }))),
    field({ id: 'note', label: t('parked.note'), isOptional: true, multiline: true, value: kept?.note ?? '', maxlength: 500, error: form.errors.note }),
    h('div', { class: 'screen-foot', key: 'foot' }, button(t('parked.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }), button(t('action.cancel'), { look: 'quiet', wide: true, onclick: () => { draft = null; fitted = null; redraw(); } })));

  const shown = (kept) => [
    way(kept.position),
    h('section', { class: 'card stack', key: 'facts' }, facts([[t('parked.level'), kept.level], [t('parked.bay'), kept.bay], [t('parked.note'), kept.note], [t('parked.at'), dateTime(kept.at)]])),
    button(t('parked.again'), { icon: 'pin', wide: true, onclick: begin }),
    button(t('parked.forget'), { look: 'quiet danger-text', icon: 'trash', onclick: remove }),
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
        title: t('parked.title'),
        view: screen(t('parked.title'), { back: '/bookings' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          isKnown ? mapBox() : null,
          draft ? editor(value) : value ? shown(value)
            : isKnown ? h('div', { class: 'stack', key: 'none' }, h('p', { class: 'muted' }, t('parked.none')), button(t('parked.here'), { look: 'primary', icon: 'pin', wide: true, onclick: begin }))
              : error ? problemNotice(error, () => resources.reload(PATH)) : skeleton(5)),
      };
    },
    leave() {
      slot.leave();
      [draft, fitted] = [null, null];
    },
  };
}
