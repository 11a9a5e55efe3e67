// The profile's card for paying stays without a booking automatically at the exit, with a saved card.

import { cardText } from '/apps/shared/cards.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { problemNotice, select, skeleton, toast } from '/apps/shared/ui.js';

const PATH = '/v1/me/auto-pay';
const METHODS = '/v1/me/payment-methods';

export function createAutoPay({ api, resources }) {
  async function put(paymentMethodId) {
    const entry = resources.get(PATH);
    try {
      Object.assign(entry, { value: await api.put(PATH, { paymentMethodId }), error: null });
      toast(t('action.saved'), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    resources.reload(PATH);
  }

  /** A card that has been deleted counts as none. */
  const content = ({ paymentMethodId }, { items }) =>
    !items.length
      ? h('p', { class: 'muted' }, t('autoPay.none'), ' ', h('a', { href: '#/cards' }, t('cards.title')))
      : select({
          id: 'autoPay',
          label: t('autoPay.card'),
          value: items.some(({ id }) => id === paymentMethodId) ? paymentMethodId : '',
          options: [['', t('autoPay.off')], ...items.map((card) => [card.id, cardText(card)])],
          onchange: ({ target }) => put(target.value || null),
        });

  return {
    draw() {
      const entries = [PATH, METHODS].map((path) => resources.get(path));
      const failed = entries.findIndex(({ value, error }) => !value && error);
      return h(
        'section',
        { class: 'card stack', key: 'auto-pay' },
        h('h2', null, t('autoPay.title')),
        h('p', { class: 'hint' }, t('autoPay.lead')),
        failed >= 0
          ? problemNotice(entries[failed].error, () => resources.reload([PATH, METHODS][failed]))
          : entries.every(({ value }) => value)
            ? content(...entries.map(({ value }) => value))
            : skeleton(2),
      );
    },
  };
}
