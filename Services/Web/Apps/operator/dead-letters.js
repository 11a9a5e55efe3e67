// Dead letters: events that a service could not handle, to be retried.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { badge, button, empty, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { createPages, follow, head, moment, shownPages, table } from './parts.js';

const PACE = 10_000;

/** `busy` is the letter that is being retried. */
export function deadLettersScreen() {
  const screen = { pages: createPages('/v1/admin/dead-letters'), busy: null };
  const stop = follow(screen.pages, PACE);
  return {
    title: () => t('op.nav.deadLetters'),
    view: () => [
      head(t('op.nav.deadLetters'), { lead: t('op.dead.lead'), age: screen.pages.at }),
      shownPages(
        screen.pages,
        (items) => table(t('op.nav.deadLetters'), columns(screen), items),
        empty('check', t('op.dead.none'), t('op.dead.none.text')),
      ),
    ],
    leave: stop,
  };
}

async function retry(screen, { id, consumer, eventType: type }) {
  const { pages } = screen;
  const answers = { yes: t('op.dead.retry'), no: t('action.cancel') };
  if (!(await confirm(t('op.dead.sure'), t('op.dead.sure.text', { consumer, type }), answers))) return;
  screen.busy = id;
  redraw();
  try {
    const now = await api.post(escaped`/v1/admin/dead-letters/${id}/retry`);
    pages.items = pages.items.map((one) => (one.id === now.id ? now : one));
    toast(t('op.dead.retried'), 'success');
  } catch (error) {
    toast(error.code === 'notification.dead_letter_unusable' ? t('op.dead.unusable') : tProblem(error), 'danger');
  }
  screen.busy = null;
  redraw();
}

const columns = (screen) => [
  { label: t('op.time'), isHead: true, cell: (one) => moment(one.createdAt) },
  {
    label: t('op.dead.event'),
    cell: ({ eventType, topic }) =>
      h('span', null, h('code', null, eventType), h('br'), h('span', { class: 'small muted' }, topic)),
  },
  { label: t('op.dead.consumer'), cell: (one) => one.consumer },
  { label: t('op.reason'), cell: (one) => h('span', { class: 'small' }, one.reason) },
  { label: t('op.dead.attempts'), isAmount: true, cell: (one) => one.attempts },
  {
    label: '',
    cell: (one) =>
      one.retriedAt
        ? badge(t('op.dead.retriedAt', { time: dateTime(one.retriedAt) }), 'success')
        : button(t('op.dead.retry'), { isBusy: screen.busy === one.id, onclick: () => retry(screen, one) }),
  },
];
