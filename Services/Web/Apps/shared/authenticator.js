// Shown once when a second factor is set up: the secret for an authenticator app, and recovery codes.

import { h } from './dom.js';
import { t } from './i18n.js';
import { button, toast } from './ui.js';

/** Without access to the clipboard, there is no button. */
const copyButton = (text) =>
  navigator.clipboard
    ? button(t('factor.copy'), {
        onclick: () =>
          navigator.clipboard.writeText(text).then(
            () => toast(t('factor.copied'), 'success'),
            () => toast(t('factor.copy.failed'), 'danger'),
          ),
      })
    : null;

/** The secret in groups of four, as people type it. */
const grouped = (secret) => secret.match(/.{1,4}/g).join(' ');

/** A QR code to scan, a link for the same phone, and the secret to type. */
export const authenticator = ({ secret, uri, qrCode: { size, path: dark } }) =>
  h(
    'div',
    { class: 'stack', key: 'authenticator' },
    h('p', null, t('factor.totp.scan')),
    h(
      'svg',
      {
        class: 'qr small',
        viewBox: `0 0 ${size} ${size}`,
        role: 'img',
        'aria-label': t('factor.totp.qr'),
        'shape-rendering': 'crispEdges',
      },
      h('path', { d: dark }),
    ),
    h('p', null, h('a', { href: uri }, t('factor.totp.open'))),
    h('p', { class: 'hint' }, t('factor.totp.type')),
    h('p', { class: 'secret numbers' }, grouped(secret)),
    h('div', { class: 'row wrap' }, copyButton(secret)),
  );

/** `done` is called once the person has saved them. */
export const recoveryCodes = (codes, done) => {
  const text = codes.join('\n');
  return h(
    'div',
    { class: 'stack', key: 'recovery' },
    h('p', null, t('factor.codes.lead')),
    h(
      'ul',
      { class: 'recovery-codes numbers', 'aria-label': t('factor.codes') },
      codes.map((code) => h('li', { key: code }, code)),
    ),
    h(
      'div',
      { class: 'row wrap' },
      copyButton(text),
      h(
        'a',
        {
          class: 'button',
          href: `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`,
          download: 'openvalet-recovery-codes.txt',
        },
        t('factor.codes.save'),
      ),
      button(t('factor.codes.print'), { onclick: () => print() }),
    ),
    button(t('factor.codes.kept'), { look: 'primary', wide: true, onclick: done }),
  );
};
