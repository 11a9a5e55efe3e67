// Which receipts of the person are shown.

/** "2026-11" on the clock of this device. */
export const monthOf = (time) => {
  const date = new Date(time);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
};

/** The months of the items, newest first. */
export const monthsOf = (items) => [...new Set(items.map(({ issuedAt }) => monthOf(issuedAt)))];

/** The items of a product and month whose name, number, reference or place has all the words; empty filters fit all. */
export function matching(items, { text = '', product = '', month = '' }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const all = [item.title, item.number, item.reference, item.place].filter(Boolean).join(' ').toLowerCase();
    return (
      (!product || item.product === product) &&
      (!month || monthOf(item.issuedAt) === month) &&
      words.every((word) => all.includes(word))
    );
  });
}
