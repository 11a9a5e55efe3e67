// The person's own trip: requests for it, its dates, which can be skipped one by one, and its end.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import { button, skeleton, toast } from '/apps/shared/ui.js';
import { refusal } from '../shared/payment.js';
import { REQUESTS, pathOf } from './paths.js';
import { isSure } from './steps.js';
import { isOpen, requestLine } from './trip-request.js';
import { dayText, datesOf, later, today } from './words.js';

const MOST_DATES = 8;
/** The person's own rides from today on. */
const ridesPath = () => withQuery('/v1/rides', { role: 'driver', from: `${later(today(), -1)}T00:00:00Z`, limit: 100 });

export function own(screen, trip) {
  const { api, resources } = screen.app;
  const drives = resources.get(ridesPath(), { isBrief: true });
  const asks = resources.list(`${REQUESTS}?role=driver&open=true`);
  // Content that loads later would move what is below it from under a finger.
  if (![drives, asks].every((entry) => entry.value || entry.error)) return skeleton(4);
  const requests = (asks.value?.items ?? []).filter((one) => one.tripId === trip.id && isOpen(one));
  const rideOn = (date) => drives.value?.items.find((ride) => ride.tripId === trip.id && ride.date === date);
  const dates = datesOf(trip, MOST_DATES).filter((date) => rideOn(date)?.status !== 'cancelled');
  return [
    requests.length
      ? [
          h('h2', { key: 'requests-title' }, t('lift.requests')),
          h(
            'ul',
            { class: 'list', key: 'requests', 'aria-label': t('lift.requests') },
            requests.map((one) => requestLine(api, one)),
          ),
        ]
      : null,
    dates.length
      ? [
          h('h2', { key: 'days' }, t('lift.days')),
          h(
            'ul',
            { class: 'list lined', key: 'dates', 'aria-label': t('lift.days') },
            dates.map((date) => dateLine(screen, trip, date, rideOn(date))),
          ),
        ]
      : null,
    refusal(screen.state.problem),
    trip.status === 'open' ? actions(screen, trip) : null,
  ];
}

function dateLine(screen, trip, date, ride) {
  const taken = (ride?.passengers ?? [])
    .filter(({ status }) => status === 'accepted')
    .reduce((sum, one) => sum + one.seats, 0);
  return h(
    'li',
    { class: 'list-item still day-line', key: date },
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'strong block' }, dayText(date)),
      h('span', { class: 'muted small' }, t('lift.seats.taken', { count: taken, seats: trip.seats })),
    ),
    ride ? h('a', { class: 'button', href: `#/lift/rides/${ride.id}` }, t('lift.show')) : null,
    trip.repeats || ride
      ? button(t('lift.skip'), {
          look: 'quiet danger-text',
          'aria-label': t('lift.skip.of', { day: dayText(date) }),
          ...screen.act.button(`skip ${date}`),
          onclick: () => skip(screen, trip, date, ride),
        })
      : null,
  );
}

const actions = (screen, trip) =>
  h(
    'div',
    { class: 'actions', key: 'actions' },
    h('a', { class: 'button', href: `#${escaped`/lift/trips/${trip.id}/edit`}` }, icon('edit'), t('lift.change.title')),
    button(t('lift.remove'), {
      look: 'quiet danger-text',
      icon: 'trash',
      ...screen.act.button('remove'),
      onclick: () => remove(screen, trip),
    }),
  );

// MARK: Actions

/** A date without a ride becomes an exception of the trip. */
const skip = ({ act, app: { api } }, trip, date, ride) =>
  act(`skip ${date}`, async () => {
    const count = ride?.passengers.filter(isOpen).length ?? 0;
    const text = count ? t('lift.skip.passengers', { count }) : null;
    if (!(await isSure({ title: t('lift.skip.sure', { day: dayText(date) }), text, yes: t('lift.skip') }))) return;
    if (ride) await api.post(escaped`/v1/rides/${ride.id}/cancel`);
    else
      await api.patch(pathOf(trip.id), {
        repeats: { ...trip.repeats, exceptions: [...trip.repeats.exceptions, date] },
      });
    toast(t('lift.skipped'), 'success');
  });

const remove = ({ act, app: { api } }, trip) =>
  act('remove', async () => {
    const question = { title: t('lift.remove.sure'), text: t('lift.remove.text'), yes: t('lift.remove') };
    if (!(await isSure(question))) return;
    await api.delete(pathOf(trip.id));
    toast(t('lift.removed'), 'success');
    go('/lift/trips');
  });
