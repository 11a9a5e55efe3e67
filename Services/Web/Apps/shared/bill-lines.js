// The lines of prices and bills in words.

import { money } from './i18n.js';

/** "4 × 30 min × €1.00" or "3 hours × €4.50"; empty for one piece. */
export function quantityText({ quantity, unit, unitPrice }) {
  if (quantity === 1 && !unit) return '';
  const count = unit ? `${quantity}${/^\d/.test(unit) ? ' ×' : ''} ${unit}` : String(quantity);
  if (!unitPrice) return unit ? count : `${quantity} ×`;
  return `${count} × ${money(unitPrice)}`;
}

/** A line of a price, as in "Night · 2 hours × €1.50". */
export const lineText = ({ text, quantity, unit, unitPrice }) =>
  unit && unitPrice ? `${text} · ${quantityText({ quantity, unit, unitPrice })}` : text;
