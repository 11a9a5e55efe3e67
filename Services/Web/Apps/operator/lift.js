// Lifts: published trips, disputes about who was in the car, and the rules of each area.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, distance, loadTexts, minorUnits, money, t } from '/apps/shared/i18n.js';
import { badge, button, choices, confirm, empty, facts, field, select, toast } from '/apps/shared/ui.js';
import {
  areaName,
  createPages,
  createResource,
  dialogActions,
  every,
  formDialog,
  head,
  placeText,
  shortID,
  shown,
  shownPages,
  table,
} from './parts.js';
import { api, redraw } from './context.js';
import { store } from './store.js';

await loadTexts('/apps/shared/texts/lift');

const TRIPS = '/v1/admin/trips';
const DISPUTES = '/v1/admin/seat-disputes';
const PACE = 10_000;
const PAGE = 50;
const LONGEST = 300;
const QUERIES = { open: { status: 'open' }, ended: { status: 'ended' }, removed: { status: 'removed' }, all: {} };
const VIEWS = ['open', 'ended', 'removed', 'all', 'disputes', 'areas'];
const policyPath = (id) => escaped`/v1/admin/carpool-policies/${id}`;

const stateOf = ({ status }) => badge(t(`lift.trip.${status}`), { open: 'success', removed: 'danger' }[status]);
const wayText = ({ origin, destination }) => t('lift.fromTo', { from: placeText(origin), to: placeText(destination) });
const said = (value) =>
  value === null || value === undefined ? t('op.lift.says.nothing') : t(value ? 'op.lift.says.yes' : 'op.lift.says.no');

/** Shows what both say; resolves with the request once it is decided. */
const decideDialog = (seat) =>
  formDialog(t('op.lift.decide'), (form, close) => {
    const send = async ({ inTheCar, reason }) =>
      close(
        await api.post(escaped`/v1/admin/seat-requests/${seat.id}/decision`, {
          inTheCar: inTheCar === 'yes',
          reason: reason.trim(),
        }),
      );
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      facts([
        [t('lift.trip'), wayText(seat)],
        [t('lift.pickUp'), dateTime(seat.pickUp.at)],
        [t('op.lift.driverSays', { name: seat.driver.firstName }), said(seat.confirmation?.driver)],
        [t('op.lift.passengerSays', { name: seat.passenger.firstName }), said(seat.confirmation?.passenger)],
        [t('lift.price'), seat.price && money(seat.price)],
      ]),
      select({
        id: 'inTheCar',
        label: t('op.lift.decision'),
        options: ['yes', 'no'].map((one) => [one, t(`op.lift.says.${one}`)]),
        error: form.errors.inTheCar,
      }),
      field({
        id: 'reason',
        label: t('op.lift.reason'),
        multiline: true,
        required: true,
        maxlength: LONGEST,
        error: form.errors.reason,
      }),
      dialogActions(form, close, t('op.lift.decide')),
    );
  });

const policyDialog = ({ id, currency }, policy) =>
  formDialog(t('op.lift.policy', { area: areaName(id) }), (form, close) => {
    const unit = minorUnits(currency);
    const send = async ({ mostPerKilometer, tripsPerDay, commissionPercent }) =>
      close(
        await api.put(policyPath(id), {
          mostPerKilometer: Math.round(Number(mostPerKilometer) * unit),
          tripsPerDay: Number(tripsPerDay),
          commissionPercent: Number(commissionPercent),
        }),
      );
    const numberField = (name, value, step = 'any') =>
      field({
        id: name,
        label: t(`op.lift.${name}`, { currency }),
        type: 'number',
        inputmode: 'decimal',
        min: 0,
        step,
        required: true,
        value: String(value),
        error: form.errors[name],
      });
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      numberField('mostPerKilometer', policy.mostPerKilometer / unit),
      numberField('tripsPerDay', policy.tripsPerDay, 1),
      numberField('commissionPercent', policy.commissionPercent, 1),
      dialogActions(form, close, t('action.save')),
    );
  });

