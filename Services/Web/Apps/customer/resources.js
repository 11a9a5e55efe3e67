// Lists and records that screens read: shown at once as they were last known, asked for again when a screen opens.

import { serverNow } from '/apps/shared/clock.js';
import { recall, remember } from '/apps/shared/storage.js';
import { withQuery } from '/apps/shared/api.js';

const keyOf = (path) => `openvalet.customer.list.${path}`;
/** Lines of one page. */
const PAGE = 20;
/** In ms. */
const RETRY = 5_000;

export function createResources(api, redraw) {
  const known = new Map();

  /** What the server has answered, here and on the device. */
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
      // What somebody did meanwhile may be newer than this answer.
      if (entry.value === before) keep(entry, value);
      else entry.isDue = true;
    } catch (error) {
      entry.error = error;
      // A service that is away is asked again by itself, as long as somebody looks.
      if (error.isPassing) setTimeout(() => { entry.isDue = true; redraw(); }, RETRY);
    }
    entry.isLoading = false;
    redraw();
  }

  function get(path, options) {
    if (!known.has(path)) known.set(path, { path, options, isDue: true, error: null, isLoading: false, ...recall(keyOf(path)) });
    const entry = known.get(path);
    if (entry.isDue && (api.isSignedIn || entry.options?.anonymous)) load(entry);
    return entry;
  }

  return {
    /** `{ value, at, error, isLoading }` of an address; drawn again when the answer is there. What is brief is not kept on the device; of other answers `kept` says what is. */
    get,
    /** What another answer says of it. */
    keep: (path, value) => keep(get(path), value),
    list: (path, options) => get(withQuery(path, { limit: PAGE }), options),
    /** The page after what a list has. */
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
    /** Another screen: everything is asked for again when it is looked at. */
    age() {
      for (const entry of known.values()) entry.isDue = true;
    },
    forget: () => known.clear(),
  };
}
