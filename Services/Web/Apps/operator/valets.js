// Valets: list and positions, new ones, suspension, shifts.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { isInside } from '/apps/shared/position.js';
import { phoneNumber } from '/apps/shared/auth.js';
import { dateTime, day, duration, fullName, language, languages, t, tProblem, time } from '/apps/shared/i18n.js';
import {
  avatar,
  badge,
  button,
  choices,
  confirm,
  empty,
  facts,
  field,
  notice,
  problemNotice,
  rating,
  select,
  skeleton,
  statusBadge,
  toast,
} from '/apps/shared/ui.js';
import { go } from '/apps/shared/shell.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import {
  activeValet,
  callLink,
  createMapSlot,
  createPages,
  createResource,
  dialogActions,
  formDialog,
  head,
  section,
  shortDuration,
  shownPages,
  STALE,
  table,
} from './parts.js';

export const valetTone = { available: 'success', busy: 'accent', onBreak: 'warning', offline: 'neutral' };
const statuses = ['available', 'busy', 'onBreak', 'offline', 'suspended'];
/** The most ratings that are loaded at the same time. */
const AT_ONCE = 4;

const statusOf = (valet) => (valet.suspended ? 'suspended' : (valet.status ?? 'unknown'));
const valetBadge = (valet) =>
  badge(t(`op.valet.${statusOf(valet)}`), valet.suspended ? 'danger' : valetTone[valet.status]);
const jobOf = (valet) => store.value.orders.find((order) => activeValet(order)?.id === valet.id);
const areaOf = (valet) =>
  valet.position && store.value.areas.find((area) => isInside(valet.position, area.geometry))?.properties.name;

const age = (valet) => {
  if (valet.positionAgeSeconds === null || valet.positionAgeSeconds === undefined)
    return h('span', { class: 'muted' }, '–');
  const isStale = valet.positionAgeSeconds > STALE;
  return h(
    'span',
    { class: isStale ? 'late' : '' },
    shortDuration(valet.positionAgeSeconds),
    isStale ? ` (${t('op.valet.stale')})` : '',
  );
};

/** Average ratings, loaded once while the app runs. */
const ratings = new Map();
let asking = 0;
const waiting = [];
function ratingOf(id) {
  if (!ratings.has(id)) {
    ratings.set(id, null);
    waiting.push(id);
    askNext();
  }
  return ratings.get(id);
}

async function askNext() {
  if (asking >= AT_ONCE || !waiting.length) return;
  asking += 1;
  const id = waiting.shift();
  try {
    ratings.set(id, await api.get(escaped`/v1/users/${id}/rating`));
    redraw();
  } catch {
    ratings.delete(id);
  }
  asking -= 1;
  askNext();
}

const stars = (id) => {
  const summary = ratingOf(id);
  return summary?.count
    ? h(
        'span',
        { class: 'nowrap' },
        rating(summary.average),
        h('span', { class: 'muted small' }, ` (${summary.count})`),
      )
    : h('span', { class: 'muted' }, '–');
};

