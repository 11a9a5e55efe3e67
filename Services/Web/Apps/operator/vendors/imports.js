// Imports of vendors from a file: progress, and rows that were refused.

import { escaped, withQuery } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { badge, button, createForm, empty, field, notice, problemNotice } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createResource, section, shown, table } from '../parts.js';

const IMPORTS = '/v1/admin/vendor-imports';
/** Time between two polls of a running import, in ms. */
const PACE = 1_000;
const LONGEST = 100;
const typeOf = ({ name }) => (/\.(geo)?json$/i.test(name) ? 'application/geo+json' : 'text/csv');

export function createImports(ondone) {
  const form = createForm(redraw, { 'vendor_import.unreadable': 'file' });
  const earlier = createResource(() => api.get(IMPORTS));
  /** The import on screen. */
  let current = null;
  let problem = null;
  let timer = null;
  let name = '';
  let isLeft = false;

  /** Polls until it is done, while the screen is open. */
  async function follow(id) {
    clearTimeout(timer);
    try {
      const seen = await api.get(escaped`/v1/admin/vendor-imports/${id}`);
      if (isLeft || (current && current.id !== id)) return;
      [current, problem] = [seen, null];
    } catch (error) {
      if (isLeft) return;
      problem = error;
    }
    redraw();
    if (current?.status === 'running') timer = setTimeout(follow, PACE, id);
    else if (!problem) finish();
  }
  function finish() {
    earlier.reload();
    ondone();
  }
  function show(one) {
    current = one;
    redraw();
    follow(one.id);
  }

  const send = form.submit(async (values) => {
    const { file } = values;
    if (!file?.size) form.refuse({ file: t('op.imports.choose') });
    show(await api.call('POST', withQuery(IMPORTS, { name: values.name.trim() }), { raw: file, type: typeOf(file) }));
  });

  const statusBadge = ({ status }) =>
    badge(
      t(status === 'running' ? 'op.imports.running' : 'op.imports.done'),
      status === 'running' ? 'accent' : 'success',
    );
  const counts = ['rows', 'added', 'changed', 'unchanged'].map((one) => ({
    label: t(`op.imports.${one}`),
    isAmount: true,
    cell: (it) => String(it[one]),
  }));
  const columns = [
    {
      label: t('op.name'),
      isHead: true,
      cell: ({ name: called, startedAt }) =>
        h('span', null, called, h('span', { class: 'muted small block' }, dateTime(startedAt))),
    },
    { label: t('op.state'), cell: statusBadge },
    ...counts,
    { label: t('op.imports.refused'), isAmount: true, cell: ({ refusedCount }) => String(refusedCount) },
  ];
  const showColumn = {
    label: '',
    cell: (one) =>
      button(t('op.imports.show'), {
        'aria-label': t('op.imports.show.of', { name: one.name }),
        onclick: () => show(one),
      }),
  };
  const refusedColumns = [
    { label: t('op.imports.line'), isAmount: true, isHead: true, cell: ({ line }) => String(line) },
    { label: t('op.imports.field'), cell: ({ field: of }) => of ?? '–' },
    { label: t('op.imports.why'), cell: ({ detail }) => detail },
  ];

  function progress() {
    const { name: called, rows, done, refused, refusedCount, status } = current;
    return section(
      called,
      { id: 'import' },
      h('progress', {
        class: 'import-bar',
        key: 'bar',
        max: Math.max(rows, 1),
        value: status === 'running' ? done : Math.max(rows, 1),
        'aria-label': t('op.imports.progress', { name: called }),
      }),
      h(
        'p',
        { class: 'muted', role: 'status', key: 'at' },
        `${t('op.imports.at', { done, rows })} `,
        statusBadge(current),
      ),
      problem ? problemNotice(problem, () => follow(current.id)) : null,
      table(called, columns, [current]),
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
        ? table(t('op.imports.refused.of', { name: called }), refusedColumns, refused, { key: (_, i) => i })
        : null,
    );
  }

  return {
    reload: earlier.reload,
    get at() {
      return earlier.at;
    },
    view: () => [
      form.view(
        { class: 'panel stack', key: 'import', onsubmit: send },
        field({
          id: 'file',
          label: t('op.imports.file'),
          type: 'file',
          accept: '.csv,.json,.geojson,text/csv,application/geo+json',
          required: true,
          error: form.errors.file,
          onchange: ({ target }) => {
            name ||= target.files[0]?.name.replace(/\.\w+$/, '').slice(0, LONGEST) ?? '';
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
          value: name,
          error: form.errors.name,
          oninput: ({ target }) => {
            name = target.value;
          },
        }),
        button(t('op.imports.start'), { type: 'submit', look: 'primary', isBusy: form.isBusy }),
      ),
      current ? progress() : null,
      shown(earlier, ({ items }) =>
        items.length
          ? section(
              t('op.imports.earlier'),
              { id: 'earlier' },
              table(t('op.imports.earlier'), [...columns, showColumn], items),
            )
          : empty('list', t('op.imports.none')),
      ),
    ],
    leave() {
      isLeft = true;
      clearTimeout(timer);
    },
  };
}
