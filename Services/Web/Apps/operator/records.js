// Lists of records: alerts, messages, dead letters, the audit log.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { phoneNumber } from '/apps/shared/auth.js';
import { dateTime, duration, fullName, t, tProblem } from '/apps/shared/i18n.js';
import { badge, button, choices, confirm, empty, field, select, statusBadge, toast } from '/apps/shared/ui.js';
import { api, redraw } from './context.js';
import { areaName, createPages, every, head, shortID, shownPages, since, table, valetOf } from './parts.js';
import { acknowledge } from './overview.js';
import { actionName } from './order-parts.js';
import { orderLink } from './payments.js';

const PACE = 10_000;
/** Reloads the first page while no older one is loaded. */
const follow = (pages) => every(PACE, () => pages.items.length <= 50 && !pages.isBusy && pages.reload());

// MARK: Alerts

export function alertsScreen() {
  let status = 'open';
  const pages = createPages('/v1/admin/alerts', { status });
  const stop = follow(pages);
  let busy = null;
  const take = async (alert) => {
    busy = alert.id;
    redraw();
    await acknowledge(alert);
    busy = null;
    pages.reload();
  };
  return {
    title: () => t('op.nav.alerts'),
    view: () => [
      head(t('op.nav.alerts'), { lead: t('op.alerts.lead'), age: pages.at }),
      choices({
        name: 'alert-status',
        label: t('op.state'),
        hideLabel: true,
        value: status,
        options: ['open', 'acknowledged', 'resolved', ''].map((one) => [one, t(`op.alerts.${one || 'all'}`)]),
        onchange: (value) => {
          status = value;
          pages.reload({ status });
        },
      }),
      shownPages(
        pages,
        (items) =>
          table(
            t('op.nav.alerts'),
            [
              {
                label: t('op.order'),
                isHead: true,
                cell: (alert) => h('a', { class: 'ticket', href: `#/orders/${alert.order}` }, alert.ticket),
              },
              { label: t('op.alerts.kind'), cell: (alert) => t(`op.alerts.kind.${alert.kind}`) },
              { label: t('op.alerts.state'), cell: (alert) => statusBadge(alert.status) },
              {
                label: t('op.alerts.limit'),
                cell: (alert) => (alert.kind === 'overdue' ? duration(alert.limitSeconds) : null),
              },
              {
                label: t('op.alerts.raised'),
                cell: (alert) => h('span', { title: dateTime(alert.raisedAt) }, since(alert.raisedAt, 'age')),
              },
              {
                label: t('op.alerts.status'),
                cell: (alert) =>
                  alert.resolvedAt
                    ? badge(t('op.alerts.resolved'), 'success')
                    : alert.acknowledgedAt
                      ? badge(t('op.alerts.acknowledged'), 'accent')
                      : badge(t('op.alerts.open'), 'warning'),
              },
              {
                label: '',
                cell: (alert) =>
                  alert.acknowledgedAt || alert.resolvedAt
                    ? null
                    : button(t('op.alert.acknowledge'), {
                        isBusy: busy === alert.id,
                        onclick: () => take(alert),
                        'aria-label': t('op.alert.acknowledge.of', { ticket: alert.ticket }),
                      }),
              },
            ],
            items,
          ),
        empty(
          'check',
          status === 'open' ? t('op.alerts.none') : t('op.alerts.noneOfThese'),
          status === 'open' ? t('op.alerts.none.text') : null,
        ),
      ),
    ],
    leave: stop,
  };
}

// MARK: Text messages and mails

