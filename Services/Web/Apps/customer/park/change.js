// Changing a booking before its first day, and extending it while inside; the price is shown first.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, facts, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { quantityField, vehiclePicker } from './booking-parts.js';
import { createOnce } from '../shared/once.js';
import { createCards, isOtherPrice, refusal } from '../shared/payment.js';
import { pathOf } from './place.js';
import { UNITS, lineOf, momentOf, wallTime, zoneHint } from '/apps/shared/car-parks.js';

const VEHICLES = '/v1/me/vehicles';

export function createChange(park) {
  const { api, redraw, resources } = park;
  const cards = createCards(park);
  const once = createOnce(api);
  /** The changes, with the booking and version they belong to. */
  let draft = { of: null };
  let quote = { text: null };

  /** Whether this screen had unsaved changes to an older version. */
  const isOvertaken = (screenKey) =>
    Boolean(draft.of?.startsWith(screenKey)) &&
    (draft.isOther || (!draft.isBusy && Object.keys(draft.wanted).length > 0));

  /** A booking's screen with its own draft, which starts again, with a message, when the booking has a new version. */
  function of(id, name, draw) {
    const path = escaped`/v1/bookings/${id}`;
    const { value, error } = resources.get(path);
    const title = t(`booking.${name}`);
    const back = escaped`/bookings/${id}`;
    const key = value && `${name} ${id} ${value.version}`;
    if (value && draft.of !== key)
      draft = { of: key, wanted: {}, more: 1, isBusy: false, problem: null, isOther: isOvertaken(`${name} ${id} `) };
    return {
      title,
      view: screen(
        title,
        { back },
        value ? draw(value) : error ? problemNotice(error, () => resources.reload(path)) : skeleton(5),
      ),
    };
  }

  const set = (change) => {
    Object.assign(draft.wanted, change);
    Object.assign(draft, { problem: null, isOther: false });
    redraw();
  };

  /** Makes the change and shows the updated booking. */
  async function perform(booking, task) {
    const mine = draft;
    Object.assign(mine, { isBusy: true, problem: null });
    redraw();
    try {
      resources.keep(escaped`/v1/bookings/${booking.id}`, await task());
      toast(t('action.saved'), 'success');
      resources.reload('/v1/bookings');
      go(escaped`/bookings/${booking.id}`);
    } catch (error) {
      mine.problem = error;
      if (error.status === 412) await showOther(booking.id);
      if (isOtherPrice(error)) [quote, mine.told] = [{ text: null }, error.body.amount];
    }
    mine.isBusy = false;
    redraw();
  }

  /** Shows a booking that was changed elsewhere, with a new draft. */
  async function showOther(id) {
    draft.isOther = true;
    const path = escaped`/v1/bookings/${id}`;
    try {
      resources.keep(path, await api.get(path));
    } catch {
      resources.reload(path);
    }
  }

  // MARK: Change

  function quoteOf({ id, version }, body) {
    const text = JSON.stringify([id, version, body]);
    if (quote.text !== text) {
      quote = { text };
      const entry = quote;
      api
        .post(escaped`/v1/bookings/${id}/quote-change`, body)
        .then(
          (value) => (entry.value = value),
          (error) => (entry.error = error),
        )
        .finally(redraw);
    }
    return quote;
  }

  function differenceText({ amount, currency }) {
    if (!amount) return t('change.even');
    return amount > 0
      ? t('change.dearer', { amount: money({ amount, currency }) })
      : t('change.cheaper', { amount: money({ amount: -amount, currency }) });
  }

  function bodyOf({ carPark: { timeZone }, start, quantity, vehicles, spaces }) {
    const { wanted } = draft;
    const body = {};
    if (wanted.start && wanted.start !== wallTime(start, timeZone)) body.start = momentOf(wanted.start, timeZone);
    if (wanted.quantity && wanted.quantity !== quantity) body.quantity = wanted.quantity;
    const ids = wanted.vehicles ?? vehicles.map(({ id }) => id);
    if (
      ids.slice().sort().join() !==
      vehicles
        .map(({ id }) => id)
        .sort()
        .join()
    ) {
      body.vehicleIds = ids;
      if (ids.length !== spaces) body.spaces = ids.length;
    }
    return body;
  }

  const change = ({ id }) =>
    of(id, 'change', (booking) => {
      const {
        carPark: { id: place, timeZone },
        start,
        quantity,
        product,
        vehicles,
        version,
      } = booking;
      const { wanted, problem, isBusy, isOther } = draft;
      const offered = resources
        .get(pathOf(place), { anonymous: true })
        .value?.products.find((one) => one.id === product.id);
      const garage = resources.get(VEHICLES).value?.items ?? vehicles;
      const chosen = wanted.vehicles ?? vehicles.map((one) => one.id);
      const body = bodyOf(booking);
      const isChanged = Object.keys(body).length > 0;
      const { value, error } = isChanged && chosen.length ? quoteOf(booking, body) : {};
      const isDearer = value?.difference.amount > 0;
      const save = () =>
        perform(booking, () =>
          api.patch(
            escaped`/v1/bookings/${id}`,
            { ...body, difference: value.difference.amount, ...(isDearer ? { paymentMethodId: cards.chosen() } : {}) },
            { headers: { 'if-match': `"${version}"` }, timeout: 40_000 },
          ),
        );
      return [
        isOther ? notice('warning', t('change.other')) : null,
        field({
          id: 'start',
          label: t('booking.start'),
          type: 'datetime-local',
          value: wanted.start ?? wallTime(start, timeZone),
          hint: zoneHint(timeZone),
          onchange: ({ target }) => target.value && set({ start: target.value }),
        }),
        quantityField(offered ?? { kind: product.kind }, wanted.quantity ?? quantity, (number) =>
          set({ quantity: number }),
        ),
        vehiclePicker(garage, chosen, (ids) => set({ vehicles: ids })),
        !isChanged
          ? null
          : error
            ? problemNotice(error)
            : !value
              ? chosen.length
                ? skeleton(3)
                : notice('warning', t('problem.booking.vehicle_required'))
              : h(
                  'section',
                  { class: 'card stack tight', key: 'quote', role: 'status' },
                  facts([
                    [t('booking.end'), dateTime(value.end, timeZone)],
                    ...value.lines.map(lineOf),
                    [t('bill.total'), money(value.total)],
                  ]),
                  h('p', { class: 'strong' }, differenceText(value.difference)),
                ),
        isDearer ? cards.view() : null,
        refusal(isOther ? null : problem),
        h(
          'div',
          { class: 'screen-foot', key: 'foot' },
          button(isDearer ? t('change.pay', { amount: money(value.difference) }) : t('change.save'), {
            look: 'primary',
            wide: true,
            isBusy,
            disabled: !value || (isDearer && !cards.chosen()),
            onclick: save,
          }),
        ),
      ];
    });

  // MARK: Extend

  const extend = ({ id }) =>
    of(id, 'extend', (booking) => {
      const {
        end,
        product,
        spaces,
        total: { currency },
        carPark: { timeZone },
      } = booking;
      const { more, told, problem, isBusy } = draft;
      const cost = told ?? { amount: product.price * more * spaces, currency };
      // Every started unit is charged, so ask for its first minute.
      const until = new Date(Date.parse(end) + ((more - 1) * UNITS[product.kind] + 60) * 1_000).toISOString();
      const save = () =>
        perform(booking, () =>
          once(escaped`/v1/bookings/${id}/extend`, { until, difference: cost.amount, paymentMethodId: cards.chosen() }),
        );
      return [
        facts([[t('booking.end'), dateTime(end, timeZone)]]),
        quantityField(
          { kind: product.kind, maxQuantity: 31 },
          more,
          (number) => {
            Object.assign(draft, { more: number, told: null, problem: null });
            redraw();
          },
          { label: t(`extend.more.${product.kind}`) },
        ),
        h(
          'p',
          { class: 'row between strong total', key: 'total' },
          h('span', null, t('extend.cost')),
          h('span', { class: 'numbers' }, money(cost)),
        ),
        cards.view(),
        refusal(problem),
        h(
          'div',
          { class: 'screen-foot', key: 'foot' },
          button(t('change.pay', { amount: money(cost) }), {
            look: 'primary',
            wide: true,
            isBusy,
            disabled: !cards.chosen(),
            onclick: save,
          }),
        ),
      ];
    });

  return { change, extend };
}
