// Changing a booking before its first day, and extending it while inside; the price is shown first.

import { escaped } from '/apps/shared/api.js';
import { UNITS, lineOf, wallTime } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { button, facts, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { taxRow } from '../shared/charge.js';
import { refusal } from '../shared/payment.js';
import { isSold, quantityField, startField, totalLine, vehiclePicker } from './booking-parts.js';
import { changesOf, createChanging, openDraft, perform, quoteExtension, quoteOf, want } from './change-draft.js';
import { loaded } from './loaded.js';
import { pathOf } from './place.js';

const VEHICLES = '/v1/me/vehicles';

export function createChange(park) {
  const changing = createChanging(park);
  return {
    change: ({ id }) => draftScreen(changing, id, 'change', change),
    extend: ({ id }) => draftScreen(changing, id, 'extend', extend),
  };
}

/** A booking's screen with a draft of its own. */
function draftScreen(changing, id, name, draw) {
  const entry = changing.park.resources.get(escaped`/v1/bookings/${id}`);
  const title = t(`booking.${name}`);
  if (entry.value) openDraft(changing, name, entry.value);
  return {
    title,
    view: screen(
      title,
      { back: escaped`/bookings/${id}` },
      loaded(changing.park, entry, (booking) => draw(changing, booking)),
    ),
  };
}

const foot = (label, props) =>
  h('div', { class: 'screen-foot', key: 'foot' }, button(label, { look: 'primary', wide: true, ...props }));

// MARK: Change

function change(changing, booking) {
  const { cards, draft, park } = changing;
  const { carPark, product, quantity, start, vehicles } = booking;
  const { isOther, problem, wanted } = draft;
  const place = park.resources.get(pathOf(carPark.id), { anonymous: true }).value;
  const found = place?.products.find(({ id }) => id === product.id) ?? { kind: product.kind, maxQuantity: 366 };
  const offered = { ...found, maxQuantity: Math.max(found.maxQuantity, quantity) };
  const garage = park.resources.get(VEHICLES).value?.items ?? vehicles;
  const vehicleIds = wanted.vehicles ?? vehicles.map(({ id }) => id);
  const changes = changesOf(booking, wanted);
  const isChanged = Object.keys(changes).length > 0;
  const isAllowed = isSold(offered, wanted.quantity ?? quantity);
  const quote = isChanged && isAllowed && vehicleIds.length ? quoteOf(changing, booking, changes) : {};
  const isDearer = quote.value?.difference.amount > 0;
  return [
    isOther ? notice('warning', t('change.other')) : null,
    startField(wanted.start ?? wallTime(start, carPark.timeZone), carPark, (one) => want(changing, { start: one })),
    quantityField(offered, wanted.quantity ?? quantity, (number) => want(changing, { quantity: number })),
    vehiclePicker(garage, vehicleIds, (ids) => want(changing, { vehicles: ids })),
    isChanged && isAllowed ? quoteCard(quote, carPark, vehicleIds) : null,
    isDearer ? cards.view() : null,
    refusal(isOther ? null : problem),
    foot(isDearer ? t('change.pay', { amount: money(quote.value.differenceWithTax) }) : t('change.save'), {
      isBusy: draft.isBusy,
      disabled: !quote.value || (isDearer && !cards.chosen()),
      onclick: () => save(changing, booking, changes, quote.value.difference.amount),
    }),
  ];
}

function quoteCard({ value, error }, { timeZone }, vehicleIds) {
  if (error) return problemNotice(error);
  if (!vehicleIds.length) return notice('warning', t('problem.booking.vehicle_required'));
  if (!value) return skeleton(3);
  return h(
    'section',
    { class: 'card stack tight', key: 'quote', role: 'status' },
    facts([
      [t('booking.end'), dateTime(value.end, timeZone)],
      ...value.lines.map(lineOf),
      [t('bill.total'), money(value.total)],
      [t('change.difference'), value.tax?.amount ? money(value.difference) : null],
      taxRow(value),
    ]),
    h('p', { class: 'strong' }, differenceText(value.differenceWithTax)),
  );
}

function differenceText({ amount, currency }) {
  if (!amount) return t('change.even');
  return amount > 0
    ? t('change.dearer', { amount: money({ amount, currency }) })
    : t('change.cheaper', { amount: money({ amount: -amount, currency }) });
}

function save(changing, booking, changes, difference) {
  const { cards, park } = changing;
  const { id, version } = booking;
  return perform(changing, booking, () =>
    park.api.patch(
      escaped`/v1/bookings/${id}`,
      { ...changes, difference, ...(difference > 0 ? { paymentMethodId: cards.chosen() } : {}) },
      { headers: { 'if-match': `"${version}"` }, timeout: 40_000 },
    ),
  );
}

// MARK: Extend

function extend(changing, booking) {
  const { cards, draft, park } = changing;
  const { carPark, end, id, product, vehicles } = booking;
  const { isBusy, more, problem } = draft;
  // Every started unit is charged, so ask for its first minute.
  const unit = { kind: product.kind, maxQuantity: 31 };
  const isAllowed = isSold(unit, more);
  const seconds = ((isAllowed ? more : 1) - 1) * UNITS[product.kind] + 60;
  const until = new Date(Date.parse(end) + seconds * 1_000).toISOString();
  const quote = isAllowed ? quoteExtension(changing, booking, { until }) : {};
  const cost = quote.value?.differenceWithTax;
  const setMore = (number) => {
    Object.assign(draft, { more: number, problem: null });
    park.redraw();
  };
  return [
    facts([[t('booking.end'), dateTime(end, carPark.timeZone)]]),
    quantityField(unit, more, setMore, { label: t(`extend.more.${product.kind}`) }),
    isAllowed ? quoteCard(quote, carPark, vehicles) : null,
    cost ? totalLine(t('extend.cost'), money(cost), { key: 'total' }) : null,
    cards.view(cost ?? { ...booking.total, amount: 0 }),
    refusal(problem),
    foot(cost ? t('change.pay', { amount: money(cost) }) : t('booking.extend'), {
      isBusy,
      disabled: !cost || !cards.chosen(),
      onclick: () =>
        perform(changing, booking, () =>
          cards.pay(escaped`/v1/bookings/${id}/extend`, { until, difference: quote.value.difference.amount }),
        ),
    }),
  ];
}
