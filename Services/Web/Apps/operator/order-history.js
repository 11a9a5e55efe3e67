// What has happened to an order: its timeline, custody, photos.

import { h } from '/apps/shared/dom.js';
import { dateTime, fullName, t, time } from '/apps/shared/i18n.js';
import { photoMoment } from '/apps/shared/pictures.js';
import { icon } from '/apps/shared/icons.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { notice } from '/apps/shared/ui.js';
import { api } from './context.js';
import { moment, placeText, shortDuration, table } from './parts.js';

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
                t('op.time.after', { time: shortDuration((Date.parse(at) - Date.parse(moments[i - 1].at)) / 1000) }),
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
                  moment: t(`op.photo.${photoMoment(photo, order)}`),
                  time: dateTime(photo.takenAt),
                }),
              }),
            ),
            h('p', { class: 'small' }, t(`op.photo.${photoMoment(photo, order)}`), ' · ', time(photo.takenAt)),
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
