// What the choice costs, and how many spaces are left: loaded again when it changes.

import { withQuery } from '/apps/shared/api.js';
import { closedText, lineOf, momentOf } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { facts, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { chargeOf, taxRow } from '../shared/charge.js';
import { totalLine } from './booking-parts.js';
import { endOf, isPossible } from './choice.js';
import { pathOf } from './place.js';

/** `{ quote, free, error }` of a choice. */
export function offerOf(book, { id, timeZone }, choice, spaces) {
  if (!isPossible(choice)) return {};
  const { product, kind, start, quantity, span, points } = choice;
  const path = withQuery(`${pathOf(id)}/quote`, {
    productId: span ? null : product.id,
    start: momentOf(start, timeZone),
    quantity: span ? null : quantity,
    end: span ? endOf(choice, timeZone) : null,
    spaces,
    class: kind,
    points: points || null,
  });
  if (book.offer.path !== path) {
    book.offer = { path };
    ask(book, book.offer, id, kind);
  }
  return book.offer;
}

async function ask({ park }, offer, id, kind) {
  const { api, redraw } = park;
  try {
    const quote = await api.get(offer.path);
    const { free } = await api.get(
      withQuery(`${pathOf(id)}/availability`, { from: quote.start, until: quote.end, class: kind }),
    );
    // Booking releases the space held for an earlier choice, so that counts as free.
    const { held } = park.choice;
    Object.assign(offer, { quote, free: free + (held?.carPark === id ? held.spaces : 0) });
  } catch (error) {
    offer.error = error;
  }
  redraw();
}

export const forgetOffer = (book) => (book.offer = { path: null });

export function offerCard(book, { path, quote, free, error }, { timeZone }, spaces) {
  if (!path) return null;
  const again = () => {
    forgetOffer(book);
    book.park.redraw();
  };
  if (error) return problemNotice(error, error.isPassing || !error.code ? again : null);
  if (!quote) return skeleton(3);
  return h(
    'section',
    { class: 'card stack tight', key: 'offer', role: 'status' },
    facts([
      [t('booking.start'), dateTime(quote.start, timeZone)],
      [t('booking.end'), dateTime(quote.end, timeZone)],
      [t('booking.closed'), closedText(quote, timeZone)],
      ...quote.lines.map(lineOf),
      taxRow(quote),
    ]),
    totalLine(t('bill.total'), money(chargeOf(quote))),
    free < spaces
      ? notice('warning', t('problem.booking.full'))
      : h('p', { class: 'muted small' }, t('book.left', { count: free })),
  );
}
