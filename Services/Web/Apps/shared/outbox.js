// Taps made offline: each is stored with its idempotency key and sent later, in order.

import { alone, recall, remember } from './storage.js';
import { createEvents } from './state.js';
import { Ended, Offline, Problem } from './api.js';
import { uuid } from './dom.js';

/** The most stored taps. */
const MOST = 50;
/** The longest age of a tap, in ms. */
const LIFE = 12 * 3_600_000;
/** Interval of retries while taps wait, in ms. */
const PACE = 10_000;

export function createOutbox(api) {
  const key = `openvalet.${api.app}.outbox`;
  const events = createEvents();
  const all = () => recall(key) ?? [];
  /** Taps belong to an account: no other sees or sends them. */
  const items = () => all().filter(({ account }) => account === api.account?.id);
  const keep = (list) => {
    remember(key, list.length ? list : undefined);
    events.emit('change', items());
  };
  const without = (id) => keep(all().filter((item) => item.id !== id));

  async function send(item) {
    return api.call(item.method, item.path, { body: item.body, key: item.id });
  }

  /** Sends stored taps; stops when offline, and skips subjects whose service is down. */
  async function flush() {
    if (!items().length || !api.isSignedIn) return;
    await alone(`${key}.flush`, async () => {
      /** Subjects on hold, so that their taps stay in order. */
      const held = new Set();
      for (const item of items()) {
        if (item.account !== api.account?.id) return;
        if (held.has(item.subject)) continue;
        if (Date.now() - item.at > LIFE) {
          without(item.id);
          events.emit('expired', item);
          continue;
        }
        try {
          const value = await send(item);
          without(item.id);
          events.emit('sent', { item, value });
        } catch (error) {
          if (!(error instanceof Problem) || error.status === 401 || error.status === 429) return;
          if (error.isPassing) {
            held.add(item.subject);
            continue;
          }
          without(item.id);
          events.emit('refused', { item, problem: error });
        }
      }
    });
  }

  addEventListener('online', flush);
  document.addEventListener('visibilitychange', () => document.hidden || flush());
  setInterval(flush, PACE);

  return {
    events,
    flush,
    get items() {
      return items();
    },
    /**
     * Sends now, or stores it when offline: `{ sent, value }` or `{ queued }`.
     * `label` is shown to the person; `subject` identifies the thing, such as an order's id.
     */
    async perform({ method = 'POST', path, body, label, subject }) {
      const item = { id: uuid(), method, path, body, label, subject, account: api.account?.id, at: Date.now() };
      if (!items().some((waiting) => waiting.subject === subject)) {
        try {
          return { sent: true, value: await send(item) };
        } catch (error) {
          // A session that ended by itself loses no tap: it is sent when the person is back.
          const mayFollow = error instanceof Offline || (error instanceof Ended && error.reason === 'ended');
          if (!mayFollow) throw error;
        }
      }
      if (items().length >= MOST) throw new Offline('Too much is waiting already.');
      keep([...all(), item]);
      flush();
      return { queued: true };
    },
  };
}
