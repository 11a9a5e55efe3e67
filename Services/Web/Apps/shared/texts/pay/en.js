// Words of paying, receipts and ratings, in English.

export default {
  'pay.title': 'Welcome back to your car', 'pay.lead': 'Returned {time}', 'pay.fee.title': 'A fee is due', 'pay.fee.lead': 'The order was cancelled after the free period.', 'pay.card': 'Card', 'pay.noCard': 'Add a card to pay.', 'pay.tip': 'Tip for your valets', 'pay.tip.none': 'None', 'pay.tip.own': 'Own amount', 'pay.tip.amount': 'Amount in {currency}',
  'pay.button': 'Pay {amount}', 'pay.done': 'Paid. Thank you!', 'pay.action': 'Your bank wants you to confirm this payment, which isn’t possible here. Choose another card, or check again once you’ve confirmed it elsewhere.', 'pay.action.check': 'Check again',
  'declined.card_declined': 'Your bank declined this card. Choose another one.', 'declined.insufficient_funds': 'There is not enough money on this card. Choose another one.', 'declined.expired_card': 'This card has expired. Choose another one.', 'declined.other': 'The card was declined. Choose another one.',
  'cards.none': 'No card yet', 'cards.none.lead': 'Add one now, or when you pay.', 'cards.add': 'Add a card', 'cards.stub': 'Test mode: these are test cards. No money is charged.', 'cards.succeeds': '{card} (succeeds)', 'cards.declined': '{card} (declines)', 'cards.requiresAction': '{card} (asks for confirmation)',
  'cards.elsewhere': 'This web app can’t add cards with this server’s payment provider yet.', 'cards.unknownProvider': 'We can’t tell right now whether you can add cards.', 'cards.delete': 'Delete this card?', 'cards.delete.lead': 'You won’t be able to pay with {card} any more.', 'cards.deleteThis': 'Delete {card}',
  'end.title': 'All done', 'end.lead': 'Thank you. Have a good trip.', 'end.skip': 'Not now', 'receipt.title': 'Receipt', 'receipt.collected': 'Collected', 'receipt.returned': 'Returned', 'receipt.paid': 'Paid', 'receipt.refunded': 'Refunded', 'receipt.print': 'Print', 'receipt.save': 'Save as a file',
  'rate.title': 'How was it with {names}?', 'rate.and': ' and ', 'rate.comment': 'Add a comment', 'rate.send': 'Send rating', 'rate.missing': 'Choose one to five stars.', 'rate.thanks': 'Thanks! You gave {stars}.', 'rate.change': 'Change',
  'problem.request.invalid.tip': 'We can’t take this tip. Enter another amount.', 'problem.payment.nobody_to_tip': 'No valet served this order, so there is nobody to tip.',
};
