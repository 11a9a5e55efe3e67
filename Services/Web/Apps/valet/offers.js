// A job offered to the valet: shown over every screen, since its time is short.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import { button } from '/apps/shared/ui.js';
import { distance, minutes, t } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';
import { answerOffer, state } from './store.js';

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;
let isBusy = false;

/** Seconds left, as a ring that closes. */
const ring = (left, whole) =>
  h(
    'div',
    { class: 'ring', role: 'timer', 'aria-label': t('offer.left', { seconds: left }) },
    h(
      'svg',
      { viewBox: '0 0 60 60', 'aria-hidden': 'true' },
      h('circle', { class: 'ring-ground', cx: 30, cy: 30, r: RADIUS }),
      h('circle', {
        class: 'ring-left',
        cx: 30,
        cy: 30,
        r: RADIUS,
        'stroke-dasharray': ROUND,
        'stroke-dashoffset': ROUND * (1 - left / whole),
        transform: 'rotate(-90 30 30)',
      }),
    ),
    h('span', { 'aria-hidden': 'true' }, left),
  );

export function offerCard(redraw) {
  const { offers, now, position } = state.value;
  const offer = offers.find((it) => !it.deadline || it.deadline > now);
  if (!offer) return null;
  const left = offer.deadline ? Math.max(0, Math.ceil((offer.deadline - now) / 1_000)) : null;
  const answer = (isYes) => async () => {
    if (isBusy) return;
    isBusy = true;
    redraw();
    const isTaken = await answerOffer(offer, isYes);
    isBusy = false;
    if (isTaken) go(`/orders/${offer.order}`);
    redraw();
  };
  return h(
    'section',
    { class: 'offer', key: `offer-${offer.order}`, 'aria-label': t('offer.title') },
    h(
      'div',
      { class: 'offer-card' },
      h(
        'div',
        { class: 'row' },
        h(
          'div',
          { class: 'grow' },
          h(
            'p',
            { class: 'offer-kind', role: 'alert' },
            icon(offer.leg === 'return' ? 'key' : 'car'),
            t(`offer.${offer.leg}`),
          ),
          h('p', { class: 'offer-place' }, offer.meetingPoint.address ?? t('offer.noAddress')),
          h(
            'p',
            { class: 'muted numbers' },
            [minutes(offer.etaSeconds), position && distance(metersBetween(position, offer.meetingPoint)), offer.ticket]
              .filter(Boolean)
              .join(' · '),
          ),
        ),
        left === null ? null : ring(Math.min(left, Math.ceil(offer.seconds)), offer.seconds),
      ),
      h(
        'div',
        { class: 'offer-answers' },
        button(t('offer.decline'), { onclick: answer(false), disabled: isBusy }),
        button(t('offer.accept'), { look: 'primary big', icon: 'check', onclick: answer(true), isBusy }),
      ),
    ),
  );
}
