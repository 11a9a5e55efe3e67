// A reserved spot: seller and buyer see who is where, reach each other, and hand it over.

import { h } from '/apps/shared/dom.js';
import { distance, minutes, money, t, time } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { confirm } from '/apps/shared/dialogs.js';
import { rating } from '/apps/shared/people.js';
import { button } from '/apps/shared/ui.js';
import { nameOf, secondsLeft } from './spot-view.js';
import { pathOf } from './status.js';
import { giveUp, keep, requestPath, sure, tap, tellWhere } from './steps.js';

export function reserved(page, spot) {
  const { reservation } = spot;
  return [
    h(
      'p',
      { class: 'signal', role: 'status', key: 'way' },
      icon('route'),
      h('span', null, progress(spot, page.map.track?.route)),
    ),
    contact(reservation.other),
    nextSteps(page, spot),
    spot.isMine
      ? tap(page, `${pathOf(spot.id)}/buyer-absent`, t('spots.absent'), {
          look: 'quiet',
          disabled: Boolean(reservation.arrivedAt) || secondsLeft(reservation.absentAfter) > 0,
        })
      : gone(page, spot),
    spot.isMine
      ? sure(page, `${pathOf(spot.id)}/cancel`, t('spots.takeBack'), t('spots.takeBack.reserved'), {
          look: 'quiet danger-text',
        })
      : button(t('spots.giveUp'), {
          look: 'quiet danger-text',
          wide: true,
          ...page.act.button('giveUp'),
          onclick: async () => (await isSureToGiveUp(reservation)) && giveUp(page, reservation.requestId),
        }),
  ];
}

/** How far the buyer has come. */
function progress({ isMine, reservation: { arrivedAt, dueAt, other } }, route) {
  const name = nameOf(other);
  if (arrivedAt) return t(isMine ? 'spots.arrived.buyer' : 'spots.arrived.me', { name });
  if (!route) return t('spots.due', { time: time(dueAt) });
  return t(isMine ? 'spots.coming' : 'spots.going', {
    name,
    distance: distance(route.distanceMeters),
    time: minutes(route.durationSeconds),
  });
}

const contact = (other) =>
  other &&
  h(
    'section',
    { class: 'valet', key: 'other' },
    h(
      'div',
      { class: 'grow' },
      h('p', { class: 'strong' }, nameOf(other)),
      rating(other.rating),
      other.vehicle
        ? h(
            'p',
            null,
            [other.vehicle.colour, other.vehicle.make, other.vehicle.model].filter(Boolean).join(' '),
            ' ',
            h('span', { class: 'plate' }, other.vehicle.plate),
          )
        : null,
    ),
    other.phone
      ? h(
          'a',
          {
            class: 'icon-button call',
            href: `tel:${other.phone}`,
            'aria-label': t('action.callPerson', { name: other.firstName }),
          },
          icon('phone'),
        )
      : null,
  );

function nextSteps(page, { id, isMine, reservation }) {
  const { arrivedAt, other, requestId } = reservation;
  const isHere = isMine ? reservation.sellerIsHere : reservation.buyerIsHere;
  const isDone = isMine ? reservation.sellerIsDone : reservation.buyerIsDone;
  return h(
    'div',
    { class: 'stack', key: 'steps' },
    arrivedAt || isHere ? null : tap(page, `${requestPath(requestId)}/here`, t('spots.imHere'), { icon: 'pin' }),
    isHere && !arrivedAt ? h('p', { class: 'muted' }, t('spots.here.other')) : null,
    isDone
      ? h('p', { class: 'muted', role: 'status' }, t('spots.done.waiting', { name: nameOf(other) }))
      : isMine
        ? tap(page, `${pathOf(id)}/leaving`, t('spots.imLeaving'), { look: 'primary', icon: 'exit' })
        : tap(page, arrivedAt ? `${requestPath(requestId)}/parked` : `${pathOf(id)}/handed-over`, t('spots.parked'), {
            look: 'primary',
            icon: 'check',
          }),
  );
}

// MARK: The spot is taken

const gone = (page, spot) =>
  h(
    'details',
    { class: 'fold', key: 'gone' },
    h('summary', null, t('spots.gone'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      h('p', { class: 'muted' }, t('spots.gone.lead')),
      pictureButton(t('spots.gone.photo'), Boolean(page.state.busy), (blob) => sendGone(page, spot, blob)),
    ),
  );

const sendGone = (page, { id, reservation }, blob) =>
  page.act('gone', async () => {
    const { api, resources } = page.app;
    const photo = await sendPicture(api, '/v1/me/spot-photos', blob);
    await tellWhere(page);
    const path = `${requestPath(reservation.requestId)}/spot-gone`;
    keep(
      page,
      await api.post(path, { photoId: photo.id }).catch((error) => {
        throw error.code === 'spot.not_there' ? Object.assign(error, { field: 'gone' }) : error;
      }),
    );
    resources.reload(pathOf(id));
  });

// MARK: Giving up

/** Asks again if cancelling was free when the question was asked but is no longer. */
async function isSureToGiveUp({ freeUntil, noShowFee }) {
  const isFree = () => !noShowFee.amount || secondsLeft(freeUntil) > 0;
  const wasFree = isFree();
  const isSure = await confirm(
    t('spots.giveUp'),
    wasFree ? t('spots.giveUp.free') : t('spots.giveUp.fee', { fee: money(noShowFee) }),
    { yes: t('spots.giveUp'), no: t('action.keep'), look: 'danger' },
  );
  return isSure && (wasFree === isFree() || isSureToGiveUp({ freeUntil, noShowFee }));
}
