// What has happened to an order: its timeline, matching, custody, photos.

import { h } from '/apps/shared/dom.js';
import { dateTime, distance, duration, fullName, momentOf, number, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge, noPicture, notice, picture } from '/apps/shared/ui.js';
import { api } from './context.js';
import { moment, nothing, placeText, shortDuration, table } from './parts.js';
import { valetName } from './valet-parts.js';

// MARK: Timeline

const steps = [
  ['createdAt', 'op.time.placed'],
  ['assignedAt', 'op.time.assigned'],
  ['collectedAt', 'op.time.collected'],
  ['parkedAt', 'op.time.parked'],
  ['recalledAt', 'op.time.recalled'],
  ['retrievedAt', 'op.time.retrieved'],
  ['returnedAt', 'op.time.returned'],
  ['endedAt', 'op.time.ended'],
];

/** Each step with the time since the one before; actions of operators are listed in between. */
export const timelineView = (order, acts) =>
  h(
    'ol',
    { class: 'timeline' },
    momentsOf(order, acts).map(({ at, key, text, reason, isAct }, i, moments) =>
      h(
        'li',
        { key, class: isAct ? 'act' : '' },
        h('time', { datetime: at, title: dateTime(at), class: 'numbers' }, time(at)),
        h(
          'div',
          null,
          h('p', { class: 'strong' }, text),
          reason ? h('p', { class: 'muted' }, `“${reason}”`) : null,
          i > 0
            ? h(
                'p',
                { class: 'muted small' },
                t('op.time.after', { time: shortDuration((new Date(at) - new Date(moments[i - 1].at)) / 1000) }),
              )
            : null,
        ),
      ),
    ),
  );

/** The steps that the order has reached and the actions of operators, by time. */
export const momentsOf = (order, acts) =>
  [
    ...steps
      .filter(([field]) => order[field])
      .map(([field, key]) => ({
        at: order[field],
        key,
        text: field === 'endedAt' ? t(`status.${order.status}`) : t(key),
      })),
    ...acts.map(({ id, action, actedAt, reason }) => ({
      at: actedAt,
      key: id,
      text: t('op.time.act', { action: actionName(action) }),
      reason,
      isAct: true,
    })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));

/** The text of an action such as `orders.override`, or its code where there is none. */
export function actionName(action) {
  const key = `op.act.${action}`;
  const text = t(key);
  return text === key ? action : text;
}

// MARK: Matching

const seconds = (value) => t('op.match.seconds', { seconds: number(value) });

/** Each decision as a sentence, with all candidates in a table. */
export const decisionsView = (trace) =>
  trace?.decisions.length
    ? h(
        'ol',
        { class: 'decisions' },
        trace.decisions.map((decision, i) =>
          decision.outcome === 'waiting' && !decision.candidates.length
            ? nobodyView(decision)
            : decisionView(decision, i === 0),
        ),
      )
    : h('p', { class: 'muted' }, t('op.match.none'));

const legName = ({ leg }) => t(`op.match.leg.${leg}`);
const radius = ({ radiusMeters }) => t('op.match.radius', { distance: distance(radiusMeters) });
const waited = ({ waitedSeconds }) => t('op.match.waited', { time: duration(waitedSeconds) });

/** A round without any candidate is one line. */
const nobodyView = (decision) =>
  h(
    'li',
    { key: decision.decidedAt, class: 'decision waited muted small' },
    badge(legName(decision)),
    badge(t('op.match.waiting'), 'warning'),
    [time(decision.decidedAt), radius(decision), waited(decision), t('op.match.nobody')].join(' · '),
  );

function decisionView(decision, isNewest) {
  const { decidedAt, outcome, attempt, componentOrders, candidates } = decision;
  const chosen = candidates.find((candidate) => candidate.chosen);
  const tone = { matched: 'success', waiting: 'warning', noValet: 'danger' }[outcome];
  const circumstances = [
    dateTime(decidedAt),
    t('op.match.attempt', { attempt }),
    radius(decision),
    waited(decision),
    componentOrders > 1 ? t('op.match.together', { count: componentOrders }) : null,
  ];
  return h(
    'li',
    { key: decidedAt, class: `decision ${outcome}` },
    h('h3', null, legName(decision), ' ', badge(t(`op.match.${outcome}`), tone)),
    h('p', null, sentence(decision, chosen)),
    h('p', { class: 'muted small' }, circumstances.filter(Boolean).join(' · ')),
    candidates.length
      ? h(
          'details',
          { open: isNewest, class: 'candidates' },
          h('summary', null, t('op.match.candidates', { count: candidates.length })),
          candidatesTable(candidates, chosen),
        )
      : null,
  );
}

