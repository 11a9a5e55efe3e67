// The postal address of an account.

import { run } from './account-parts.js';
import { countries } from './countries.js';
import { h } from './dom.js';
import { region, t } from './i18n.js';
import { button, field, select, toast } from './ui.js';

export function addressCard(account) {
  const { api, address: form, busy } = account;
  const { address } = api.account;
  const line = (id, token, maxlength, props = {}) =>
    field({
      id,
      label: t(`me.address.${id}`),
      value: address?.[id] ?? '',
      autocomplete: token,
      maxlength,
      error: form.errors[id],
      ...props,
    });
  return h(
    'section',
    { class: 'card stack', key: 'address' },
    h('h2', null, t('me.address')),
    form.view(
      { onsubmit: form.submit((values) => saveAddress(api, values)) },
      line('street', 'address-line1', 200, { required: true }),
      h(
        'div',
        { class: 'pair' },
        line('postalCode', 'postal-code', 16, { isOptional: true }),
        line('city', 'address-level2', 80, { required: true }),
      ),
      select({
        id: 'country',
        label: t('me.address.country'),
        options: countries(),
        value: address?.country ?? region(),
        autocomplete: 'country',
        error: form.errors.country,
      }),
      h(
        'div',
        { class: 'row wrap' },
        button(t('action.save'), { type: 'submit', isBusy: form.isBusy }),
        address
          ? button(t('me.address.remove'), {
              look: 'quiet',
              onclick: () => run(account, 'address', async () => api.setAccount(await api.delete('/v1/me/address'))),
              isBusy: busy.address,
            })
          : null,
      ),
    ),
  );
}

async function saveAddress(api, { street, postalCode, city, country }) {
  api.setAccount(await api.put('/v1/me/address', { street, postalCode: postalCode || null, city, country }));
  toast(t('action.saved'), 'success');
}
