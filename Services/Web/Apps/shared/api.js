// The gateway's HTTP API: tokens, renewal, problems, time limits.

import { alone, forget, recall, remember } from './storage.js';
import { learnTime } from './clock.js';
import { language } from './i18n.js';
import { createEvents } from './state.js';
import { uuid } from './dom.js';

/** Codes of the release before. */
const RENAMED = {
  'account.order_unfinished': 'account.engagement_open',
  'payment.order_unknown': 'payment.bill_unknown',
  'plates.order_unknown': 'plates.engagement_unknown',
  'rating.order_unknown': 'rating.engagement_unknown',
};

/** An answer of RFC 9457: `code` is stable, `field` names what was wrong. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = RENAMED[body.code] ?? body.code ?? 'service.unavailable';
    this.body = body;
    this.field = body.field;
    this.retryAfterSeconds = body.retryAfterSeconds;
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** No answer came: no network, or the server is away. */
export class Offline extends Error {}

/** The session has ended meanwhile: the answer is for nobody. `reason` as in the event `signed-out`. */
export class Ended extends Error {
  constructor(reason) {
    super('The session has ended.');
    this.code = 'account.session_ended';
    this.reason = reason;
  }
}

const TIME_LIMIT = 20_000;
const PICTURE_TIME_LIMIT = 90_000;
/** A token is renewed this long before it ends. */
const MARGIN = 30_000;

/**
 * Emits `signed-in` and `account` with the account, and `signed-out` with why: `asked` by the person, `ended` by
 * itself, or `replaced` by another account that has signed in in this browser.
 */
