// A job that is done or was taken from the valet: what became of it, and the rating of the customer.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import { starInput } from '/apps/shared/forms.js';
import { button, empty, facts, field, notice } from '/apps/shared/ui.js';
import { fullName, reasonText, t, time } from '/apps/shared/i18n.js';
import { escaped } from '/apps/shared/api.js';
import { recall, remember } from '/apps/shared/storage.js';
import { api, state } from './store.js';
import { cashButton } from './cash.js';
import { placeText, vehicleText } from './jobs.js';

const RATED = 'openvalet.valet.rated';

export function overView(job) {
  const { order, at } = job;
  const home = () => button(t('do.home'), { look: 'primary', onclick: () => go('/') });
  if (at === 'lost') return empty('info', t('job.lost'), t('job.lost.text'), home());
  if (at === 'ended') return empty('close', t('job.ended'), reasonText(order), home());
  const { vehicle, parked } = order;
  const isBack = at === 'handedBack';
  return h(
    'div',
    { class: 'stack', key: 'over' },
    h(
      'div',
      { class: 'done' },
      h('span', { class: 'done-mark' }, icon('check')),
      h(
        'p',
        null,
        t(isBack ? 'job.handedBack.text' : 'job.parked.text', {
          time: time((isBack ? order.returnedAt : order.parkedAt) ?? order.createdAt),
        }),
      ),
    ),
    facts([
      [t('vehicle.plate'), vehicle?.plate],
      [t('vehicle'), vehicleText(vehicle)],
      ...(isBack
        ? []
        : [
            [t('job.place'), placeText(parked, t)],
            [t('parked.keyTag'), parked?.keyTag],
          ]),
    ]),
    isBack ? cashButton(order) : null,
    order.status === 'finished' ? ratingForm(job) : isBack ? notice('neutral', t('rate.later')) : null,
    state.value.current ? null : h('a', { class: 'button primary big wide', href: '#/' }, t('do.next')),
  );
}

const rated = () => recall(RATED) ?? [];

function ratingForm(job) {
  const { order, rating } = job;
  if (rated().includes(order.id)) return notice('success', t('rate.done'));
  const send = async ({ comment }) => {
    await api.put(escaped`/v1/orders/${order.id}/rating`, { stars: job.stars, comment: comment.trim() || undefined });
    remember(RATED, [...rated(), order.id].slice(-200));
  };
  return rating.view(
    { key: 'rating', class: 'card stack', onsubmit: rating.submit(send) },
    h('h2', null, t('rate.title', { name: fullName(order.customer) })),
    starInput({
      value: job.stars,
      onchange: (stars) => {
        job.stars = stars;
        job.redraw();
      },
    }),
    job.stars
      ? [
          field({ id: 'comment', label: t('rate.comment'), isOptional: true, multiline: true, maxlength: 1000 }),
          button(t('rate.send'), { look: 'primary', type: 'submit', wide: true, isBusy: rating.isBusy }),
        ]
      : null,
  );
}
