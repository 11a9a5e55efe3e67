// Reports of people about each other, and their decision by an operator.

import { h, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, fullName, loadTexts, t } from '/apps/shared/i18n.js';
import { badge, button, choices, empty, facts, field, select, toast } from '/apps/shared/ui.js';
import {
  createPages,
  dialogActions,
  follow,
  formDialog,
  head,
  nothing,
  shortID,
  shownPages,
  since,
  table,
} from './parts.js';
import { valetOf } from './valet-parts.js';
import { api, redraw } from './context.js';

await loadTexts('/apps/shared/texts/conduct');

const REPORTS = '/v1/admin/reports';
const PACE = 15_000;
const PAGE = 50;
const OUTCOMES = ['dismissed', 'warned', 'suspended'];
const LONGEST = 1_000;
/** Keys of products' names; a product without one is shown by its code. */
const PRODUCTS = { parking: 'op.nav.carParks', spots: 'op.nav.spots', carpool: 'op.nav.lift' };

const nameOf = (person) => (person.firstName === null ? t('op.report.gone') : fullName(person));
const reasonOf = ({ reason }) => t(`report.reason.${reason}`);

const personOf = ({ person, openReports }) =>
  h(
    'span',
    null,
    valetOf(person.id) ? h('a', { href: `#/valets/${person.id}` }, nameOf(person)) : nameOf(person),
    openReports > 1 ? [' ', badge(t('op.report.open.count', { count: openReports }), 'warning')] : null,
  );

/** The subject of a report; an order links to its screen. */
const subjectOf = ({ subject }) => {
  if (!subject) return null;
  if (subject.product === 'valet') return h('a', { href: `#/orders/${subject.id}` }, t('op.order'));
  const product = PRODUCTS[subject.product];
  return h('span', null, `${product ? t(product) : subject.product} `, shortID(subject.id));
};

const decisionOf = ({ status, outcome, note, closedAt }) =>
  status === 'open'
    ? badge(t('op.report.status.open'), 'warning')
    : h(
        'span',
        null,
        badge(t(`op.report.outcome.${outcome}`), outcome === 'dismissed' ? 'neutral' : 'danger'),
        ' ',
        h('span', { class: 'small muted nowrap' }, dateTime(closedAt)),
        note ? h('span', { class: 'small report-text' }, note) : null,
      );

/** Resolves with the closed report. */
const closeDialog = (report, key = uuid()) =>
  formDialog(t('op.report.close'), (form, close) => {
    const send = async ({ outcome, note }) =>
      close(
        await api.post(escaped`/v1/admin/reports/${report.id}/close`, { outcome, note: note.trim() || null }, { key }),
      );
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      facts([
        [t('op.report.person'), nameOf(report.person)],
        [t('op.report.reporter'), nameOf(report.reporter)],
        [t('op.reason'), reasonOf(report)],
        [t('op.report.text'), report.text && h('span', { class: 'report-text' }, report.text)],
      ]),
      select({
        id: 'outcome',
        label: t('op.report.outcome'),
        hint: t('op.report.outcome.hint'),
        options: OUTCOMES.map((outcome) => [outcome, t(`op.report.outcome.${outcome}`)]),
        error: form.errors.outcome,
      }),
      field({
        id: 'note',
        label: t('op.report.note'),
        hint: t('op.report.note.hint'),
        multiline: true,
        isOptional: true,
        maxlength: LONGEST,
        error: form.errors.note,
      }),
      dialogActions(form, close, t('op.report.close')),
    );
  });

export function reportsScreen() {
  let status = 'open';
  const pages = createPages(REPORTS, { status }, PAGE);
  const stop = follow(pages, PACE);
  return {
    title: () => t('op.nav.reports'),
    view: () => [
      head(t('op.nav.reports'), { lead: t('op.reports.lead'), age: pages.at }),
      choices({
        name: 'report-status',
        label: t('op.state'),
        hideLabel: true,
        value: status,
        options: ['open', 'closed', ''].map((one) => [one, t(`op.reports.${one || 'all'}`)]),
        onchange: (value) => {
          status = value;
          pages.reload({ status });
        },
      }),
      shownPages(
        pages,
        (items) => table(t('op.nav.reports'), columns(pages), items),
        empty('check', t('op.reports.none'), status === 'open' ? t('op.reports.none.text') : null),
      ),
    ],
    leave: stop,
  };
}

async function close(pages, report) {
  if (!(await closeDialog(report))) return;
  toast(t('op.report.closed'), 'success');
  pages.reload();
  redraw();
}

const columns = (pages) => [
  { label: t('op.report.person'), isHead: true, cell: personOf },
  { label: t('op.reason'), cell: reasonOf },
  {
    label: t('op.report.text'),
    cell: ({ text }) => (text ? h('span', { class: 'report-text' }, text) : nothing()),
  },
  { label: t('op.report.subject'), cell: (one) => subjectOf(one) ?? nothing() },
  { label: t('op.report.reporter'), cell: ({ reporter }) => nameOf(reporter) },
  {
    label: t('op.time'),
    cell: ({ createdAt }) => h('span', { title: dateTime(createdAt) }, since(createdAt, 'age')),
  },
  { label: t('op.state'), cell: decisionOf },
  {
    label: '',
    cell: (one) =>
      one.status === 'open'
        ? button(t('op.report.close.short'), {
            onclick: () => close(pages, one),
            'aria-label': t('op.report.close.of', { name: nameOf(one.person) }),
          })
        : null,
  },
];
