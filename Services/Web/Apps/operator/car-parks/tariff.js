// The tariff of a car park for drivers without a booking, with examples of its prices.

import { Problem, escaped } from '/apps/shared/api.js';
import { lineText } from '/apps/shared/bill-lines.js';
import { CLASSES, momentOf, nextQuarter, wallTime, zoneHint } from '/apps/shared/car-parks.js';
import { confirm } from '/apps/shared/dialogs.js';
import { h } from '/apps/shared/dom.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { TARIFF_DAYS, dayName } from '/apps/shared/park-tariff.js';
import { go } from '/apps/shared/shell.js';
import { button, empty, field, iconButton, notice, problemNotice, select, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createResource, head, section, table } from '../parts.js';
import { conflictNotice, focusLater, loading } from '../detail-parts.js';
import { checkboxes } from './parts.js';
import { changes, draftOf, newBand, newEvent, newRates, newStep, parsed } from './tariff-draft.js';

/** Stays that the preview shows, in minutes. */
const EXAMPLES = [10, 60, 180, 720, 1_440, 4_320];

export function tariffScreen({ id }) {
  const screen = {
    id,
    park: null,
    /** The tariff that applies now. */
    old: null,
    draft: null,
    /** The start of the stays of the preview, on the car park's clock. */
    from: '',
    /** The class of spaces of the preview; null for the first one that has prices. */
    kind: null,
    preview: { text: null },
    errors: {},
    problem: null,
    conflict: null,
    isBusy: false,
  };
  screen.source = createResource(async () => {
    const [park, tariff] = await Promise.all([api.get(escaped`/v1/car-parks/${id}`), readTariff(id)]);
    screen.park = park;
    screen.from = wallTime(nextQuarter(), park.timeZone);
    take(screen, tariff);
    return tariff;
  });
  const title = () => (screen.park ? t('op.tariff.of', { name: screen.park.name }) : t('op.tariff'));
  return { title, view: () => view(screen) };
}

const readTariff = (id) => api.get(escaped`/v1/admin/car-parks/${id}/tariff`);

/** Edits this version. */
function take(screen, tariff) {
  Object.assign(screen, { old: tariff, draft: draftOf(tariff, screen.park.currency), errors: {}, problem: null });
}

// MARK: Publishing

async function save(screen, event) {
  event?.preventDefault();
  const { old, park } = screen;
  const { body, errors } = parsed(screen.draft, park.currency);
  Object.assign(screen, { errors: {}, problem: null });
  if (Object.keys(errors).length) {
    showErrors(screen, errors);
    return redraw();
  }
  const list = changes(old, body, park.currency);
  if (!list.length) return void toast(t('op.tariff.same'));
  const isSure = await confirm(
    t('op.tariff.sure', { version: old.version + 1, name: park.name }),
    body.rates.length ? list.join(' · ') : t('op.tariff.park.remove'),
    { yes: t('op.tariff.publish'), no: t('action.cancel') },
  );
  if (!isSure) return undefined;
  screen.isBusy = true;
  redraw();
  await publish(screen, body);
  screen.isBusy = false;
  return redraw();
}

async function publish(screen, body) {
  const { id, old, park } = screen;
  try {
    await api.put(escaped`/v1/admin/car-parks/${id}/tariff`, body, { headers: { 'if-match': `"${old.version}"` } });
    toast(t('op.tariff.saved', { name: park.name }), 'success');
    go(escaped`/car-parks/${id}`);
  } catch (error) {
    if (error instanceof Problem && error.status === 412) await meet(screen);
    else if (error.field) showErrors(screen, { [error.field]: tProblem(error) });
    else screen.problem = error;
  }
}

/** Shows what is wrong at its fields, and goes to the first one. */
function showErrors(screen, errors) {
  screen.errors = errors;
  focusLater(() => document.getElementById(Object.keys(errors)[0]));
}

/** Reads the version that someone else has published first. */
async function meet(screen) {
  try {
    screen.conflict = await readTariff(screen.id);
  } catch (error) {
    screen.problem = error;
  }
}

// MARK: Views

