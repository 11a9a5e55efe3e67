// Saved searches, of which the person is alerted to new trips.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { button, empty, toast } from '/apps/shared/ui.js';
import { list, listPage } from './list-page.js';
import { dayText, placeText, weekdaysText } from './words.js';

const SEARCHES = '/v1/me/saved-searches';
const DAY_MINUTES = 1_440;

export const searches = (screen) =>
  listPage(
    t('lift.searches'),
    h('p', { class: 'muted', key: 'lead' }, t('lift.searches.lead')),
    list(screen.app, {
      path: SEARCHES,
      title: t('lift.searches'),
      line: (search) => searchLine(screen, search),
      none: empty(
        'bell',
        t('lift.searches.none'),
        null,
        h('a', { class: 'button primary', href: '#/lift' }, t('lift.search')),
      ),
    }),
  );

const searchLine = (screen, search) =>
  h(
    'li',
    { class: 'card row between', key: search.id },
    h(
      'div',
      { class: 'grow' },
      h(
        'p',
        { class: 'strong' },
        search.name ?? t('lift.fromTo', { from: placeText(search.from), to: placeText(search.to) }),
      ),
      h('p', { class: 'muted small' }, detailsText(search)),
    ),
    button(t('lift.search.remove'), {
      look: 'quiet danger-text',
      isBusy: screen.busy === search.id,
      onclick: () => remove(screen, search),
    }),
  );

const hourOf = (minute) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const detailsText = ({ date, weekdays, fromMinute, untilMinute, seats, maxWalkMeters }) =>
  [
    date ? dayText(date) : weekdays ? weekdaysText(weekdays) : t('lift.daily'),
    fromMinute === 0 && untilMinute === DAY_MINUTES ? null : `${hourOf(fromMinute)}–${hourOf(untilMinute)}`,
    t('lift.seats.count', { count: seats }),
    t('lift.walk.upTo', { distance: distance(maxWalkMeters) }),
  ]
    .filter(Boolean)
    .join(' · ');

async function remove(screen, { id }) {
  const { api, resources } = screen.app;
  screen.set({ busy: id });
  try {
    await api.delete(escaped`/v1/me/saved-searches/${id}`);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  screen.busy = null;
  resources.reload(SEARCHES);
}
