// Words of the card form, in English.

export default {
  'card.number': 'Card number',
  'card.expiry': 'Expiry date (MM/YY)',
  'card.expiry.example': '12/30',
  'card.code': 'Security code (CVC)',
  'card.test': 'Test mode: enter a test card. No money is charged.',
  'card.incomplete.number': 'Enter the whole card number.',
  'card.incomplete.expiry': 'Enter an expiry date in the future, for example 12/30.',
  'card.incomplete.code': 'Enter the 3 or 4 digits of the security code.',
  'card.unknownTest': 'Only test cards work here. Try 4242 4242 4242 4242.',
  'card.unknownProvider': 'We can’t load the card form right now. Try again in a moment.',
  'card.takesLong': 'The card form is taking longer than usual.',
  'card.retry': 'Try again',
  'card.bank': 'Your bank (test)',
  'card.bank.lead': 'Your bank asks you to confirm that you are making this payment.',
  'card.bank.complete': 'Confirm',
  'card.bank.fail': 'Don’t confirm',
  'problem.card.blocked':
    'The card form couldn’t load. A content blocker may be stopping it: allow js.stripe.com, then try again.',
  'problem.card.offline': 'You’re offline, so the card form can’t load. Connect to the internet and try again.',
  'problem.card.slow': 'The card form isn’t ready yet. Wait a moment, then try again.',
  'problem.card.failed': 'The card form has a problem. Try again, or use another card.',
  'problem.card.incomplete': 'Check the card details above.',
  'problem.card.closed':
    'You closed your bank’s window, so the payment isn’t finished. Confirm it, or use another card.',
  'problem.card.unconfirmed': 'Your bank didn’t confirm that it’s you. Try again, or use another card.',
};
