// Imports of vendors from a file: progress, and rows that were refused.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { createForm } from '/apps/shared/forms.js';
import { badge, button, empty, field, notice, problemNotice } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createResource, section, shown, table } from '../parts.js';

const IMPORTS = '/v1/admin/vendor-imports';
/** Time between two polls of a running import, in ms. */
const PACE = 1_000;
const LONGEST = 100;
const typeOf = ({ name }) => (/\.(geo)?json$/i.test(name) ? 'application/geo+json' : 'text/csv');

export function createImports(ondone) {
  const imports = {
    ondone,
    form: createForm(redraw, { 'vendor_import.unreadable': 'file' }),
    name: '',
    earlier: createResource(() => api.get(IMPORTS)),
    /** The import on screen, the problem with following it, and the timer of its next poll. */
    current: null,
    problem: null,
    timer: null,
    isLeft: false,
  };
  return {
    reload: imports.earlier.reload,
    get at() {
      return imports.earlier.at;
    },
    view: () => [
      startForm(imports),
      imports.current ? progress(imports) : null,
      shown(imports.earlier, ({ items }) =>
        items.length ? earlier(imports, items) : empty('list', t('op.imports.none')),
      ),
    ],
    leave() {
      imports.isLeft = true;
      clearTimeout(imports.timer);
    },
  };
}

// MARK: Actions

const start = (imports) =>
  imports.form.submit(async ({ file, name }) => {
    if (!file?.size) imports.form.refuse({ file: t('op.imports.choose') });
    show(imports, await api.call('POST', withQuery(IMPORTS, { name: name.trim() }), { raw: file, type: typeOf(file) }));
  });

function show(imports, one) {
  imports.current = one;
  redraw();
  follow(imports, one.id);
}

/** Polls until it is done, while the screen is open. */
async function follow(imports, id) {
  clearTimeout(imports.timer);
  try {
    const current = await api.get(escaped`/v1/admin/vendor-imports/${id}`);
    if (imports.isLeft || (imports.current && imports.current.id !== id)) return;
    Object.assign(imports, { current, problem: null });
  } catch (problem) {
    if (imports.isLeft) return;
    imports.problem = problem;
  }
  redraw();
  if (imports.current?.status === 'running') {
    imports.timer = setTimeout(follow, PACE, imports, id);
  } else if (!imports.problem) {
    imports.earlier.reload();
    imports.ondone();
  }
}

// MARK: Drawing

const startForm = (imports) =>
  imports.form.view(
    { class: 'panel stack', key: 'import', onsubmit: start(imports) },
    field({
      id: 'file',
      label: t('op.imports.file'),
      type: 'file',
      accept: '.csv,.tsv,.txt,.json,.geojson,text/csv,application/geo+json',
      required: true,
      error: imports.form.errors.file,
      onchange: ({ target }) => {
        imports.name ||= target.files[0]?.name.replace(/\.\w+$/, '').slice(0, LONGEST) ?? '';
        redraw();
      },
    }),
    field({
      id: 'name',
      label: t('op.imports.name'),
      hint: t('op.imports.name.hint'),
      required: true,
      maxlength: LONGEST,
      autocomplete: 'off',
      value: imports.name,
      error: imports.form.errors.name,
      oninput: ({ target }) => {
        imports.name = target.value;
      },
    }),
    button(t('op.imports.start'), { type: 'submit', look: 'primary', isBusy: imports.form.isBusy }),
  );

function progress(imports) {
  const { current, problem } = imports;
  const { id, name, rows, done, refused, refusedCount, status } = current;
  return section(
    name,
    { id: 'import' },
    h('progress', {
      class: 'import-bar',
      key: 'bar',
      max: Math.max(rows, 1),
      value: status === 'running' ? done : Math.max(rows, 1),
      'aria-label': t('op.imports.progress', { name }),
    }),
    h(
      'p',
      { class: 'muted', role: 'status', key: 'at' },
      `${t('op.imports.at', { done, rows })} `,
      statusBadge(current),
    ),
    problem ? problemNotice(problem, () => follow(imports, id)) : null,
    table(name, columns(), [current]),
    refusedCount
      ? notice(
          'warning',
          `${t('op.imports.refused')}: ${refusedCount}`,
          refusedCount > refused.length && refused.length
            ? h('p', null, t('op.imports.refused.first', { shown: refused.length, count: refusedCount }))
            : null,
        )
      : null,
    refused.length
      ? table(t('op.imports.refused.of', { name }), refusedColumns(), refused, { key: (_, i) => i })
      : null,
  );
}

function earlier(imports, items) {
  const showColumn = {
    label: '',
    cell: (one) =>
      button(t('op.imports.show'), {
        'aria-label': t('op.imports.show.of', { name: one.name }),
        onclick: () => show(imports, one),
      }),
  };
  return section(
    t('op.imports.earlier'),
    { id: 'earlier' },
    table(t('op.imports.earlier'), [...columns(), showColumn], items),
  );
}

const statusBadge = ({ status }) =>
  status === 'running' ? badge(t('op.imports.running'), 'accent') : badge(t('op.imports.done'), 'success');

/** The columns of a table of imports. */
const columns = () => [
  {
    label: t('op.name'),
    isHead: true,
    cell: ({ name, startedAt }) =>
      h('span', null, name, h('span', { class: 'muted small block' }, dateTime(startedAt))),
  },
  { label: t('op.state'), cell: statusBadge },
  ...['rows', 'added', 'changed', 'unchanged'].map((name) => ({
    label: t(`op.imports.${name}`),
    isAmount: true,
    cell: (one) => String(one[name]),
  })),
  { label: t('op.imports.refused'), isAmount: true, cell: ({ refusedCount }) => String(refusedCount) },
];

/** The columns of the table of refused rows. */
const refusedColumns = () => [
  { label: t('op.imports.line'), isAmount: true, isHead: true, cell: ({ line }) => String(line) },
  { label: t('op.imports.field'), cell: ({ field: name }) => name ?? '–' },
  { label: t('op.imports.why'), cell: ({ detail }) => detail },
];
