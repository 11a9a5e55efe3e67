// A new version of an area's tariff, with examples of its prices.

import { h } from '/apps/shared/dom.js';
import { minorUnits, money, t, tProblem } from '/apps/shared/i18n.js';
import { Problem, escaped } from '/apps/shared/api.js';
import { go } from '/apps/shared/shell.js';
import { button, confirm, empty, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { refresh } from './store.js';
import { createResource, head, section, table } from './parts.js';
import { readArea } from './area-edit.js';

const amounts = ['baseFee', 'incrementPrice', 'dailyCap', 'cancellationFee', 'noShowFee'];
const times = ['freeMinutes', 'incrementMinutes', 'cancellationGraceSeconds', 'waitingSeconds'];
const extras = ['wash', 'refuel'];
/** Stays that the preview shows, in minutes. */
const examples = [10, 45, 120, 300, 1_500];

const SECONDS_A_DAY = 86_400;
const started = (seconds, unit) => Math.ceil(seconds / unit);

/**
 * The bill of a stay: base fee and each started increment after the free time, at most the daily cap
 * in each started 24 hours, then the extras. The server's own rule is `Services/Orders/OrderBill.swift`.
 */
function billOf(tariff, seconds, ordered = []) {
  const time =
    started(Math.max(0, seconds - tariff.freeMinutes * 60), tariff.incrementMinutes * 60) * tariff.incrementPrice;
  const cap = Math.max(1, started(seconds, SECONDS_A_DAY)) * tariff.dailyCap;
  const saved = Math.max(0, tariff.baseFee + time - cap);
  const more = ordered.reduce((sum, extra) => sum + (tariff.extras[extra] ?? 0), 0);
  return { base: tariff.baseFee, time, saved, extras: more, total: tariff.baseFee + time - saved + more };
}

export function tariffScreen({ id }) {
  let draft = null;
  let old = null;
  let tag = null;
  let name = id;
  let errors = {};
  let problem = null;
  let conflict = null;
  let isBusy = false;

  const take = ({ feature, tag: read }) => {
    old = feature.properties.tariff;
    name = feature.properties.name;
    tag = read;
    draft = { currency: old.currency };
    const unit = minorUnits(old.currency);
    for (const key of amounts) draft[key] = shownAmount(old[key], unit);
    for (const key of times) draft[key] = String(old[key]);
    for (const key of extras) draft[key] = old.extras[key] === undefined ? '' : shownAmount(old.extras[key], unit);
  };
  const source = createResource(async () => {
    const read = await readArea(id);
    take(read);
    return read;
  });

  /** The tariff in the fields; null while one of them is not a number. */
  function parsed() {
    if (!/^[A-Z]{3}$/.test(draft.currency)) return null;
    const unit = minorUnits(draft.currency);
    const read = (text) => (String(text).trim() === '' ? NaN : Number(String(text).trim().replace(',', '.')));
    const tariff = { currency: draft.currency, extras: {} };
    for (const key of amounts) tariff[key] = Math.round(read(draft[key]) * unit);
    for (const key of times) tariff[key] = Math.round(read(draft[key]));
    for (const key of extras) if (draft[key].trim() !== '') tariff.extras[key] = Math.round(read(draft[key]) * unit);
    const isWhole =
      [...amounts, ...times].every((key) => Number.isFinite(tariff[key])) &&
      Object.values(tariff.extras).every(Number.isFinite);
    return isWhole && tariff.incrementMinutes > 0 ? tariff : null;
  }

  const changes = (tariff) =>
    [...amounts, ...times, ...extras]
      .map((key) => {
        const isMoney = !times.includes(key);
        const [before, after] = extras.includes(key) ? [old.extras[key], tariff.extras[key]] : [old[key], tariff[key]];
        if (before === after && (!isMoney || old.currency === tariff.currency)) return null;
        const words = (value, currency) =>
          value === undefined ? '–' : isMoney ? money({ amount: value, currency }) : String(value);
        return `${t(`op.tariff.${key}`)}: ${words(before, old.currency)} → ${words(after, tariff.currency)}`;
      })
      .filter(Boolean);

  async function save(event) {
    event?.preventDefault();
    const tariff = parsed();
    errors = {};
    problem = null;
    if (!tariff) {
      problem = Object.assign(new Error(t('op.tariff.numbers')), { code: 'form' });
      return redraw();
    }
    const list = changes(tariff);
    if (!list.length) {
      toast(t('op.tariff.same'));
      return undefined;
    }
    if (
      !(await confirm(t('op.tariff.sure', { version: old.version + 1, name }), list.join(' · '), {
        yes: t('op.tariff.publish'),
        no: t('action.cancel'),
      }))
    )
      return undefined;
    isBusy = true;
    redraw();
    try {
      await api.put(escaped`/v1/admin/service-areas/${id}/tariff`, tariff, { headers: tag ? { 'if-match': tag } : {} });
      toast(t('op.tariff.saved', { name }), 'success');
      refresh('areas');
      go('/areas');
    } catch (error) {
      if (error instanceof Problem && error.status === 412) {
        try {
          conflict = await readArea(id);
        } catch (other) {
          problem = other;
        }
      } else if (error.field) errors = { [error.field.replace(/^extras\./, '')]: tProblem(error) };
      else problem = error;
    }
    isBusy = false;
    return redraw();
  }

  const input = (key) =>
    field({
      id: key,
      label: t(`op.tariff.${key}`),
      hint: times.includes(key) || extras.includes(key) ? t(`op.tariff.${key}.hint`) : null,
      inputmode: times.includes(key) ? 'numeric' : 'decimal',
      value: draft[key],
      autocomplete: 'off',
      error: errors[key],
      oninput: (event) => {
        draft[key] = event.target.value;
        redraw();
      },
    });

  const preview = () => {
    const tariff = parsed();
    if (!tariff) return h('p', { class: 'muted' }, t('op.tariff.numbers'));
    const value = (amount) => money({ amount, currency: tariff.currency });
    const before = (seconds) => billOf(old, seconds).total;
    return [
      table(
        t('op.tariff.preview'),
        [
          {
            label: t('op.tariff.stay'),
            isHead: true,
            cell: (minutes) =>
              h(
                'span',
                { class: 'nowrap' },
                minutes < 60 ? t('duration.minutes', { minutes }) : t('op.hours', { hours: minutes / 60 }),
              ),
          },
          { label: t('bill.time'), isAmount: true, cell: (minutes) => value(billOf(tariff, minutes * 60).time) },
          {
            label: t('bill.dailyCap'),
            isAmount: true,
            cell: (minutes) => {
              const { saved } = billOf(tariff, minutes * 60);
              return saved ? value(-saved) : '–';
            },
          },
          {
            label: t('bill.total'),
            isAmount: true,
            cell: (minutes) => h('strong', null, value(billOf(tariff, minutes * 60).total)),
          },
          {
            label: t('op.tariff.now'),
            isAmount: true,
            cell: (minutes) =>
              h('span', { class: 'muted' }, money({ amount: before(minutes * 60), currency: old.currency })),
          },
        ],
        examples,
        { key: (minutes) => minutes, isTight: true },
      ),
      tariff.dailyCap < tariff.baseFee ? notice('warning', t('op.tariff.capLow')) : null,
    ];
  };

  return {
    title: () => t('op.tariff.of', { name }),
    view() {
      if (!draft) {
        const { error } = source;
        return [
          head(t('op.tariff'), { back: '/areas' }),
          error
            ? error.status === 404
              ? empty('map', t('op.area.gone'), t('op.area.gone.text'))
              : problemNotice(error, source.reload)
            : skeleton(8),
        ];
      }
      return [
        head(t('op.tariff.of', { name }), {
          back: '/areas',
          lead: t('op.tariff.lead', { version: old.version, next: old.version + 1 }),
        }),
        conflict
          ? notice(
              'warning',
              t('op.conflict.tariffChanged', { version: conflict.feature.properties.tariff.version }),
              h(
                'div',
                { class: 'actions' },
                button(t('op.conflict.theirs'), {
                  onclick: () => {
                    take(conflict);
                    conflict = null;
                    redraw();
                  },
                }),
                button(t('op.conflict.mine'), {
                  look: 'danger',
                  onclick: () => {
                    const { feature, tag: read } = conflict;
                    old = feature.properties.tariff;
                    tag = read;
                    conflict = null;
                    save();
                  },
                }),
              ),
            )
          : null,
        problem ? problemNotice(problem) : null,
        h(
          'div',
          { class: 'columns edit priced', key: 'columns' },
          h(
            'form',
            { novalidate: true, onsubmit: save },
            section(
              t('op.tariff.prices'),
              { id: 'prices' },
              h(
                'div',
                { class: 'form-grid' },
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
                }),
                ['baseFee', 'freeMinutes', 'incrementPrice', 'incrementMinutes', 'dailyCap'].map(input),
              ),
            ),
            section(t('op.order.extras'), { id: 'extras' }, h('div', { class: 'form-grid' }, extras.map(input))),
            section(
              t('op.tariff.rules'),
              { id: 'rules' },
              h(
                'div',
                { class: 'form-grid' },
                ['cancellationFee', 'cancellationGraceSeconds', 'noShowFee', 'waitingSeconds'].map(input),
              ),
            ),
            h(
              'div',
              { class: 'actions' },
              h('a', { class: 'button', href: '#/areas' }, t('action.cancel')),
              button(t('op.tariff.publish'), { type: 'submit', look: 'primary', isBusy }),
            ),
          ),
          h('div', { class: 'column-side stack' }, section(t('op.tariff.preview'), { id: 'preview' }, preview())),
        ),
      ];
    },
  };
}

const shownAmount = (amount, unit) => (amount / unit).toFixed(Math.round(Math.log10(unit)));
