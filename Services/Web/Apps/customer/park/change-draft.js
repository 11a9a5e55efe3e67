// A change of a booking: what was entered, its price, and saving it.

import { escaped } from '/apps/shared/api.js';
import { momentOf, wallTime } from '/apps/shared/car-parks.js';
import { t } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { toast } from '/apps/shared/ui.js';
import { createCards, isOtherPrice } from '../shared/payment.js';

const pathOf = (id) => escaped`/v1/bookings/${id}`;

/** `draft` has the changes, with the screen, booking and version they belong to; `quote` their price. */
export const createChanging = (park) => ({
  park,
  cards: createCards(park),
  draft: { of: null },
  quote: { text: null },
});

/** Starts another draft, with a message, when the booking has a new version. */
export function openDraft(changing, name, { id, version }) {
  const screenKey = `${name} ${id} `;
  const key = screenKey + version;
  if (changing.draft.of === key) return;
  const isOther = isOvertaken(changing.draft, screenKey);
  changing.draft = { of: key, wanted: {}, more: 1, isBusy: false, problem: null, isOther };
}

/** Whether this screen had unsaved changes to an older version. */
const isOvertaken = (draft, screenKey) =>
  Boolean(draft.of?.startsWith(screenKey)) &&
  (draft.isOther || (!draft.isBusy && Object.keys(draft.wanted).length > 0));

export function want({ draft, park }, change) {
  Object.assign(draft.wanted, change);
  Object.assign(draft, { problem: null, isOther: false });
  park.redraw();
}

/** The fields of a booking that were changed. */
export function changesOf({ carPark: { timeZone }, start, quantity, vehicles, spaces }, wanted) {
  const changes = {};
  if (wanted.start && wanted.start !== wallTime(start, timeZone)) changes.start = momentOf(wanted.start, timeZone);
  if (wanted.quantity && wanted.quantity !== quantity) changes.quantity = wanted.quantity;
  const sorted = (ids) => [...ids].sort().join();
  if (wanted.vehicles && sorted(wanted.vehicles) !== sorted(vehicles.map(({ id }) => id))) {
    changes.vehicleIds = wanted.vehicles;
    if (wanted.vehicles.length !== spaces) changes.spaces = wanted.vehicles.length;
  }
  return changes;
}

/** `{ value, error }` of these changes, requested once. */
export const quoteOf = (changing, booking, changes) =>
  quoted(changing, booking, changes, (api, id) => api.post(escaped`/v1/bookings/${id}/quote-change`, changes));

/** `{ value, error }` of a longer booking, requested once. */
export const quoteExtension = (changing, booking, body) =>
  quoted(changing, booking, body, (api, id) => api.post(escaped`/v1/bookings/${id}/quote-extension`, body));

function quoted(changing, { id, version }, body, ask) {
  const { api, redraw } = changing.park;
  const text = JSON.stringify([id, version, body]);
  if (changing.quote.text !== text) {
    const quote = (changing.quote = { text, value: null, error: null });
    ask(api, id)
      .then(
        (value) => (quote.value = value),
        (error) => (quote.error = error),
      )
      .finally(redraw);
  }
  return changing.quote;
}

/** Makes the change and shows the updated booking. */
export async function perform(changing, { id }, task) {
  const { redraw, resources } = changing.park;
  const { draft } = changing;
  Object.assign(draft, { isBusy: true, problem: null });
  redraw();
  try {
    resources.keep(pathOf(id), await task());
    toast(t('action.saved'), 'success');
    resources.reload('/v1/bookings');
    go(escaped`/bookings/${id}`);
  } catch (error) {
    draft.problem = error;
    if (error.status === 412) await showOther(changing, id);
    if (isOtherPrice(error)) {
      changing.quote = { text: null };
    }
  }
  draft.isBusy = false;
  redraw();
}

/** Shows a booking that was changed elsewhere, with a new draft. */
async function showOther({ draft, park }, id) {
  const { api, resources } = park;
  draft.isOther = true;
  const path = pathOf(id);
  try {
    resources.keep(path, await api.get(path));
  } catch {
    resources.reload(path);
  }
}
