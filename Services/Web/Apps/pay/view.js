// The three steps of the page: the question, the price with the card form, and the receipt.

import { h } from '/apps/shared/dom.js';
import { dateTime, duration, money, t, time } from '/apps/shared/i18n.js';
import { lineText } from '/apps/shared/bill-lines.js';
import { cardText } from '/apps/shared/cards.js';
import { icon } from '/apps/shared/icons.js';
import { receiptSheet, sheetOfDocument } from '/apps/shared/receipt-sheet.js';
import { languagePicker, plateField } from '/apps/shared/forms.js';
import { button, choices, facts, field, notice, problemNotice } from '/apps/shared/ui.js';

/** The code in the address of a QR code, `/pay/B7K-42Q`; null without one. */
export const codeOf = (path) => /^\/pay\/([A-Za-z0-9-]{1,20})\/?$/.exec(path)?.[1]?.toUpperCase() ?? null;

/** The question to the server, from what was typed; `instant` turns the car park's time into ours. */
export const askedBy = ({ plate, enteredAt, code }, { how, carParkId }, instant) =>
  how === 'code'
    ? { code: code.trim() }
    : { plate: plate.trim(), enteredAt: instant(enteredAt), ...(carParkId ? { carParkId } : {}) };

export function page(parts) {
  const { state } = parts;
  const title = state.payment ? t('guest.paid.title') : t('guest.title');
  return {
    title: '',
    view: h(
      'main',
      { class: 'guest' },
      h('h1', { 'data-focus': true }, title),
      state.payment ? receipt(parts) : state.lookup ? price(parts) : question(parts),
      h('footer', { class: 'guest-foot stack' }, companyRow(parts.company), languagePicker(parts.redraw)),
    ),
  };
}

/** Where a page of the company is: its own site, or a text that the customers' app shows. */
export const companyLinks = (company) =>
  ['terms', 'privacy']
    .filter((name) => company?.[name])
    .map((name) => ({ name, href: company[name].link ?? `/#/company/${name}` }));

const companyRow = (company) =>
  company?.name
    ? h(
        'p',
        { class: 'row wrap muted small', key: 'company' },
        h('span', null, company.name),
        companyLinks(company).map(({ name, href }) =>
          h('a', { key: name, href, target: '_blank', rel: 'noopener' }, t(`guest.${name}`)),
        ),
      )
    : null;

function question({ state, form, carPark, enteredAt, submit, reload, redraw }) {
  const choose = (how) => {
    Object.assign(state, { how });
    form.problem = null;
    redraw();
  };
  return form.view(
    { class: 'card stack', onsubmit: submit, key: 'question' },
    h('p', null, carPark ? t('guest.lead.park', { name: carPark.name }) : t('guest.lead')),
    state.problem ? problemNotice(state.problem) : null,
    state.isStuck ? problemNotice({}, reload) : null,
    // A plate is looked for in one car park only.
    state.carParkId
      ? choices({
          name: 'how',
          label: t('guest.how'),
          value: state.how,
          options: [
            ['plate', t('guest.how.plate')],
            ['code', t('guest.how.code')],
          ],
          onchange: choose,
        })
      : h('p', { class: 'muted' }, t('guest.how.lead')),
    state.how === 'code' ? codeFields(state, form) : plateFields(state, form, enteredAt),
    button(t('guest.find'), { look: 'primary', type: 'submit', wide: true, isBusy: form.isBusy }),
  );
}

/** Keeps what is typed, for when the price has expired or another way of finding the stay is chosen. */
const typed = (state, name) => ({
  oninput: ({ target }) => {
    state[name] = target.value;
  },
});

const codeFields = (state, form) =>
  field({
    id: 'code',
    label: t('guest.code'),
    hint: t('guest.code.hint'),
    value: state.code,
    required: true,
    maxlength: 20,
    autocomplete: 'off',
    autocapitalize: 'characters',
    error: form.errors.code,
    ...typed(state, 'code'),
  });