export function liftScreen() {
  let view = 'open';
  let taking = null;
  const pages = createPages(TRIPS, QUERIES.open, PAGE);
  let disputes = null;
  let policies = null;
  const current = () => (view === 'disputes' ? disputes : view in QUERIES ? pages : null);
  const stop = every(
    PACE,
    () => current() && current().items.length <= PAGE && !current().isBusy && current().reload(),
  );

  const areas = () => store.value.areas.map(({ properties: { id, currency } }) => ({ id, currency }));
  const choose = (value) => {
    view = value;
    if (view in QUERIES) pages.reload(QUERIES[view]);
    if (view === 'disputes') disputes ? disputes.reload() : (disputes = createPages(DISPUTES, {}, PAGE));
    if (view === 'areas')
      policies ??= createResource(() =>
        Promise.all(areas().map(async (area) => ({ ...area, policy: await api.get(policyPath(area.id)) }))),
      );
    redraw();
  };

  async function takeOut(trip) {
    if (
      taking ||
      !(await confirm(t('op.lift.takeOut.sure'), t('op.lift.takeOut.text', { name: trip.driver.firstName || '–' }), {
        yes: t('op.lift.takeOut'),
        no: t('action.cancel'),
        look: 'danger',
      }))
    )
      return;
    taking = trip.id;
    redraw();
    try {
      await api.post(escaped`/v1/admin/trips/${trip.id}/remove`);
      toast(t('op.lift.takenOut'), 'success');
    } catch (error) {
      pages.error = error;
    }
    taking = null;
    pages.reload();
  }
  async function decide(seat) {
    if (!(await decideDialog(seat))) return;
    toast(t('op.lift.decided'), 'success');
    disputes.reload();
  }
  async function change(area) {
    if (!(await policyDialog(area, area.policy))) return;
    toast(t('action.saved'), 'success');
    policies.reload();
  }

  const columns = [
    { label: t('lift.trip'), isHead: true, cell: ({ id }) => shortID(id) },
    { label: t('lift.driver'), cell: ({ driver }) => driver.firstName || '–' },
    {
      label: t('lift.way'),
      cell: (trip) =>
        h('span', null, wayText(trip), h('span', { class: 'muted small' }, ` ${distance(trip.distanceMeters)}`)),
    },
    {
      label: t('lift.next.label'),
      cell: ({ nextDepartureAt, timeZone }) => (nextDepartureAt ? dateTime(nextDepartureAt, timeZone) : '–'),
    },
    { label: t('lift.repeat'), cell: ({ repeats }) => t(repeats ? 'lift.repeat.weekly' : 'lift.once') },
    { label: t('lift.seats'), isAmount: true, cell: ({ seats }) => String(seats) },
    {
      label: t('lift.price'),
      isAmount: true,
      cell: ({ pricePerSeat }) => (pricePerSeat ? money(pricePerSeat) : t('lift.free')),
    },
    { label: t('op.state'), cell: stateOf },
    {
      label: '',
      cell: (trip) =>
        trip.status === 'open'
          ? button(t('op.lift.takeOut'), {
              isBusy: taking === trip.id,
              'aria-label': t('op.lift.takeOut.of', { id: trip.id.slice(-8) }),
              onclick: () => takeOut(trip),
            })
          : null,
    },
  ];
  const disputeColumns = [
    { label: t('lift.ride'), isHead: true, cell: ({ rideId, id }) => shortID(rideId ?? id) },
    { label: t('lift.way'), cell: wayText },
    { label: t('op.time'), cell: ({ pickUp }) => dateTime(pickUp.at) },
    {
      label: t('op.lift.driver'),
      cell: ({ driver, confirmation }) => `${driver.firstName || '–'}: ${said(confirmation?.driver)}`,
    },
    {
      label: t('op.lift.passenger'),
      cell: ({ passenger, confirmation }) => `${passenger.firstName || '–'}: ${said(confirmation?.passenger)}`,
    },
    { label: '', cell: (seat) => button(t('op.lift.decide'), { onclick: () => decide(seat) }) },
  ];
  const policyColumns = [
    { label: t('op.area'), isHead: true, cell: ({ id }) => areaName(id) },
    {
      label: t('op.lift.perKilometer'),
      isAmount: true,
      cell: ({ policy, currency }) => money({ amount: policy.mostPerKilometer, currency }),
    },
    { label: t('op.lift.tripsPerDay'), isAmount: true, cell: ({ policy }) => String(policy.tripsPerDay) },
    { label: t('op.lift.commission'), isAmount: true, cell: ({ policy }) => `${policy.commissionPercent}%` },
    {
      label: '',
      cell: (one) =>
        button(t('op.lift.change'), {
          'aria-label': t('op.lift.policy', { area: areaName(one.id) }),
          onclick: () => change(one),
        }),
    },
  ];

  function content() {
    if (view === 'areas') return shown(policies, (items) => table(t('op.lift.areas'), policyColumns, items));
    if (view === 'disputes')
      return shownPages(
        disputes,
        (items) => table(t('op.lift.view.disputes'), disputeColumns, items),
        empty('check', t('op.lift.none.disputes')),
      );
    return shownPages(
      pages,
      (items) => table(t('op.nav.lift'), columns, items),
      empty('route', t('op.lift.none.trips')),
    );
  }

  return {
    title: () => t('op.nav.lift'),
    view: () => [
      head(t('op.nav.lift'), { lead: t('op.lift.lead'), age: current()?.at ?? null }),
      choices({
        name: 'lift-view',
        label: t('op.state'),
        hideLabel: true,
        value: view,
        options: VIEWS.map((one) => [one, t(`op.lift.view.${one}`)]),
        onchange: choose,
      }),
      content(),
    ],
    leave: stop,
  };
}
