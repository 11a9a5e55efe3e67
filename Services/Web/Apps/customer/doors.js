// The screens of a signed-out person, and the confirmation of a number or address. Loaded on demand.

import { createAuth, createVerification } from '/apps/shared/auth.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { t } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';

export const create = ({ api, onwards, redraw }) => ({
  auth: createAuth(api, { role: 'customer', redraw, canSignUp: true, home: onwards, aside: openToAll }),
  verification: createVerification(api, { redraw, done: () => go(onwards(), true) }),
});

const openToAll = () =>
  [
    ['park', 'parking', 'menu.park'],
    ['places', 'pin', 'tab.places'],
  ].map(([to, name, label]) => h('a', { class: 'button wide', href: `#/${to}`, key: to }, icon(name), t(label)));
