// The offer that a seller is making: what they chose, and sending it. `page` is the screen of sell.js.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { minorUnits } from '/apps/shared/i18n.js';
import { sendPicture } from '/apps/shared/pictures.js';
import { go } from '/apps/shared/shell.js';
import { freshFix } from '../shared/fresh-position.js';

/** Until the seller leaves, and until an auction closes; in minutes. */
export const LEAVING = [5, 10, 15, 30, 60];
const CLOSING = [3, 5, 10];
const MINUTE = 60_000;

export const newChoice = () => ({ sale: 'fixed', leaving: 10, closing: 3 });

/** An auction closes before the seller leaves. */
export const closingsOf = ({ leaving }) => CLOSING.filter((count) => count <= leaving);

export function choose(page, change) {
  const choice = { ...page.choice, ...change };
  page.choice = { ...choice, closing: Math.min(choice.closing, Math.max(...closingsOf(choice))) };
  page.app.redraw();
}

export async function addPhoto(page, blob) {
  const { api, redraw } = page.app;
  Object.assign(page, { isSending: true, problem: null });
  redraw();
  try {
    page.photo = await sendPicture(api, '/v1/me/spot-photos', blob);
  } catch (error) {
    page.problem = error;
  }
  page.isSending = false;
  redraw();
}

/** Sends the offer under the terms at this place. */
export const send = (page, { currency, policy }) =>
  page.form.submit(async ({ price, size, meter, ...values }) => {
    const { app, once, vehicle } = page;
    const here = await freshFix();
    await app.api.put('/v1/me/location', here);
    const { choice, photo } = page;
    const isFree = policy.sale !== 'allowed';
    const now = serverNow();
    const isoIn = (count) => new Date(now + count * MINUTE).toISOString();
    const optional = (name) => values[name]?.trim() || undefined;
    const spot = await once('/v1/spots', {
      position: { latitude: here.latitude, longitude: here.longitude },
      accuracyMeters: Math.min(100, here.accuracyMeters ?? 100),
      price: isFree ? 0 : Math.round(Number(price) * minorUnits(currency)),
      leavesAt: isoIn(choice.leaving),
      sale: isFree ? 'fixed' : choice.sale,
      ...(choice.sale === 'auction' && !isFree ? { closesAt: isoIn(choice.closing) } : {}),
      ...(Number(size) ? { sizeMeters: Number(size) } : {}),
      ...(meter ? { meterPaidUntil: new Date(meter).toISOString() } : {}),
      permit: optional('permit'),
      restrictions: optional('restrictions'),
      note: optional('note'),
      ...(photo ? { photoId: photo.id } : {}),
      vehicleId: vehicle.chosen(),
    });
    Object.assign(page, { choice: newChoice(), photo: null });
    app.changed();
    go(escaped`/spots/${spot.id}`, true);
  });
