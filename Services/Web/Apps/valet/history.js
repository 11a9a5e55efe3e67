// The history of all jobs, by day.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { screen } from '/apps/shared/shell.js';
import { button, empty, problemNotice, skeleton } from '/apps/shared/ui.js';
import { day, t } from '/apps/shared/i18n.js';
import { withQuery } from '/apps/shared/api.js';
import { api, know } from './store.js';
import { jobsOf } from './jobs.js';
import { jobRow } from './home.js';
import { dayOf } from './work.js';

/** `past` has the orders so far: `{ items, next, isBusy, problem }`. */
export function createHistory(redraw) {
  const history = { redraw, past: null };
  return {
    draw: () => draw(history),
    reset() {
      history.past = null;
    },
  };
}

/** Loads the next page. */
async function loadMore(history) {
  const before = { items: history.past?.items ?? [], next: history.past?.next, isBusy: true };
  history.past = before;
  try {
    const page = await api.get(withQuery('/v1/orders', { as: 'valet', limit: 50, after: before.next }));
    if (history.past !== before) return;
    know(page.items);
    history.past = { items: [...before.items, ...page.items], next: page.next };
  } catch (error) {
    if (history.past !== before) return;
    history.past = { ...before, isBusy: false, problem: error };
  }
  history.redraw();
}

function draw(history) {
  const more = () => loadMore(history);
  if (!history.past) more();
  const { items, next, isBusy, problem } = history.past;
  const jobs = jobsOf(items, api.account.id);
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
      problem
        ? problemNotice(problem, more)
        : isBusy
          ? skeleton(4)
          : jobs.length
            ? null
            : empty('car', t('jobs.none'), t('jobs.none.ever')),
      next && !isBusy ? button(t('action.more'), { wide: true, onclick: more }) : null,
    ),
  };
}

const keyOf = ({ doneAt, startedAt, order }) => dayOf(doneAt ?? startedAt ?? order.createdAt);
