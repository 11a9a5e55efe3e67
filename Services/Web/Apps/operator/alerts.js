// Alerts: open, acknowledged and resolved ones.

import { h } from '/apps/shared/dom.js';
import { dateTime, duration, t } from '/apps/shared/i18n.js';
import { statusBadge } from '/apps/shared/status.js';
import { badge, button, choices, empty } from '/apps/shared/ui.js';
import { redraw } from './context.js';
import { createPages, follow, head, shownPages, since, table } from './parts.js';
import { ticketLink } from './order-parts.js';
import { acknowledge } from './actions.js';

const PACE = 10_000;

/** `busy` is the alert that is being acknowledged. */
export function alertsScreen() {
  const screen = { status: 'open', busy: null, pages: createPages('/v1/admin/alerts', { status: 'open' }) };
  const { pages } = screen;
  const stop = follow(pages, PACE);
  return {
    title: () => t('op.nav.alerts'),
    view: () => [
      head(t('op.nav.alerts'), { lead: t('op.alerts.lead'), age: pages.at }),
      statusChoice(screen),
      shownPages(
        pages,
        (items) => table(t('op.nav.alerts'), columns(screen), items),
        screen.status === 'open'
          ? empty('check', t('op.alerts.none'), t('op.alerts.none.text'))
          : empty('check', t('op.alerts.noneOfThese')),
      ),
    ],
    leave: stop,
  };
}

async function take(screen, alert) {
  screen.busy = alert.id;
  redraw();
  await acknowledge(alert);
  screen.busy = null;
  screen.pages.reload();
}

const statusChoice = (screen) =>
  choices({
    name: 'alert-status',
    label: t('op.state'),
    hideLabel: true,
    value: screen.status,
    options: ['open', 'acknowledged', 'resolved', ''].map((one) => [one, t(`op.alerts.${one || 'all'}`)]),
    onchange: (status) => {
      screen.status = status;
      screen.pages.reload({ status });
    },
  });

const columns = (screen) => [
  { label: t('op.order'), isHead: true, cell: (alert) => ticketLink(alert.order, alert.ticket) },
  { label: t('op.alerts.kind'), cell: (alert) => t(`op.alerts.kind.${alert.kind}`) },
  { label: t('op.alerts.state'), cell: (alert) => statusBadge(alert.status) },
  { label: t('op.alerts.limit'), cell: (alert) => (alert.kind === 'overdue' ? duration(alert.limitSeconds) : null) },
  {
    label: t('op.alerts.raised'),
    cell: (alert) => h('span', { title: dateTime(alert.raisedAt) }, since(alert.raisedAt, 'age')),
  },
  { label: t('op.alerts.status'), cell: stage },
  {
    label: '',
    cell: (alert) =>
      alert.acknowledgedAt || alert.resolvedAt
        ? null
        : button(t('op.alert.acknowledge'), {
            isBusy: screen.busy === alert.id,
            onclick: () => take(screen, alert),
            'aria-label': t('op.alert.acknowledge.of', { ticket: alert.ticket }),
          }),
  },
];

function stage({ acknowledgedAt, resolvedAt }) {
  if (resolvedAt) return badge(t('op.alerts.resolved'), 'success');
  return acknowledgedAt ? badge(t('op.alerts.acknowledged'), 'accent') : badge(t('op.alerts.open'), 'warning');
}