export function messagesScreen() {
  let contact = '';
  const pages = createPages('/v1/admin/messages');
  const stop = follow(pages);
  const search = (event) => {
    event.preventDefault();
    pages.reload(contact.includes('@') ? { email: contact.trim() } : { phone: phoneNumber(contact) });
  };
  const isNotKept = () => pages.error?.status === 404 || pages.error?.status === 409;
  return {
    title: () => t('op.nav.messages'),
    view: () => [
      head(t('op.nav.messages'), { lead: t('op.messages.lead'), age: pages.at }),
      isNotKept()
        ? empty('message', t('op.messages.notKept'), t('op.messages.notKept.text'))
        : [
            h(
              'form',
              { class: 'panel inline-form', role: 'search', onsubmit: search },
              field({
                id: 'message-contact',
                label: t('op.messages.contact'),
                type: 'search',
                inputmode: 'email',
                value: contact,
                autocomplete: 'off',
                placeholder: '+…',
                oninput: (event) => {
                  contact = event.target.value;
                },
              }),
              button(t('op.search'), { type: 'submit', icon: 'search' }),
            ),
            shownPages(
              pages,
              (items) =>
                table(
                  t('op.nav.messages'),
                  [
                    {
                      label: t('op.time'),
                      isHead: true,
                      cell: (one) => h('span', { class: 'nowrap' }, dateTime(one.sentAt)),
                    },
                    {
                      label: t('op.messages.to'),
                      cell: (one) =>
                        h(
                          'a',
                          { href: one.email ? `mailto:${one.email}` : `tel:${one.phone}`, class: 'nowrap' },
                          one.email ?? one.phone,
                        ),
                    },
                    { label: t('op.messages.text'), cell: (one) => one.text },
                  ],
                  items,
                  { key: (one, i) => `${one.sentAt}-${one.email ?? one.phone}-${i}` },
                ),
              empty('message', t('op.messages.none'), t('op.messages.none.text')),
            ),
          ],
    ],
    leave: stop,
  };
}

// MARK: Dead letters

export function deadLettersScreen() {
  const pages = createPages('/v1/admin/dead-letters');
  const stop = follow(pages);
  let busy = null;
  async function retry(letter) {
    if (
      !(await confirm(
        t('op.dead.sure'),
        t('op.dead.sure.text', { consumer: letter.consumer, type: letter.eventType }),
        { yes: t('op.dead.retry'), no: t('action.cancel') },
      ))
    )
      return;
    busy = letter.id;
    redraw();
    try {
      const now = await api.post(escaped`/v1/admin/dead-letters/${letter.id}/retry`);
      pages.items = pages.items.map((one) => (one.id === now.id ? now : one));
      toast(t('op.dead.retried'), 'success');
    } catch (error) {
      toast(error.code === 'notification.dead_letter_unusable' ? t('op.dead.unusable') : tProblem(error), 'danger');
    }
    busy = null;
    redraw();
  }
  return {
    title: () => t('op.nav.deadLetters'),
    view: () => [
      head(t('op.nav.deadLetters'), { lead: t('op.dead.lead'), age: pages.at }),
      shownPages(
        pages,
        (items) =>
          table(
            t('op.nav.deadLetters'),
            [
              {
                label: t('op.time'),
                isHead: true,
                cell: (one) => h('span', { class: 'nowrap' }, dateTime(one.createdAt)),
              },
              {
                label: t('op.dead.event'),
                cell: (one) =>
                  h(
                    'span',
                    null,
                    h('code', null, one.eventType),
                    h('br'),
                    h('span', { class: 'small muted' }, one.topic),
                  ),
              },
              { label: t('op.dead.consumer'), cell: (one) => one.consumer },
              { label: t('op.reason'), cell: (one) => h('span', { class: 'small' }, one.reason) },
              { label: t('op.dead.attempts'), isAmount: true, cell: (one) => one.attempts },
              {
                label: '',
                cell: (one) =>
                  one.retriedAt
                    ? badge(t('op.dead.retriedAt', { time: dateTime(one.retriedAt) }), 'success')
                    : button(t('op.dead.retry'), { isBusy: busy === one.id, onclick: () => retry(one) }),
              },
            ],
            items,
          ),
        empty('check', t('op.dead.none'), t('op.dead.none.text')),
      ),
    ],
    leave: stop,
  };
}

// MARK: Audit log

