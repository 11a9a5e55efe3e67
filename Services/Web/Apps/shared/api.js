// The gateway's HTTP API: tokens, renewal, problems, timeouts.

import { alone, forget, recall, remember } from './storage.js';
import { learnTime } from './clock.js';
import { language } from './i18n.js';
import { createEvents } from './state.js';
import { uuid } from './dom.js';

/** Codes of the previous release. */
const RENAMED = {
  'account.order_unfinished': 'account.engagement_open',
  'payment.order_unknown': 'payment.bill_unknown',
  'plates.order_unknown': 'plates.engagement_unknown',
  'rating.order_unknown': 'rating.engagement_unknown',
};

/** An RFC 9457 problem: `code` is stable, `field` names the wrong field. */
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

/** No answer: no network, or the server is down. */
export class Offline extends Error {}

/** The session has ended meanwhile, so the answer is dropped. `reason` as in the event `signed-out`. */
export class Ended extends Error {
  constructor(reason) {
    super('The session has ended.');
    this.code = 'account.session_ended';
    this.reason = reason;
  }
}

const TIME_LIMIT = 20_000;
const PICTURE_TIME_LIMIT = 90_000;
/** A token is renewed this long before it expires, in ms. */
const MARGIN = 30_000;

async function exchange(method, path, options) {
  const { body, raw, type, key, headers, signal, life, timeout, accessToken, onResponse } = options;
  const fields = { accept: 'application/json', 'accept-language': language(), ...headers };
  if (accessToken) fields.authorization = `Bearer ${accessToken}`;
  if (key) fields['idempotency-key'] = key;
  if (raw) fields['content-type'] = type ?? raw.type;
  else if (body !== undefined) fields['content-type'] = 'application/json';
  const stops = [signal, life].filter(Boolean);
  // `AbortSignal.any` is younger than the oldest browsers that we support.
  const line = new AbortController();
  stops.push(/** @type {TimedSignals} */ (AbortSignal).timeout(timeout ?? (raw ? PICTURE_TIME_LIMIT : TIME_LIMIT)));
  for (const stop of stops) {
    const cut = () => line.abort(stop.reason);
    if (stop.aborted) cut();
    stop.addEventListener('abort', cut, { signal: line.signal });
  }
  const askedAt = Date.now();
  try {
    const response = await fetch(path, {
      method,
      headers: fields,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: line.signal,
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
      // The connection broke within the answer.
      throw error instanceof Ended ? error : new Offline(String(error));
    }
  }
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A proxy between us and the gateway answered.
  }
  throw new Problem(response.status, body);
}

const tokensOf = ({ accessToken, refreshToken, expiresInSeconds }) => ({
  accessToken,
  refreshToken,
  expiresAt: Date.now() + expiresInSeconds * 1000,
  renewal: undefined,
});

/**
 * The session of this browser, in all its tabs: `now` is what is stored, or undefined; `life` is aborted when it ends,
 * so that later answers are dropped.
 */
function createSession(app, events) {
  const prefix = `openvalet.${app}.`;
  const key = `${prefix}session`;
  /** The server's id of this device's subscription to notifications, kept by `push.js`. */
  const push = `${prefix}push`;
  /** The account whose unsent changes stay after its session ended. */
  const owner = `${prefix}owner`;
  const isOwners = (name) => [owner, `${prefix}outbox`, `${prefix}draft`].some((start) => name.startsWith(start));
  const session = {
    key,
    now: recall(key),
    life: new AbortController(),
    isLeaving: false,
    isPushed: () => recall(push) !== undefined,
    lastOwner: () => recall(owner),
    store,
    sync,
    begin,
    end,
  };

  function endLife(reason) {
    session.life.abort(new Ended(reason));
    session.life = new AbortController();
    events.emit('signed-out', reason);
  }

  /** Takes another tab's change of the session: newer tokens, its end, or another account. */
  function sync() {
    const before = session.now;
    session.now = recall(key);
    if (before?.account.id === session.now?.account.id) return;
    if (before) endLife(session.now ? 'replaced' : session.lastOwner() === undefined ? 'asked' : 'ended');
    if (session.now) events.emit('signed-in', session.now.account);
  }
  addEventListener('storage', (event) => (event.key === key || event.key === null) && sync());
  // A frozen page gets no storage events.
  addEventListener('pageshow', sync);
  document.addEventListener('visibilitychange', sync);

  function store(change) {
    session.now = { ...session.now, ...change };
    remember(key, session.now);
  }

  /** Returns whether the session that had ended by itself was another account's. */
  function begin(answer) {
    const account = answer.account ?? answer.customer;
    const last = session.lastOwner();
    if (last !== account.id) forget(prefix);
    store({ ...tokensOf(answer), account });
    events.emit('signed-in', account);
    return last !== undefined && last !== account.id;
  }

  /** Keeps unsent changes for the next time, unless the person signed out. */
  function end() {
    if (!session.now) return;
    const { isLeaving } = session;
    if (!isLeaving) remember(owner, session.now.account.id);
    session.now = undefined;
    const isPushed = session.isPushed();
    forget(prefix, (name) => !isLeaving && isOwners(name));
    endLife(isLeaving ? 'asked' : 'ended');
    if (isPushed)
      import('./push.js').then(
        ({ dropPush }) => dropPush(),
        () => {},
      );
  }

  return session;
}

