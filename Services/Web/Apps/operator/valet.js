// One valet: position, shifts, comments, suspension.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, day, duration, fullName, t, tProblem, time } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { statusBadge } from '/apps/shared/status.js';
import { avatar, rating } from '/apps/shared/people.js';
import { badge, button, empty, facts, notice, skeleton, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import { callLink, createMapSlot, createPages, createResource, head, section, shownPages, table } from './parts.js';
import { ticketLink } from './order-parts.js';
import { areaOf, isStale, jobOf, positionAge, valetBadge, valetOf } from './valet-parts.js';

export function valetScreen({ id }) {
  const screen = {
    id,
    shifts: createPages('/v1/admin/shifts', { valet: id }, 20),
    comments: createPages(escaped`/v1/users/${id}/comments`, {}, 20),
    rating: createResource(() => api.get(escaped`/v1/users/${id}/rating`)),
    isBusy: false,
    isFitted: false,
  };
  screen.slot = createMapSlot('valet-map', { label: () => t('op.valet.map'), onready: () => drawMap(screen) });
  return {
    title: () => (valetOf(id) ? fullName(valetOf(id)) : t('role.valet')),
    view: () => (valetOf(id) ? view(screen, valetOf(id)) : missing()),
    leave: () => screen.slot.leave(),
  };
}

// MARK: Actions

async function suspend(screen, valet, suspended) {
  const { id } = screen;
  const key = suspended ? 'op.suspend' : 'op.unsuspend';
  const name = fullName(valet);
  const look = suspended ? 'danger' : 'primary';
  if (!(await confirm(t(`${key}.sure`, { name }), t(`${key}.text`), { yes: t(key), no: t('action.cancel'), look })))
    return;
  screen.isBusy = true;
  redraw();
  try {
    await api.patch(escaped`/v1/admin/valets/${id}`, { suspended });
    toast(t(`${key}.done`, { name }), 'success');
    store.set({ valets: store.value.valets.map((one) => (one.id === id ? { ...one, suspended } : one)) });
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  screen.isBusy = false;
  refresh('valets');
  redraw();
}

/** For someone who has lost both their phone and their recovery codes. */
async function removeFactors(valet) {
  const name = fullName(valet);
  const answers = { yes: t('op.factors.remove'), no: t('action.cancel'), look: 'danger' };
  if (!(await confirm(t('op.factors.sure', { name }), t('op.factors.text'), answers))) return;
  try {
    await api.delete(escaped`/v1/admin/people/${valet.id}/second-factors`);
    toast(t('op.factors.done', { name }), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
}

// MARK: View

const missing = () => [
  head(t('role.valet'), { back: '/valets' }),
  store.value.valetsAt ? empty('user', t('op.valet.gone'), t('op.valet.gone.text')) : skeleton(6),
];

function view(screen, valet) {
  queueMicrotask(() => drawMap(screen));
  return [
    head(fullName(valet), {
      back: '/valets',
      lead: valetBadge(valet),
      age: store.value.valetsAt,
      actions: button(t(valet.suspended ? 'op.unsuspend' : 'op.suspend'), {
        look: valet.suspended ? 'plain' : 'danger',
        isBusy: screen.isBusy,
        onclick: () => suspend(screen, valet, !valet.suspended),
      }),
    }),
    valet.suspended ? notice('warning', t('op.suspended.text')) : null,
    h(
      'div',
      { class: 'columns', key: 'columns' },
      h(
        'div',
        { class: 'stack column-main' },
        section(
          t('op.shifts'),
          { id: 'shifts' },
          shownPages(screen.shifts, shiftsTable, h('p', { class: 'muted' }, t('op.shifts.none'))),
        ),
        section(
          t('op.comments'),
          { id: 'comments' },
          shownPages(screen.comments, commentsList, h('p', { class: 'muted' }, t('op.comments.none'))),
        ),
      ),
      h(
        'div',
        { class: 'stack column-side' },
        valet.position ? h('div', { class: 'panel flush' }, screen.slot.view('small')) : null,
        about(valet, screen.rating.value),
      ),
    ),
  ];
}

function about(valet, summary) {
  const job = jobOf(valet);
  return section(
    t('op.valet.about'),
    { id: 'about' },
    h('div', { class: 'row' }, avatar(valet), callLink(valet)),
    facts([
      [t('op.valet.job'), job && h('span', null, ticketLink(job.id, job.ticket), ' ', statusBadge(job.status))],
      [t('op.area'), areaOf(valet)],
      [t('op.position'), positionAge(valet)],
      [
        t('op.rating'),
        summary?.count ? h('span', null, rating(summary.average), ` (${summary.count})`) : t('rating.none'),
      ],
      [t('op.valet.since'), day(valet.createdAt)],
    ]),
    button(t('op.factors.remove'), { look: 'quiet', onclick: () => removeFactors(valet) }),
  );
}

function drawMap(screen) {
  const { map } = screen.slot;
  const valet = valetOf(screen.id);
  if (!map || map.isPlain || !valet?.position) return;
  map.setAreas(store.value.areas);
  map.setMarker('valet', {
    ...valet.position,
    kind: `crew ${valet.status ?? 'offline'}`,
    icon: 'user',
    title: fullName(valet),
    isStale: isStale(valet),
  });
  if (!screen.isFitted) map.go(valet.position, 15);
  screen.isFitted = true;
}

// MARK: Shifts and comments

const shiftsTable = (items) =>
  table(
    t('op.shifts'),
    [
      { label: t('op.shift.from'), isHead: true, cell: (shift) => dateTime(shift.startedAt) },
      {
        label: t('op.shift.to'),
        cell: (shift) => (shift.endedAt ? dateTime(shift.endedAt) : badge(t('op.shift.running'), 'success')),
      },
      { label: t('op.shift.breaks'), cell: ({ breaks }) => breaks.map(breakText).join(', ') || '–' },
      {
        label: t('op.shift.worked'),
        isAmount: true,
        cell: (shift) => duration(Math.floor(workedSeconds(shift) / 60) * 60),
      },
    ],
    items,
    { key: (shift) => shift.startedAt, isTight: true },
  );

const breakText = ({ startedAt, endedAt }) => `${time(startedAt)}–${endedAt ? time(endedAt) : '…'}`;

/** The length of a shift without its breaks, until now if it is running. */
export function workedSeconds({ startedAt, endedAt, breaks }) {
  const seconds = (from, to) => ((to ? Date.parse(to) : serverNow()) - Date.parse(from)) / 1000;
  const paused = breaks.reduce((sum, pause) => sum + seconds(pause.startedAt, pause.endedAt ?? endedAt), 0);
  return seconds(startedAt, endedAt) - paused;
}

const commentsList = (items) =>
  h(
    'ul',
    { class: 'list' },
    items.map((one) =>
      h(
        'li',
        { key: one.updatedAt, class: 'comment' },
        h('p', { class: 'row' }, rating(one.stars), h('span', { class: 'muted small' }, dateTime(one.updatedAt))),
        one.comment ? h('p', null, one.comment) : null,
      ),
    ),
  );
