// Keeps the apps on the device and shows push messages. One worker serves all three apps. The server prepends
// `VERSION`, of all files, and `FILES`, the paths of pages and files.

/** One per version, filled completely before it is used. */
const CACHE = `openvalet-${VERSION}`;
/** Viewed streets, for use offline: some screens full. */
const STREETS = 'openvalet-streets';
const MOST_STREETS = 600;

self.addEventListener('install', (event) => event.waitUntil(fill()));

/** Files of two versions don't fit together: an incomplete fill is retried at the next update check. */
async function fill() {
  const answers = await Promise.all(FILES.map((file) => fetch(file)));
  if (!answers.every(({ ok, headers }) => ok && headers.get('openvalet-web-version') === VERSION))
    throw new Error(`${VERSION} is not whole.`);
  const cache = await caches.open(CACHE);
  await Promise.all(answers.map((answer, i) => cache.put(FILES[i], answer)));
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE && name !== STREETS) await caches.delete(name);
      await self.clients.claim();
      for (const client of await self.clients.matchAll({ type: 'window' }))
        client.postMessage({ type: 'active', version: VERSION });
    })(),
  );
});

/** The person wants the new version now; pages of the old one reload when they lose nothing by it. */
self.addEventListener('message', ({ data }) => data?.type === 'update' && self.skipWaiting());

/** Timeout of a fetch, in ms. A browser activates a new version only after its predecessor's fetches have ended. */
const FETCH_TIME = 20_000;
const fetched = (request) => fetch(request, { signal: /** @type {TimedSignals} */ (AbortSignal).timeout(FETCH_TIME) });

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== self.location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(kept(pathname, event.request));
  else if (pathname === '/tiles') event.respondWith(latest(event));
  else if (pathname.startsWith('/tiles/')) event.respondWith(street(event));
});

/** The list of maps: from the server, or the last one. */
async function latest(event) {
  try {
    const answer = await fetched(event.request);
    if (answer.ok) keepLater(event, answer);
    return answer;
  } catch (error) {
    const known = await found(event.request);
    if (known) return known;
    throw error;
  }
}

/** A tile's URL has its version, so a stored one stays valid. */
async function street(event) {
  const known = await found(event.request);
  if (known) return known;
  const answer = await fetched(event.request);
  if (answer.status === 200) keepLater(event, answer);
  return answer;
}

/** The stored answer; none if the device has no storage. */
const found = (request) =>
  caches
    .open(STREETS)
    .then((cache) => cache.match(request))
    .catch(() => undefined);

/** In the background; a full device still shows streets. */
function keepLater(event, answer) {
  event.waitUntil(keep(event.request, answer.clone()).catch(() => {}));
}

async function keep(request, answer) {
  const cache = await caches.open(STREETS);
  await cache.put(request, answer);
  // The index has no version in its URL, and stays.
  const all = (await cache.keys()).filter(({ url }) => new URL(url).search);
  for (const old of all.slice(0, Math.max(0, all.length - MOST_STREETS))) await cache.delete(old);
}

/** From the device, so that an app opens at once and offline; a browser may have deleted it. */
async function kept(pathname, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(pathname, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

async function show(data) {
  let message;
  try {
    message = data.json();
  } catch {
    message = { title: 'OpenValet', body: data?.text() ?? '', url: '/' };
  }
  await self.registration.showNotification(message.title, {
    body: message.body,
    lang: message.language,
    icon: '/apps/shared/icons/customer-192.png',
    badge: '/apps/shared/icons/customer-192.png',
    // A newer message on the same subject replaces the older one.
    tag: message.subject?.id ?? message.kind,
    renotify: Boolean(message.subject ?? message.kind),
    data: { url: message.url },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openApp(event.notification.data ?? {}));
});

async function openApp({ url = '/' }) {
  const target = new URL(url, self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const same = windows.find((client) => new URL(client.url).pathname === target.pathname);
  if (!same) return self.clients.openWindow(target.href);
  same.postMessage({ type: 'open', hash: target.hash });
  return same.focus();
}
