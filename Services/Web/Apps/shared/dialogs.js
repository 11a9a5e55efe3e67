// Modal dialogs.

import { h } from './dom.js';
import { t } from './i18n.js';
import { button, focusHeading, iconButton } from './ui.js';

/** An open dialog has an entry in the browser's history, so that a phone's back button closes it. */
const stepBack = () =>
  new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    history.back();
  });
/** The last step back; the next dialog's entry waits for it. */
let back = Promise.resolve();
addEventListener('popstate', () => closeDialogs(history.state?.dialog ?? 0));

/**
 * A modal dialog: `content(close)` returns its elements. Resolves with the argument of `close`; undefined for Escape,
 * a tap outside and the back button.
 */
export function dialog(title, content, { look = '' } = {}) {
  return new Promise((resolve) => {
    const opener = /** @type {HTMLElement} */ (document.activeElement);
    const node = h('dialog', { class: `dialog ${look}`, 'aria-label': title });
    let answer;
    const close = (value) => {
      answer = value;
      node.close();
    };
    node.append(
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', null, title),
        iconButton('close', t('action.close'), () => close()),
      ),
      h('div', { class: 'dialog-body' }, content(close, node)),
    );
    // A drag from inside, for example over a text, that ends outside is no tap outside.
    let pressed = null;
    node.addEventListener('pointerdown', ({ target }) => (pressed = target));
    node.addEventListener('click', ({ target }) => target === node && pressed === node && close());
    node.addEventListener('close', async () => {
      node.remove();
      if (history.state?.dialog === node.place) await (back = stepBack());
      if (opener?.isConnected) opener.focus();
      else focusHeading(document);
      resolve(answer);
    });
    document.body.append(node);
    node.showModal();
    node.place = 0;
    back.then(() => node.open && history.pushState({ dialog: (node.place = Date.now()) }, ''));
  });
}

/** Closes all overlays, or those above the dialog with this index. */
export const closeDialogs = (place = -1) =>
  document.querySelectorAll('dialog[open]').forEach((node) => node.place > place && node.close());
addEventListener('hashchange', () => closeDialogs());

/** Yes or no; true for yes. */
export const confirm = (title, text, { yes = t('action.yes'), no = t('action.no'), look = 'primary' } = {}) =>
  dialog(title, (close) => [
    text ? h('p', null, text) : null,
    h(
      'div',
      { class: 'actions' },
      button(no, { onclick: () => close(false) }),
      button(yes, { look, onclick: () => close(true) }),
    ),
  ]).then(Boolean);
