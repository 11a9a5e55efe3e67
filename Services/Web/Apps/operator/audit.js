// The audit log.

import { h } from '/apps/shared/dom.js';
import { fullName, t } from '/apps/shared/i18n.js';
import { empty, field, select } from '/apps/shared/ui.js';
import { api } from './context.js';
import { areaName, createPages, follow, head, moment, shortID, shownPages, table } from './parts.js';
import { orderLink } from './order-parts.js';
import { actionName } from './order-history.js';
import { valetOf } from './valet-parts.js';

const PACE = 10_000;
const actions = [
  'orders.override',
  'orders.withdraw',
  'orders.acknowledge-alert',
  'orders.seal-custody',
  'orders.save-service-area',
  'orders.set-tariff',
  'payments.refund',
  'carparks.open-gate',
  'payments.close-drawer',
  'payments.hand-out',
  'payments.open-drawer',
  'payments.put-company',
  'payments.put-logo',
  'payments.put-taxes',
  'payments.remove-logo',
  'payments.set-payout-rules',
  'payments.reconcile',
  'payments.close-day',
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
  'carparks.change-tariff',
  'carparks.add-gate',
  'carparks.rotate-gate-token',
  'carparks.end-parking-session',
  'carparks.prove-plate',
  'carparks.withdraw-plate-proof',
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
  const stop = follow(pages, PACE);
  return {
    title: () => t('op.nav.audit'),
    view: () => [
      head(t('op.nav.audit'), { lead: t('op.audit.lead'), age: pages.at }),
      filters(filter, (change) => {
        Object.assign(filter, change);
        pages.reload({ ...filter });
      }),
      shownPages(
        pages,
        (items) => table(t('op.nav.audit'), columns(), items),
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

const filters = (filter, set) =>
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
  );

const columns = () => [
  { label: t('op.time'), isHead: true, cell: (one) => moment(one.actedAt) },
  { label: t('op.audit.by'), cell: actor },
  { label: t('op.audit.action'), cell: (one) => actionName(one.action) },
  { label: t('op.audit.subject'), cell: subject },
  { label: t('op.reason'), cell: (one) => one.reason ?? '–' },
];

const actor = ({ by }) => (by === api.account?.id ? `${fullName(api.account)} (${t('op.you')})` : shortID(by));

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