export function valetsScreen() {
  const filter = { text: '', status: '' };
  const set = (change) => {
    Object.assign(filter, change);
    redraw();
  };
  const found = () =>
    store.value.valets
      .filter((valet) => {
        const text = filter.text.toLowerCase().replace(/[\s+]/g, '');
        const name = `${valet.firstName}${valet.lastName}${valet.lastName}${valet.firstName}${valet.phone}`
          .toLowerCase()
          .replace(/[\s+]/g, '');
        return (!filter.status || statusOf(valet) === filter.status) && name.includes(text);
      })
      .sort(
        (a, b) =>
          statuses.indexOf(statusOf(a)) - statuses.indexOf(statusOf(b)) ||
          Number(a.positionAgeSeconds > STALE) - Number(b.positionAgeSeconds > STALE) ||
          fullName(a).localeCompare(fullName(b)),
      );

  return {
    title: () => t('op.nav.valets'),
    view() {
      const { valets, valetsAt, error } = store.value;
      const rows = found();
      return [
        head(t('op.nav.valets'), {
          age: valetsAt,
          lead: valetsAt
            ? t('op.valets.lead', {
                count: valets.length,
                working: valets.filter((one) => one.status && one.status !== 'offline').length,
              })
            : null,
          actions: button(t('op.valet.new'), { look: 'primary', icon: 'plus', onclick: newValetDialog }),
        }),
        h(
          'div',
          { class: 'panel' },
          h(
            'div',
            { class: 'filters wide', role: 'search', 'aria-label': t('op.filter') },
            field({
              id: 'valet-search',
              label: t('op.search'),
              type: 'search',
              value: filter.text,
              placeholder: t('op.valets.search.hint'),
              autocomplete: 'off',
              oninput: (event) => set({ text: event.target.value }),
            }),
            select({
              id: 'valet-status',
              label: t('op.state'),
              value: filter.status,
              onchange: (event) => set({ status: event.target.value }),
              options: [['', t('op.state.all')], ...statuses.map((status) => [status, t(`op.valet.${status}`)])],
            }),
          ),
        ),
        !valetsAt && !valets.length
          ? error
            ? problemNotice(error, () => refresh('valets'))
            : skeleton(8)
          : rows.length
            ? table(
                t('op.nav.valets'),
                [
                  {
                    label: t('op.name'),
                    isHead: true,
                    cell: (valet) => h('a', { href: `#/valets/${valet.id}` }, fullName(valet)),
                  },
                  { label: t('op.state'), cell: valetBadge },
                  {
                    label: t('op.valet.job'),
                    cell: (valet) => {
                      const job = jobOf(valet);
                      return job
                        ? h('a', { class: 'ticket', href: `#/orders/${job.id}` }, job.ticket)
                        : h('span', { class: 'muted' }, '–');
                    },
                  },
                  { label: t('op.area'), cell: (valet) => areaOf(valet) ?? h('span', { class: 'muted' }, '–') },
                  { label: t('op.position'), cell: age },
                  { label: t('op.rating'), cell: (valet) => stars(valet.id) },
                  { label: t('account.phone'), cell: callLink },
                ],
                rows,
              )
            : empty(
                'user',
                valets.length ? t('op.valets.noneFound') : t('op.valets.none'),
                valets.length ? t('op.valets.noneFound.text') : t('op.valets.none.text'),
              ),
      ];
    },
  };
}

const newValetDialog = () =>
  formDialog(
    t('op.valet.new'),
    (form, close) => {
      const send = async ({ firstName, lastName, phone, password, language: chosen }) => {
        const valet = await api.post('/v1/admin/valets', {
          firstName,
          lastName,
          phone: phoneNumber(phone),
          password,
          language: chosen,
        });
        toast(t('op.valet.made', { name: fullName(valet) }), 'success');
        refresh('valets');
        close(true);
        go(`/valets/${valet.id}`);
      };
      return form.view(
        { onsubmit: form.submit(send), autocomplete: 'off' },
        h(
          'div',
          { class: 'pair' },
          field({
            id: 'firstName',
            label: t('account.firstName'),
            required: true,
            maxlength: 60,
            error: form.errors.firstName,
          }),
          field({
            id: 'lastName',
            label: t('account.lastName'),
            required: true,
            maxlength: 60,
            error: form.errors.lastName,
          }),
        ),
        field({
          id: 'phone',
          label: t('account.phone'),
          hint: t('account.phone.hint'),
          type: 'tel',
          required: true,
          autocomplete: 'off',
          error: form.errors.phone,
        }),
        field({
          id: 'password',
          label: t('op.valet.password'),
          hint: t('op.valet.password.hint'),
          type: 'text',
          required: true,
          autocomplete: 'off',
          spellcheck: 'false',
          error: form.errors.password,
        }),
        choices({
          name: 'language',
          label: t('account.language'),
          options: languages.map(({ id, name }) => [id, name]),
          value: form.language ?? language(),
          onchange: (id) => {
            form.language = id;
            form.draw();
          },
        }),
        dialogActions(form, close, t('op.valet.make')),
      );
    },
    { fieldOf: { 'account.phone_taken': 'phone' } },
  );

// MARK: One valet

