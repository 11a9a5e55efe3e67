// What lifts are, told in a few steps on the first visit.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { recall, remember } from '/apps/shared/storage.js';
import { button, iconButton } from '/apps/shared/ui.js';

const SEEN = 'openvalet.customer.lift.introduced';
const STEPS = 3;

/** Returns its view, which is null once it was seen. */
export function createIntroduction(redraw) {
  let step = recall(SEEN) ? null : 0;
  const move = (by) => () => {
    step += by;
    redraw();
  };
  const finish = () => {
    step = null;
    remember(SEEN, true);
    redraw();
  };
  return () =>
    step === null
      ? null
      : h(
          'section',
          { class: 'card stack', key: 'intro', 'aria-labelledby': 'lift-intro' },
          h(
            'div',
            { class: 'row between' },
            h('h2', { id: 'lift-intro' }, t(`lift.intro.${step + 1}`)),
            iconButton('close', t('lift.intro.skip'), finish),
          ),
          h('p', { 'aria-live': 'polite' }, t(`lift.intro.${step + 1}.text`)),
          h(
            'div',
            { class: 'row between' },
            h('span', { class: 'muted small numbers' }, t('lift.intro.step', { step: step + 1, count: STEPS })),
            h(
              'div',
              { class: 'row' },
              step ? button(t('action.back'), { look: 'quiet', onclick: move(-1) }) : null,
              step + 1 < STEPS
                ? button(t('lift.intro.next'), { onclick: move(1) })
                : button(t('lift.intro.done'), { look: 'primary', onclick: finish }),
            ),
          ),
        );
}
