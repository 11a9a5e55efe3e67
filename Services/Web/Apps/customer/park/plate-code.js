// Codes for a vehicle's stays and fines: the one that a gate shows, the reference on the notice of a fine, and that of
// an invitation. Each works only with its plate.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { createForm, plateField } from '/apps/shared/forms.js';
import { button, field, toast } from '/apps/shared/ui.js';

export const PROOFS = '/v1/me/plate-proofs';
/** Resources that a code may change. */
const OPENED = [PROOFS, '/v1/me/parking-sessions', '/v1/me/fines'];

/** How often, and at which interval in ms, the server is asked whether car parks know a vehicle that was just added. */
const TRIES = 10;
const PACE = 1_000;
/**
 * The vehicle's proof, once car parks know of the vehicle; throws if that takes too long. A code that is entered
 * earlier proves nothing, or counts as a wrong one.
 */
export async function knownProof(api, id, pace = PACE) {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { items } = await api.get(PROOFS);
    const proof = items.find(({ vehicleId }) => vehicleId === id);
    if (proof) return proof;
    await new Promise((resolve) => setTimeout(resolve, pace));
  }
  throw Object.assign(new Error(), { code: 'vehicle.unknown' });
}

/** Enters a code, and says what it has opened. Resolves with the answer. */
export async function enterCode({ api, resources }, plate, code) {
  const opened = await api.post(PROOFS, { plate: plate.trim(), code: code.trim() });
  OPENED.forEach(resources.reload);
  toast(t(`plateCode.${wordOf(opened)}`), 'success');
  return opened;
}

/** The key of the text about what was opened. */
export const wordOf = ({ isProven, fine, session }) =>
  isProven ? (session || fine ? 'proven' : 'shared') : fine ? 'openedFine' : 'opened';

export const codeField = (form, props = {}) =>
  field({
    id: 'code',
    label: t('plateCode.code'),
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    required: true,
    maxlength: 20,
    error: form.errors.code,
    ...props,
  });

/** A form for a plate and the code of a `stay` or a `fine`. */
export function createPlateCode(park, what) {
  const form = createForm(park.redraw);
  let count = 0;
  const send = form.submit(async ({ plate, code }) => {
    await enterCode(park, plate, code);
    count += 1;
  });
  return () =>
    h(
      'section',
      { class: 'card stack', key: `plate-code-${count}` },
      h('h2', null, t(`plateCode.${what}`)),
      h('p', { class: 'hint' }, t(`plateCode.${what}.lead`)),
      form.view(
        { class: 'stack', onsubmit: send },
        plateField({
          id: 'plate',
          label: t('plateCode.plate'),
          required: true,
          error: form.errors.plate,
        }),
        codeField(form),
        button(t('plateCode.send'), { type: 'submit', isBusy: form.isBusy }),
      ),
    );
}