export function valetScreen({ id }) {
  const shifts = createPages('/v1/admin/shifts', { valet: id }, 20);
  const comments = createPages(escaped`/v1/users/${id}/comments`, {}, 20);
  const summary = createResource(() => api.get(escaped`/v1/users/${id}/rating`));
  let isBusy = false;
  const slot = createMapSlot('valet-map', { label: () => t('op.valet.map'), onready: drawMap });
  let isFitted = false;
  function drawMap() {
    const valet = store.value.valets.find((one) => one.id === id);
    if (!slot.map || slot.map.isPlain || !valet?.position) return;
    slot.map.setAreas(store.value.areas);
    slot.map.setMarker('valet', {
      ...valet.position,
      kind: `crew ${valet.status ?? 'offline'}`,
      icon: 'user',
      title: fullName(valet),
      isStale: valet.positionAgeSeconds > STALE,
    });
    if (!isFitted) slot.map.go(valet.position, 15);
    isFitted = true;
  }

  async function suspend(valet, suspended) {
    const key = suspended ? 'op.suspend' : 'op.unsuspend';
    if (
      !(await confirm(t(`${key}.sure`, { name: fullName(valet) }), t(`${key}.text`), {
        yes: t(key),
        no: t('action.cancel'),
        look: suspended ? 'danger' : 'primary',
      }))
    )
      return;
    isBusy = true;
    redraw();
    try {
      await api.patch(escaped`/v1/admin/valets/${id}`, { suspended });
      toast(t(`${key}.done`, { name: fullName(valet) }), 'success');
      store.set({ valets: store.value.valets.map((one) => (one.id === id ? { ...one, suspended } : one)) });
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    isBusy = false;
    refresh('valets');
    redraw();
  }

  /** For someone who has lost both their phone and their recovery codes. */
  async function removeFactors(valet) {
    if (
      !(await confirm(t('op.factors.sure', { name: fullName(valet) }), t('op.factors.text'), {
        yes: t('op.factors.remove'),
        no: t('action.cancel'),
        look: 'danger',
      }))
    )
      return;
    try {
      await api.delete(escaped`/v1/admin/people/${id}/second-factors`);
      toast(t('op.factors.done', { name: fullName(valet) }), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
  }

  return {
    title: () => {
      const valet = store.value.valets.find((one) => one.id === id);
      return valet ? fullName(valet) : t('role.valet');
    },
    view() {
      const valet = store.value.valets.find((one) => one.id === id);
      if (!valet)
        return [
          head(t('role.valet'), { back: '/valets' }),
          store.value.valetsAt ? empty('user', t('op.valet.gone'), t('op.valet.gone.text')) : skeleton(6),
        ];
      queueMicrotask(drawMap);
      const job = jobOf(valet);
      return [
        head(fullName(valet), {
          back: '/valets',
          lead: valetBadge(valet),
          age: store.value.valetsAt,
          actions: button(t(valet.suspended ? 'op.unsuspend' : 'op.suspend'), {
            look: valet.suspended ? 'plain' : 'danger',
            isBusy,
            onclick: () => suspend(valet, !valet.suspended),
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
              shownPages(shifts, shiftsView, h('p', { class: 'muted' }, t('op.shifts.none'))),
            ),
            section(
              t('op.comments'),
              { id: 'comments' },
              shownPages(comments, commentsView, h('p', { class: 'muted' }, t('op.comments.none'))),
            ),
          ),
          h(
            'div',
            { class: 'stack column-side' },
            valet.position ? h('div', { class: 'panel flush' }, slot.view('small')) : null,
            section(
              t('op.valet.about'),
              { id: 'about' },
              h('div', { class: 'row' }, avatar(valet), callLink(valet)),
              facts([
                [
                  t('op.valet.job'),
                  job &&
                    h(
                      'span',
                      null,
                      h('a', { class: 'ticket', href: `#/orders/${job.id}` }, job.ticket),
                      ' ',
                      statusBadge(job.status),
                    ),
                ],
                [t('op.area'), areaOf(valet)],
                [t('op.position'), age(valet)],
                [
                  t('op.rating'),
                  summary.value?.count
                    ? h('span', null, rating(summary.value.average), ` (${summary.value.count})`)
                    : t('rating.none'),
                ],
                [t('op.valet.since'), day(valet.createdAt)],
              ]),
              button(t('op.factors.remove'), { look: 'quiet', onclick: () => removeFactors(valet) }),
            ),
          ),
        ),
      ];
    },
    leave: () => slot.leave(),
  };
}

const seconds = (from, to) => (new Date(to ?? serverNow()) - new Date(from)) / 1000;
const shiftsView = (items) =>
  table(
    t('op.shifts'),
    [
      { label: t('op.shift.from'), isHead: true, cell: (shift) => dateTime(shift.startedAt) },
      {
        label: t('op.shift.to'),
        cell: (shift) => (shift.endedAt ? dateTime(shift.endedAt) : badge(t('op.shift.running'), 'success')),
      },
      {
        label: t('op.shift.breaks'),
        cell: (shift) =>
          shift.breaks.length
            ? shift.breaks
                .map((pause) => `${time(pause.startedAt)}–${pause.endedAt ? time(pause.endedAt) : '…'}`)
                .join(', ')
            : '–',
      },
      {
        label: t('op.shift.worked'),
        isAmount: true,
        cell: (shift) =>
          duration(
            Math.floor(
              (seconds(shift.startedAt, shift.endedAt) -
                shift.breaks.reduce(
                  (sum, pause) => sum + seconds(pause.startedAt, pause.endedAt ?? shift.endedAt),
                  0,
                )) /
                60,
            ) * 60,
          ),
      },
    ],
    items,
    { key: (shift) => shift.startedAt, isTight: true },
  );

const commentsView = (items) =>
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
