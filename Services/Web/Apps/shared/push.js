// Notifications while the app is closed: the browser's push service and ours (W3C Push API, VAPID).

import { recall, remember } from './storage.js';

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const key = (api) => `openvalet.${api.app}.push`;

/** `on`, `off`, `denied` or `unsupported`. */
export function pushState(api) {
  if (!canPush()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return recall(key(api)) && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks the person, then registers with the server; throws if the browser or the server refuses. */
export async function turnPushOn(api) {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return pushState(api);
  const { publicKey } = await api.get('/v1/push-key');
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = decoded(publicKey);
  const former = await pushManager.getSubscription();
  // A subscription is bound to the key it was made with.
  if (former && !isSame(new Uint8Array(former.options.applicationServerKey ?? []), applicationServerKey))
    await former.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await api.post('/v1/me/push-subscriptions', { endpoint, keys });
  remember(key(api), id);
  return pushState(api);
}

/** At each start: a subscription lasts as long as the session that last registered it. */
export async function renewPush(api) {
  if (pushState(api) !== 'on') return;
  try {
    await turnPushOn(api);
  } catch {
    // Retried at the next start.
  }
}

export async function turnPushOff(api) {
  const id = recall(key(api));
  if (id) await api.delete(`/v1/me/push-subscriptions/${encodeURIComponent(id)}`).catch(() => {});
  remember(key(api), undefined);
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return pushState(api);
}

/** At the end of a session, so that the next person doesn't get its notifications. */
export async function dropPush() {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  } catch {
    // If the browser's push service fails: our server sends nothing to an ended session.
  }
}

const isSame = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

function decoded(base64url) {
  const base64 = base64url.replace(/-/g, '+').replace(/_/g, '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
