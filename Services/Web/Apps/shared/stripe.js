// Stripe.js: loaded when a card form needs it, and its errors in our terms.

import { language, minorUnits } from './i18n.js';

/** How long the script may take before the form gives up, in ms. */
const TIME_LIMIT = 20_000;
/** Stripe's names of our languages. */
const LOCALES = { en: 'en', 'zh-Hant': 'zh-TW' };

/** An error that `tProblem` knows by its code, `card.…`. */
export const cardError = (code, more = {}) => Object.assign(new Error(code), { code: `card.${code}`, ...more });

/** Scripts by address, which load once; one that failed is loaded again. */
const scripts = new Map();

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      reject(cardError(navigator.onLine ? 'blocked' : 'offline'));
    };
    const timer = setTimeout(() => {
      script.remove();
      reject(cardError(navigator.onLine ? 'slow' : 'offline'));
    }, TIME_LIMIT);
    Object.assign(script, {
      src: address,
      async: true,
      onerror: () => {
        clearTimeout(timer);
        fail();
      },
      onload: () => {
        clearTimeout(timer);
        const { Stripe } = /** @type {any} */ (globalThis);
        if (Stripe) resolve(Stripe);
        else fail();
      },
    });
    document.head.append(script);
  });
}

/** Stripe's object for this key; throws `card.blocked`, `card.offline` or `card.slow`. */
export async function loadStripe({ script, publishableKey }) {
  if (!scripts.has(script)) scripts.set(script, load(script));
  try {
    const Stripe = await scripts.get(script);
    return Stripe(publishableKey, { locale: LOCALES[language()] });
  } catch (error) {
    scripts.delete(script);
    throw error;
  }
}

/** Reasons that the server doesn't tell either. */
const KEPT = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);

/** Our error for one of Stripe.js. A declined card has the code and the detail of the server's refusal. */
export function errorOf({ type, code, decline_code: declineCode } = /** @type {any} */ ({})) {
  if (type === 'validation_error') return cardError('incomplete');
  if (type === 'card_error') {
    const reason = declineCode ?? code;
    const detail = reason && !KEPT.has(reason) ? reason : 'card_declined';
    return Object.assign(new Error('declined'), { code: 'payment.declined', status: 402, body: { detail } });
  }
  if (type === 'api_connection_error') return cardError('offline');
  return cardError('failed');
}

/** A price as Stripe counts it: not all currencies have the decimals of ISO 4217 there. */
export function stripePrice({ amount, currency }, decimals) {
  const digits = decimals?.[currency];
  const units = digits === undefined ? amount : Math.round((amount / minorUnits(currency)) * 10 ** digits);
  return { amount: units, currency: currency.toLowerCase() };
}
