// Paying by card: the saved cards, adding one, and why a payment failed. Loaded on demand, with its texts.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { hasText, loadTexts, t, tProblem } from '/apps/shared/i18n.js';
import { button, choices, notice, problemNotice, skeleton } from '/apps/shared/ui.js';

await loadTexts('/apps/shared/texts/pay');

export const METHODS = '/v1/me/payment-methods';

/** The price has changed: the new one is loaded, and the person confirms it with another tap. */
export const isOtherPrice = (error) => error?.code === 'booking.price_changed';

/** Why a payment or action failed, with the bank's reason if there is one. */
export function refusal(error, ...more) {
  if (!error) return null;
  if (isOtherPrice(error)) return notice('warning', t('problem.booking.price_changed'));
  return notice('danger', error.code === 'payment.declined' ? declined(error) : tProblem(error), ...more);
}

/**
 * The card to pay with: `chosen()` is its id, null if there is none; `view()` chooses another, or adds one. `onchange`
 * is called when another card is chosen; `onproblem` gets the error of a card that can't be added, to show it
 * elsewhere.
 */
export function createCards({ api, redraw, resources }, { onchange = () => {}, onproblem = null } = {}) {
  let method = null;
  let isAdding = null;
  let problem = null;
  const methods = () => resources.get(METHODS);
  const tell = onproblem ?? ((error) => (problem = error));
  const choose = (id) => {
    method = id;
    onchange();
  };

  function chosen() {
    const items = methods().value?.items ?? [];
    return items.some(({ id }) => id === method) ? method : (items[0]?.id ?? null);
  }

  async function add(token) {
    isAdding = token;
    tell(null);
    redraw();
    try {
      const added = await api.post(METHODS, { token });
      const entry = methods();
      if (entry.value && !entry.value.items.some(({ id }) => id === added.id))
        entry.value = { ...entry.value, items: [...entry.value.items, added] };
      choose(added.id);
    } catch (error) {
      tell(error);
    }
    isAdding = null;
    redraw();
  }

  function view() {
    const { value, error } = methods();
    if (!value) return error ? problemNotice(error, () => resources.reload(METHODS)) : skeleton(2);
    return h(
      'div',
      { class: 'stack tight', key: 'cards' },
      value.items.length
        ? choices({
            name: 'method',
            label: t('pay.card'),
            value: chosen(),
            options: value.items.map((card) => [card.id, cardText(card)]),
            onchange: (id) => {
              choose(id);
              redraw();
            },
          })
        : h('p', { class: 'muted' }, t('pay.noCard')),
      addCards(resources.get('/v1/payment-provider', { anonymous: true }), {
        add,
        busy: isAdding,
        isFirst: !value.items.length,
      }),
      refusal(problem),
    );
  }

  return { chosen, view };
}

const names = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', unionpay: 'UnionPay' };
export const cardText = ({ brand, last4 }) => `${names[brand] ?? brand} •••• ${last4}`;

/** Ways to add a card: test cards if the server's provider moves no money, otherwise an explanation. */
export function addCards({ value, error }, { add, busy, isFirst }) {
  if (!value) return error ? h('p', { class: 'muted small' }, t('cards.unknownProvider')) : null;
  if (!value.testMethods.length) return h('p', { class: 'muted small' }, t('cards.elsewhere'));
  return h(
    'details',
    { class: 'fold', key: 'add-card', open: isFirst },
    h('summary', null, t('cards.add'), icon('next')),
    h(
      'div',
      { class: 'stack tight' },
      h('p', { class: 'muted small' }, t('cards.stub')),
      value.testMethods.map(({ token, outcome, brand, last4 }) =>
        button(t(`cards.${outcome}`, { card: cardText({ brand, last4 }) }), {
          key: token,
          isBusy: busy === token,
          onclick: () => add(token),
        }),
      ),
    ),
  );
}

/** The provider's reason, which is the problem's detail, in the person's language. */
export const declined = ({ body }) =>
  hasText(`declined.${body.detail}`) ? t(`declined.${body.detail}`) : t('declined.other');
