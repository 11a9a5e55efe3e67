// Spots that drivers pass on: open ones, disputes with pictures, rules of each area, and how long people take.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, loadTexts, minorUnits, money, t } from '/apps/shared/i18n.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { badge, button, choices, empty, facts, field, select, toast } from '/apps/shared/ui.js';
import {
  areaName,
  createPages,
  createResource,
  dialogActions,
  every,
  formDialog,
  head,
  numberField,
  reloadNewest,
  shortID,
  shortDuration,
  shown,
  shownPages,
  table,
} from './parts.js';
import { api, redraw } from './context.js';

await loadTexts('/apps/shared/texts/spots');

const SPOTS = '/v1/admin/spots';
const PACE = 10_000;
const PAGE = 50;
const LONGEST = 300;
const QUERIES = {
  open: { status: 'offered' },
  reserved: { status: 'reserved' },
  disputes: { disputed: true },
  all: {},
};
const VIEWS = ['open', 'reserved', 'disputes', 'all', 'areas', 'times'];
const policyPath = (id) => escaped`/v1/admin/spot-policies/${id}`;

/** `policies` and `times` load when they are first shown. */
export function spotsScreen() {
  const screen = { view: 'open', pages: createPages(SPOTS, QUERIES.open, PAGE), policies: null, times: null };
  const stop = every(PACE, () => screen.view in QUERIES && reloadNewest(screen.pages));
  return {
    title: () => t('op.nav.spots'),
    view: () => [
      head(t('op.nav.spots'), { lead: t('op.spots.lead'), age: screen.view in QUERIES ? screen.pages.at : null }),
      choices({
        name: 'spots-view',
        label: t('op.state'),
        hideLabel: true,
        value: screen.view,
        options: VIEWS.map((one) => [one, t(`op.spots.view.${one}`)]),
        onchange: (view) => show(screen, view),
      }),
      content(screen),
    ],
    leave: stop,
  };
}

// MARK: Actions

function show(screen, view) {
  screen.view = view;
  if (view in QUERIES) screen.pages.reload(QUERIES[view]);
  if (view === 'areas') screen.policies ??= createResource(readPolicies);
  if (view === 'times') screen.times ??= createResource(() => api.get('/v1/admin/statistics/spots'));
  redraw();
}

const readPolicies = async () =>
  (await Promise.all((await api.get('/v1/service-areas')).features.map(readPolicy))).filter(Boolean);

