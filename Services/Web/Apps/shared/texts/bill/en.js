// Words of the page of one bill, in English.

export default {
  'bill.title': 'Payment',
  'bill.other': 'Or pay with another card',
  'bill.state.paid': 'This bill is paid. {card}',
  'bill.state.held': 'The amount is held on your card. {card}',
  'bill.state.processing': 'The payment is being processed. {card}',
  'bill.state.nothing': 'There is nothing to pay.',
};
