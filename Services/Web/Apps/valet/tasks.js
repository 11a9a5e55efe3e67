// Washing and refuelling of parked vehicles, open to valets who are near.

import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { badge, button, empty, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { distance, t, tProblem } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';
import { api, refresh, state, step, tap } from './store.js';
import { placeText, vehicleText } from './jobs.js';
import { waitingNote } from './notes.js';

const icons = { wash: 'wash', refuel: 'fuel' };
const busy = new Set();
const keyOf = ({ order, task }) => `${order}-${task.kind}`;

export const tasksScreen = (redraw) => () => {
  const { value } = state;
  // Ids begin with the time: the earliest customer is likely to want their vehicle back first.
  const tasks = [...value.tasks].sort((a, b) => (a.order < b.order ? -1 : 1));
  const mine = tasks.filter(isMine);
  const open = tasks.filter(({ task }) => task.status === 'open');
  return {
    title: t('nav.tasks'),
    view: screen(
      t('nav.tasks'),
      {},
      waitingNote(value),
      tasks.length ? [section(t('tasks.mine'), mine, redraw), section(t('tasks.open'), open, redraw)] : noTasks(value),
    ),
  };
};

const isMine = ({ task }) => task.valet === api.account.id;

/** Taking a task needs the server at once, since two valets may want it; the rest can wait for a network. */
async function act(item, path, redraw) {
  const key = keyOf(item);
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
  await refresh('tasks');
  busy.delete(key);
  redraw();
}

const section = (title, items, redraw) =>
  items.length
    ? h(
        'section',
        { class: 'stack tight', key: title },
        h('h2', null, title),
        h(
          'ul',
          { class: 'list' },
          items.map((item) => card(item, redraw)),
        ),
      )
    : null;

function noTasks({ isLoaded, asOf, problem, shift }) {
  if (problem && !asOf) return problemNotice(problem, () => refresh('jobs', 'current', 'offers', 'tasks'));
  if (!isLoaded && !asOf) return skeleton(4);
  return empty('wash', t('tasks.none'), t(shift === 'offline' ? 'tasks.none.off' : 'tasks.none.text'));
}

function card(item, redraw) {
  const { task, vehicle, parked, ticket } = item;
  const { position } = state.value;
  return h(
    'li',
    { class: 'card stack', key: keyOf(item) },
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
      position && parked ? badge(distance(metersBetween(position, parked))) : null,
    ),
    h(
      'p',
      null,
      [placeText(parked, t), parked?.keyTag && `${t('parked.keyTag')} ${parked.keyTag}`].filter(Boolean).join(' · ') ||
        t('job.noPlace'),
    ),
    actions(item, redraw),
  );
}

function actions(item, redraw) {
  const isBusy = busy.has(keyOf(item));
  const take = () => act(item, 'take-task', redraw);
  const complete = () => act(item, 'complete-task', redraw);
  const release = () => act(item, 'release-task', redraw);
  return isMine(item)
    ? h(
        'div',
        { class: 'task-actions' },
        button(t('task.complete'), { look: 'primary', icon: 'check', isBusy, onclick: complete }),
        button(t('task.release'), { onclick: release, disabled: isBusy }),
      )
    : button(t('task.take'), { look: 'primary', wide: true, isBusy, onclick: take });
}
