// The company: what receipts, the About page and the links below it say, with a preview and its versions.

import { countryOptions } from '/apps/shared/countries.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { receiptSheet } from '/apps/shared/receipt-sheet.js';
import { button, field, notice, problemNotice, select, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { conflictNotice, loading, readTagged, showErrors, waysOut } from '../detail-parts.js';
import { createPages, createResource, head, section, shownPages, table } from '../parts.js';
import { bodyOf, companyOf, draftAfterLogo, draftOf } from './draft.js';
import { sample } from './sample.js';

const PATH = '/v1/admin/company';
const LOGO = '/v1/admin/company/logo';
/** The largest logo that is accepted, in bytes. */
const LARGEST_LOGO = 256 * 1_024;
const ZONES = Intl.supportedValuesOf?.('timeZone') ?? [];
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The settings and their version. */
async function read() {
  const { value: settings, tag } = await readTagged(PATH);
  return { settings, tag };
}

export function companyScreen() {
  const screen = { settings: null, tag: null, draft: null, errors: {}, problem: null, conflict: null, isBusy: false };
  screen.source = createResource(async () => take(screen, await read()));
  screen.versions = createPages(`${PATH}/versions`, {}, 10);
  return { title: () => t('op.company'), view: () => view(screen) };
}

const take = (screen, { settings, tag }, draft = draftOf(settings, ownZone())) =>
  Object.assign(screen, {
    settings,
    tag,
    draft,
    errors: {},
    problem: null,
    conflict: null,
  });

// MARK: Saving

const isNew = ({ settings }) => !settings.company.version;

/** Runs one change at a time; somebody else may have saved first. `repeat` sends it again, over theirs. */
async function change(screen, send, taken = take) {
  if (screen.isBusy) return;
  const repeat = () => change(screen, send, taken);
  Object.assign(screen, { isBusy: true, errors: {}, problem: null, repeat });
  redraw();
  try {
    await send(screen.tag ? { 'if-match': screen.tag } : {});
    taken(screen, await read());
    screen.versions.reload();
    toast(t('op.company.saved'), 'success');
  } catch (error) {
    if (error.status === 412) screen.conflict = await read().catch(() => null);
    else if (error.field) showErrors(screen, { [error.field.split('.')[0]]: tProblem(error) });
    if (!screen.conflict && !error.field) screen.problem = error;
  }
  screen.isBusy = false;
  redraw();
}

function save(screen, event) {
  event?.preventDefault();
  const missing = ['name', 'address', 'country', 'timeZone'].filter((name) => !screen.draft[name].trim());
  if (missing.length) {
    showErrors(screen, Object.fromEntries(missing.map((name) => [name, t('form.required')])));
    return redraw();
  }
  return change(screen, (headers) => api.put(PATH, bodyOf(screen.draft), { headers }));
}

const sendLogo = (screen, file) =>
  file.size > LARGEST_LOGO
    ? toast(t('op.company.logo.large'), 'danger')
    : change(screen, (headers) => api.call('PUT', LOGO, { raw: file, type: file.type, headers }), takeLogo);
const removeLogo = (screen) => change(screen, (headers) => api.delete(LOGO, { headers }), takeLogo);

/** Keeps what is typed and not saved yet. */
const takeLogo = (screen, known) => take(screen, known, draftAfterLogo(screen, known.settings, ownZone()));

// MARK: Views

function view(screen) {
  const { draft, conflict, problem } = screen;
  const back = '/settings';
  if (!draft) return [head(t('op.company'), { back }), loading(screen.source, null)];
  return [
    head(t('op.company'), { back, lead: t('op.company.lead') }),
    isNew(screen) ? notice('neutral', t('op.company.none'), h('p', null, t('op.company.none.text'))) : null,
    conflict ? conflictView(screen) : null,
    problem ? problemNotice(problem) : null,
    h(
      'div',
      { class: 'columns edit', key: 'columns' },
      form(screen),
      h('div', { class: 'column-side stack' }, logo(screen), preview(screen), history(screen)),
    ),
  ];
}

const conflictView = (screen) =>
  conflictNotice(t('op.company.changed'), null, waysOut(screen, { take, save: () => screen.repeat() }));

function form(screen) {
  const { draft, errors } = screen;
  const bound = (name, props = {}) => ({
    id: name,
    label: t(`op.company.${name}`),
    value: draft[name],
    error: errors[name],
    oninput: (event) => {
      draft[name] = event.target.value;
      redraw();
    },
    ...props,
  });
  const hint = (name) => t(`op.company.${name}.hint`);
  return h(
    'form',
    { novalidate: true, onsubmit: (event) => save(screen, event) },
    section(
      t('op.company.about'),
      { id: 'about' },
      field(bound('name', { autocomplete: 'organization', maxlength: 200 })),
      field(bound('address', { multiline: true, rows: 3, hint: hint('address') })),
      h(
        'div',
        { class: 'form-grid' },
        countryField(screen, bound),
        zoneField(screen, bound),
        field(bound('companyNumber', { isOptional: true })),
        field(bound('taxNumber', { isOptional: true, hint: hint('taxNumber') })),
      ),
    ),
    section(
      t('op.company.contact'),
      { id: 'contact' },
      h(
        'div',
        { class: 'form-grid' },
        field(bound('email', { type: 'email', isOptional: true })),
        field(bound('phone', { type: 'tel', isOptional: true })),
        field(bound('website', { type: 'url', isOptional: true, placeholder: 'https://' })),
      ),
    ),
    section(
      t('op.company.pages'),
      { id: 'pages' },
      field(bound('terms', { multiline: true, rows: 6, isOptional: true, hint: hint('terms') })),
      field(bound('privacy', { multiline: true, rows: 6, isOptional: true, hint: hint('terms') })),
    ),
    section(
      t('op.company.numbers'),
      { id: 'numbers' },
      h('p', { class: 'muted' }, t('op.company.numbers.text')),
      h(
        'div',
        { class: 'form-grid' },
        ['receiptPrefix', 'creditNotePrefix', 'cancellationPrefix'].map((name) =>
          field(bound(name, { maxlength: 10 })),
        ),
      ),
    ),
    h(
      'div',
      { class: 'actions' },
      h('a', { class: 'button', href: '#/settings' }, t('action.cancel')),
      button(t('action.save'), { type: 'submit', look: 'primary', isBusy: screen.isBusy }),
    ),
  );
}

function countryField({ draft }, bound) {
  const { oninput, ...props } = bound('country', { hint: t('op.company.country.hint') });
  return select({ ...props, options: countryOptions(draft.country), onchange: oninput });
}

/** A list of zones, where the browser knows them. */
function zoneField({ draft }, bound) {
  if (!ZONES.length) return field(bound('timeZone', { hint: t('op.company.timeZone.hint') }));
  const zones = ZONES.includes(draft.timeZone) ? ZONES : [draft.timeZone, ...ZONES];
  const { oninput, ...props } = bound('timeZone', { hint: t('op.company.timeZone.hint') });
  return select({ ...props, options: zones.map((zone) => [zone, zone]), onchange: oninput });
}

function logo(screen) {
  const { company } = screen.settings;
  const choose = ({ target }) => {
    const [file] = target.files;
    target.value = '';
    if (file) sendLogo(screen, file);
  };
  return section(
    t('op.company.logo'),
    { id: 'logo' },
    company.logoURL ? h('img', { class: 'receipt-logo', src: company.logoURL, alt: t('op.company.logo') }) : null,
    h('p', { class: 'muted' }, t(isNew(screen) ? 'op.company.logo.later' : 'op.company.logo.text')),
    isNew(screen)
      ? null
      : h(
          'div',
          { class: 'row wrap' },
          h(
            'label',
            { class: 'button', 'aria-busy': screen.isBusy ? 'true' : null },
            t('op.company.logo.choose'),
            h('input', {
              type: 'file',
              class: 'visually-hidden',
              accept: 'image/png,image/jpeg,image/webp',
              onchange: choose,
            }),
          ),
          company.logoURL
            ? button(t('op.company.logo.remove'), {
                look: 'quiet',
                onclick: () => removeLogo(screen),
              })
            : null,
        ),
  );
}

const preview = ({ draft, settings }) =>
  section(
    t('op.company.preview'),
    { id: 'preview' },
    h('p', { class: 'muted small' }, t('op.company.preview.text')),
    receiptSheet(sample(companyOf(draft, settings.company), draft)),
  );

const history = ({ versions }) =>
  section(
    t('op.company.versions'),
    { id: 'versions' },
    shownPages(
      versions,
      (items) =>
        table(
          t('op.company.versions'),
          [
            { label: t('op.company.version'), cell: ({ company }) => company.version, isHead: true },
            { label: t('op.company.name'), cell: ({ company }) => company.name },
            { label: t('op.company.changedAt'), cell: ({ changedAt }) => (changedAt ? dateTime(changedAt) : '') },
          ],
          items,
          { key: ({ company }) => company.version, isTight: true },
        ),
      h('p', { class: 'muted' }, t('op.company.versions.none')),
    ),
  );