export function createApi(app) {
  const prefix = `openvalet.${app}.`;
  const key = `${prefix}session`;
  /** The server's id of this device's subscription to notifications, kept by `push.js`. */
  const push = `${prefix}push`;
  /** The account whose unsent changes stay here after its session ended. */
  const owner = `${prefix}owner`;
  const isOwners = (name) => [owner, `${prefix}outbox`, `${prefix}draft`].some((start) => name.startsWith(start));
  const events = createEvents();
  let session = recall(key);
  /** Ends with the session: what is answered later is for nobody. */
  let life = new AbortController();
  let isLeaving = false;

  function endLife(reason) {
    life.abort(new Ended(reason));
    life = new AbortController();
    events.emit('signed-out', reason);
  }

  /** Takes over what another tab has made of the session: newer tokens, its end, or that of another account. */
  function sync() {
    const before = session;
    session = recall(key);
    if (before?.account.id === session?.account.id) return;
    if (before) endLife(session ? 'replaced' : recall(owner) === undefined ? 'asked' : 'ended');
    if (session) events.emit('signed-in', session.account);
  }
  addEventListener('storage', (event) => (event.key === key || event.key === null) && sync());
  // A page that was put aside hears of nothing meanwhile.
  addEventListener('pageshow', sync);
  document.addEventListener('visibilitychange', sync);

  function keep(tokens, account = session?.account) {
    session = {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      expiresAt: Date.now() + tokens.expiresInSeconds * 1000,
      account,
    };
    remember(key, session);
  }

  /** What was not sent yet stays for the next time, unless the person is leaving by their own wish. */
  function end() {
    if (!session) return;
    if (!isLeaving) remember(owner, session.account.id);
    session = undefined;
    const isPushed = recall(push) !== undefined;
    forget(prefix, (name) => !isLeaving && isOwners(name));
    endLife(isLeaving ? 'asked' : 'ended');
    if (isPushed) import('./push.js').then(({ dropPush }) => dropPush(), () => {});
  }

  /**
   * A refresh token works once: two tabs must not use the same one. The request's key is stored first: it is repeated
   * if the answer is lost or the page closes.
   */
  async function renew(used) {
    await alone(`${key}.renewal`, async () => {
      sync();
      if (session?.accessToken !== used) return;
      const { signal } = life;
      session.renewal ??= uuid();
      remember(key, session);
      const body = { refreshToken: session.refreshToken };
      try {
        const tokens = await read(await exchange('POST', '/v1/sessions/refresh', { body, key: session.renewal, life: signal, anonymous: true }));
        sync();
        signal.throwIfAborted();
        keep(tokens);
      } catch (error) {
        if (!(error instanceof Problem) || error.isPassing) throw error;
        end();
        signal.throwIfAborted();
      }
    });
  }

  async function exchange(method, path, options) {
    const { body, raw, type, key: idempotencyKey, headers = {}, signal, life: ofSession, timeout, anonymous, onResponse } = options;
    const fields = { accept: 'application/json', 'accept-language': language(), ...headers };
    if (!anonymous && session) fields.authorization = `Bearer ${session.accessToken}`;
    if (idempotencyKey) fields['idempotency-key'] = idempotencyKey;
    if (raw) fields['content-type'] = type ?? raw.type;
    else if (body !== undefined) fields['content-type'] = 'application/json';
    const limit = AbortSignal.timeout(timeout ?? (raw ? PICTURE_TIME_LIMIT : TIME_LIMIT));
    const stops = [signal, ofSession].filter(Boolean);
    const askedAt = Date.now();
    try {
      const response = await fetch(path, {
        method,
        headers: fields,
        body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
        signal: AbortSignal.any([...stops, limit]),
        cache: 'no-store',
      });
      learnTime(response, askedAt);
      onResponse?.(response);
      return response;
    } catch (error) {
      for (const stop of stops) stop.throwIfAborted();
      throw new Offline(String(error));
    }
  }

  async function read(response) {
    if (response.ok) {
      if (response.status === 204) return undefined;
      const isJSON = response.headers.get('content-type')?.includes('json');
      try {
        return await (isJSON ? response.json() : response.blob());
      } catch (error) {
        // The line was cut within the answer.
        throw error instanceof Ended ? error : new Offline(String(error));
      }
    }
    let body = {};
    try {
      body = await response.json();
    } catch {
      // Something between us and the gateway answered.
    }
    throw new Problem(response.status, body);
  }

  /**
   * One call. Options: `body` (JSON), or `raw` (Blob) with `type`; `key` (idempotency key);
   * `headers`, `signal`, `timeout` in ms, `anonymous`; `onResponse` sees the answer's headers.
   * What is not anonymous fails with `Ended` once the session has ended, even when the answer is there, and is
   * never sent with a token of another account than the one that it began with.
   */
  async function call(method, path, options = {}) {
    if (options.anonymous) return read(await exchange(method, path, options));
    const { signal } = life;
    const asked = { ...options, life: signal };
    const used = await token();
    let response = await exchange(method, path, asked);
    if (response.status === 401 && used) {
      await renew(used);
      response = await exchange(method, path, asked);
    }
    const value = await read(response);
    sync();
    signal.throwIfAborted();
    return value;
  }

  /** A token of the account that is shown, good for some time yet; undefined when nobody is signed in. */
  async function token() {
    const { signal } = life;
    sync();
    if (session && session.expiresAt - MARGIN < Date.now()) await renew(session.accessToken);
    signal.throwIfAborted();
    return session?.accessToken;
  }

  return {
    app,
    events,
    get account() {
      return session?.account;
    },
    get isSignedIn() {
      return Boolean(session);
    },
    get isPushed() {
      return recall(push) !== undefined;
    },
    /** Whether the last session here ended by itself, and nobody has signed in since. */
    get hasEnded() {
      return !session && recall(owner) !== undefined;
    },
    /** For what is not a plain call. */
    token,
    renew: () => session && renew(session.accessToken),
    /** Whether it is somebody else's session that had ended here by itself. */
    begin(answer) {
      const account = answer.account ?? answer.customer;
      const last = recall(owner);
      if (last !== account.id) forget(prefix);
      keep(answer, account);
      events.emit('signed-in', session.account);
      return last !== undefined && last !== account.id;
    },
    setAccount(account) {
      if (session?.account.id !== account.id) return;
      session = { ...session, account };
      remember(key, session);
      events.emit('account', account);
    },
    async signOut() {
      isLeaving = true;
      const { signal } = life;
      try {
        if (session) await call('DELETE', '/v1/sessions/current', { timeout: 5_000 });
      } catch {
        // The tokens go from here all the same.
      }
      try {
        if (!signal.aborted) end();
      } finally {
        isLeaving = false;
      }
    },
    call,
    get: (path, options) => call('GET', path, options),
    put: (path, body, options) => call('PUT', path, { body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { body, ...options }),
    delete: (path, options) => call('DELETE', path, options),
    /** Safe to repeat: the server answers a repeated key with its first answer. */
    post: (path, body, options) => call('POST', path, { body, key: uuid(), ...options }),
  };
}

/** Which of an account's number and address is not confirmed yet; null when none is. */
export const unverified = (account) =>
  (account.phone && !account.phoneVerified ? 'phone' : account.emailVerified === false ? 'email' : null);

/** An address with its values escaped: escaped`/v1/orders/${id}`. */
export const escaped = (texts, ...values) => String.raw({ raw: texts }, ...values.map(encodeURIComponent));

/** Adds what is not null to an address, which may have some already. */
export function withQuery(path, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  // A plus is a plus in an address; only forms write a space so.
  return query.size ? `${path}${path.includes('?') ? '&' : '?'}${query}`.replaceAll('+', '%20') : path;
}
