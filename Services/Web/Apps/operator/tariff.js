// A new version of an area's tariff, with examples of its prices.

import { h } from '/apps/shared/dom.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { go } from '/apps/shared/shell.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button, empty, field, notice, problemNotice, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { refresh } from './store.js';
import { createResource, head, section, table } from './parts.js';
import { readArea } from './area-edit.js';
import { conflictNotice, loading } from './detail-parts.js';
import { EXTRAS, billOf, changes, draftOf, isExtra, isTime, parsed } from './tariff-draft.js';

/** Stays that the preview shows, in minutes. */
const EXAMPLES = [10, 45, 120, 300, 1_500];

export function tariffScreen({ id }) {
  const screen = {
    id,
    name: id,
    draft: null,
    /** The tariff that applies now. */
    old: null,
    tag: null,
    errors: {},
    problem: null,
    conflict: null,
    isBusy: false,
  };
  screen.source = createResource(async () => take(screen, await readArea(id)));
  return { title: () => t('op.tariff.of', { name: screen.name }), view: () => view(screen) };
}

/** Edits the tariff of this version of the area. */
function take(screen, { feature, tag }) {
  const { name, tariff } = feature.properties;
  Object.assign(screen, { name, old: tariff, tag, draft: draftOf(tariff) });
}

// MARK: Publishing

async function save(screen, event) {
  event?.preventDefault();
  const { old, name } = screen;
  const tariff = parsed(screen.draft);
  Object.assign(screen, { errors: {}, problem: null });
  if (!tariff) {
    screen.problem = Object.assign(new Error(t('op.tariff.numbers')), { code: 'form' });
    return redraw();
  }
  const list = changes(old, tariff);
  if (!list.length) return void toast(t('op.tariff.same'));
  const isSure = await confirm(t('op.tariff.sure', { version: old.version + 1, name }), list.join(' · '), {
    yes: t('op.tariff.publish'),
    no: t('action.cancel'),
  });
  if (!isSure) return undefined;
  screen.isBusy = true;
  redraw();
  await publish(screen, tariff);
  screen.isBusy = false;
  return redraw();
}

async function publish(screen, tariff) {
  const { id, name, tag } = screen;
  try {
    await api.put(escaped`/v1/admin/service-areas/${id}/tariff`, tariff, { headers: tag ? { 'if-match': tag } : {} });
    toast(t('op.tariff.saved', { name }), 'success');
    refresh('areas');
    go('/areas');
  } catch (error) {
    if (error instanceof Problem && error.status === 412) await meet(screen);
    else if (error.field) screen.errors = { [error.field.replace(/^extras\./, '')]: tProblem(error) };
    else screen.problem = error;
  }
}

/** Reads the version that someone else has published first. */
async function meet(screen) {
  try {
    screen.conflict = await readArea(screen.id);
  } catch (error) {
    screen.problem = error;
  }
}

// MARK: Views

function view(screen) {
  const { name, draft, old, conflict, problem } = screen;
  const back = '/areas';
  if (!draft) {
    const gone = empty('map', t('op.area.gone'), t('op.area.gone.text'));
    return [head(t('op.tariff'), { back }), loading(screen.source, gone)];
  }
  const { version } = old;
  return [
    head(t('op.tariff.of', { name }), { back, lead: t('op.tariff.lead', { version, next: version + 1 }) }),
    conflict ? conflictView(screen) : null,
    problem ? problemNotice(problem) : null,
    h(
      'div',
      { class: 'columns edit priced', key: 'columns' },
      form(screen),
      h('div', { class: 'column-side stack' }, section(t('op.tariff.preview'), { id: 'preview' }, preview(screen))),
    ),
  ];
}

function conflictView(screen) {
  const { feature, tag } = screen.conflict;
  const { tariff } = feature.properties;
  return conflictNotice(t('op.conflict.tariffChanged', { version: tariff.version }), null, {
    theirs() {
      take(screen, { feature, tag });
      screen.conflict = null;
      redraw();
    },
    mine() {
      Object.assign(screen, { old: tariff, tag, conflict: null });
      save(screen);
    },
  });
}

const form = (screen) =>
  h(
    'form',
    { novalidate: true, onsubmit: (event) => save(screen, event) },
    section(
      t('op.tariff.prices'),
      { id: 'prices' },
      grid(
        currencyField(screen),
        inputs(screen, ['baseFee', 'freeMinutes', 'incrementPrice', 'incrementMinutes', 'dailyCap']),
      ),
    ),
    section(t('op.order.extras'), { id: 'extras' }, grid(inputs(screen, EXTRAS))),
    section(
      t('op.tariff.rules'),
      { id: 'rules' },
      grid(inputs(screen, ['cancellationFee', 'cancellationGraceSeconds', 'noShowFee', 'waitingSeconds'])),
    ),
    h(
      'div',
      { class: 'actions' },
      h('a', { class: 'button', href: '#/areas' }, t('action.cancel')),
      button(t('op.tariff.publish'), { type: 'submit', look: 'primary', isBusy: screen.isBusy }),
    ),
  );

const grid = (...fields) => h('div', { class: 'form-grid' }, fields);

const currencyField = ({ draft, errors }) =>
  field({
    id: 'currency',
    label: t('op.currency'),
    value: draft.currency,
    maxlength: 3,
    error: errors.currency,
    oninput: (event) => {
      draft.currency = event.target.value.toUpperCase();
      redraw();
    },
  });

const inputs = ({ draft, errors }, keys) =>
  keys.map((key) =>
    field({
      id: key,
      label: t(`op.tariff.${key}`),
      hint: isTime(key) || isExtra(key) ? t(`op.tariff.${key}.hint`) : null,
      inputmode: isTime(key) ? 'numeric' : 'decimal',
      value: draft[key],
      autocomplete: 'off',
      error: errors[key],
      oninput: (event) => {
        draft[key] = event.target.value;
        redraw();
      },
    }),
  );

function preview({ draft, old }) {
  const tariff = parsed(draft);
  if (!tariff) return h('p', { class: 'muted' }, t('op.tariff.numbers'));
  return [
    table(t('op.tariff.preview'), exampleColumns(tariff, old), EXAMPLES, { key: (minutes) => minutes, isTight: true }),
    tariff.dailyCap < tariff.baseFee ? notice('warning', t('op.tariff.capLow')) : null,
  ];
}

function exampleColumns(tariff, old) {
  const bill = (minutes) => billOf(tariff, minutes * 60);
  const amount = (value) => money({ amount: value, currency: tariff.currency });
  const before = (minutes) => money({ amount: billOf(old, minutes * 60).total, currency: old.currency });
  const stay = (minutes) =>
    minutes < 60 ? t('duration.minutes', { minutes }) : t('op.hours', { hours: minutes / 60 });
  return [
    { label: t('op.tariff.stay'), isHead: true, cell: (minutes) => h('span', { class: 'nowrap' }, stay(minutes)) },
    { label: t('bill.time'), isAmount: true, cell: (minutes) => amount(bill(minutes).time) },
    {
      label: t('bill.dailyCap'),
      isAmount: true,
      cell: (minutes) => (bill(minutes).saved ? amount(-bill(minutes).saved) : '–'),
    },
    { label: t('bill.total'), isAmount: true, cell: (minutes) => h('strong', null, amount(bill(minutes).total)) },
    { label: t('op.tariff.now'), isAmount: true, cell: (minutes) => h('span', { class: 'muted' }, before(minutes)) },
  ];
}