/** An area with its rules; null for a new one that the spots service does not know yet. */
async function readPolicy({ properties }) {
  const { id, currency } = properties;
  try {
    return { id, currency, policy: await api.get(policyPath(id)) };
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

async function decide(screen, spot) {
  if (!(await decideDialog(spot))) return;
  toast(t('op.spots.decided'), 'success');
  screen.pages.reload();
}

async function change(screen, area) {
  if (!(await policyDialog(area))) return;
  toast(t('action.saved'), 'success');
  screen.policies.reload();
}

// MARK: Tables

function content(screen) {
  const { view, pages, policies, times } = screen;
  if (view === 'areas') return shown(policies, (items) => table(t('op.spots.areas'), policyColumns(screen), items));
  if (view === 'times') return shown(times, ({ items }) => timesTable(items));
  return shownPages(
    pages,
    (items) => table(t('op.nav.spots'), spotColumns(screen), items),
    empty('parking', t(`op.spots.none.${view === 'disputes' ? 'disputes' : 'spots'}`)),
  );
}

const timesTable = (items) =>
  items.length
    ? table(t('op.spots.times'), timeColumns(), items, { key: ({ day, area }) => `${day} ${area}` })
    : empty('clock', t('op.spots.times.none'));

const stateOf = ({ status }) =>
  badge(
    t(`spot.status.${status}`),
    { offered: 'accent', reserved: 'warning', handedOver: 'success', failed: 'danger' }[status],
  );

const spotColumns = (screen) => [
  { label: t('spots.spot'), isHead: true, cell: ({ id }) => shortID(id) },
  { label: t('op.area'), cell: ({ area }) => areaName(area) },
  { label: t('spots.seller'), cell: ({ seller }) => seller.firstName || '–' },
  {
    label: t('op.spots.price'),
    cell: ({ price }) => h('span', { class: 'numbers' }, price.amount ? money(price) : t('spots.free')),
  },
  {
    label: t('op.spots.requests'),
    cell: ({ requests, auction }) =>
      auction ? t('op.spots.bids', { count: auction.bids }) : String(requests?.length ?? 0),
  },
  { label: t('op.time'), cell: ({ createdAt }) => dateTime(createdAt) },
  { label: t('op.state'), cell: stateOf },
  { label: '', cell: (spot) => decision(screen, spot) },
];

function decision(screen, spot) {
  if (!spot.dispute) return null;
  const { outcome } = spot.dispute;
  return outcome
    ? badge(t(`op.spots.outcome.${outcome}`))
    : button(t('op.spots.decide'), { onclick: () => decide(screen, spot) });
}

const policyColumns = (screen) => [
  { label: t('op.area'), isHead: true, cell: ({ id }) => areaName(id) },
  { label: t('op.spots.sale'), cell: ({ policy }) => t(`op.spots.sale.${policy.sale}`) },
  { label: t('op.spots.cap'), cell: ({ policy, currency }) => money({ amount: policy.priceCap, currency }) },
  { label: t('op.spots.commission'), cell: ({ policy }) => `${policy.commissionPercent}%` },
  { label: t('op.spots.fee'), cell: ({ policy, currency }) => money({ amount: policy.noShowFee, currency }) },
  {
    label: '',
    cell: (one) =>
      button(t('op.spots.change'), {
        'aria-label': t('op.spots.policy', { area: areaName(one.id) }),
        onclick: () => change(screen, one),
      }),
  },
];

const timeColumns = () => [
  { label: t('op.spots.day'), isHead: true, cell: ({ day }) => day },
  { label: t('op.area'), cell: ({ area }) => areaName(area) },
  { label: t('op.spots.counts'), cell: (one) => `${one.offered} / ${one.handedOver} / ${one.failed}` },
  { label: t('op.spots.toRequest'), cell: (one) => span(one.offerToFirstRequest) },
  { label: t('op.spots.toAnswer'), cell: (one) => span(one.requestToAnswer) },
  { label: t('op.spots.toArrival'), cell: (one) => span(one.approvalToArrival) },
];

const span = ({ count, median, p90 }) =>
  count ? t('op.spots.span', { median: shortDuration(median), p90: shortDuration(p90), count }) : '–';

// MARK: Dialogs

/** Shows what both say, with the picture; resolves with the spot once it is decided. */
const decideDialog = (spot) =>
  formDialog(t('op.spots.decide'), (form, close) => {
    const { dispute, seller } = spot;
    const send = async ({ outcome, text }) =>
      close(await api.post(escaped`/v1/admin/spots/${spot.id}/decision`, { outcome, text: text.trim() }));
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      dispute.photoURL
        ? picture(dispute.photoURL, noPicture, { class: 'photo-large', alt: t('spots.dispute.photo') })
        : null,
      facts([
        [t('spots.seller'), seller.firstName],
        [t('op.spots.buyerSays'), dispute.note],
        [t('op.spots.sellerSays'), dispute.answer],
        [t('op.time'), dateTime(dispute.openedAt)],
      ]),
      select({
        id: 'outcome',
        label: t('op.spots.outcome'),
        options: ['upheld', 'dismissed'].map((outcome) => [outcome, t(`op.spots.outcome.${outcome}`)]),
        error: form.errors.outcome,
      }),
      field({
        id: 'text',
        label: t('op.spots.text'),
        multiline: true,
        required: true,
        maxlength: LONGEST,
        error: form.errors.text,
      }),
      dialogActions(form, close, t('op.spots.decide')),
    );
  });

const policyDialog = ({ id, currency, policy }) =>
  formDialog(t('op.spots.policy', { area: areaName(id) }), (form, close) => {
    const unit = minorUnits(currency);
    const amountOf = (text) => Math.round(Number(text) * unit);
    const send = async ({ sale, priceCap, commissionPercent, noShowFee, graceSeconds, increments }) =>
      close(
        await api.put(policyPath(id), {
          sale,
          priceCap: amountOf(priceCap),
          commissionPercent: Number(commissionPercent),
          noShowFee: amountOf(noShowFee),
          graceSeconds: Number(graceSeconds),
          increments: incrementsOf(increments, unit),
        }),
      );
    const number = (name, value) => numberField(form, name, t(`op.spots.${name}`, { currency }), value);
    return form.view(
      { class: 'stack', onsubmit: form.submit(send) },
      select({
        id: 'sale',
        label: t('op.spots.sale'),
        value: policy.sale,
        options: ['allowed', 'informationOnly'].map((sale) => [sale, t(`op.spots.sale.${sale}`)]),
        error: form.errors.sale,
      }),
      number('priceCap', policy.priceCap / unit),
      number('commissionPercent', policy.commissionPercent),
      number('noShowFee', policy.noShowFee / unit),
      number('graceSeconds', policy.graceSeconds),
      field({
        id: 'increments',
        label: t('op.spots.increments', { currency }),
        hint: t('op.spots.increments.hint'),
        multiline: true,
        required: true,
        value: policy.increments.map(({ from, step }) => `${from / unit}:${step / unit}`).join('\n'),
        error: form.errors.increments,
      }),
      dialogActions(form, close, t('action.save')),
    );
  });

/** Bid increments as typed: `from:step` in whole units of the currency, one per line. */
export const incrementsOf = (text, unit) =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => line.split(':').map((amount) => Math.round(Number(amount) * unit)))
    .map(([from, step]) => ({ from, step: step || 0 }));
