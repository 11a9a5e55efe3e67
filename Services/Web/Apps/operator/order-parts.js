// Parts of an order's screen: timeline, matching, custody, photos.

import { h } from '/apps/shared/dom.js';
import { dateTime, distance, duration, fullName, momentOf, number, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge, noPicture, picture } from '/apps/shared/ui.js';
import { api } from './context.js';
import { placeText, shortDuration, table, valetName } from './parts.js';

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
export function timelineView(order, acts) {
  const moments = steps
    .filter(([field]) => order[field])
    .map(([field, key]) => ({
      at: order[field],
      key,
      text: field === 'endedAt' ? t(`status.${order.status}`) : t(key),
    }));
  for (const act of acts)
    moments.push({
      at: act.actedAt,
      key: act.id,
      text: t('op.time.act', { action: actionName(act.action) }),
      reason: act.reason,
      isAct: true,
    });
  moments.sort((a, b) => (a.at < b.at ? -1 : 1));
  return h(
    'ol',
    { class: 'timeline' },
    moments.map(({ at, key, text, reason, isAct }, i) =>
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
}

/** The text of an action such as `orders.override`, or its code where there is none. */
export function actionName(action) {
  const key = `op.act.${action}`;
  const text = t(key);
  return text === key ? action : text;
}

// MARK: Matching

const seconds = (value) => t('op.match.seconds', { seconds: number(value) });

/** Each decision as a sentence, with all candidates in a table. */
export function decisionsView(trace) {
  if (!trace?.decisions.length) return h('p', { class: 'muted' }, t('op.match.none'));
  return h(
    'ol',
    { class: 'decisions' },
    trace.decisions.map((decision, i) => {
      const chosen = decision.candidates.find((candidate) => candidate.chosen);
      if (decision.outcome === 'waiting' && !decision.candidates.length) {
        return h(
          'li',
          { key: decision.decidedAt, class: 'decision waited muted small' },
          badge(t(`op.match.leg.${decision.leg}`)),
          badge(t('op.match.waiting'), 'warning'),
          [
            time(decision.decidedAt),
            t('op.match.radius', { distance: distance(decision.radiusMeters) }),
            t('op.match.waited', { time: duration(decision.waitedSeconds) }),
            t('op.match.nobody'),
          ].join(' · '),
        );
      }
      return h(
        'li',
        { key: decision.decidedAt, class: `decision ${decision.outcome}` },
        h(
          'h3',
          null,
          t(`op.match.leg.${decision.leg}`),
          ' ',
          badge(
            t(`op.match.${decision.outcome}`),
            { matched: 'success', waiting: 'warning', noValet: 'danger' }[decision.outcome],
          ),
        ),
        h('p', null, sentence(decision, chosen)),
        h(
          'p',
          { class: 'muted small' },
          [
            dateTime(decision.decidedAt),
            t('op.match.attempt', { attempt: decision.attempt }),
            t('op.match.radius', { distance: distance(decision.radiusMeters) }),
            t('op.match.waited', { time: duration(decision.waitedSeconds) }),
            decision.componentOrders > 1 ? t('op.match.together', { count: decision.componentOrders }) : null,
          ]
            .filter(Boolean)
            .join(' · '),
        ),
        decision.candidates.length
          ? h(
              'details',
              { open: i === 0, class: 'candidates' },
              h('summary', null, t('op.match.candidates', { count: decision.candidates.length })),
              table(
                t('op.match.candidates', { count: decision.candidates.length }),
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
                decision.candidates,
                { key: (one) => one.valet, isTight: true },
              ),
            )
          : null,
      );
    }),
  );
}

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
  if (!one.refusal) return h('span', { class: 'muted' }, '–');
  const more = Math.max(0, one.cost - (chosen?.cost ?? one.cost));
  return t(`op.match.refusal.${one.refusal}`, { time: seconds(more) });
};

// MARK: Custody

const whoIs = (id, order) => {
  const party = [order.customer, order.dropOffValet, order.returnValet].find((one) => one?.id === id);
  return party ? fullName(party) : id === api.account?.id ? t('op.you') : t('op.valet.unknown', { id: id.slice(-6) });
};

export function custodyView(lines, order) {
  if (!lines.length) return h('p', { class: 'muted' }, t('op.custody.none'));
  return table(
    t('op.order.custody'),
    [
      { label: '#', isHead: true, cell: (line) => line.sequence },
      { label: t('op.time'), cell: (line) => h('span', { class: 'nowrap' }, dateTime(line.at)) },
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
