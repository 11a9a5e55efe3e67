// Earnings: tips, time worked, jobs and ratings.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { screen } from '/apps/shared/shell.js';
import { icon } from '/apps/shared/icons.js';
import { rating } from '/apps/shared/people.js';
import { choices, empty, problemNotice, skeleton } from '/apps/shared/ui.js';
import { day, duration, money, t, time } from '/apps/shared/i18n.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { api } from './store.js';
import { createHistory } from './history.js';
import { jobsOf } from './jobs.js';
import { openPouch, pouchCard } from './pouch.js';
import { dayOf, daysOf, midnight, sumText, workByDay } from './work.js';

const SPANS = { today: 1, week: 7, month: 30 };
const PAGE = 200;
/** The most pages of shifts and jobs read for a period. */
const MOST_PAGES = 5;
const DAY = 86_400_000;

const nothing = () => ({
  /** The period's `{ tips, items, done, work }`, and the ratings so far. */
  data: null,
  opinion: null,
  /** The valet's open cash drawer; null without one, undefined until that is known. */
  pouch: undefined,
  problem: null,
  isLoading: false,
});

export function createEarnings(redraw) {
  /** `turn` counts the loads: an answer to an earlier one is ignored. */
  const earnings = { redraw, span: 'week', turn: 0, ...nothing() };
  const history = createHistory(redraw);
  return {
    overview: () => overview(earnings),
    history: history.draw,
    /** Makes the screens load again when they are next opened. */
    reset() {
      Object.assign(earnings, { turn: earnings.turn + 1, ...nothing() });
      history.reset();
    },
  };
}

// MARK: Loading

/** Reads a list, newest first, until it is older than `from`. */
async function until(path, from, dateOf) {
  const items = [];
  let after = null;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await api.get(withQuery(path, { limit: PAGE, after }));
    items.push(...page.items);
    after = page.next;
    if (!after || (page.items.length && new Date(dateOf(page.items.at(-1))) < from)) break;
  }
  return items;
}

async function load(earnings) {
  const mine = (earnings.turn += 1);
  Object.assign(earnings, { data: null, problem: null, isLoading: true });
  try {
    const from = midnight(serverNow() - (SPANS[earnings.span] - 1) * DAY);
    const me = api.account.id;
    const [earned, shifts, orders, summary, comments, pouch] = await Promise.all([
      api.get(withQuery('/v1/me/earnings', { from: from.toISOString() })),
      until('/v1/me/shifts', from, (shift) => shift.endedAt ?? serverNow()),
      until('/v1/orders?as=valet', from, (order) => order.endedAt ?? serverNow()),
      api.get(escaped`/v1/users/${me}/rating`),
      api.get(escaped`/v1/users/${me}/comments?limit=20`),
      openPouch(),
    ]);
    if (mine !== earnings.turn) return;
    const done = jobsOf(orders, me).filter(
      ({ doneAt, order }) => doneAt && order.status !== 'cancelled' && new Date(doneAt) >= from,
    );
    earnings.data = { tips: earned.tips, items: earned.items, done, work: workByDay(shifts, from) };
    earnings.pouch = pouch;
    earnings.opinion = { summary, comments: comments.items };
  } catch (error) {
    if (mine !== earnings.turn) return;
    earnings.problem = error;
  }
  earnings.isLoading = false;
  earnings.redraw();
}

// MARK: Drawing

function overview(earnings) {
  const { redraw, span } = earnings;
  const again = () => load(earnings);
  if (!earnings.data && !earnings.problem && !earnings.isLoading) again();
  const { data, opinion, pouch, problem } = earnings;
  return {
    title: t('nav.earnings'),
    view: screen(
      t('nav.earnings'),
      {},
      choices({
        name: 'span',
        label: t('earnings.span'),
        hideLabel: true,
        options: Object.keys(SPANS).map((name) => [name, t(`earnings.${name}`)]),
        value: span,
        onchange: (value) => {
          earnings.span = value;
          again();
          redraw();
        },
      }),
      problem
        ? problemNotice(problem, again)
        : data
          ? [tiles(data), h('p', { class: 'hint', key: 'hint' }, t('earnings.hint')), dayTable(daysOf(data))]
          : skeleton(6),
      pouch === undefined ? null : pouchCard(pouch, again),
      opinion ? opinions(opinion) : null,
      h('a', { class: 'more-link', href: '#/payouts', key: 'payouts' }, t('earnings.payouts'), icon('next')),
      h('a', { class: 'more-link', href: '#/jobs', key: 'all' }, t('jobs.all'), icon('next')),
    ),
  };
}

function tiles({ tips, done, work }) {
  const tile = (name, words, value) =>
    h(
      'div',
      { class: 'tile', key: words },
      icon(name),
      h('p', { class: 'tile-value numbers' }, value),
      h('p', { class: 'muted small' }, words),
    );
  return h(
    'div',
    { class: 'tiles', key: 'tiles' },
    tile('wallet', t('earnings.tips'), tips.length ? tips.map(money).join(' + ') : '–'),
    tile('car', t('earnings.jobs'), done.length),
    tile('clock', t('earnings.work'), duration([...work.values()].reduce((a, b) => a + b, 0))),
  );
}

function dayTable(days) {
  if (!days.length) return empty('wallet', t('earnings.none'), t('earnings.none.text'));
  const most = Math.max(...days.map(([, { seconds }]) => seconds), 1);
  return h(
    'div',
    { class: 'card days', key: 'days' },
    h(
      'table',
      null,
      h('caption', { class: 'visually-hidden' }, t('earnings.days')),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['day', 'time', 'jobs', 'tips'].map((name) =>
            h('th', { scope: 'col', key: name, class: name === 'day' ? '' : 'amount' }, t(`earnings.${name}`)),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        days.map((one) => dayRow(one, most)),
      ),
    ),
  );
}

/** A day; its bar is full for the day with the most seconds at work. */
const dayRow = ([key, { jobs, tips, seconds }], most) =>
  h(
    'tr',
    { key },
    h(
      'th',
      { scope: 'row' },
      key === dayOf(serverNow()) ? t('earnings.today') : day(key),
      h(
        'svg',
        { class: 'bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        h('rect', { width: (100 * seconds) / most, height: 4 }),
      ),
    ),
    h('td', { class: 'amount' }, seconds ? duration(seconds) : '–'),
    h('td', { class: 'amount' }, jobs || '–'),
    h('td', { class: 'amount' }, tips.length ? sumText(tips) : '–'),
  );

const opinions = ({ summary, comments }) =>
  h(
    'section',
    { class: 'card stack', key: 'ratings', 'aria-labelledby': 'ratings-title' },
    h('h2', { id: 'ratings-title' }, t('ratings.title')),
    summary.count
      ? h(
          'p',
          { class: 'row' },
          h('span', { class: 'tile-value' }, rating(summary.average)),
          h('span', { class: 'muted' }, t('ratings.count', { count: summary.count })),
        )
      : null,
    comments.length
      ? h('ul', { class: 'comments' }, comments.map(commentView))
      : h('p', { class: 'muted' }, t(summary.count ? 'ratings.noComments' : 'ratings.none')),
  );

const commentView = ({ stars, comment, updatedAt }, index) =>
  h(
    'li',
    { key: index },
    h('p', null, rating(stars), h('span', { class: 'muted small' }, ` ${day(updatedAt)}, ${time(updatedAt)}`)),
    h('p', null, comment),
  );