const plateFields = (state, form, enteredAt) => [
  plateField({
    id: 'plate',
    label: t('guest.plate'),
    value: state.plate,
    required: true,
    error: form.errors.plate,
    ...typed(state, 'plate'),
  }),
  field({
    id: 'enteredAt',
    label: t('guest.enteredAt'),
    hint: t('guest.enteredAt.hint'),
    type: 'datetime-local',
    value: enteredAt,
    required: true,
    error: form.errors.enteredAt,
    ...typed(state, 'enteredAt'),
  }),
];

const lineRow = (line, i) => h('div', { key: i }, h('dt', null, lineText(line)), h('dd', null, money(line.amount)));

const lineRows = ({ lines = [], tax }) =>
  h(
    'dl',
    { class: 'facts guest-lines' },
    [...lines, ...(tax ? [{ text: t('guest.tax'), amount: tax }] : [])].map(lineRow),
  );

function price({ state, pay, again }) {
  const { carPark, timeZone, isFine, enteredAt, due, expiresAt, secondsToLeave } = state.lookup;
  return h(
    'form',
    { class: 'card stack', novalidate: true, onsubmit: pay, key: 'price' },
    facts([
      [t('guest.carPark'), carPark],
      [t(isFine ? 'guest.issued' : 'guest.in'), dateTime(enteredAt, timeZone)],
    ]),
    lineRows(state.lookup),
    h('p', { class: 'guest-due' }, h('span', null, t('guest.due')), h('strong', null, money(due))),
    isFine
      ? null
      : h(
          'p',
          { class: 'muted' },
          secondsToLeave ? t('guest.leave', { time: duration(secondsToLeave) }) : null,
          ' ',
          t('guest.until', { time: time(expiresAt, timeZone) }),
        ),
    state.cards?.view() ?? null,
    field({
      id: 'email',
      label: t('guest.email'),
      type: 'email',
      autocomplete: 'email',
      isOptional: true,
      maxlength: 254,
      value: state.email,
      ...typed(state, 'email'),
    }),
    refusal(state),
    button(t('guest.pay', { amount: money(due) }), {
      look: 'primary big',
      type: 'submit',
      wide: true,
      isBusy: state.isBusy,
    }),
    button(t('guest.again'), { look: 'quiet', onclick: again, wide: true, disabled: state.isBusy }),
  );
}

/** A declined card with the bank's reason. */
function refusal({ problem, declined }) {
  if (!problem) return null;
  return problem.code === 'payment.declined' ? notice('danger', declined(problem)) : problemNotice(problem);
}

function receipt({ state, loadReceipt, again }) {
  const { timeZone, leaveBy } = state.payment;
  return h(
    'section',
    { class: 'stack', key: 'receipt' },
    h('p', { class: 'guest-mark' }, icon('check')),
    leaveBy
      ? h('p', { class: 'guest-leave', role: 'status' }, t('guest.leaveBy', { time: time(leaveBy, timeZone) }))
      : notice('success', t(state.lookup?.isFine ? 'guest.paid.fine' : 'guest.paid.left')),
    h('h2', null, t('guest.receipt')),
    state.document ? receiptSheet(sheetOfDocument(state.document)) : unnumbered(state),
    state.missing ? problemNotice(state.missing, loadReceipt) : null,
    button(t('guest.print'), { onclick: () => print(), wide: true }),
    button(t('guest.another'), { look: 'quiet', onclick: again, wide: true }),
  );
}

/** What is known of the payment without its receipt. */
function unnumbered({ payment, lookup }) {
  const { carPark, timeZone, enteredAt, amount, brand, last4, paidAt, reference } = payment;
  return h(
    'div',
    { class: 'card stack', key: 'unnumbered' },
    facts([
      [t('guest.carPark'), carPark],
      [t('guest.reference'), reference],
      [t(lookup?.isFine ? 'guest.issued' : 'guest.in'), dateTime(enteredAt, timeZone)],
      [t('guest.paidAt'), paidAt ? dateTime(paidAt, timeZone) : null],
      [t('guest.card'), last4 ? cardText({ brand, last4 }) : null],
    ]),
    lineRows(lookup ?? {}),
    h('p', { class: 'guest-due' }, h('span', null, t('guest.total')), h('strong', null, money(amount))),
  );
}
