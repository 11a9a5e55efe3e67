// An offered spot, as its seller sees it: the requests for it, and their answers.

import { h } from '/apps/shared/dom.js';
import { money, t } from '/apps/shared/i18n.js';
import { rating } from '/apps/shared/people.js';
import { about, auctionCard, nameOf, timeLeft } from './spot-view.js';
import { pathOf } from './status.js';
import { requestPath, sure, tap } from './steps.js';

export const offered = (page, spot) => [
  auctionCard(spot),
  spot.requests?.length
    ? h(
        'ul',
        { class: 'list', key: 'requests', 'aria-label': t('spots.requests') },
        spot.requests.map((request) => line(page, request)),
      )
    : h('p', { class: 'muted', role: 'status', key: 'none' }, t('spots.waiting')),
  sure(page, `${pathOf(spot.id)}/cancel`, t('spots.takeBack'), t('spots.takeBack.sure'), { look: 'quiet danger-text' }),
];

const line = (page, { id, buyer, expiresAt, price }) =>
  h(
    'li',
    { class: 'card stack tight', key: id },
    h('div', { class: 'row between' }, h('span', { class: 'strong' }, nameOf(buyer)), rating(buyer.rating)),
    h(
      'span',
      { class: 'row between small' },
      about({ meterSecondsLeft: null, ...buyer }),
      h('span', { class: 'numbers' }, money(price)),
    ),
    expiresAt
      ? [
          timeLeft(expiresAt, 'spots.answer.left'),
          h(
            'div',
            { class: 'actions', key: 'answer' },
            tap(page, `${requestPath(id)}/deny`, t('spots.deny')),
            tap(page, `${requestPath(id)}/approve`, t('spots.approve'), { look: 'primary' }),
          ),
        ]
      : null,
  );
