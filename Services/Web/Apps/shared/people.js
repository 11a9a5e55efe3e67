// People as others see them: photos and stars; and other pictures by signed URLs.

import { h } from './dom.js';
import { t } from './i18n.js';
import { icon } from './icons.js';
import { pictureEvents } from './ui.js';

/** URLs that failed, and pictures requested again since they were last seen. */
const gone = new Set();
const renewed = new Set();

/** A picture by a signed URL, valid for minutes: a new one is requested once, with `instead()` meanwhile. */
export function picture(src, instead, props = {}) {
  if (gone.has(src)) return instead();
  const [name] = src.split('?');
  const onerror = ({ target }) => {
    // It may have been redrawn: the visible picture counts.
    if (!target.isConnected) return undefined;
    target.replaceWith(instead());
    if (renewed.has(name)) return void gone.add(src);
    renewed.add(name);
    return pictureEvents.emit('expired');
  };
  return h('img', { src, key: src, alt: '', ...props, onerror, onload: () => renewed.delete(name) });
}
export const noPicture = () => h('span', { class: 'photo-blank' }, icon('camera'));

export function avatar(person, size = 'medium') {
  const initials = () =>
    h(
      'span',
      { class: `avatar ${size}`, 'aria-hidden': 'true' },
      `${person?.firstName?.[0] ?? ''}${person?.lastName?.[0] ?? ''}`.toUpperCase() || icon('user'),
    );
  return person?.photoURL ? picture(person.photoURL, initials, { class: `avatar ${size}` }) : initials();
}

/** Shows stars; `value` is null for a person without ratings. */
export function rating(value) {
  if (value === null || value === undefined) return h('span', { class: 'rating muted' }, t('rating.none'));
  return h(
    'span',
    { class: 'rating' },
    icon('star'),
    h('span', { 'aria-label': t('rating.of5', { value: value.toFixed(1) }), role: 'img' }, value.toFixed(1)),
  );
}
