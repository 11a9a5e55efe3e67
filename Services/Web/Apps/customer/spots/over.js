// A spot that was handed over, or is no longer available: the unpaid amount, the dispute, the rating, and conduct.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { recall, remember } from '/apps/shared/storage.js';
import { starInput } from '/apps/shared/forms.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { button, field, notice } from '/apps/shared/ui.js';
import { owedBill } from '../shared/owed.js';
import { refusal } from '../shared/payment.js';
import { pathOf } from './status.js';
import { keep } from './steps.js';

/** Stars given on this device, by spot; and the number of spots for which they are stored. */
const RATED = 'openvalet.customer.spots.rated';
const KEPT = 200;

/** `request` is the person's own for this spot. */
export function over(page, spot, request) {
  const bill = request && page.app.owedFor(request);
  return [
    notice(spot.status === 'handedOver' ? 'success' : 'neutral', t(`spots.over.${spot.status}`)),
    bill ? owedBill(page, bill, 'spots.owed') : null,
    request && !bill && spot.status === 'handedOver' && spot.price.amount
      ? h(
          'a',
          { class: 'button', href: `#${escaped`/receipts/bill/${request.id}`}`, key: 'receipt' },
          t('receipt.open'),
        )
      : null,
    dispute(page, spot),
    spot.status === 'handedOver' ? opinion(page, spot) : null,
    spot.reservation?.other ? conduct(page.app, spot) : null,
    bill ? null : refusal(page.state.problem),
  ];
}

// MARK: Dispute

const dispute = (page, { id, dispute: one, isMine }) =>
  one &&
  h(
    'section',
    { class: 'card stack', key: 'dispute' },
    h('h2', null, t('spots.dispute')),
    one.note ? h('p', null, one.note) : null,
    one.photoURL ? picture(one.photoURL, noPicture, { class: 'photo-large', alt: t('spots.dispute.photo') }) : null,
    one.answer ? h('p', { class: 'muted' }, t('spots.dispute.answered', { text: one.answer })) : null,
    one.outcome ? notice('neutral', t(`spots.dispute.${one.outcome}`), h('p', null, one.decision)) : null,
    isMine && !one.answer && !one.outcome ? answerForm(page, id) : null,
  );

function answerForm(page, id) {
  const { app, form } = page;
  const send = async ({ text }) => {
    keep(page, await app.api.post(`${pathOf(id)}/answer`, { text: text.trim() }));
    app.changed();
  };
  return form.view(
    { class: 'stack', onsubmit: form.submit(send) },
    field({
      id: 'text',
      label: t('spots.dispute.answer'),
      multiline: true,
      required: true,
      maxlength: 300,
      error: form.errors.text,
    }),
    button(t('spots.dispute.send'), { type: 'submit', wide: true, isBusy: form.isBusy }),
  );
}

// MARK: Rating

function opinion(page, { id, reservation }) {
  const { act, app, state } = page;
  const change = (changes) => {
    Object.assign(state, changes);
    app.redraw();
  };
  const given = recall(RATED)?.[id];
  if (given && !state.isRating)
    return notice(
      'success',
      t('rate.thanks', { stars: t('rating.stars', { count: given }) }),
      button(t('rate.change'), { look: 'quiet', onclick: () => change({ isRating: true, stars: given }) }),
    );
  return h(
    'section',
    { class: 'card stack', key: 'rate' },
    h('h2', null, t('spots.rate', { name: reservation?.other?.firstName ?? '' })),
    starInput({ value: state.stars, onchange: (stars) => change({ stars }) }),
    button(t('spots.rate.send'), { wide: true, ...act.button('rate', !state.stars), onclick: () => rate(page, id) }),
  );
}

const rate = ({ act, app }, id) =>
  act('rate', async (mine) => {
    await app.api.put(`${pathOf(id)}/rating`, { stars: mine.stars });
    remember(RATED, Object.fromEntries(Object.entries({ ...recall(RATED), [id]: mine.stars }).slice(-KEPT)));
    mine.isRating = false;
  });

// MARK: The other person

function conduct({ api }, { id, reservation: { other } }) {
  const person = { id: other.id, firstName: other.firstName };
  const load = () => import('../conduct.js');
  return h(
    'div',
    { class: 'actions', key: 'conduct' },
    button(t('spots.report'), {
      look: 'quiet',
      onclick: async () => (await load()).reportPerson(api, person, { product: 'spots', id }),
    }),
    button(t('spots.block'), { look: 'quiet', onclick: async () => (await load()).blockPerson(api, person) }),
  );
}
