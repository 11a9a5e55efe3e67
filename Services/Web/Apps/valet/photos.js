// Photos of a vehicle: shrunk on the phone, kept there until they are sent, one after the other, with retries.

import { Ended, Offline, Problem, escaped } from '/apps/shared/api.js';
import { uuid } from '/apps/shared/dom.js';
import { shrinkPicture } from '/apps/shared/shrink-picture.js';
import { createState } from '/apps/shared/state.js';
import { dropPhoto, keepPhoto, keptPhotos } from './photostore.js';
import { api, live, outbox, position } from './store.js';

/** Longer side in pixels; a plate is readable well below it. */
const SIZE = { longest: 2_000, quality: 0.86 };
const TIME_LIMIT = 90_000;
/** The most photos of one order, as on the server. */
export const MOST = 40;

/** Photos that this phone has not sent yet, or has sent since the page was loaded; others come from the server. */
export const photos = createState({ list: [] });

const change = (id, values) =>
  photos.set(({ list }) => ({ list: list.map((photo) => (photo.id === id ? { ...photo, ...values } : photo)) }));
const find = (id) => photos.value.list.find((photo) => photo.id === id);

export const photosOf = (order, moment) =>
  photos.value.list.filter((photo) => photo.order === order && photo.moment === moment);
/** Unsent photos of one order, or of all. */
export const unsent = (order) =>
  photos.value.list.filter(
    (photo) => (!order || photo.order === order) && ['waiting', 'sending', 'failed'].includes(photo.status),
  );
addEventListener('beforeunload', (event) => unsent().some(({ isKept }) => !isKept) && event.preventDefault());

/** Adds the camera's files; returns those that are readable pictures. */
export async function addPhotos(order, moment, files) {
  const added = [];
  for (const file of [...files].slice(0, MOST)) {
    const here = position.last;
    const place = here && { latitude: here.latitude, longitude: here.longitude };
    const photo = { id: uuid(), key: uuid(), account: api.account.id, order, moment, place, at: Date.now() };
    photos.set(({ list }) => ({ list: [...list, { ...photo, status: 'preparing', progress: 0, url: null }] }));
    let blob;
    try {
      blob = await shrinkPicture(file, SIZE);
    } catch {
      change(photo.id, { status: 'unreadable' });
      continue;
    }
    const isKept = await keepPhoto({ ...photo, blob });
    change(photo.id, { blob, url: URL.createObjectURL(blob), status: 'waiting', isKept });
    added.push(find(photo.id));
  }
  sendNext();
  return added;
}

export function removePhoto(id) {
  const photo = find(id);
  if (photo?.url) URL.revokeObjectURL(photo.url);
  dropPhoto(id);
  photos.set(({ list }) => ({ list: list.filter((it) => it.id !== id) }));
}

export function retryPhoto(id) {
  change(id, { status: 'waiting', error: null, progress: 0 });
  sendNext();
}

/** Drops all photos when the person signs out, also unsent ones. */
export const forgetPhotos = () => photos.value.list.forEach(({ id }) => removePhoto(id));

/** Resumes photos that an earlier page could not send, and drops those of other accounts. */
export async function restorePhotos() {
  const me = api.account.id;
  const kept = await keptPhotos();
  if (api.account?.id !== me) return;
  for (const { id, account } of kept) if (account !== me) dropPhoto(id);
  const mine = kept
    .filter(({ id, account }) => account === me && !find(id))
    .map((photo) => ({ ...photo, status: 'waiting', progress: 0, url: URL.createObjectURL(photo.blob), isKept: true }));
  photos.set(({ list }) => ({ list: [...mine, ...list.filter(({ account }) => account === me)] }));
  retryAll();
}

/** Whether a retry may succeed: without network, server or session, which may come back. */
const mayPass = (error) =>
  error instanceof Offline ||
  error instanceof Ended ||
  (error instanceof Problem && (error.isPassing || error.status === 401));

/** Retries photos whose error may have passed. */
function retryAll() {
  if (!api.isSignedIn) return;
  for (const photo of photos.value.list)
    if (photo.status === 'failed' && mayPass(photo.error)) change(photo.id, { status: 'waiting' });
  sendNext();
}
addEventListener('online', retryAll);
live.events.on('open', retryAll);
outbox.events.on('sent', retryAll);

let isSending = false;
async function sendNext() {
  const photo = photos.value.list.find(({ status, account }) => status === 'waiting' && account === api.account?.id);
  if (isSending || !photo) return;
  isSending = true;
  change(photo.id, { status: 'sending', progress: 0 });
  try {
    const answer = await upload(photo);
    change(photo.id, { status: 'sent', progress: 1, remote: answer.id });
    dropPhoto(photo.id);
  } catch (error) {
    change(photo.id, { status: 'failed', error });
  }
  isSending = false;
  sendNext();
}

/** Sends a photo with its key, so that the server does not store it twice when an answer was lost. */
async function upload(photo) {
  const query = new URLSearchParams({ moment: photo.moment, ...photo.place });
  const path = `${escaped`/v1/orders/${photo.order}/photos`}?${query}`;
  const send = async () =>
    post(path, photo.blob, photo.key, await api.token(), (progress) => change(photo.id, { progress }));
  const first = await send();
  if (first.status !== 401) return read(first);
  await api.renew();
  return read(await send());
}

function read({ status, body }) {
  if (status >= 200 && status < 300) return body;
  throw new Problem(status, body);
}

/** XMLHttpRequest reports the progress of an upload; fetch does not. */
function post(path, blob, key, token, onprogress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.timeout = TIME_LIMIT;
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('idempotency-key', key);
    request.setRequestHeader('content-type', blob.type);
    request.upload.onprogress = ({ loaded, total }) => onprogress(total ? loaded / total : 0);
    request.onload = () => {
      let body = {};
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // Something between us and the gateway answered.
      }
      resolve({ status: request.status, body });
    };
    request.onerror = request.ontimeout = () => reject(new Offline('The photo was not sent.'));
    request.send(blob);
  });
}

/** Asks the recogniser to read a photo. */
export const recognise = (photo) =>
  api.call('POST', escaped`/v1/plates/recognitions?orderId=${photo.order}`, {
    raw: photo.blob,
    key: photo.recognitionKey ?? uuid(),
  });