const candidatesTable = (candidates, chosen) =>
  table(
    t('op.match.candidates', { count: candidates.length }),
    [
      {
        label: t('role.valet'),
        isHead: true,
        cell: (one) => h('a', { href: `#/valets/${one.valet}` }, valetName(one.valet)),
      },
      { label: t('op.match.distance'), isAmount: true, cell: (one) => distance(one.distanceMeters) },
      { label: t('op.match.travel'), isAmount: true, cell: (one) => seconds(one.travelSeconds) },
      { label: t('op.match.idle'), isAmount: true, cell: (one) => shortDuration(one.idleSeconds) },
      { label: t('op.match.cost'), isAmount: true, cell: (one) => seconds(one.cost) },
      {
        label: t('op.match.result'),
        cell: (one) =>
          one.chosen
            ? h('strong', { class: 'chosen-valet' }, icon('check'), t('op.match.chosen'))
            : refusal(one, chosen),
      },
    ],
    candidates,
    { key: (one) => one.valet, isTight: true },
  );

function sentence(decision, chosen) {
  if (decision.outcome === 'noValet') return t('op.match.says.none', { time: duration(decision.waitedSeconds) });
  if (!chosen) return t('op.match.says.waiting');
  const values = {
    name: valetName(chosen.valet),
    travel: seconds(chosen.travelSeconds),
    count: decision.candidates.length,
  };
  return decision.candidates.length > 1 ? t('op.match.says.best', values) : t('op.match.says.only', values);
}

const refusal = (one, chosen) => {
  if (!one.refusal) return nothing();
  const more = Math.max(0, one.cost - (chosen?.cost ?? one.cost));
  return t(`op.match.refusal.${one.refusal}`, { time: seconds(more) });
};

// MARK: Custody

const whoIs = (id, order) => {
  const party = [order.customer, order.dropOffValet, order.returnValet].find((one) => one?.id === id);
  return party ? fullName(party) : id === api.account?.id ? t('op.you') : t('op.valet.unknown', { id: id.slice(-6) });
};

/** The result of a verification of the whole log. */
export const verdict = ({ isIntact, entries, brokenAt, lastHash }) =>
  isIntact
    ? notice(
        'success',
        t('op.custody.intact', { count: entries }),
        lastHash
          ? h('p', { class: 'small' }, t('op.custody.lastHash'), ' ', h('code', { class: 'hash' }, lastHash))
          : null,
      )
    : notice('danger', t('op.custody.broken', { line: brokenAt }));

export function custodyView(lines, order) {
  if (!lines.length) return h('p', { class: 'muted' }, t('op.custody.none'));
  return table(
    t('op.order.custody'),
    [
      { label: '#', isHead: true, cell: (line) => line.sequence },
      { label: t('op.time'), cell: (line) => moment(line.at) },
      { label: t('op.custody.kind'), cell: (line) => t(`op.custody.kind.${line.kind}`) },
      {
        label: t('op.custody.holder'),
        cell: (line) =>
          h(
            'span',
            { class: `holder ${line.holder}` },
            icon({ customer: 'user', valet: 'key', lot: 'parking' }[line.holder]),
            t(`op.custody.holder.${line.holder}`),
          ),
      },
      {
        label: t('op.custody.by'),
        cell: (line) => [whoIs(line.by, order), h('br'), h('span', { class: 'muted' }, t(`role.${line.role}`))],
      },
      { label: t('op.custody.where'), cell: (line) => line.location ?? placeText(line.place) ?? '–' },
      {
        label: t('op.custody.proof'),
        cell: (line) => [
          t(`op.custody.proof.${line.proof}`),
          h('br'),
          h('code', { class: 'id', title: `${t('op.custody.hash')} ${line.hash}` }, line.hash.slice(0, 10)),
        ],
      },
    ],
    lines,
    { key: (line) => line.sequence, isTight: true },
  );
}

// MARK: Photos

export const photosView = (photos, order) =>
  photos.length
    ? h(
        'ul',
        { class: 'photos' },
        photos.map((photo) =>
          h(
            'li',
            { key: photo.id },
            h(
              'a',
              { href: photo.photoURL, target: '_blank', rel: 'noopener' },
              picture(photo.photoURL, noPicture, {
                loading: 'lazy',
                alt: t('op.photo.alt', {
                  moment: t(`op.photo.${momentOf(photo, order)}`),
                  time: dateTime(photo.takenAt),
                }),
              }),
            ),
            h('p', { class: 'small' }, t(`op.photo.${momentOf(photo, order)}`), ' · ', time(photo.takenAt)),
            h(
              'p',
              { class: 'small muted' },
              whoIs(photo.by, order),
              ' · ',
              h('code', { class: 'id', title: photo.sha256 }, photo.sha256.slice(0, 10)),
            ),
          ),
        ),
      )
    : h('p', { class: 'muted' }, t('op.photo.none'));
