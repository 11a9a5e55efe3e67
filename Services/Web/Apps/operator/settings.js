// The signed-in person, language, installation, sign-out.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { installButton } from '/apps/shared/shell.js';
import { languagePicker } from '/apps/shared/forms.js';
import { button, facts } from '/apps/shared/ui.js';
import { api } from './context.js';
import { head, section } from './parts.js';
import { createPayoutRules } from './payout-rules.js';

export function settingsScreen() {
  const payoutRules = createPayoutRules();
  return { title: () => t('op.nav.settings'), view: () => view(payoutRules) };
}

const view = (payoutRules) => [
  head(t('op.nav.settings')),
  h(
    'div',
    { class: 'narrow stack' },
    section(
      t('op.account'),
      { id: 'account' },
      facts([
        [t('op.name'), `${api.account?.firstName ?? ''} ${api.account?.lastName ?? ''}`.trim()],
        [t('account.phone'), api.account?.phone],
      ]),
      h(
        'div',
        { class: 'row wrap' },
        h('a', { class: 'button', href: '#/settings/profile' }, icon('user'), t('op.account.more')),
        button(t('auth.signOut'), { icon: 'exit', onclick: () => api.signOut() }),
      ),
    ),
    section(
      t('op.business'),
      { id: 'business' },
      h('p', { class: 'muted' }, t('op.business.text')),
      h(
        'div',
        { class: 'row wrap' },
        h('a', { class: 'button', href: '#/settings/company' }, icon('info'), t('op.business.company')),
        h('a', { class: 'button', href: '#/settings/taxes' }, icon('receipt'), t('op.business.taxes')),
      ),
    ),
    payoutRules.draw(),
    section(
      t('op.app'),
      { id: 'app' },
      languagePicker(),
      h('p', { class: 'muted' }, t('op.app.text')),
      h(
        'div',
        { class: 'row wrap' },
        installButton(),
        h('a', { class: 'button', href: '/openapi.yaml' }, t('app.api')),
      ),
    ),
  ),
];
