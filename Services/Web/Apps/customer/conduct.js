// Reporting and blocking people, for all products; loaded on demand.

import { h, render, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { loadTexts, t, tProblem } from '/apps/shared/i18n.js';
import { confirm, dialog } from '/apps/shared/dialogs.js';
import { createForm } from '/apps/shared/forms.js';
import { button, field, select, toast, toggle } from '/apps/shared/ui.js';

await loadTexts('/apps/shared/texts/conduct');

const REASONS = ['behaviour', 'fraud', 'safety', 'spam', 'other'];
const LONGEST = 1_000;

/**
 * Asks what was wrong with `person`, `{ id, firstName }`, in `subject`, `{ product, id }` or nothing; resolves with
 * true once the report is sent.
 */
export async function reportPerson(api, person, subject) {
  const [name, key] = [person.firstName, uuid()];
  let isBlocking = false;
  const isSent = await dialog(t('report.title', { name }), (close) => {
    const box = h('div', { class: 'stack' });
    const send = async ({ reason, text }) => {
      await api.post('/v1/reports', { person: person.id, subject, reason, text: text.trim() || undefined }, { key });
      close(true);
    };
    const draw = () =>
      render(
        box,
        h('p', null, t('report.lead', { name })),
        form.view(
          { class: 'stack', onsubmit: form.submit(send) },
          select({
            id: 'reason',
            label: t('report.reason'),
            options: REASONS.map((reason) => [reason, t(`report.reason.${reason}`)]),
            error: form.errors.reason,
          }),
          field({
            id: 'text',
            label: t('report.text'),
            multiline: true,
            isOptional: true,
            maxlength: LONGEST,
            rows: 4,
            error: form.errors.text,
          }),
          toggle({
            id: 'block',
            label: t('report.block', { name }),
            isOn: isBlocking,
            onchange: (isOn) => {
              isBlocking = isOn;
              draw();
            },
          }),
          button(t('report.send'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
        ),
      );
    const form = createForm(draw);
    draw();
    return box;
  });
  if (!isSent) return false;
  toast(t('report.done'), 'success');
  if (isBlocking) await blocked(api, person);
  return true;
}

/** Asks whether to block `person`, `{ id, firstName }`; resolves with true if they were blocked. */
export async function blockPerson(api, person) {
  const name = person.firstName;
  const isSure = await confirm(t('block.title', { name }), t('block.text', { name }), {
    yes: t('block.yes'),
    no: t('action.cancel'),
    look: 'danger',
  });
  return isSure && blocked(api, person);
}

async function blocked(api, person) {
  try {
    await api.put(escaped`/v1/me/blocks/${person.id}`);
  } catch (error) {
    toast(tProblem(error), 'danger');
    return false;
  }
  toast(t('block.done', { name: person.firstName }), 'success');
  return true;
}
