// Cards in words.

const names = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', unionpay: 'UnionPay' };

/** "Visa •••• 4242"; a brand without a name of ours as the provider writes it. */
export const cardText = ({ brand, last4 }) => [names[brand] ?? brand, '••••', last4].filter(Boolean).join(' ');
