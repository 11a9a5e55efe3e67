// One request at a time: a new one replaces the one before.

import { serverNow } from '/apps/shared/clock.js';
import { withQuery } from '/apps/shared/api.js';

/**
 * `{ path, value, at, error, isLoading }` of the last request; `onanswer` gets the first answer to each request. With
 * `keeps`, the previous answer is shown until there is a new one.
 */
export function createLatest(api, redraw, { keeps = false, onanswer = null } = {}) {
  const nothing = { path: null, value: null, error: null, at: null, isLoading: false };
  let running = null;
  /** The path that the value answers. */
  let answered = null;
  const latest = {
    ...nothing,
    /** Sends the request if the path is a new one. */
    ask(path) {
      if (path === latest.path) return;
      Object.assign(latest, nothing, { path, ...(keeps ? { value: latest.value, at: latest.at } : {}) });
      latest.again();
    },
    async again() {
      if (!latest.path) return;
      running?.abort();
      const { signal } = (running = new AbortController());
      const { path } = latest;
      latest.isLoading = true;
      redraw();
      try {
        const value = await api.get(path, { signal });
        const isFirst = answered !== path;
        answered = path;
        Object.assign(latest, { value, at: serverNow(), error: null });
        if (isFirst) onanswer?.(value);
      } catch (error) {
        if (signal.aborted) return;
        latest.error = error;
        if (answered !== path) latest.value = null;
      }
      latest.isLoading = false;
      redraw();
    },
    /** The next page of a list. */
    async more() {
      const { path, value } = latest;
      latest.isLoading = true;
      redraw();
      try {
        const page = await api.get(withQuery(path, { after: value.next }));
        if (latest.value === value)
          latest.value = { ...value, items: [...value.items, ...page.items], next: page.next };
      } catch (error) {
        latest.error = error;
      }
      latest.isLoading = false;
      redraw();
    },
    forget() {
      running?.abort();
      answered = null;
      Object.assign(latest, nothing);
    },
  };
  return latest;
}
