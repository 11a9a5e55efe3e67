// A card on a vehicle's screen: whether it is verified that the person has the vehicle, how to verify it, and an
// invitation for somebody else who drives it.

import { escaped } from '/apps/shared/api.js';
import { vehicleNumber } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createForm } from '/apps/shared/forms.js';
import { badge, button, facts, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { companyOf } from './company.js';
import { PROOFS, codeField, enterCode, knownProof } from './plate-code.js';

/** Ways to verify a vehicle, and their icons. */
const WAYS = { gate: 'parking', ticket: 'receipt', valet: 'key', invitation: 'user', operator: 'shield' };

/** The entry of a vehicle in the list of proofs, null if it is not there yet; undefined while the list loads. */
export function proofOf({ resources }, id) {
  const { value } = resources.get(PROOFS);
  return value && (value.items.find(({ vehicleId }) => vehicleId === id) ?? null);
}

export const proofBadge = ({ isProven }) =>
  isProven ? badge(t('plateProof.proven'), 'success') : badge(t('plateProof.unproven'));

export function createPlateProof(app) {
  /** The form and the invitation of each vehicle; the server tells an invitation's code only once. */
  const cards = new Map();
  const cardOf = (id) => {
    if (!cards.has(id)) cards.set(id, { app, form: createForm(app.redraw), invitation: null, isBusy: false });
    return cards.get(id);
  };
  return (vehicle) => {
    const { error } = app.resources.get(PROOFS);
    const proof = proofOf(app, vehicle.id);
    return h(
      'section',
      { class: 'card stack', key: 'proof' },
      h('div', { class: 'row between' }, h('h2', null, t('plateProof.title')), proof ? proofBadge(proof) : null),
      proof === undefined
        ? error
          ? problemNotice(error, () => app.resources.reload(PROOFS))
          : skeleton(3)
        : proof?.isProven
          ? proven(cardOf(vehicle.id), vehicle, proof)
          : unproven(cardOf(vehicle.id), vehicle),
    );
  };
}

// MARK: Not verified

function unproven({ app, form }, { id, plate }) {
  const send = async ({ code }) => {
    await knownProof(app.api, id);
    await enterCode(app, plate, code);
  };
  return [
    h('p', { class: 'hint' }, t('plateProof.unproven.lead')),
    h('h3', null, t('plateProof.how')),
    h(
      'ul',
      { class: 'stack tight' },
      Object.entries(WAYS).map(([way, name]) =>
        h(
          'li',
          { key: way, class: 'row' },
          icon(name),
          h(
            'span',
            { class: 'grow' },
            t(`plateProof.how.${way}`, { id: vehicleNumber(id) }),
            way === 'operator' && companyOf(app) ? [' ', h('a', { href: '#/company' }, t('plateProof.contact'))] : null,
          ),
        ),
      ),
    ),
    form.view(
      { class: 'stack', key: 'code', onsubmit: form.submit(send) },
      codeField(form, { label: t('plateProof.code') }),
      button(t('plateProof.verify'), { type: 'submit', look: 'primary', isBusy: form.isBusy }),
    ),
  ];
}

// MARK: Verified

const proven = (card, vehicle, { source, provenAt }) => [
  h('p', null, t(`plateProof.source.${source}`)),
  facts([[t('plateProof.since'), dateTime(provenAt)]]),
  h(
    'p',
    { class: 'row wrap' },
    h('a', { href: '#/stays' }, t('stays.title')),
    h('a', { href: '#/fines' }, t('fines.title')),
  ),
  h('h3', null, t('plateProof.share')),
  h('p', { class: 'hint' }, t('plateProof.share.lead')),
  card.invitation ? invitation(card.invitation, vehicle) : null,
  button(t(card.invitation ? 'plateProof.invite.again' : 'plateProof.invite'), {
    key: 'invite',
    isBusy: card.isBusy,
    onclick: () => invite(card, vehicle),
  }),
];

async function invite(card, { id }) {
  const { api, redraw, resources } = card.app;
  card.isBusy = true;
  redraw();
  try {
    card.invitation = await api.post(escaped`/v1/me/plate-proofs/${id}/invitations`);
  } catch (problem) {
    card.invitation = null;
    toast(tProblem(problem), 'danger');
    resources.reload(PROOFS);
  }
  card.isBusy = false;
  redraw();
}

const invitation = ({ code, expiresAt }, { plate }) =>
  h(
    'div',
    { class: 'stack tight', key: code, role: 'status' },
    facts([
      [t('plateCode.plate'), plate],
      [t('plateCode.code'), h('span', { class: 'ticket reference' }, code)],
      [t('plateProof.until'), dateTime(expiresAt)],
    ]),
    h('p', { class: 'hint' }, t('plateProof.once')),
    button(t('plateProof.send'), { icon: 'message', look: 'primary', wide: true, onclick: () => send(plate, code) }),
  );

export const linkOf = (plate, code) => `${location.origin}/#${escaped`/stays/invitation/${plate}/${code}`}`;

/** Opens the phone's menu for sending; copies the text on devices without one. */
async function send(plate, code) {
  const text = t('plateProof.message', { plate, code, link: linkOf(plate, code) });
  try {
    if (navigator.share) return await navigator.share({ text });
    await navigator.clipboard.writeText(text);
    return toast(t('plateProof.copied'), 'success');
  } catch (problem) {
    // The person has closed the menu.
    return problem.name === 'AbortError' ? undefined : toast(t('plateProof.copy.failed'), 'danger');
  }
}
