// The profile's card for an alert about a day's parking costs.

import { amountOf } from '/apps/shared/amounts.js';
import { h } from '/apps/shared/dom.js';
import { minorUnits, money, t } from '/apps/shared/i18n.js';
import { createForm } from '/apps/shared/forms.js';
import { button, field, problemNotice, skeleton, toast } from '/apps/shared/ui.js';

const PATH = '/v1/me/spending-alert';

export function createSpending({ api, redraw, resources, store }) {
  const form = createForm(redraw, { 'perDay.amount': 'perDay', 'perDay.currency': 'currency' });

  async function put(perDay) {
    const entry = resources.get(PATH);
    Object.assign(entry, { value: await api.put(PATH, { perDay }), error: null });
    resources.reload(PATH);
    toast(t('action.saved'), 'success');
  }

  const save = form.submit(({ perDay, currency }) => {
    const code = currency.trim().toUpperCase();
    if (!/^[A-Z]{3}$/.test(code)) form.refuse({ currency: t('spending.currency.wrong') });
    const amount = amountOf(perDay, code);
    if (!(amount > 0)) form.refuse({ perDay: t('spending.wrong') });
    return put({ amount, currency: code });
  });

  const remove = form.submit(() => put(null));

  function content({ perDay }) {
    const code = perDay?.currency ?? store.value.areas?.[0]?.properties.currency ?? '';
    return [
      perDay ? h('p', { role: 'status' }, t('spending.on', { amount: money(perDay) })) : null,
      form.view(
        { class: 'stack', key: 'spending', onsubmit: save },
        h(
          'div',
          { class: 'pair' },
          field({
            id: 'perDay',
            label: t('spending.perDay'),
            inputmode: 'decimal',
            autocomplete: 'off',
            required: true,
            value: perDay ? String(perDay.amount / minorUnits(perDay.currency)) : '',
            error: form.errors.perDay,
          }),
          field({
            id: 'currency',
            label: t('spending.currency'),
            autocomplete: 'off',
            autocapitalize: 'characters',
            spellcheck: 'false',
            required: true,
            maxlength: 3,
            value: code,
            error: form.errors.currency,
          }),
        ),
        button(t('action.save'), { type: 'submit', isBusy: form.isBusy }),
      ),
      perDay
        ? h(
            'form',
            { key: 'none', onsubmit: remove },
            button(t('spending.off'), { type: 'submit', look: 'quiet', isBusy: form.isBusy }),
          )
        : null,
    ];
  }

  return {
    draw() {
      const { value, error } = resources.get(PATH);
      return h(
        'section',
        { class: 'card stack', key: 'spending-alert' },
        h('h2', null, t('spending.title')),
        h('p', { class: 'hint' }, t('spending.lead')),
        value ? content(value) : error ? problemNotice(error, () => resources.reload(PATH)) : skeleton(2),
      );
    },
  };
}
