// An offered spot, as other drivers see it: requesting it, or bidding for it.

import { h } from '/apps/shared/dom.js';
import { minorUnits, money, t } from '/apps/shared/i18n.js';
import { button, field, toast } from '/apps/shared/ui.js';
import { refusal } from '../shared/payment.js';
import { auctionCard, nameOf, priceOf, secondsLeft, timeLeft } from './spot-view.js';
import { pathOf } from './status.js';
import { giveUp, tellWhere } from './steps.js';

/** `request` is the person's own for this spot. */
export function wanting(page, spot, request) {
  if (spot.auction) return bidding(page, spot, request);
  return request?.status === 'pending' ? asked(page, spot, request) : asking(page, spot, request);
}

// MARK: Fixed price

const asked = (page, { seller }, { id, expiresAt }) => [
  h(
    'section',
    { class: 'card stack', key: 'asked', role: 'status' },
    h('h2', null, t('spots.asked', { name: nameOf(seller) })),
    timeLeft(expiresAt, 'spots.answer.left'),
    h('p', { class: 'muted' }, t('spots.asked.lead')),
  ),
  button(t('spots.giveUp'), {
    look: 'quiet',
    wide: true,
    ...page.act.button('giveUp'),
    onclick: () => giveUp(page, id),
  }),
];

function asking(page, spot, request) {
  const { act, cards, vehicle } = page;
  const isSold = Boolean(spot.price.amount);
  return [
    vehicle.view(),
    isSold ? cards.view(spot.price) : null,
    furtherStep(page, request),
    problem(page),
    isSold ? h('p', { class: 'muted small', key: 'lead' }, t('spots.ask.lead', { price: money(spot.price) })) : null,
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('spots.ask', { price: priceOf(spot) }), {
        look: 'primary',
        wide: true,
        ...act.button('ask', isSold && !cards.chosen()),
        onclick: () => ask(page, spot),
      }),
    ),
  ];
}

const ask = (page, { id, price }) =>
  page.act('ask', async () => {
    await tellWhere(page);
    const { cards, once } = page;
    const path = `${pathOf(id)}/requests`;
    const vehicleId = page.vehicle.chosen();
    await (price.amount ? cards.pay(path, { price: price.amount, vehicleId }) : once(path, { vehicleId }));
  });

/** While the bank wants the buyer to confirm the hold, whose bill has the request's id. */
const furtherStep = ({ act, cards }, request) =>
  request?.status === 'authorising'
    ? cards.standing(
        { id: request.id, status: 'requiresAction' },
        {
          ...act.button('confirm'),
          onclick: () => act('confirm', () => cards.confirm({ bill: request.id })),
        },
      )
    : null;

const problem = ({ state }) =>
  refusal(
    state.problem,
    state.problem?.code === 'spot.unpaid' ? h('a', { class: 'button', href: '#/spots' }, t('spots.mine')) : null,
  );

// MARK: Auction

function bidding(page, spot, request) {
  const { cards, vehicle } = page;
  return [
    auctionCard(spot),
    vehicle.view(),
    cards.view(),
    furtherStep(page, request),
    problem(page),
    secondsLeft(spot.auction.closesAt) > 0 ? bidForm(page, spot, request) : null,
  ];
}

/** The least bid. The highest bidder can only raise their own. */
export const leastBid = ({ leading, next }, request) =>
  leading && request?.maximum ? request.maximum.amount + 1 : next.amount;

function bidForm(page, spot, request) {
  const { form } = page;
  const { auction, price } = spot;
  const unit = minorUnits(price.currency);
  const least = leastBid(auction, request);
  return form.view(
    {
      class: 'stack',
      key: 'bid',
      onsubmit: form.submit(({ maximum }) => sendBid(page, spot, Math.round(Number(maximum) * unit))),
    },
    field({
      id: 'maximum',
      label: t('spots.maximum', { currency: price.currency }),
      type: 'number',
      inputmode: 'decimal',
      required: true,
      min: least / unit,
      step: 1 / unit,
      hint: t('spots.maximum.lead', { price: money({ ...price, amount: least }) }),
      error: form.errors.maximum,
    }),
    button(t(auction.leading ? 'spots.raise' : 'spots.bid'), {
      type: 'submit',
      look: 'primary',
      wide: true,
      isBusy: form.isBusy,
      disabled: !page.cards.chosen(),
    }),
  );
}

async function sendBid(page, spot, maximum) {
  const { app, cards, vehicle } = page;
  await tellWhere(page);
  const { leading, request } = await cards.pay(`${pathOf(spot.id)}/bids`, { maximum, vehicleId: vehicle.chosen() });
  if (request.status !== 'authorising')
    toast(t(leading ? 'spots.leading' : 'spots.outbid'), leading ? 'success' : 'neutral');
  app.changed();
}
