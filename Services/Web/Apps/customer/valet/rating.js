// One rating for everyone who served an order.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { fullName, t, tProblem } from '/apps/shared/i18n.js';
import { starInput } from '/apps/shared/forms.js';
import { avatar } from '/apps/shared/people.js';
import { button, field, notice, toast } from '/apps/shared/ui.js';

/** The rating that is being given to the order `order`; `isOpen` while one that was given may be changed. */
export const createOpinion = (app) => ({ app, order: null });

function begin(opinion, order, given) {
  if (opinion.order === order.id) return;
  Object.assign(opinion, {
    order: order.id,
    stars: given?.stars ?? null,
    comment: given?.comment ?? '',
    isBusy: false,
    problem: null,
    isOpen: !given,
  });
}

function set(opinion, change) {
  Object.assign(opinion, change);
  opinion.app.redraw();
}

/** Null if nobody served it, or if it isn't finished. */
export function rate(opinion, order) {
  const valets = valetsOf(order);
  if (!valets.length || order.status !== 'finished') return null;
  const given = opinion.app.store.value.rated[order.id];
  begin(opinion, order, given);
  return given && !opinion.isOpen ? thanks(opinion, given) : form(opinion, order, valets);
}

/** Each once. */
export const valetsOf = ({ dropOffValet, returnValet }) =>
  [dropOffValet, returnValet].filter(
    (valet, i, all) => valet && all.findIndex((other) => other?.id === valet.id) === i,
  );

const thanks = (opinion, { stars }) =>
  notice(
    'success',
    t('rate.thanks', { stars: t('rating.stars', { count: stars }) }),
    button(t('rate.change'), { look: 'quiet', onclick: () => set(opinion, { isOpen: true }) }),
  );

const form = (opinion, order, valets) =>
  h(
    'form',
    {
      class: 'card rate',
      key: 'rate',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        send(opinion, order);
      },
    },
    h(
      'div',
      { class: 'row' },
      valets.map((valet) => avatar(valet)),
      h('h2', { class: 'grow' }, t('rate.title', { names: valets.map(fullName).join(t('rate.and')) })),
    ),
    starInput({ value: opinion.stars, onchange: (stars) => set(opinion, { stars, problem: null }) }),
    opinion.stars
      ? field({
          id: 'comment',
          label: t('rate.comment'),
          isOptional: true,
          multiline: true,
          maxlength: 1000,
          value: opinion.comment,
          oninput: ({ target }) => (opinion.comment = target.value),
        })
      : null,
    opinion.problem ? h('p', { class: 'error', role: 'alert' }, opinion.problem) : null,
    button(t('rate.send'), { type: 'submit', look: 'primary', wide: true, isBusy: opinion.isBusy }),
  );

async function send(opinion, { id }) {
  const { outbox, store } = opinion.app;
  if (!opinion.stars) return set(opinion, { problem: t('rate.missing') });
  set(opinion, { isBusy: true, problem: null });
  const comment = opinion.comment.trim();
  const body = { stars: opinion.stars, ...(comment ? { comment } : {}) };
  try {
    const { queued } = await outbox.perform({
      method: 'PUT',
      path: escaped`/v1/orders/${id}/rating`,
      body,
      label: t('tap.rate'),
      subject: id,
    });
    store.setRated(id, body);
    opinion.isOpen = false;
    if (queued) toast(t('state.queued'));
  } catch (error) {
    opinion.problem = tProblem(error);
  }
  return set(opinion, { isBusy: false });
}
