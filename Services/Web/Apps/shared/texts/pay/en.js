// Words of paying, receipts and ratings, in English.

export default {
  'pay.title': 'Welcome back to your car', 'pay.lead': 'Returned {time}', 'pay.fee.title': 'A fee is due', 'pay.fee.lead': 'The order was cancelled after the free time.', 'pay.card': 'Card', 'pay.noCard': 'Add a card to pay.', 'pay.tip': 'Tip for your valets', 'pay.tip.none': 'None', 'pay.tip.own': 'Own amount', 'pay.tip.amount': 'Amount in {currency}',
  'pay.button': 'Pay {amount}', 'pay.done': 'Paid. Thank you!', 'pay.action': 'Your bank wants you to confirm this payment. That can\u2019t be done here: choose another card, or check again if you have confirmed it elsewhere.', 'pay.action.check': 'Check again',
  'declined.card_declined': 'Your bank declined this card. Choose another one.', 'declined.insufficient_funds': 'There is not enough money on this card. Choose another one.', 'declined.expired_card': 'This card has expired. Choose another one.', 'declined.other': 'The card was declined. Choose another one.',
  'cards.none': 'No card yet', 'cards.none.lead': 'Add one now, or when you pay.', 'cards.add': 'Add a card', 'cards.stub': 'This server is for trying out: these are test cards, and no money moves.', 'cards.succeeds': '{card}, succeeds', 'cards.declined': '{card}, is declined', 'cards.requiresAction': '{card}, wants a confirmation',
  'cards.elsewhere': 'Adding cards with this server’s payment provider is not built into the web app yet.', 'cards.unknownProvider': 'Whether cards can be added can’t be told right now.', 'cards.delete': 'Delete this card?', 'cards.delete.lead': '{card} will no longer be offered when you pay.', 'cards.deleteThis': 'Delete {card}',
  'end.title': 'All done', 'end.lead': 'Thank you, and a good journey.', 'end.skip': 'Not now', 'receipt.title': 'Receipt', 'receipt.collected': 'Taken over', 'receipt.returned': 'Returned', 'receipt.paid': 'Paid', 'receipt.refunded': 'Refunded', 'receipt.print': 'Print', 'receipt.save': 'Save as a file',
  'rate.title': 'How was it with {names}?', 'rate.and': ' and ', 'rate.comment': 'A few words', 'rate.send': 'Send rating', 'rate.missing': 'Choose one to five stars.', 'rate.thanks': 'Thank you: {stars}.', 'rate.change': 'Change',
  'problem.request.invalid.tip': 'This tip is not possible. Enter another amount.', 'problem.payment.nobody_to_tip': 'Nobody has served this order: there is nobody to tip.',
};
