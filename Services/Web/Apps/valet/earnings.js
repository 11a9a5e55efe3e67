// Earnings: tips, time worked, jobs and ratings; and the history of all jobs.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { screen } from '/apps/shared/shell.js';
import { icon } from '/apps/shared/icons.js';
import { button, choices, empty, problemNotice, rating, skeleton } from '/apps/shared/ui.js';
import { day, duration, money, t, time } from '/apps/shared/i18n.js';
import { escaped, withQuery } from '/apps/shared/api.js';
import { api, know } from './store.js';
import { jobsOf } from './jobs.js';
import { jobRow } from './home.js';

const SPANS = { today: 1, week: 7, month: 30 };
const PAGE = 200;
/** The most pages of shifts and jobs read for a period. */
const MOST_PAGES = 5;
const DAY = 86_400_000;

const dayOf = (date) => new Date(date).toDateString();
const midnight = (date) => new Date(new Date(date).setHours(0, 0, 0, 0));

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

/** Seconds at work by day: shifts without their breaks, cut at midnight. */
function workByDay(shifts, from, now = serverNow()) {
  const seconds = new Map();
  const add = (start, end, sign) => {
    let at = new Date(Math.max(start, from));
    while (at < end) {
      const next = new Date(midnight(at));
      next.setDate(next.getDate() + 1);
      const stop = next < end ? next : end;
      seconds.set(dayOf(at), (seconds.get(dayOf(at)) ?? 0) + (sign * (stop - at)) / 1_000);
      at = stop;
    }
  };
  for (const shift of shifts) {
    const end = new Date(shift.endedAt ?? now);
    add(new Date(shift.startedAt), end, 1);
    for (const pause of shift.breaks) add(new Date(pause.startedAt), new Date(pause.endedAt ?? end), -1);
  }
  return seconds;
}

