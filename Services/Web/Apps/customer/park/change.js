// Changing a booking before its first day, and extending it while inside; the price is shown first.

import { escaped } from '/apps/shared/api.js';
import { UNITS, lineOf, wallTime } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { button, facts, notice, problemNotice, skeleton } from '/apps/shared/ui.js';
import { refusal } from '../shared/payment.js';
import { quantityField, startField, totalLine, vehiclePicker } from './booking-parts.js';
import { changesOf, createChanging, openDraft, perform, quoteOf, want } from './change-draft.js';
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
  const offered = place?.products.find(({ id }) => id === product.id) ?? { kind: product.kind };
  const garage = park.resources.get(VEHICLES).value?.items ?? vehicles;
  const vehicleIds = wanted.vehicles ?? vehicles.map(({ id }) => id);
  const changes = changesOf(booking, wanted);
  const isChanged = Object.keys(changes).length > 0;
  const quote = isChanged && vehicleIds.length ? quoteOf(changing, booking, changes) : {};
  const isDearer = quote.value?.difference.amount > 0;
  return [
    isOther ? notice('warning', t('change.other')) : null,
    startField(wanted.start ?? wallTime(start, carPark.timeZone), carPark, (one) => want(changing, { start: one })),
    quantityField(offered, wanted.quantity ?? quantity, (number) => want(changing, { quantity: number })),
    vehiclePicker(garage, vehicleIds, (ids) => want(changing, { vehicles: ids })),
    isChanged ? quoteCard(quote, carPark, vehicleIds) : null,
    isDearer ? cards.view() : null,
    refusal(isOther ? null : problem),
    foot(isDearer ? t('change.pay', { amount: money(quote.value.difference) }) : t('change.save'), {
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
    ]),
    h('p', { class: 'strong' }, differenceText(value.difference)),
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
  const { cards, draft, once, park } = changing;
  const { carPark, end, id, product, spaces, total } = booking;
  const { isBusy, more, problem, told } = draft;
  const cost = told ?? { amount: product.price * more * spaces, currency: total.currency };
  // Every started unit is charged, so ask for its first minute.
  const until = new Date(Date.parse(end) + ((more - 1) * UNITS[product.kind] + 60) * 1_000).toISOString();
  const setMore = (number) => {
    Object.assign(draft, { more: number, told: null, problem: null });
    park.redraw();
  };
  return [
    facts([[t('booking.end'), dateTime(end, carPark.timeZone)]]),
    quantityField({ kind: product.kind, maxQuantity: 31 }, more, setMore, { label: t(`extend.more.${product.kind}`) }),
    totalLine(t('extend.cost'), money(cost), { key: 'total' }),
    cards.view(),
    refusal(problem),
    foot(t('change.pay', { amount: money(cost) }), {
      isBusy,
      disabled: !cards.chosen(),
      onclick: () =>
        perform(changing, booking, () =>
          once(escaped`/v1/bookings/${id}/extend`, { until, difference: cost.amount, paymentMethodId: cards.chosen() }),
        ),
    }),
  ];
}
