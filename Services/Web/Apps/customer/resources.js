// Data of screens: shows the last known state at once and loads the new one when a screen opens.

import { serverNow } from '/apps/shared/clock.js';
import { recall, remember } from '/apps/shared/storage.js';
import { withQuery } from '/apps/shared/api.js';

const keyOf = (path) => `openvalet.customer.list.${path}`;
/** Lines per page. */
const PAGE = 20;
/** In ms. */
const RETRY = 5_000;

/** @type {(api: any, redraw: () => void) => Ui.Resources} */
export function createResources(api, redraw) {
  const known = new Map();

  /** Stores the server's answer, here and on the device. */
  function keep(entry, value) {
    Object.assign(entry, { value, at: serverNow(), error: null });
    const { isBrief, kept = (whole) => whole } = entry.options ?? {};
    if (!isBrief) remember(keyOf(entry.path), { value: kept(value), at: entry.at });
  }

  async function load(entry) {
    if (entry.isLoading) return;
    Object.assign(entry, { isLoading: true, isDue: false });
    const before = entry.value;
    try {
      const value = await api.get(entry.path, entry.options);
      // A change made meanwhile may be newer than this answer.
      if (entry.value === before) keep(entry, value);
      else entry.isDue = true;
    } catch (error) {
      entry.error = error;
      // Retries by itself while the screen is visible and the service is down.
      if (error.isPassing)
        setTimeout(() => {
          entry.isDue = true;
          redraw();
        }, RETRY);
    }
    entry.isLoading = false;
    redraw();
  }

  function get(path, options) {
    if (!known.has(path))
      known.set(path, { path, options, isDue: true, error: null, isLoading: false, ...recall(keyOf(path)) });
    const entry = known.get(path);
    if (entry.isDue && (api.isSignedIn || entry.options?.anonymous)) load(entry);
    return entry;
  }

  return {
    /**
     * `{ value, at, error, isLoading }` of a path; redrawn with the answer. Brief answers are not stored on the
     * device; of others, `kept` selects the part to store.
     */
    get,
    /** Takes a value from another answer. */
    keep: (path, value) => keep(get(path), value),
    list: (path, options) => get(withQuery(path, { limit: PAGE }), options),
    /** Loads the next page of a list. */
    async more(entry) {
      if (entry.isLoading || !entry.value?.next) return;
      entry.isLoading = true;
      redraw();
      try {
        const page = await api.get(withQuery(entry.path, { after: entry.value.next }));
        entry.value = { items: [...entry.value.items, ...page.items], next: page.next };
      } catch (error) {
        entry.error = error;
      }
      entry.isLoading = false;
      redraw();
    },
    reload(path) {
      for (const entry of known.values()) if (entry.path.startsWith(path)) entry.isDue = true;
      redraw();
    },
    /** On a new screen, everything is loaded again when it is shown. */
    age() {
      for (const entry of known.values()) entry.isDue = true;
    },
    forget: () => known.clear(),
  };
}