export function createEarnings(redraw) {
  let span = 'week';
  let data = null;
  let opinion = null;
  let problem = null;
  let past = null;
  let isLoading = false;
  let turn = 0;

  async function load() {
    const mine = (turn += 1);
    data = null;
    problem = null;
    isLoading = true;
    try {
      const from = midnight(serverNow() - (SPANS[span] - 1) * DAY);
      const me = api.account.id;
      const [earned, shifts, orders, summary, comments] = await Promise.all([
        api.get(withQuery('/v1/me/earnings', { from: from.toISOString() })),
        until('/v1/me/shifts', from, (shift) => shift.endedAt ?? serverNow()),
        until('/v1/orders?as=valet', from, (order) => order.endedAt ?? serverNow()),
        api.get(escaped`/v1/users/${me}/rating`),
        api.get(escaped`/v1/users/${me}/comments?limit=20`),
      ]);
      if (mine !== turn) return;
      const done = jobsOf(orders, me).filter(
        ({ doneAt, order }) => doneAt && order.status !== 'cancelled' && new Date(doneAt) >= from,
      );
      data = { from, tips: earned.tips, items: earned.items, done, work: workByDay(shifts, from) };
      opinion = { summary, comments: comments.items };
    } catch (error) {
      if (mine !== turn) return;
      problem = error;
    }
    isLoading = false;
    redraw();
  }

  const choose = (value) => {
    span = value;
    load();
    redraw();
  };

  function days() {
    const found = new Map();
    const of = (key) => found.get(key) ?? found.set(key, { jobs: 0, tips: [], seconds: 0 }).get(key);
    for (const { doneAt } of data.done) of(dayOf(doneAt)).jobs += 1;
    for (const { tip, givenAt } of data.items) of(dayOf(givenAt)).tips.push(tip);
    for (const [key, seconds] of data.work) if (seconds >= 1) of(key).seconds = seconds;
    return [...found].sort(([a], [b]) => new Date(b) - new Date(a));
  }

  const tile = (name, words, value) =>
    h(
      'div',
      { class: 'tile', key: words },
      icon(name),
      h('p', { class: 'tile-value numbers' }, value),
      h('p', { class: 'muted small' }, words),
    );

  function table() {
    const list = days();
    if (!list.length) return empty('wallet', t('earnings.none'), t('earnings.none.text'));
    const most = Math.max(...list.map(([, { seconds }]) => seconds), 1);
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
          list.map(([key, { jobs, tips, seconds }]) =>
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
              h('td', { class: 'amount' }, tips.length ? sums(tips) : '–'),
            ),
          ),
        ),
      ),
    );
  }

  function opinions() {
    if (!opinion) return null;
    const { summary, comments } = opinion;
    return h(
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
        ? h(
            'ul',
            { class: 'comments' },
            comments.map((it, index) =>
              h(
                'li',
                { key: index },
                h(
                  'p',
                  null,
                  rating(it.stars),
                  h('span', { class: 'muted small' }, ` ${day(it.updatedAt)}, ${time(it.updatedAt)}`),
                ),
                h('p', null, it.comment),
              ),
            ),
          )
        : h('p', { class: 'muted' }, t(summary.count ? 'ratings.noComments' : 'ratings.none')),
    );
  }

  const overview = () => {
    if (!data && !problem && !isLoading) load();
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
          onchange: choose,
        }),
        problem
          ? problemNotice(problem, load)
          : data
            ? [
                h(
                  'div',
                  { class: 'tiles', key: 'tiles' },
                  tile('wallet', t('earnings.tips'), data.tips.length ? data.tips.map(money).join(' + ') : '–'),
                  tile('car', t('earnings.jobs'), data.done.length),
                  tile('clock', t('earnings.work'), duration([...data.work.values()].reduce((a, b) => a + b, 0))),
                ),
                h('p', { class: 'hint', key: 'hint' }, t('earnings.hint')),
                table(),
              ]
            : skeleton(6),
        opinions(),
        h('a', { class: 'more-link', href: '#/jobs', key: 'all' }, t('jobs.all'), icon('next')),
      ),
    };
  };

  async function loadPast() {
    const before = { items: past?.items ?? [], next: past?.next, isBusy: true };
    past = before;
    try {
      const page = await api.get(withQuery('/v1/orders', { as: 'valet', limit: 50, after: before.next }));
      if (past !== before) return;
      know(page.items);
      past = { items: [...before.items, ...page.items], next: page.next };
    } catch (error) {
      if (past !== before) return;
      past = { ...before, isBusy: false, problem: error };
    }
    redraw();
  }

  const history = () => {
    if (!past) loadPast();
    const jobs = jobsOf(past.items, api.account.id);
    const byDay = jobs.reduce((map, job) => map.set(keyOf(job), [...(map.get(keyOf(job)) ?? []), job]), new Map());
    return {
      title: t('jobs.all'),
      view: screen(
        t('jobs.all'),
        { back: '/' },
        [...byDay].map(([key, list]) =>
          h(
            'section',
            { class: 'stack tight', key },
            h('h2', null, key === dayOf(serverNow()) ? t('earnings.today') : day(key)),
            h('div', { class: 'list lined' }, list.map(jobRow)),
          ),
        ),
        past.problem
          ? problemNotice(past.problem, loadPast)
          : past.isBusy
            ? skeleton(4)
            : jobs.length
              ? null
              : empty('car', t('jobs.none'), t('jobs.none.ever')),
        past.next && !past.isBusy ? button(t('action.more'), { wide: true, onclick: loadPast }) : null,
      ),
    };
  };
  const keyOf = ({ doneAt, startedAt, order }) => dayOf(doneAt ?? startedAt ?? order.createdAt);

  return {
    overview,
    history,
    /** Makes the screen load again when it is next opened. */
    reset() {
      turn += 1;
      isLoading = false;
      data = null;
      opinion = null;
      problem = null;
      past = null;
    },
  };
}

function sums(tips) {
  const found = new Map();
  for (const { amount, currency } of tips) found.set(currency, (found.get(currency) ?? 0) + amount);
  return [...found].map(([currency, amount]) => money({ amount, currency })).join(' + ');
}