const actions = [
  'orders.override',
  'orders.withdraw',
  'orders.acknowledge-alert',
  'orders.seal-custody',
  'orders.save-service-area',
  'orders.set-tariff',
  'payments.refund',
  'payments.reconcile',
  'accounts.add-valet',
  'accounts.grant-valet',
  'accounts.suspend-valet',
  'accounts.reinstate-valet',
  'accounts.remove-second-factors',
  'accounts.close-report',
  'carparks.add-car-park',
  'carparks.change-car-park',
  'carparks.remove-car-park',
  'carparks.open-car-park',
  'carparks.close-car-park',
  'carparks.import-car-parks',
  'carparks.add-car-park-photo',
  'carparks.arrange-car-park-photos',
  'carparks.add-product',
  'carparks.change-product',
  'carparks.add-gate',
  'carparks.rotate-gate-token',
  'carparks.end-parking-session',
  'carparks.issue-fine',
  'carparks.add-fine-picture',
  'carparks.uphold-fine',
  'carparks.cancel-fine',
  'spots.change-policy',
  'spots.decide-dispute',
  'carpool.change-policy',
  'carpool.decide-ride',
  'carpool.remove-trip',
  'places.add-vendor',
  'places.change-vendor',
  'places.remove-vendor',
  'places.import-vendors',
  'places.set-duplicate',
  'places.unset-duplicate',
  'places.accept-suggestion',
  'places.decline-suggestion',
  'notifications.retry-dead-letter',
];

export function auditScreen() {
  const filter = { action: '', subject: '' };
  const pages = createPages('/v1/admin/audit');
  const stop = follow(pages);
  const set = (change) => {
    Object.assign(filter, change);
    pages.reload({ ...filter });
  };
  return {
    title: () => t('op.nav.audit'),
    view: () => [
      head(t('op.nav.audit'), { lead: t('op.audit.lead'), age: pages.at }),
      h(
        'div',
        { class: 'panel' },
        h(
          'div',
          { class: 'filters wide', role: 'search', 'aria-label': t('op.filter') },
          select({
            id: 'audit-action',
            label: t('op.audit.action'),
            value: filter.action,
            options: [['', t('op.state.all')], ...actions.map((action) => [action, actionName(action)])],
            onchange: (event) => set({ action: event.target.value }),
          }),
          field({
            id: 'audit-subject',
            label: t('op.audit.subject'),
            hint: t('op.audit.subject.hint'),
            type: 'search',
            value: filter.subject,
            autocomplete: 'off',
            spellcheck: 'false',
            onchange: (event) => set({ subject: event.target.value.trim() }),
          }),
        ),
      ),
      shownPages(
        pages,
        (items) =>
          table(
            t('op.nav.audit'),
            [
              {
                label: t('op.time'),
                isHead: true,
                cell: (one) => h('span', { class: 'nowrap' }, dateTime(one.actedAt)),
              },
              {
                label: t('op.audit.by'),
                cell: (one) =>
                  one.by === api.account?.id ? `${fullName(api.account)} (${t('op.you')})` : shortID(one.by),
              },
              { label: t('op.audit.action'), cell: (one) => actionName(one.action) },
              { label: t('op.audit.subject'), cell: subject },
              { label: t('op.reason'), cell: (one) => one.reason ?? '–' },
            ],
            items,
          ),
        empty(
          'shield',
          t('op.audit.none'),
          filter.action || filter.subject ? t('op.audit.noneFound') : t('op.audit.none.text'),
        ),
      ),
    ],
    leave: stop,
  };
}

function subject({ action, subject: id }) {
  if (action === 'orders.override' || action === 'orders.withdraw') {
    return orderLink(id);
  }
  if (action === 'accounts.close-report') return shortID(id);
  if (action.startsWith('accounts.'))
    return h('a', { href: `#/valets/${id}` }, valetOf(id) ? fullName(valetOf(id)) : shortID(id));
  if (
    ['orders.save-service-area', 'orders.set-tariff', 'spots.change-policy', 'carpool.change-policy'].includes(action)
  )
    return h('a', { href: `#/areas/${id}` }, areaName(id));
  // Other subjects are names or days, not ids.
  return /^[-0-9a-f]{36}$/.test(id) ? shortID(id) : id;
}
