// The list of valets, and new ones.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { phoneOf } from '/apps/shared/auth-parts.js';
import { fullName, language, languages, t } from '/apps/shared/i18n.js';
import { rating } from '/apps/shared/people.js';
import { button, choices, empty, field, problemNotice, select, skeleton, toast } from '/apps/shared/ui.js';
import { go } from '/apps/shared/shell.js';
import { api, redraw } from './context.js';
import { refresh, store } from './store.js';
import { callLink, dialogActions, formDialog, head, nothing, table } from './parts.js';
import { ticketLink } from './order-parts.js';
import { areaOf, isStale, jobOf, positionAge, statusOf, valetBadge } from './valet-parts.js';

const statuses = ['available', 'busy', 'onBreak', 'offline', 'suspended'];
/** The most ratings that are loaded at the same time. */
const AT_ONCE = 4;

export function valetsScreen() {
  const filter = { text: '', status: '' };
  return {
    title: () => t('op.nav.valets'),
    view() {
      const { valets, valetsAt, error } = store.value;
      return [
        listHead(store.value),
        filters(filter),
        !valetsAt && !valets.length
          ? error
            ? problemNotice(error, () => refresh('valets'))
            : skeleton(8)
          : list(foundValets(valets, filter), valets.length > 0),
      ];
    },
  };
}

const listHead = ({ valets, valetsAt }) =>
  head(t('op.nav.valets'), {
    age: valetsAt,
    lead: valetsAt
      ? t('op.valets.lead', {
          count: valets.length,
          working: valets.filter((one) => one.status && one.status !== 'offline').length,
        })
      : null,
    actions: button(t('op.valet.new'), { look: 'primary', icon: 'plus', onclick: newValetDialog }),
  });

// MARK: Filter

const folded = (text) => text.toLowerCase().replace(/[\s+]/g, '');
const wordsOf = ({ firstName, lastName, phone }) => folded(`${firstName}${lastName}${lastName}${firstName}${phone}`);

/** Those with this status whose name or phone number contains the text: first those who work, stale positions last. */
export const foundValets = (valets, { text, status }) =>
  valets
    .filter((valet) => (!status || statusOf(valet) === status) && wordsOf(valet).includes(folded(text)))
    .sort(
      (a, b) =>
        statuses.indexOf(statusOf(a)) - statuses.indexOf(statusOf(b)) ||
        Number(isStale(a)) - Number(isStale(b)) ||
        fullName(a).localeCompare(fullName(b)),
    );

function filters(filter) {
  const set = (change) => {
    Object.assign(filter, change);
    redraw();
  };
  return h(
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
  );
}

// MARK: List

function list(found, areAny) {
  if (found.length) return table(t('op.nav.valets'), columns(), found);
  const key = areAny ? 'op.valets.noneFound' : 'op.valets.none';
  return empty('user', t(key), t(`${key}.text`));
}

const columns = () => [
  { label: t('op.name'), isHead: true, cell: (valet) => h('a', { href: `#/valets/${valet.id}` }, fullName(valet)) },
  { label: t('op.state'), cell: valetBadge },
  {
    label: t('op.valet.job'),
    cell: (valet) => {
      const job = jobOf(valet);
      return job ? ticketLink(job.id, job.ticket) : nothing();
    },
  },
  { label: t('op.area'), cell: (valet) => areaOf(valet) ?? nothing() },
  { label: t('op.position'), cell: positionAge },
  { label: t('op.rating'), cell: (valet) => stars(valet.id) },
  { label: t('account.phone'), cell: callLink },
];

function stars(id) {
  const summary = ratingOf(id);
  return summary?.count
    ? h(
        'span',
        { class: 'nowrap' },
        rating(summary.average),
        h('span', { class: 'muted small' }, ` (${summary.count})`),
      )
    : nothing();
}

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

// MARK: New valet

const newValetDialog = () =>
  formDialog(
    t('op.valet.new'),
    (form, close) =>
      form.view(
        { onsubmit: form.submit((values) => addValet(values, close)), autocomplete: 'off' },
        newValetFields(form),
        dialogActions(form, close, t('op.valet.make')),
      ),
    { fieldOf: { 'account.phone_taken': 'phone' } },
  );

async function addValet({ firstName, lastName, phone, password, language: chosen }, close) {
  const valet = await api.post('/v1/admin/valets', {
    firstName,
    lastName,
    ...phoneOf(phone),
    password,
    language: chosen,
  });
  toast(t('op.valet.made', { name: fullName(valet) }), 'success');
  refresh('valets');
  close(true);
  go(`/valets/${valet.id}`);
}

const newValetFields = (form) => [
  h(
    'div',
    { class: 'pair' },
    ['firstName', 'lastName'].map((id) =>
      field({ id, label: t(`account.${id}`), required: true, maxlength: 60, error: form.errors[id] }),
    ),
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
];
