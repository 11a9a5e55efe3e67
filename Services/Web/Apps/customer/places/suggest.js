// "Suggest a change": corrections of a place, which an operator reviews.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { go, screen } from '/apps/shared/shell.js';
import { createForm } from '/apps/shared/forms.js';
import { notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createLatest } from './latest.js';
import { suggestForm } from './suggest-form.js';
import { NUMBERS, changesOf, draftOf, drop, dropAll, move, recallDrafts } from './suggestion.js';
import { vendorPath } from './words.js';

const ZOOM = 18;
/** Possible duplicates lie within these metres; none of the person's own limits hides them. */
const BESIDE = {
  radiusMeters: 300,
  modes: 'walk',
  maxSeconds: 7_200,
  maxMeters: 100_000,
  maxWalkMeters: 20_000,
  acceptsStamps: false,
  sort: 'distance',
  limit: 20,
};

export function createSuggest(app) {
  const { api, redraw } = app;
  const suggest = {
    app,
    /** The place, and the form about it. */
    id: null,
    vendor: null,
    form: null,
    drafts: recallDrafts(),
    /** Places nearby. */
    beside: createLatest(api, redraw),
  };
  suggest.slot = createMapSlot('suggest-map', redraw, {
    label: () => t('places.suggest.map'),
    onclick: (point) => move(suggest, point),
    onready: (map) => map.go(draftOf(suggest).position ?? suggest.vendor.position, ZOOM),
  });
  return {
    draw: ({ id }) => draw(suggest, id),
    leave() {
      [suggest.form, suggest.id] = [null, null];
      suggest.beside.forget();
      suggest.slot.leave();
    },
    /** The next person on this device starts afresh. */
    forget: () => dropAll(suggest),
  };
}

function begin(suggest, id) {
  const fields = [...NUMBERS, 'surface'].map((name) => [`accessibility.${name}`, name]);
  Object.assign(suggest, { id, form: createForm(suggest.app.redraw, Object.fromEntries(fields)) });
}

function draw(suggest, id) {
  const { resources } = suggest.app;
  if (suggest.id !== id) begin(suggest, id);
  const { value: vendor, error } = resources.get(vendorPath(id), { anonymous: true });
  suggest.vendor = vendor;
  if (vendor) {
    mark(suggest);
    askBeside(suggest);
  }
  return {
    title: t('places.suggest'),
    vendor,
    view: screen(
      t('places.suggest'),
      { back: escaped`/places/${id}` },
      vendor
        ? [
            h('h2', { key: 'name' }, vendor.name),
            vendor.duplicateOf ? notice('neutral', t('places.duplicate')) : null,
            suggestForm(suggest, { onsubmit: send(suggest) }),
          ]
        : error
          ? problemNotice(error, () => resources.reload(vendorPath(id)))
          : skeleton(6),
    ),
  };
}

/** Marks the old position, and the new one. */
function mark(suggest) {
  const { slot, vendor } = suggest;
  const to = draftOf(suggest).position;
  const place = { ...vendor.position, kind: 'place', icon: 'pin' };
  slot.map?.setMarker('place', { ...place, ...to, title: vendor.name });
  slot.map?.setMarker('before', to ? { ...place, isStale: true, title: t('places.suggest.before') } : null);
}

function askBeside({ beside, vendor }) {
  const { latitude, longitude } = vendor.position;
  beside.ask(withQuery('/v1/vendors', { latitude, longitude, ...BESIDE }));
}

const send = (suggest) => {
  const { app, form, id } = suggest;
  return form.submit(async (values) => {
    const changes = changesOf(suggest.vendor, draftOf(suggest), values, form.refuse);
    if (!Object.keys(changes).length) form.refuse({ note: t('places.suggest.nothing') });
    await app.api.post(escaped`/v1/vendors/${id}/suggestions`, changes);
    drop(suggest, id);
    toast(t('places.suggest.sent'), 'success');
    go(escaped`/places/${id}`);
  });
};
