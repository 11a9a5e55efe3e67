// Tax rates by country and product, from a time on.

import { countryOptions } from '/apps/shared/countries.js';
import { confirm } from '/apps/shared/dialogs.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { PRODUCTS } from '/apps/shared/products.js';
import { percentText } from '/apps/shared/receipt-sheet.js';
import { button, empty, field, iconButton, notice, problemNotice, select, toast, toggle } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { conflictNotice, loading, readTagged, showErrors, waysOut } from '../detail-parts.js';
import { createPages, createResource, head, section, shownPages, table } from '../parts.js';
import { emptyRate, fieldOf, taxBodyOf, taxDraftOf, wrongFields } from './tax-draft.js';

const PATH = '/v1/admin/taxes';

async function read() {
  const { value: schedule, tag } = await readTagged(PATH);
  const { country, timeZone } = await api.get('/v1/company');
  return { schedule, tag, country, timeZone };
}

export function taxesScreen() {
  const screen = { schedule: null, tag: null, draft: null, errors: {}, problem: null, conflict: null, isBusy: false };
  screen.source = createResource(async () => take(screen, await read()));
  screen.versions = createPages(`${PATH}/versions`, {}, 10);
  return { title: () => t('op.taxes'), view: () => view(screen) };
}

const take = (screen, { schedule, tag, country, timeZone }) =>
  Object.assign(screen, {
    schedule,
    tag,
    country: country ?? '',
    timeZone: timeZone ?? 'UTC',
    draft: taxDraftOf(schedule.current),
    errors: {},
    problem: null,
    conflict: null,
  });

async function save(screen, event) {
  event?.preventDefault();
  if (screen.isBusy) return;
  showErrors(screen, wrongTexts(wrongFields(screen.draft)));
  if (Object.keys(screen.errors).length) return redraw();
  if (!screen.draft.validFrom && !(await isSure())) return redraw();
  Object.assign(screen, { isBusy: true, problem: null });
  redraw();
  try {
    const headers = screen.tag ? { 'if-match': screen.tag } : {};
    await api.put(PATH, taxBodyOf(screen.draft, screen.timeZone), { headers });
    take(screen, await read());
    screen.versions.reload();
    toast(t('op.taxes.saved'), 'success');
  } catch (error) {
    if (error.status === 412) screen.conflict = await read().catch(() => null);
    const name = fieldOf(error.field);
    if (document.getElementById(name)) showErrors(screen, { [name]: tProblem(error) });
    else if (!screen.conflict) screen.problem = error;
  }
  screen.isBusy = false;
  return redraw();
}

const isSure = () =>
  confirm(t('op.taxes.now'), t('op.taxes.now.text'), { yes: t('op.taxes.now.yes'), no: t('action.cancel') });

/** The texts of wrong fields by the ids of the fields. */
const wrongTexts = (wrong) =>
  Object.fromEntries(
    Object.entries(wrong).flatMap(([i, names]) => names.map((name) => [`${name}-${i}`, t(`op.taxes.${name}.wrong`)])),
  );

// MARK: Views

function view(screen) {
  const { draft, conflict, problem, schedule } = screen;
  const back = '/settings';
  if (!draft) return [head(t('op.taxes'), { back }), loading(screen.source, null)];
  return [
    head(t('op.taxes'), { back, lead: t('op.taxes.lead') }),
    conflict ? conflictView(screen) : null,
    problem ? problemNotice(problem) : null,
    h(
      'div',
      { class: 'columns edit', key: 'columns' },
      form(screen),
      h('div', { class: 'column-side stack' }, planned(schedule.planned, screen.timeZone), history(screen)),
    ),
  ];
}

const conflictView = (screen) => conflictNotice(t('op.taxes.changed'), null, waysOut(screen, { take, save }));