function view(screen) {
  const { id, park, draft, old, conflict, problem } = screen;
  const back = escaped`/car-parks/${id}`;
  if (!draft) return [head(t('op.tariff'), { back }), loading(screen.source, empty('parking', t('op.park.gone')))];
  const lead = t('op.tariff.park.lead', { version: old.version, next: old.version + 1 });
  return [
    head(t('op.tariff.of', { name: park.name }), { back, lead: old.version ? lead : null }),
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

const conflictView = (screen) =>
  conflictNotice(t('op.conflict.tariffChanged', { version: screen.conflict.version }), null, {
    theirs() {
      take(screen, screen.conflict);
      screen.conflict = null;
      redraw();
    },
    mine() {
      Object.assign(screen, { old: screen.conflict, conflict: null });
      save(screen);
    },
  });

function form(screen) {
  const { draft, errors, isBusy, id } = screen;
  const used = draft.rates.flatMap(({ classes }) => classes);
  const free = CLASSES.filter((kind) => !used.includes(kind));
  return h(
    'form',
    { novalidate: true, onsubmit: (event) => save(screen, event) },
    draft.rates.length ? null : notice('neutral', t('op.tariff.park.none')),
    errors.rates ? notice('danger', errors.rates) : null,
    draft.rates.map((rates, i) => ratesView(screen, rates, `rates[${i}]`)),
    free.length
      ? button(t(draft.rates.length ? 'op.tariff.rates.add' : 'op.tariff.rates.first'), {
          icon: 'plus',
          onclick: () => change(() => draft.rates.push(newRates([free[0]]))),
        })
      : null,
    section(
      t('op.tariff.park.rules'),
      { id: 'rules' },
      grid(
        input(screen, draft, 'graceMinutes', '', { isCount: true }),
        input(screen, draft, 'lostTicketPrice', '', { hint: t('op.tariff.optional') }),
      ),
    ),
    h(
      'div',
      { class: 'actions' },
      h('a', { class: 'button', href: `#${escaped`/car-parks/${id}`}` }, t('action.cancel')),
      button(t('op.tariff.publish'), { type: 'submit', look: 'primary', isBusy }),
    ),
  );
}

const grid = (...fields) => h('div', { class: 'form-grid' }, fields);

/** Makes a change of the draft, and shows it. */
function change(task) {
  task();
  redraw();
}

/** A field of the draft; its id is the path by which the server names it. */
function input({ errors, park }, owner, name, path, { isCount = false, ...props } = /** @type {any} */ ({})) {
  const id = path ? `${path}.${name}` : name;
  const isAmount = ['price', 'maximum', 'dailyMaximum', 'lostTicketPrice'].includes(name);
  const label = t(`op.tariff.field.${name}`);
  return field({
    id,
    label: isAmount ? `${label} (${park.currency})` : label,
    value: owner[name],
    inputmode: isAmount ? 'decimal' : isCount ? 'numeric' : null,
    autocomplete: 'off',
    error: errors[id],
    onchange: ({ target }) => change(() => (owner[name] = target.value)),
    ...props,
  });
}

const without = (list, one) => list.splice(list.indexOf(one), 1);

function ratesView(screen, rates, path) {
  const { draft, errors } = screen;
  return section(
    t('op.tariff.rates', { classes: rates.classes.map((kind) => t(`park.class.${kind}`)).join(', ') }),
    {
      id: path,
      actions: iconButton('trash', t('op.tariff.rates.remove'), () => change(() => without(draft.rates, rates))),
    },
    checkboxes(
      h('legend', null, t('park.class')),
      CLASSES.map((kind) => [kind, t(`park.class.${kind}`)]),
      (kind) => ({
        name: `${path}.${kind}`,
        checked: rates.classes.includes(kind),
        onchange: ({ target }) => change(() => pick(rates.classes, kind, target.checked)),
      }),
      errors[`${path}.classes`] ? notice('danger', errors[`${path}.classes`]) : null,
    ),
    pricesView(screen, rates, path, false),
    h('h3', null, t('op.tariff.events')),
    rates.events.length ? null : h('p', { class: 'muted' }, t('op.tariff.events.none')),
    errors[`${path}.events`] ? notice('danger', errors[`${path}.events`]) : null,
    rates.events.map((event, i) => eventView(screen, rates, event, `${path}.events[${i}]`)),
    button(t('op.tariff.event.add'), { icon: 'plus', onclick: () => change(() => rates.events.push(newEvent())) }),
  );
}

/** Adds one to a list, or takes it out. */
function pick(list, one, isIn) {
  if (isIn && !list.includes(one)) list.push(one);
  else if (!isIn && list.includes(one)) without(list, one);
}

/** First minutes, bands and the daily maximum. */
const pricesView = (screen, owner, path, isEvent) => [
  h('h3', null, t('op.tariff.steps')),
  screen.errors[`${path}.first`] ? notice('danger', screen.errors[`${path}.first`]) : null,
  owner.first.map((step, i) => {
    const at = `${path}.first[${i}]`;
    return row(at, t('op.tariff.step', { number: i + 1 }), () => without(owner.first, step), [
      input(screen, step, 'minutes', at, { isCount: true }),
      input(screen, step, 'price', at),
    ]);
  }),
  button(t('op.tariff.step.add'), { icon: 'plus', onclick: () => change(() => owner.first.push(newStep())) }),
  h('h3', null, t('op.tariff.bands')),
  screen.errors[`${path}.bands`] ? notice('danger', screen.errors[`${path}.bands`]) : null,
  owner.bands.map((band, i) => bandView(screen, owner, band, `${path}.bands[${i}]`, i + 1, isEvent)),
  button(t('op.tariff.band.add'), { icon: 'plus', onclick: () => change(() => owner.bands.push(newBand())) }),
  grid(input(screen, owner, 'dailyMaximum', path, { hint: t('op.tariff.optional') })),
];

/** One entry of a list, which can be removed. */
const row = (key, title, remove, fields, ...more) =>
  h(
    'fieldset',
    { class: 'card stack tight', key },
    h('legend', { class: 'visually-hidden' }, title),
    grid(fields),
    more,
    h('div', { class: 'actions' }, button(t('op.tariff.remove', { name: title }), { onclick: () => change(remove) })),
  );

const bandView = (screen, owner, band, at, number, isEvent) =>
  row(
    at,
    t('op.tariff.band', { number }),
    () => without(owner.bands, band),
    [
      input(screen, band, 'name', at, { maxlength: 60, hint: t('op.tariff.optional') }),
      input(screen, band, 'from', at, { maxlength: 5 }),
      input(screen, band, 'until', at, { maxlength: 5 }),
      input(screen, band, 'price', at),
      input(screen, band, 'unitMinutes', at, { isCount: true, hint: t('op.tariff.unit.hint') }),
      input(screen, band, 'maximum', at, { hint: t('op.tariff.optional') }),
    ],
    isEvent ? null : daysView(screen, band, at),
  );

const daysView = ({ errors }, band, at) =>
  checkboxes(
    h('legend', null, t('op.tariff.days')),
    TARIFF_DAYS.map((day) => [day, dayName(day)]),
    (day) => ({
      name: `${at}.${day}`,
      checked: band.days.includes(day),
      onchange: ({ target }) => change(() => pick(band.days, day, target.checked)),
    }),
    errors[`${at}.days`] ? notice('danger', errors[`${at}.days`]) : null,
  );

const eventView = (screen, rates, event, at) =>
  row(
    at,
    event.name || t('op.tariff.event'),
    () => without(rates.events, event),
    [
      input(screen, event, 'name', at, { maxlength: 60 }),
      input(screen, event, 'from', at, { type: 'date', label: t('op.tariff.event.from') }),
      input(screen, event, 'until', at, { type: 'date', label: t('op.tariff.event.until') }),
    ],
    pricesView(screen, event, at, true),
  );

// MARK: Preview

const priced = ({ draft }) => CLASSES.filter((kind) => draft.rates.some(({ classes }) => classes.includes(kind)));

function kindOf(screen) {
  const all = priced(screen);
  return all.includes(screen.kind) ? screen.kind : (all[0] ?? 'general');
}

/** Asks the server for the prices of the examples, once for each draft. */
function previewOf(screen, body) {
  const { id, from, park } = screen;
  const start = Date.parse(momentOf(from, park.timeZone));
  const stays = EXAMPLES.map((minutes) => ({
    from: new Date(start).toISOString(),
    until: new Date(start + minutes * 60_000).toISOString(),
  }));
  const asked = { tariff: body, class: kindOf(screen), stays };
  const text = JSON.stringify(asked);
  if (screen.preview.text !== text) {
    const found = (screen.preview = { text, value: null, error: null });
    api
      .post(escaped`/v1/admin/car-parks/${id}/tariff/preview`, asked)
      .then(
        (value) => (found.value = value),
        (error) => (found.error = error),
      )
      .finally(redraw);
  }
  return screen.preview;
}

function preview(screen) {
  const { draft, park } = screen;
  const { body, errors } = parsed(draft, park.currency);
  const kinds = priced(screen);
  const from = field({
    id: 'preview-from',
    label: t('op.tariff.preview.from'),
    type: 'datetime-local',
    value: screen.from,
    hint: zoneHint(park.timeZone),
    onchange: ({ target }) => target.value && change(() => (screen.from = target.value)),
  });
  const kind = select({
    id: 'preview-class',
    label: t('park.class'),
    value: kindOf(screen),
    options: kinds.map((one) => [one, t(`park.class.${one}`)]),
    onchange: ({ target }) => change(() => (screen.kind = target.value)),
  });
  const start = [from, kinds.length > 1 ? kind : null];
  if (Object.keys(errors).length) return [start, h('p', { class: 'muted' }, t('op.tariff.numbers'))];
  const { value, error } = previewOf(screen, body);
  if (error) return [start, error.field ? notice('warning', tProblem(error)) : problemNotice(error)];
  return [
    start,
    value
      ? table(t('op.tariff.preview'), columns(), value, { key: ({ until }) => until, isTight: true })
      : h('p', { class: 'muted', role: 'status' }, t('op.tariff.preview.busy')),
  ];
}

const stay = ({ from, until }) => {
  const minutes = (Date.parse(until) - Date.parse(from)) / 60_000;
  return minutes < 60 ? t('duration.minutes', { minutes }) : t('op.hours', { hours: minutes / 60 });
};

const columns = () => [
  { label: t('op.tariff.stay'), isHead: true, cell: (row) => h('span', { class: 'nowrap' }, stay(row)) },
  {
    label: t('op.tariff.lines'),
    cell: ({ lines }) =>
      lines.map((line, i) => h('span', { class: 'block small', key: i }, `${lineText(line)} ${money(line.amount)}`)),
  },
  { label: t('bill.total'), isAmount: true, cell: ({ total }) => h('strong', null, money(total)) },
  { label: t('op.tariff.now'), isAmount: true, cell: ({ current }) => h('span', { class: 'muted' }, money(current)) },
];
