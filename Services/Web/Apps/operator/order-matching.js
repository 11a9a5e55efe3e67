// How valets were chosen for an order: each decision as a sentence, with its candidates.

import { h } from '/apps/shared/dom.js';
import { dateTime, distance, duration, number, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { badge } from '/apps/shared/ui.js';
import { nothing, shortDuration, table } from './parts.js';
import { valetName } from './valet-parts.js';

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
