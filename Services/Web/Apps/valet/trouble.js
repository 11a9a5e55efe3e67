// Problems of a job: giving it back, and a customer who does not come.

import { serverNow } from '/apps/shared/clock.js';
import { h, render } from '/apps/shared/dom.js';
import { go } from '/apps/shared/shell.js';
import { confirm, dialog } from '/apps/shared/dialogs.js';
import { button, field, notice, toast } from '/apps/shared/ui.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { step, tap } from './store.js';

const REASONS = ['vehicle', 'customer', 'unsafe', 'late', 'other'];
const LONGEST_REASON = 300;

/** Gives a job back, with a reason that operators read. */
export async function askWhy(order) {
  let chosen = null;
  let error = null;
  const reason = await dialog(t('withdraw.title'), (close) => {
    const holder = h('div');
    const send = (event) => {
      event.preventDefault();
      const words = String(new FormData(event.currentTarget).get('words') ?? '').trim();
      error = !chosen ? t('withdraw.choose') : chosen === 'other' && !words ? t('form.required') : null;
      if (error) return draw();
      return close([chosen === 'other' ? null : t(`withdraw.${chosen}`), words].filter(Boolean).join(': '));
    };
    const draw = () =>
      render(
        holder,
        h(
          'form',
          { class: 'stack', onsubmit: send, novalidate: true },
          h('p', null, t('withdraw.text')),
          h(
            'fieldset',
            { class: 'reasons' },
            h('legend', { class: 'visually-hidden' }, t('withdraw.why')),
            REASONS.map((name) =>
              h(
                'label',
                { class: 'reason', key: name },
                h('input', {
                  type: 'radio',
                  name: 'reason',
                  value: name,
                  checked: chosen === name,
                  onchange: () => {
                    chosen = name;
                    draw();
                  },
                }),
                h('span', null, t(`withdraw.${name}`)),
              ),
            ),
          ),
          chosen
            ? field({
                id: 'words',
                label: t('withdraw.words'),
                isOptional: chosen !== 'other',
                multiline: true,
                maxlength: LONGEST_REASON,
              })
            : null,
          error ? notice('danger', error) : null,
          h(
            'div',
            { class: 'actions' },
            button(t('action.keep'), { onclick: () => close() }),
            button(t('do.withdraw'), { look: 'danger', type: 'submit' }),
          ),
        ),
      );
    draw();
    return holder;
  });
  if (!reason) return;
  try {
    if (await tap(order, 'withdraw', { reason }, t('do.withdraw'))) toast(t('withdraw.done'), 'success');
    go('/');
  } catch (problem) {
    toast(tProblem(problem), 'danger');
  }
}

export async function reportAbsence(order, own, redraw) {
  if (!(await confirm(t('absent.title'), t('absent.text'), { yes: t('do.absent'), look: 'danger' }))) return;
  own.isBusy = true;
  redraw();
  try {
    await step(order, 'customer-absent', { reason: t('absent.reason') });
    toast(t('absent.done'), 'success');
    go('/');
  } catch (error) {
    // The server decides: it may have recorded the arrival later than this phone.
    if (error.code === 'order.waiting') own.absentAt = serverNow() + (error.retryAfterSeconds ?? 30) * 1_000;
    toast(tProblem(error), 'danger');
  }
  own.isBusy = false;
  redraw();
}
