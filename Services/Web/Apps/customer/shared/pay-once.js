// A card or wallet that pays once and isn't saved. Loaded with paying by card, which has its texts.

import { createCardForm } from '/apps/shared/card-form.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { t } from '/apps/shared/i18n.js';

/**
 * The fold with the form: `view(isShown, show)` draws it, and `show` is called when a person opens or closes it.
 * `price` returns what is to be paid. `token(path)` makes a token for a request to this path, and returns the same
 * one until `forget()`; `reset()` also forgets what was typed.
 */
export function createPayOnce({ api, redraw, resources }, price) {
  const form = createCardForm({ api, redraw, resources, amount: price });
  let made = {};
  const forget = () => (made = {});
  const view = (isShown, show) =>
    h(
      'details',
      {
        class: 'fold',
        key: 'pay-once',
        open: isShown,
        ontoggle: ({ currentTarget }) => currentTarget.open !== isShown && show(currentTarget.open),
      },
      h('summary', null, t('pay.once'), icon('next')),
      isShown ? form.view() : null,
    );
  return {
    view,
    forget,
    async token(path) {
      if (made.path !== path) made = { path, token: await form.token() };
      return made.token;
    },
    reset() {
      forget();
      form.reset();
    },
  };
}
