// What is done with a car park: it is opened, closed and removed; its gates and pictures are changed.

import { escaped } from '/apps/shared/api.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { confirm } from '/apps/shared/dialogs.js';
import { toast } from '/apps/shared/ui.js';
import { sendPicture } from '/apps/shared/pictures.js';
import { api, redraw } from '../context.js';
import { closeDialog, gateDialog, occupancyDialog, productDialog, tokenDialog } from './dialogs.js';

/** Runs one action at a time, and shows why it failed. */
async function act(screen, name, task) {
  if (screen.busy) return;
  screen.busy = name;
  redraw();
  try {
    await task();
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  screen.busy = null;
  redraw();
}

export const open = (screen) =>
  act(screen, 'open', async () => {
    const { admin, park } = screen;
    park.value = await api.put(`${admin}/status`, { status: 'open' });
    toast(t('op.park.opened'), 'success');
  });

export async function remove(screen) {
  const { admin } = screen;
  const isSure = await confirm(t('op.park.remove.sure'), t('op.park.remove.text'), {
    yes: t('op.park.remove'),
    no: t('action.keep'),
    look: 'danger',
  });
  if (!isSure) return;
  act(screen, 'remove', async () => {
    await api.delete(admin);
    toast(t('op.park.removed'), 'success');
    go('/car-parks');
  });
}

// MARK: Changes by a dialog

export const close = async ({ admin, park }) => (await closeDialog(admin)) && park.reload();
export const count = async ({ admin, park }) => (await occupancyDialog(admin, park.value)) && park.reload();
export const editProduct = async ({ admin, park }, product) =>
  (await productDialog(admin, park.value.currency, product)) && park.reload();

// MARK: Gates

export async function addGate({ id, gates }) {
  const made = await gateDialog(id);
  if (!made) return;
  gates.reload();
  tokenDialog(made.name, made.token);
}

export async function rotateToken(screen, { id, name }) {
  const isSure = await confirm(t('op.gate.rotate.sure', { name }), t('op.gate.rotate.text'), {
    yes: t('op.gate.rotate'),
    no: t('action.cancel'),
    look: 'danger',
  });
  if (!isSure) return;
  act(screen, id, async () => tokenDialog(name, (await api.post(escaped`/v1/admin/gates/${id}/token`)).token));
}

// MARK: Pictures

export const addPhoto = (screen, blob) =>
  act(screen, 'photo', async () => {
    const { admin, park } = screen;
    park.value = await sendPicture(api, `${admin}/photos`, blob);
  });

export const putFirst = (screen, park, src) => arrange(screen, src, park, [src, ...without(park, src)]);

export async function removePhoto(screen, park, src, number) {
  const isSure = await confirm(t('op.park.photo.remove.sure', { number }), '', {
    yes: t('op.park.photo.remove', { number }),
    no: t('action.keep'),
    look: 'danger',
  });
  if (isSure) arrange(screen, src, park, without(park, src));
}

const without = ({ photos }, src) => photos.filter((other) => other !== src);

const arrange = (screen, src, { version }, photos) =>
  act(screen, src, async () => {
    const { admin, park } = screen;
    park.value = await api.put(`${admin}/photos`, { photos }, { headers: { 'If-Match': `"${version}"` } });
  });
