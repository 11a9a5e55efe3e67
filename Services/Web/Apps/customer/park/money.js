// Paying for a booking: the card, and calls that are never made twice.

import { Offline } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { choices, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { addCards, cardText, declined } from '../valet/pay.js';

const METHODS = '/v1/me/payment-methods';

/** Repeats a call whose answer was lost with the same key. */
export function createOnce(api) {
  let wish = {};
  return async (path, body) => {
    const text = JSON.stringify([path, body]);
    if (wish.text !== text) wish = { text, key: uuid() };
    try {
      const answer = await api.post(path, body, { key: wish.key, timeout: 40_000 });
      wish = {};
      return answer;
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) wish = {};
      throw error;
    }
  };
}

/** The price has changed: the new one is loaded, and the person confirms it with another tap. */
export const isOtherPrice = (error) => error?.code === 'booking.price_changed';

/** Why a payment or action failed, with the bank's reason if there is one. */
export function refusal(error, ...more) {
  if (!error) return null;
  if (isOtherPrice(error)) return notice('warning', t('problem.booking.price_changed'));
  return notice('danger', error.code === 'payment.declined' ? declined(error) : tProblem(error), ...more);
}

/** The card to pay with: `chosen()` is its id, null if there is none; `view()` chooses another, or adds one. */
export function createCards({ api, redraw, resources }) {
  let method = null;
  let isAdding = null;
  let problem = null;
  const methods = () => resources.get(METHODS);

  function chosen() {
    const items = methods().value?.items ?? [];
    return items.some(({ id }) => id === method) ? method : (items[0]?.id ?? null);
  }

  async function add(token) {
    [isAdding, problem] = [token, null];
    redraw();
    try {
      const added = await api.post(METHODS, { token });
      const entry = methods();
      if (entry.value && !entry.value.items.some(({ id }) => id === added.id))
        entry.value = { ...entry.value, items: [...entry.value.items, added] };
      method = added.id;
    } catch (error) {
      problem = error;
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
              method = id;
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