/**
 * A refresh token works once: two tabs must not use the same one. The request's key is stored first, to repeat it
 * if the answer is lost or the page closes.
 */
const renew = (session, used) =>
  alone(`${session.key}.renewal`, async () => {
    session.sync();
    if (session.now?.accessToken !== used) return;
    const { signal } = session.life;
    session.store({ renewal: session.now.renewal ?? uuid() });
    const body = { refreshToken: session.now.refreshToken };
    try {
      const tokens = await read(
        await exchange('POST', '/v1/sessions/refresh', { body, key: session.now.renewal, life: signal }),
      );
      session.sync();
      signal.throwIfAborted();
      session.store(tokensOf(tokens));
    } catch (error) {
      if (!(error instanceof Problem) || error.isPassing) throw error;
      session.end();
      signal.throwIfAborted();
    }
  });

/**
 * Emits `signed-in` and `account` with the account, and `signed-out` with the reason: `asked` by the person, `ended` by
 * itself, or `replaced` by another account that signed in in this browser.
 */
export function createApi(app) {
  const events = createEvents();
  const session = createSession(app, events);

  /**
   * One call. Options: `body` (JSON), or `raw` (Blob) with `type`; `key` (idempotency key);
   * `headers`, `signal`, `timeout` in ms, `anonymous`; `onResponse` sees the answer's headers.
   * Unless anonymous, it fails with `Ended` once the session has ended, even if the answer has arrived, and is
   * never sent with another account's token.
   */
  async function call(method, path, options = {}) {
    if (options.anonymous) return read(await exchange(method, path, options));
    const { signal } = session.life;
    const ask = (accessToken) => exchange(method, path, { ...options, life: signal, accessToken });
    const used = await token();
    let response = await ask(used);
    if (response.status === 401 && used) {
      await renew(session, used);
      response = await ask(session.now?.accessToken);
    }
    return read(response).finally(() => {
      session.sync();
      signal.throwIfAborted();
    });
  }

  /** A token of the present account, valid for some time; undefined if signed out. */
  async function token() {
    const { signal } = session.life;
    session.sync();
    if (session.now && session.now.expiresAt - MARGIN < Date.now()) await renew(session, session.now.accessToken);
    signal.throwIfAborted();
    return session.now?.accessToken;
  }

  function setAccount(account) {
    if (session.now?.account.id !== account.id) return;
    session.store({ account });
    events.emit('account', account);
  }

  async function signOut() {
    session.isLeaving = true;
    const { signal } = session.life;
    // The tokens are deleted all the same.
    if (session.now) await call('DELETE', '/v1/sessions/current', { timeout: 5_000 }).catch(() => {});
    try {
      if (!signal.aborted) session.end();
    } finally {
      session.isLeaving = false;
    }
  }

  return {
    app,
    events,
    get account() {
      return session.now?.account;
    },
    get isSignedIn() {
      return Boolean(session.now);
    },
    get isPushed() {
      return session.isPushed();
    },
    /** Whether the last session ended by itself, and nobody has signed in since. */
    get hasEnded() {
      return !session.now && session.lastOwner() !== undefined;
    },
    /** For requests other than plain calls. */
    token,
    renew: () => session.now && renew(session, session.now.accessToken),
    begin: session.begin,
    setAccount,
    signOut,
    call,
    get: (path, options) => call('GET', path, options),
    put: (path, body, options) => call('PUT', path, { body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { body, ...options }),
    delete: (path, options) => call('DELETE', path, options),
    /** Safe to repeat: the server repeats its first answer to a key. */
    post: (path, body, options) => call('POST', path, { body, key: uuid(), ...options }),
  };
}

/** The account's unconfirmed contact: `phone` or `email`; null if none. */
export const unverified = (account) =>
  account.phone && !account.phoneVerified ? 'phone' : account.emailVerified === false ? 'email' : null;

/** A path with its values escaped: escaped`/v1/orders/${id}`. */
export const escaped = (texts, ...values) => String.raw({ raw: texts }, ...values.map(encodeURIComponent));

/** Adds non-null values to a path's query. */
export function withQuery(path, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  // Only forms encode a space as a plus.
  const text = String(query).replaceAll('+', '%20');
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path;
}
