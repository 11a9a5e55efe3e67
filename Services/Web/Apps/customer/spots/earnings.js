// A seller's balance and payouts.

import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { age } from '../shared/entries.js';
import { createOnce } from '../shared/once.js';
import { refusal } from '../shared/payment.js';

const BALANCE = '/v1/me/balance';
const PAYOUTS = '/v1/me/payouts';
const TONES = { paid: 'success', failed: 'danger', processing: 'warning' };

export function createEarnings({ api, redraw, resources }) {
  const once = createOnce(api);
  let busy = null;
  let problem = null;

  async function payOut({ available }) {
    [busy, problem] = [available.currency, null];
    redraw();
    try {
      await once(PAYOUTS, { currency: available.currency });
      toast(t('spots.payout.done'), 'success');
    } catch (error) {
      problem = error;
    }
    busy = null;
    [BALANCE, PAYOUTS].forEach(resources.reload);
  }

  const purse = (one) =>
    h(
      'section',
      { class: 'card stack', key: one.available.currency },
      h(
        'div',
        { class: 'row between' },
        h('span', null, t('spots.available')),
        h('span', { class: 'strong numbers' }, money(one.available)),
      ),
      one.pending.amount
        ? h(
            'div',
            { class: 'row between muted' },
            h('span', null, t('spots.pending')),
            h('span', { class: 'numbers' }, money(one.pending)),
          )
        : null,
      button(t('spots.payout'), {
        look: 'primary',
        wide: true,
        isBusy: busy === one.available.currency,
        disabled: one.available.amount <= 0,
        onclick: () => payOut(one),
      }),
    );

  const line = ({ id, amount, status, reason, createdAt }) =>
    h(
      'li',
      { class: 'card row between', key: id },
      h(
        'div',
        null,
        h('p', { class: 'strong numbers' }, money(amount)),
        h('p', { class: 'muted small' }, dateTime(createdAt), reason ? ` · ${reason}` : ''),
      ),
      badge(t(`spots.payout.${status}`), TONES[status]),
    );

  function content() {
    const balance = resources.get(BALANCE);
    const payouts = resources.list(PAYOUTS);
    if (!balance.value)
      return balance.error ? problemNotice(balance.error, () => resources.reload(BALANCE)) : skeleton(4);
    const { currencies } = balance.value;
    return [
      age(balance),
      currencies.length ? currencies.map(purse) : h('p', { class: 'muted', key: 'none' }, t('spots.earnings.none')),
      refusal(problem),
      payouts.value?.items.length
        ? [
            h('h2', { key: 'payouts' }, t('spots.payouts')),
            h('ul', { class: 'list', key: 'list', 'aria-label': t('spots.payouts') }, payouts.value.items.map(line)),
          ]
        : null,
    ];
  }

  return {
    draw: () => ({ title: t('spots.earnings'), view: screen(t('spots.earnings'), { back: '/spots' }, content()) }),
  };
}