function form(screen) {
  const { draft } = screen;
  const add = () => {
    draft.rates.push(emptyRate(draft.rates.at(-1)?.country ?? screen.country));
    redraw();
  };
  return h(
    'form',
    { novalidate: true, onsubmit: (event) => save(screen, event) },
    section(
      t('op.taxes.rates'),
      { id: 'rates', actions: button(t('op.taxes.add'), { icon: 'plus', onclick: add }) },
      draft.rates.length
        ? draft.rates.map((rate, i) => rateFields(screen, rate, i))
        : empty('receipt', t('op.taxes.none'), t('op.taxes.none.text')),
    ),
    section(
      t('op.taxes.prices'),
      { id: 'prices' },
      toggle({
        id: 'pricesIncludeTax',
        label: t('op.taxes.included'),
        hint: t('op.taxes.included.hint'),
        isOn: draft.pricesIncludeTax,
        onchange: (isOn) => {
          draft.pricesIncludeTax = isOn;
          redraw();
        },
      }),
      field({
        id: 'validFrom',
        label: t('op.taxes.validFrom'),
        hint: t('op.taxes.validFrom.hint', { zone: screen.timeZone }),
        error: screen.errors.validFrom,
        type: 'datetime-local',
        isOptional: true,
        value: draft.validFrom,
        onchange: (event) => {
          draft.validFrom = event.target.value;
          redraw();
        },
      }),
    ),
    h(
      'div',
      { class: 'actions' },
      h('a', { class: 'button', href: '#/settings' }, t('action.cancel')),
      button(t('action.save'), { type: 'submit', look: 'primary', isBusy: screen.isBusy }),
    ),
  );
}

function rateFields(screen, rate, i) {
  const { draft, errors } = screen;
  const bound = (name, props = {}) => ({
    id: `${name}-${i}`,
    label: t(`op.taxes.${name}`),
    value: rate[name],
    error: errors[`${name}-${i}`],
    oninput: (event) => {
      rate[name] = event.target.value;
      redraw();
    },
    ...props,
  });
  const chosen = (name) => {
    const { oninput, ...props } = bound(name);
    return { ...props, onchange: oninput };
  };
  const remove = () => {
    draft.rates.splice(i, 1);
    screen.errors = {};
    redraw();
  };
  return h(
    'fieldset',
    { class: 'form-grid tax-rate', key: `rate-${i}` },
    h('legend', { class: 'visually-hidden' }, t('op.taxes.rate', { number: i + 1 })),
    select({ ...chosen('country'), options: countryOptions(rate.country) }),
    select({
      ...chosen('product'),
      options: [['', t('op.taxes.product.all')], ...PRODUCTS.map((one) => [one, t(`op.product.${one}`)])],
    }),
    field(bound('kind', { isOptional: true, hint: t('op.taxes.kind.hint'), maxlength: 40 })),
    field(bound('name', { maxlength: 40 })),
    field(bound('percent', { inputmode: 'decimal' })),
    iconButton('trash', t('op.taxes.remove', { number: i + 1 }), remove),
  );
}

const ratesText = ({ rates }) =>
  rates
    .map(({ country, name, percentThousandths }) => `${country} ${name} ${percentText(percentThousandths)}`)
    .join(', ');

const planned = (items, timeZone) =>
  items.length
    ? section(
        t('op.taxes.planned'),
        { id: 'planned' },
        items.map((one) =>
          notice(
            'neutral',
            t('op.taxes.from', { time: dateTime(one.validFrom, timeZone) }),
            h('p', null, ratesText(one)),
          ),
        ),
      )
    : null;

const history = ({ versions, timeZone }) =>
  section(
    t('op.company.versions'),
    { id: 'versions' },
    shownPages(
      versions,
      (items) =>
        table(
          t('op.company.versions'),
          [
            { label: t('op.company.version'), cell: ({ version }) => version, isHead: true },
            { label: t('op.taxes.validFrom'), cell: ({ validFrom }) => dateTime(validFrom, timeZone) },
            { label: t('op.taxes.rates'), cell: ratesText },
          ],
          items,
          { key: ({ version }) => version, isTight: true },
        ),
      h('p', { class: 'muted' }, t('op.taxes.versions.none')),
    ),
  );
