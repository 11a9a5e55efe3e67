// The schedule of automatic payouts, and the minimum amounts.

import { h } from '/apps/shared/dom.js';
import { dateTime, format, minorUnits, t } from '/apps/shared/i18n.js';
import { Problem } from '/apps/shared/api.js';
import { createForm } from '/apps/shared/forms.js';
import { button, field, notice, select, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { createPages, createResource, section, shown, shownPages, table } from './parts.js';

const RULES = '/v1/admin/payout-rules';
const INTERVALS = ['none', 'daily', 'weekly', 'monthly'];
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/** One line per currency, for example `EUR 20`. */
export const minimumsText = (minimums) =>
  minimums.map(({ amount, currency }) => `${currency} ${amount / minorUnits(currency)}`).join('\n');

/** The amounts of such lines in minor units; null if a line can't be read. */
export function parseMinimums(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const found = lines.filter(Boolean).map((line) => {
    const [, currency, digits] = /^([A-Z]{3})\s+(\d{1,9}(?:[.,]\d{1,3})?)$/i.exec(line) ?? [];
    if (!currency) return null;
    const amount = Number(digits.replace(',', '.')) * minorUnits(currency.toUpperCase());
    const isWhole = Math.abs(amount - Math.round(amount)) < 1e-6;
    return isWhole && amount > 0 ? { amount: Math.round(amount), currency: currency.toUpperCase() } : null;
  });
  return found.includes(null) ? null : found;
}

/** The schedule with the day that its interval has. */
export const scheduleOf = ({ interval, weekday = 1, day = 1 }) => ({
  interval,
  ...(interval === 'weekly' && { weekday: Number(weekday) }),
  ...(interval === 'monthly' && { day: Number(day) }),
});

export function createPayoutRules() {
  const state = { interval: null };
  const source = createResource(async () => {
    const { rules, version } = await api.get(RULES);
    state.interval = rules.schedule.interval;
    return { rules, version };
  });
  const versions = createPages(`${RULES}/versions`, {}, 10);
  const form = createForm(redraw, { minimums: 'minimums' });

  async function save({ minimums: text, ...days }) {
    const minimums = parseMinimums(text);
    if (!minimums) form.refuse({ minimums: t('op.payouts.minimums.wrong') });
    const schedule = scheduleOf({ interval: state.interval, ...days });
    const { version } = source.value;
    try {
      source.value = await api.put(RULES, { minimums, schedule }, { headers: { 'if-match': `"${version}"` } });
      versions.reload();
      toast(t('op.payouts.saved'), 'success');
    } catch (error) {
      // Another operator was first: theirs are shown.
      if (error instanceof Problem && error.status === 412) {
        await source.reload();
        toast(t('op.payouts.changed'), 'danger');
      } else throw error;
    }
  }

  const view = ({ rules: { minimums, schedule }, version }) =>
    form.view(
      { class: 'stack', onsubmit: form.submit(save), key: `payout-rules-${version}` },
      h('p', { class: 'muted' }, t('op.payouts.lead')),
      select({
        id: 'interval',
        label: t('op.payouts.interval'),
        value: state.interval,
        options: INTERVALS.map((name) => [name, t(`op.payouts.${name}`)]),
        onchange: ({ target }) => {
          state.interval = target.value;
          redraw();
        },
      }),
      state.interval === 'weekly'
        ? select({
            id: 'weekday',
            label: t('op.payouts.weekday'),
            value: String(schedule.weekday ?? 1),
            options: [1, 2, 3, 4, 5, 6, 7].map((number) => [String(number), weekdayName(number)]),
          })
        : null,
      state.interval === 'monthly'
        ? field({
            id: 'day',
            label: t('op.payouts.day'),
            hint: t('op.payouts.day.hint'),
            type: 'number',
            min: 1,
            max: 28,
            required: true,
            value: String(schedule.day ?? 1),
            error: form.errors.day ?? form.errors['schedule.day'],
          })
        : null,
      field({
        id: 'minimums',
        label: t('op.payouts.minimums'),
        hint: t('op.payouts.minimums.hint'),
        multiline: true,
        rows: 3,
        value: minimumsText(minimums),
        error: form.errors.minimums,
      }),
      state.interval === 'none' ? null : notice('info', t('op.payouts.time')),
      h('div', { class: 'row' }, button(t('action.save'), { type: 'submit', look: 'primary', isBusy: form.isBusy })),
    );

  return {
    draw: () => [
      section(t('op.payouts'), { id: 'payout-rules' }, shown(source, view)),
      versions.items.length || versions.error ? history(versions) : null,
    ],
  };
}

const history = (versions) =>
  section(
    t('op.payouts.versions'),
    { id: 'payout-versions' },
    shownPages(versions, (items) =>
      table(
        t('op.payouts.versions'),
        [
          { label: t('op.payouts.version'), cell: ({ version }) => version, isHead: true },
          { label: t('op.payouts.interval'), cell: ({ rules }) => scheduleText(rules.schedule) },
          { label: t('op.payouts.minimums'), cell: ({ rules }) => minimumsText(rules.minimums).replaceAll('\n', ', ') },
          { label: t('op.payouts.changedAt'), cell: ({ changedAt }) => dateTime(changedAt) },
        ],
        items,
        { key: ({ version }) => version, isTight: true },
      ),
    ),
  );

/** For example "Every week · Friday". */
export const scheduleText = ({ interval, weekday, day }) =>
  [t(`op.payouts.${interval}`), weekday ? weekdayName(weekday) : null, day ? t('op.payouts.onDay', { day }) : null]
    .filter(Boolean)
    .join(' · ');

const weekdayName = (number) =>
  format('DateTimeFormat', { weekday: 'long', timeZone: 'UTC' }).format(new Date(MONDAY + (number - 1) * DAY));
