// Taps that wait for a network: each is kept with its idempotency key and sent later, in order.

import { alone, recall, remember } from './storage.js';
import { createEvents } from './state.js';
import { Ended, Offline, Problem } from './api.js';
import { uuid } from './dom.js';

/** Taps that may wait at once. */
const MOST = 50;
/** An older tap is not meant any more, in ms. */
const LIFE = 12 * 3_600_000;
/** How often the network is tried while something waits, in ms. */
const PACE = 10_000;

export function createOutbox(api) {
  const key = `openvalet.${api.app}.outbox`;
  const events = createEvents();
  const all = () => recall(key) ?? [];
  /** A tap is its account's: nobody else sees or sends it. */
  const items = () => all().filter(({ account }) => account === api.account?.id);
  const keep = (list) => {
    remember(key, list.length ? list : undefined);
    events.emit('change', items());
  };
  const without = (id) => keep(all().filter((item) => item.id !== id));

  async function send(item) {
    return api.call(item.method, item.path, { body: item.body, key: item.id });
  }

  /** Sends what waits; stops when there is no network, and goes on with something else where a service is away. */
  async function flush() {
    if (!items().length || !api.isSignedIn) return;
    await alone(`${key}.flush`, async () => {
      /** What it concerns waits as a whole: its taps stay in their order. */
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
     * Sends now, or keeps it when there is no network: `{ sent, value }` or `{ queued }`.
     * `label` is what the person reads of it; `subject` says what it concerns, as an order's id.
     */
    async perform({ method = 'POST', path, body, label, subject }) {
      const item = { id: uuid(), method, path, body, label, subject, account: api.account?.id, at: Date.now() };
      if (!items().some((waiting) => waiting.subject === subject)) {
        try {
          return { sent: true, value: await send(item) };
        } catch (error) {
          // An end that nobody asked for takes no tap away: it is sent when the person is back.
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
