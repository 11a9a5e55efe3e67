// Washing and refuelling of parked vehicles, open to valets who are near.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, empty, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';
import { api, refresh, state, step, tap } from './store.js';
import { placeText, vehicleText } from './jobs.js';
import { waitingNote } from './home.js';

const icons = { wash: 'wash', refuel: 'fuel' };
const busy = new Set();

export const tasksScreen = (redraw) => () => {
  const { value } = state;
  const me = api.account.id;
  const { isLoaded, asOf, problem, shift } = value;
  // Ids begin with the time: the earliest customer is likely to want their vehicle back first.
  const tasks = [...value.tasks].sort((a, b) => (a.order < b.order ? -1 : 1));
  const mine = tasks.filter(({ task }) => task.valet === me);
  const open = tasks.filter(({ task }) => task.status === 'open');

  /** Taking a task needs the server at once, since two valets may want it; the rest can wait for a network. */
  const act = (item, path) => async () => {
    const key = `${item.order}-${item.task.kind}`;
    if (busy.has(key)) return;
    busy.add(key);
    redraw();
    try {
      const body = { kind: item.task.kind };
      if (path === 'take-task') await step({ id: item.order }, path, body);
      else await tap({ id: item.order }, path, body, t(`task.do.${path}`, { what: t(`extra.${item.task.kind}`) }));
      if (path === 'complete-task') toast(t('task.completed'), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    await refresh(['tasks']);
    busy.delete(key);
    redraw();
  };

  const card = (item) => {
    const { task, vehicle, parked, order, ticket } = item;
    const isBusy = busy.has(`${order}-${task.kind}`);
    const far = value.position && parked ? distance(metersBetween(value.position, parked)) : null;
    const isMine = task.valet === me;
    return h(
      'li',
      { class: 'card stack', key: `${order}-${task.kind}` },
      h(
        'div',
        { class: 'row' },
        h('span', { class: 'avatar', 'aria-hidden': 'true' }, icon(icons[task.kind])),
        h(
          'div',
          { class: 'grow' },
          h('h3', null, t(`extra.${task.kind}`), ' ', h('span', { class: 'plate' }, vehicle?.plate ?? ticket)),
          h('p', { class: 'muted small' }, vehicleText(vehicle)),
        ),
        far ? badge(far) : null,
      ),
      h(
        'p',
        null,
        [placeText(parked, t), parked?.keyTag && `${t('parked.keyTag')} ${parked.keyTag}`]
          .filter(Boolean)
          .join(' · ') || t('job.noPlace'),
      ),
      isMine
        ? h(
            'div',
            { class: 'task-actions' },
            button(t('task.complete'), { look: 'primary', icon: 'check', isBusy, onclick: act(item, 'complete-task') }),
            button(t('task.release'), { onclick: act(item, 'release-task'), disabled: isBusy }),
          )
        : button(t('task.take'), { look: 'primary', wide: true, isBusy, onclick: act(item, 'take-task') }),
    );
  };

  const list = (title, items) =>
    items.length
      ? h(
          'section',
          { class: 'stack tight', key: title },
          h('h2', null, title),
          h('ul', { class: 'list' }, items.map(card)),
        )
      : null;
  return {
    title: t('nav.tasks'),
    view: screen(
      t('nav.tasks'),
      {},
      waitingNote(value),
      tasks.length
        ? [list(t('tasks.mine'), mine), list(t('tasks.open'), open)]
        : problem && !asOf
          ? problemNotice(problem, () => refresh())
          : isLoaded || asOf
            ? empty('wash', t('tasks.none'), t(shift === 'offline' ? 'tasks.none.off' : 'tasks.none.text'))
            : skeleton(4),
    ),
  };
};
