// The place where the person parked: storing and deleting it, its picture, and the walk back.

import { withQuery } from '/apps/shared/api.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { sendPicture } from '/apps/shared/pictures.js';
import { metersBetween } from '/apps/shared/position.js';
import { confirm } from '/apps/shared/dialogs.js';
import { toast } from '/apps/shared/ui.js';

export const PATH = '/v1/me/parked-vehicle';
const PHOTO = `${PATH}/photo`;
/** The longest texts. */
export const LONGEST = { level: 20, bay: 20, note: 200 };
/** In metres per second; routes are longer than the straight line by the second factor. */
const WALKING = 1.25;
const DETOUR = 1.3;
/** A person who has moved less than this counts as not moved; in metres. */
const STEP = 50;

const pointOf = ({ latitude, longitude }) => ({ latitude, longitude });

// MARK: Choosing a place

/** Begins at the person's position, where they parked last, or at the middle of the map. */
export function begin(parked) {
  const { position, redraw, resources, slot } = parked;
  const from = position.last ?? resources.get(PATH).value?.position;
  parked.draft = from ? pointOf(from) : (slot.map?.center() ?? null);
  parked.fitted = null;
  if (!parked.draft) toast(t('parkedVehicle.noPosition'), 'danger');
  redraw();
}

export function abandon(parked) {
  endDraft(parked);
  parked.redraw();
}

const endDraft = (parked) => Object.assign(parked, { draft: null, fitted: null });

export async function save(parked, values) {
  const { api, draft, resources } = parked;
  const body = {
    position: draft,
    ...Object.fromEntries(Object.keys(LONGEST).map((name) => [name, values[name].trim() || null])),
  };
  const entry = resources.get(PATH);
  Object.assign(entry, { value: await api.put(PATH, body), error: null });
  endDraft(parked);
  resources.reload(PATH);
  toast(t('action.saved'), 'success');
}

// MARK: The stored place

export async function remove({ api, redraw, resources }) {
  const isSure = await confirm(t('parkedVehicle.forget.sure'), null, {
    yes: t('parkedVehicle.forget'),
    no: t('action.keep'),
    look: 'danger',
  });
  if (!isSure) return;
  try {
    await api.delete(PATH);
    resources.get(PATH).value = undefined;
    resources.reload(PATH);
  } catch (problem) {
    toast(tProblem(problem), 'danger');
  }
  redraw();
}

/** Changes the picture; tasks that need the network fail offline. */
async function changePhoto(parked, task) {
  const { redraw, resources } = parked;
  if (parked.isSending) return;
  parked.isSending = true;
  redraw();
  try {
    resources.keep(PATH, await task());
    toast(t('action.saved'), 'success');
  } catch (problem) {
    toast(tProblem(problem), 'danger');
  }
  parked.isSending = false;
  resources.reload(PATH);
}

export const addPhoto = (parked, blob) => changePhoto(parked, () => sendPicture(parked.api, PHOTO, blob, 'PUT'));
export const removePhoto = (parked, kept) =>
  changePhoto(parked, async () => {
    await parked.api.delete(PHOTO);
    return { ...kept, photo: null };
  });

// MARK: The walk back

/** The walk from the person's position; estimated until the server answers, and without an answer. */
export function walkTo(parked, spot) {
  const here = parked.position.last;
  ask(parked, spot, here);
  const guess = metersBetween(here, spot) * DETOUR;
  return parked.asked.value ?? { distanceMeters: guess, durationSeconds: guess / WALKING };
}

/** Requests the walk to another place, or after the person has moved. */
function ask(parked, spot, here) {
  const { api, asked, redraw } = parked;
  const isOther = asked?.spot.latitude !== spot.latitude || asked.spot.longitude !== spot.longitude;
  if (!isOther && metersBetween(asked.from, here) < STEP) return;
  const mine = (parked.asked = { from: pointOf(here), spot, value: isOther ? null : asked.value });
  const answered = (value) => {
    mine.value = value;
    redraw();
  };
  api.get(withQuery(`${PATH}/route`, mine.from)).then(answered, () => answered(null));
}
