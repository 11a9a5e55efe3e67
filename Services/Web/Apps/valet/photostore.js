// Photos that wait, kept by the browser (IndexedDB) until they are sent: a phone may kill a page that shows its camera.

import { storageEvents } from '/apps/shared/storage.js';

const NAME = 'openvalet.valet';
const PHOTOS = 'photos';

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened;
async function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(PHOTOS, { keyPath: 'id' });
  return settled(request);
}

/** Rejects when the browser can store nothing, or nothing more. */
async function act(mode, name, ...values) {
  opened ??= open();
  const transaction = (await opened).transaction(PHOTOS, mode);
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const [value] = await Promise.all([settled(transaction.objectStore(PHOTOS)[name](...values)), done]);
  return value;
}

/** Stores the photo, `{ id, account, at, blob, … }`; resolves with whether that worked. */
export async function keepPhoto(photo) {
  try {
    await act('readwrite', 'put', photo);
    return true;
  } catch {
    storageEvents.emit('refused');
    return false;
  }
}

export const dropPhoto = (id) => act('readwrite', 'delete', id).catch(() => {});

/** Oldest first. */
export const keptPhotos = () =>
  act('readonly', 'getAll').then(
    (photos) => photos.sort((a, b) => a.at - b.at),
    () => [],
  );
