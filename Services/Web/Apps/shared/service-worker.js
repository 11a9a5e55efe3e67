// Keeps the apps on the device and shows what is pushed. One worker serves all three apps.

const CACHE = 'openvalet-1';
/** How long the network may take before the copy on the device is shown, in ms. */
const PATIENCE = 4_000;
const PAGES = ['/', '/valet', '/operator'];

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

/** The page says which app it is: its files and the shared ones are kept whole, so that it opens offline. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'keep') event.waitUntil(keepWhole(event.data.app));
});

async function keepWhole(app) {
  const cache = await caches.open(CACHE);
  const index = await (await fetch('/apps/index.json')).json();
  const wanted = index.files.filter((file) => file.startsWith('shared/') || file.startsWith(`${app}/`)).map((file) => `/apps/${file}`);
  const page = app === 'customer' ? '/' : `/${app}`;
  // Without a network what is there stays.
  await Promise.allSettled([page, ...wanted, '/leaflet/leaflet.css', '/leaflet/leaflet.esm.js'].map(async (url) => {
    const answer = await fetch(url);
    if (answer.ok) await cache.put(url, answer);
  }));
}

const isOurs = (url) =>
  url.origin === self.location.origin && (PAGES.includes(url.pathname) || /^\/(apps|leaflet)\//.test(url.pathname));

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || !isOurs(url)) return;
  event.respondWith(fromNetworkFirst(event.request, url));
});

/** The network's answer when it comes in time, else the copy: nobody works with yesterday's app by accident. */
async function fromNetworkFirst(request, url) {
  const cache = await caches.open(CACHE);
  const network = fetch(request).then((answer) => {
    if (answer.ok) cache.put(url.pathname, answer.clone());
    return answer;
  });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  // A server that is away, and the word of a proxy before it, are no better than no network.
  const usable = network.then((answer) => (answer.status < 500 ? answer : null), () => null);
  const first = await Promise.race([usable, late]);
  if (first) return first;
  return (await cache.match(url.pathname)) ?? network;
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
    // A newer word about the same thing replaces the older one.
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
