// Notes of several screens: steps that wait for the network, and a position that does not reach the server.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { button } from '/apps/shared/ui.js';
import { duration, t } from '/apps/shared/i18n.js';
import { position, retryPosition, SILENCE } from './store.js';
import { unsent } from './photos.js';

/** Lists the steps that wait for the network. */
export function waitingNote({ waiting }, subject) {
  const mine = subject ? waiting.filter((item) => item.subject === subject) : waiting;
  const pictures = unsent(subject).length;
  if (!mine.length)
    return pictures
      ? h(
          'p',
          { class: 'notice warning', role: 'status', key: 'unsent' },
          icon('camera'),
          h('span', null, t('photos.unsent', { count: pictures })),
        )
      : null;
  return h(
    'div',
    { class: 'notice warning', role: 'status', key: 'waiting' },
    icon('clock'),
    h(
      'div',
      null,
      h('p', { class: 'strong' }, t('state.waiting', { count: mine.length })),
      h(
        'ul',
        null,
        mine.map(({ id, label }) => h('li', { key: id }, label)),
      ),
    ),
  );
}

/** A warning that the server gets no position of the valet; null while it does, or need not. */
export function signalLost({ now, onShiftSince, current }) {
  const silentFor = now - (position.sentAt ?? onShiftSince ?? now);
  if (silentFor <= SILENCE) return null;
  const time = duration(Math.floor(silentFor / 60_000) * 60);
  return h(
    'div',
    { class: 'notice warning', key: 'silence' },
    icon('alert'),
    h(
      'div',
      null,
      h('span', { class: 'visually-hidden', role: 'status' }, t('position.lost')),
      h('p', null, t(current ? 'position.silent.job' : 'position.silent', { time })),
      button(t('action.retry'), { look: 'quiet', onclick: retryPosition }),
    ),
  );
}
