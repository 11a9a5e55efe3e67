// A form for the code that a gate shows, or the reference on the notice of a fine: with the plate, it opens the stay or
// the fine.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { createForm, plateField } from '/apps/shared/forms.js';
import { button, field, toast } from '/apps/shared/ui.js';

/** `what` is `stay` or `fine`, and `path` the list to load again. */
export function createPlateCode({ api, redraw, resources }, what, path) {
  const form = createForm(redraw);
  const send = form.submit(async ({ plate, code }) => {
    const { isProven } = await api.post('/v1/me/plate-proofs', { plate: plate.trim(), code: code.trim() });
    resources.reload(path);
    toast(t(isProven ? 'plateCode.proven' : 'plateCode.opened'), 'success');
  });
  return () =>
    h(
      'section',
      { class: 'card stack', key: 'plate-code' },
      h('h2', null, t(`plateCode.${what}`)),
      h('p', { class: 'hint' }, t(`plateCode.${what}.lead`)),
      form.view(
        { class: 'stack', onsubmit: send },
        plateField({
          id: 'plate',
          label: t('plateCode.plate'),
          required: true,
          maxlength: 20,
          error: form.errors.plate,
        }),
        field({
          id: 'code',
          label: t('plateCode.code'),
          autocomplete: 'off',
          autocapitalize: 'characters',
          spellcheck: 'false',
          required: true,
          maxlength: 20,
          error: form.errors.code,
        }),
        button(t('plateCode.send'), { type: 'submit', isBusy: form.isBusy }),
      ),
    );
}
