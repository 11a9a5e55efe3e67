// Lifts: published trips, disputes about who was in the car, and the rules of each area.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, distance, loadTexts, minorUnits, money, t } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { badge, button, choices, empty, facts, field, select, toast } from '/apps/shared/ui.js';
import {
  areaName,
  createPages,
  createResource,
  dialogActions,
  every,
  formDialog,
  head,
  numberField,
  placeText,
  reloadNewest,
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

/** `disputes` and `policies` load when they are first shown; `taking` is the trip that is being removed. */
export function liftScreen() {
  const screen = {
    view: 'open',
    pages: createPages(TRIPS, QUERIES.open, PAGE),
    disputes: null,
    policies: null,
    taking: null,
  };
  const stop = every(PACE, () => currentPages(screen) && reloadNewest(currentPages(screen)));
  return {
    title: () => t('op.nav.lift'),
    view: () => [
      head(t('op.nav.lift'), { lead: t('op.lift.lead'), age: currentPages(screen)?.at ?? null }),
      choices({
        name: 'lift-view',
        label: t('op.state'),
        hideLabel: true,
        value: screen.view,
        options: VIEWS.map((one) => [one, t(`op.lift.view.${one}`)]),
        onchange: (view) => show(screen, view),
      }),
      content(screen),
    ],
    leave: stop,
  };
}

/** The pages that are shown; null if it is the areas. */
const currentPages = ({ view, pages, disputes }) => (view === 'disputes' ? disputes : view in QUERIES ? pages : null);

// MARK: Actions

function show(screen, view) {
  screen.view = view;
  if (view in QUERIES) screen.pages.reload(QUERIES[view]);
  if (view === 'disputes') {
    if (screen.disputes) screen.disputes.reload();
    else screen.disputes = createPages(DISPUTES, {}, PAGE);
  }
  if (view === 'areas') screen.policies ??= createResource(() => Promise.all(store.value.areas.map(readPolicy)));
  redraw();
}

/** An area with its rules. */
const readPolicy = async ({ properties: { id, currency } }) => ({
  id,
  currency,
  policy: await api.get(policyPath(id)),
});

async function takeOut(screen, trip) {
  if (screen.taking) return;
  const answers = { yes: t('op.lift.takeOut'), no: t('action.cancel'), look: 'danger' };
  const text = t('op.lift.takeOut.text', { name: nameOf(trip.driver) });
  if (!(await confirm(t('op.lift.takeOut.sure'), text, answers))) return;
  screen.taking = trip.id;
  redraw();
  try {
    await api.post(escaped`/v1/admin/trips/${trip.id}/remove`);
    toast(t('op.lift.takenOut'), 'success');
  } catch (error) {
    screen.pages.error = error;
  }
  screen.taking = null;
  screen.pages.reload();
}

async function decide(screen, seat) {
  if (!(await decideDialog(seat))) return;
  toast(t('op.lift.decided'), 'success');
  screen.disputes.reload();
}

async function change(screen, area) {
  if (!(await policyDialog(area))) return;
  toast(t('action.saved'), 'success');
  screen.policies.reload();
}

// MARK: Tables

function content(screen) {
  const { view, pages, disputes, policies } = screen;
  if (view === 'areas') return shown(policies, (items) => table(t('op.lift.areas'), policyColumns(screen), items));
  if (view === 'disputes')
    return shownPages(
      disputes,
      (items) => table(t('op.lift.view.disputes'), disputeColumns(screen), items),
      empty('check', t('op.lift.none.disputes')),
    );
  return shownPages(
    pages,
    (items) => table(t('op.nav.lift'), tripColumns(screen), items),
    empty('route', t('op.lift.none.trips')),
  );
}

const nameOf = ({ firstName }) => firstName || '–';
const stateOf = ({ status }) => badge(t(`lift.trip.${status}`), { open: 'success', removed: 'danger' }[status]);
const wayText = ({ origin, destination }) => t('lift.fromTo', { from: placeText(origin), to: placeText(destination) });
const said = (value) =>
  value === null || value === undefined ? t('op.lift.says.nothing') : t(value ? 'op.lift.says.yes' : 'op.lift.says.no');

const tripColumns = (screen) => [
  { label: t('lift.trip'), isHead: true, cell: ({ id }) => shortID(id) },
  { label: t('lift.driver'), cell: ({ driver }) => nameOf(driver) },
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
            isBusy: screen.taking === trip.id,
            'aria-label': t('op.lift.takeOut.of', { id: trip.id.slice(-8) }),
            onclick: () => takeOut(screen, trip),
          })
        : null,
  },
];

const disputeColumns = (screen) => [
  { label: t('lift.ride'), isHead: true, cell: ({ rideId, id }) => shortID(rideId ?? id) },
  { label: t('lift.way'), cell: wayText },
  { label: t('op.time'), cell: ({ pickUp }) => dateTime(pickUp.at) },
  {
    label: t('op.lift.driver'),
    cell: ({ driver, confirmation }) => `${nameOf(driver)}: ${said(confirmation?.driver)}`,
  },
  {
    label: t('op.lift.passenger'),
    cell: ({ passenger, confirmation }) => `${nameOf(passenger)}: ${said(confirmation?.passenger)}`,
  },
  { label: '', cell: (seat) => button(t('op.lift.decide'), { onclick: () => decide(screen, seat) }) },
];

const policyColumns = (screen) => [
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
        onclick: () => change(screen, one),
      }),
  },
];

// MARK: Dialogs

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

const policyDialog = ({ id, currency, policy }) =>
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
    const number = (name, value, step) => numberField(form, name, t(`op.lift.${name}`, { currency }), value, step);
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      number('mostPerKilometer', policy.mostPerKilometer / unit),
      number('tripsPerDay', policy.tripsPerDay, 1),
      number('commissionPercent', policy.commissionPercent, 1),
      dialogActions(form, close, t('action.save')),
    );
  });
