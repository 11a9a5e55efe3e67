// One spot, as its seller, its buyer or anyone else sees it: requested, approved, reached and handed over.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { clock, dateTime, distance, minorUnits, minutes, money, t, time as timeOf } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { screen } from '/apps/shared/shell.js';
import { recall, remember } from '/apps/shared/storage.js';
import {
  button,
  confirm,
  createForm,
  facts,
  field,
  notice,
  picture,
  noPicture,
  problemNotice,
  rating,
  skeleton,
  starInput,
  toast,
} from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { freshFix } from '../shared/fresh-position.js';
import { WANTED, isWanted, pathOf, requestBadge, spotBadge } from './status.js';
import { lessCommission, termsAt } from './terms.js';
import { createVehicle } from './vehicle.js';

/** Interval for the other party's position, in ms. */
const PACE = 3_000;
/** How far the middle of a grid square may be from the spot, in metres. */
const GRID = 36;
/** Stars given on this device, by spot; and the number of spots for which they are stored. */
const RATED = 'openvalet.customer.spots.rated';
const KEPT = 200;

export function createSpot(app) {
  const { api, changed, owedFor, position, redraw, resources } = app;
  const cards = createCards(app);
  const once = createOnce(api);
  const vehicle = createVehicle(app);
  let form = createForm(redraw);
  let state = { of: null };
  let track = null;
  let timer = null;
  let fitted = null;
  let ring = null;
  const slot = createMapSlot('spot-map', redraw, {
    label: () => t('spots.map'),
    onready: () => ([fitted, ring] = [null, null]),
  });

  const left = (time) => Math.max(0, (Date.parse(time) - serverNow()) / 1_000);

  /** Runs one action at a time, and shows the reason of a refusal. */
  const act = createAct(() => state, { redraw, after: changed });

  const keep = (spot) => resources.keep(pathOf(spot.id), spot);
  const step = (path) => act(path, async () => keep(await api.post(path)));
  const tap = (path, text, { disabled, ...props } = {}) =>
    button(text, { wide: true, ...act.button(path, disabled), onclick: () => step(path), ...props });
  const sure = (path, text, question, props) =>
    tap(path, text, {
      ...props,
      onclick: async () =>
        (await confirm(question, null, { yes: text, no: t('action.keep'), look: 'danger' })) && step(path),
    });

  // MARK: The map

  const isReserved = (spot) => spot?.status === 'reserved' && spot.reservation;

  /** While it is reserved, both see each other's position, even while another screen is open. */
  let shared = null;
  function share(spot) {
    if (isReserved(spot)) shared = spot.id;
    else if (shared && (!spot || spot.id === shared)) {
      shared = null;
      position.start();
      position.setOnJob(false);
    }
  }

  const stop = () => {
    clearInterval(timer);
    [timer, track] = [null, null];
  };

  function follow(spot) {
    share(spot);
    if (!isReserved(spot)) return stop();
    if (timer) return undefined;
    const ask = async () => {
      if (document.hidden) return;
      position.start({ reports: true });
      position.setOnJob(true);
      const [positions, route] = await Promise.all([
        api.get(`${pathOf(spot.id)}/track`).catch(() => null),
        api.get(`${pathOf(spot.id)}/route`).catch(() => null),
      ]);
      track = { positions, route };
      redraw();
    };
    timer = setInterval(ask, PACE);
    return ask();
  }

  function sync(spot) {
    const view = slot.map;
    if (!view || view.isPlain || !spot) return;
    const other = track?.positions?.[spot.isMine ? 'buyer' : 'seller'];
    const here = position.last;
    view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
    view.setMarker(
      'other',
      other && {
        ...other,
        kind: 'valet',
        icon: 'car',
        isStale: other.isStale,
        title: t(spot.isMine ? 'spots.buyer' : 'spots.seller'),
      },
    );
    view.setMarker(
      'spot',
      spot.isExact ? { ...spot.position, kind: 'parked', icon: 'parking', title: t('spots.spot') } : null,
    );
    if (!spot.isExact && !ring)
      ring = view.leaflet
        .circle([spot.position.latitude, spot.position.longitude], {
          radius: GRID,
          className: 'area',
          interactive: false,
        })
        .addTo(view.map);
    if (spot.isExact && ring) ring = void ring.remove();
    view.setRoute('way', track?.route ?? null);
    const what = `${spot.id} ${spot.status} ${Boolean(other)}`;
    if (fitted === what) return;
    fitted = what;
    view.fit([spot.position, other, isReserved(spot) ? here : null]);
  }

  // MARK: Facts

  const about = ({ distanceMeters, drivingSeconds, meterSecondsLeft }) =>
    h(
      'span',
      { class: 'muted small' },
      [
        distanceMeters === null ? null : distance(distanceMeters),
        drivingSeconds === null ? null : t('spots.drive', { time: minutes(drivingSeconds) }),
        meterSecondsLeft ? t('spots.meter.left', { time: minutes(meterSecondsLeft) }) : null,
      ]
        .filter(Boolean)
        .join(' · '),
    );

  const sellerOf = ({ seller }) => seller.firstName || t('spots.somebody');

  const card = (spot) =>
    h(
      'section',
      { class: 'card stack', key: 'facts' },
      h(
        'div',
        { class: 'row between' },
        h('span', { class: 'strong price numbers' }, spot.price.amount ? money(spot.price) : t('spots.free')),
        spotBadge(spot),
      ),
      facts([
        [t('spots.seller'), spot.isMine ? null : sellerOf(spot)],
        [t('spots.leaves.at'), dateTime(spot.leavesAt)],
        [t('spots.size'), spot.sizeMeters && t('spots.meters', { meters: spot.sizeMeters })],
        [t('spots.meter'), spot.meterPaidUntil && dateTime(spot.meterPaidUntil)],
        [t('spots.permit'), spot.permit],
        [t('spots.restrictions'), spot.restrictions],
        [t('spots.note'), spot.note],
      ]),
      spot.isMine ? null : h('p', { class: 'row' }, rating(spot.seller.rating)),
      spot.photoURL ? picture(spot.photoURL, noPicture, { class: 'photo-large', alt: t('spots.photo.alt') }) : null,
    );

  const timeLeft = (time, key) =>
    h('p', { class: 'signal', key }, icon('clock'), h('span', { role: 'timer' }, t(key, { time: clock(left(time)) })));

  const auctionCard = ({ auction }) =>
    auction &&
    h(
      'section',
      { class: 'card stack tight', key: 'auction' },
      h('h2', null, t('spots.auction')),
      facts([
        [t('spots.auction.current'), money(auction.current)],
        [t('spots.auction.bids'), String(auction.bids)],
      ]),
      auction.leading ? notice('success', t('spots.leading')) : null,
      timeLeft(auction.closesAt, 'spots.auction.left'),
    );

  // MARK: The seller

  function earning(spot) {
    const { value } =
      spot.isMine && spot.price.amount && ['offered', 'reserved', 'handedOver'].includes(spot.status)
        ? termsAt(resources, spot.position)
        : {};
    return value
      ? h(
          'p',
          { class: 'strong', key: 'get' },
          t(
            spot.status === 'handedOver'
              ? 'spots.earned'
              : spot.auction && spot.status === 'offered'
                ? 'spots.get.least'
                : 'spots.get',
            { price: money(lessCommission(spot.price, value.policy)) },
          ),
        )
      : null;
  }

  const buyerLine = ({ id, buyer, expiresAt, price }) =>
    h(
      'li',
      { class: 'card stack tight', key: id },
      h(
        'div',
        { class: 'row between' },
        h('span', { class: 'strong' }, buyer.firstName || t('spots.somebody')),
        rating(buyer.rating),
      ),
      h(
        'span',
        { class: 'row between small' },
        about({ meterSecondsLeft: null, ...buyer }),
        h('span', { class: 'numbers' }, money(price)),
      ),
      expiresAt
        ? [
            timeLeft(expiresAt, 'spots.answer.left'),
            h(
              'div',
              { class: 'actions', key: 'answer' },
              tap(escaped`/v1/spot-requests/${id}/deny`, t('spots.deny')),
              tap(escaped`/v1/spot-requests/${id}/approve`, t('spots.approve'), { look: 'primary' }),
            ),
          ]
        : null,
    );

  const offered = (spot) => [
    auctionCard(spot),
    spot.requests?.length
      ? h('ul', { class: 'list', key: 'requests', 'aria-label': t('spots.requests') }, spot.requests.map(buyerLine))
      : h('p', { class: 'muted', role: 'status', key: 'none' }, t('spots.waiting')),
    sure(`${pathOf(spot.id)}/cancel`, t('spots.takeBack'), t('spots.takeBack.sure'), { look: 'quiet danger-text' }),
  ];

  // MARK: Reserved

  const contact = ({ other }) =>
    other &&
    h(
      'section',
      { class: 'valet', key: 'other' },
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'strong' }, other.firstName || t('spots.somebody')),
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

  function gone({ reservation, id }) {
    const send = (blob) =>
      act('gone', async () => {
        const photo = await sendPicture(api, '/v1/me/spot-photos', blob);
        await tellWhere();
        keep(
          await api
            .post(escaped`/v1/spot-requests/${reservation.requestId}/spot-gone`, { photoId: photo.id })
            .catch((error) => {
              throw error.code === 'spot.not_there' ? Object.assign(error, { field: 'gone' }) : error;
            }),
        );
        resources.reload(pathOf(id));
      });
    return h(
      'details',
      { class: 'fold', key: 'gone' },
      h('summary', null, t('spots.gone'), icon('next')),
      h(
        'div',
        { class: 'stack' },
        h('p', { class: 'muted' }, t('spots.gone.lead')),
        pictureButton(t('spots.gone.photo'), Boolean(state.busy), send),
      ),
    );
  }

  /** Asks again if cancelling was free when the question was asked but is no longer. */
  async function isSureToGiveUp({ freeUntil, noShowFee }) {
    const isFree = () => !noShowFee.amount || left(freeUntil) > 0;
    const wasFree = isFree();
    const isSure = await confirm(
      t('spots.giveUp'),
      wasFree ? t('spots.giveUp.free') : t('spots.giveUp.fee', { fee: money(noShowFee) }),
      { yes: t('spots.giveUp'), no: t('action.keep'), look: 'danger' },
    );
    return isSure && (wasFree === isFree() || isSureToGiveUp({ freeUntil, noShowFee }));
  }

  function reserved(spot) {
    const { reservation } = spot;
    const request = escaped`/v1/spot-requests/${reservation.requestId}`;
    const isHere = spot.isMine ? reservation.sellerIsHere : reservation.buyerIsHere;
    const name = reservation.other?.firstName || t('spots.somebody');
    const done = spot.isMine ? reservation.sellerIsDone : reservation.buyerIsDone;
    return [
      h(
        'p',
        { class: 'signal', role: 'status', key: 'way' },
        icon('route'),
        h(
          'span',
          null,
          reservation.arrivedAt
            ? t(spot.isMine ? 'spots.arrived.buyer' : 'spots.arrived.me', { name })
            : track?.route
              ? t(spot.isMine ? 'spots.coming' : 'spots.going', {
                  name,
                  distance: distance(track.route.distanceMeters),
                  time: minutes(track.route.durationSeconds),
                })
              : t('spots.due', { time: timeOf(reservation.dueAt) }),
        ),
      ),
      contact(reservation),
      h(
        'div',
        { class: 'stack', key: 'steps' },
        reservation.arrivedAt || isHere ? null : tap(`${request}/here`, t('spots.imHere'), { icon: 'pin' }),
        isHere && !reservation.arrivedAt ? h('p', { class: 'muted' }, t('spots.here.other')) : null,
        done
          ? h('p', { class: 'muted', role: 'status' }, t('spots.done.waiting', { name }))
          : spot.isMine
            ? tap(`${pathOf(spot.id)}/leaving`, t('spots.imLeaving'), { look: 'primary', icon: 'exit' })
            : tap(reservation.arrivedAt ? `${request}/parked` : `${pathOf(spot.id)}/handed-over`, t('spots.parked'), {
                look: 'primary',
                icon: 'check',
              }),
      ),
      spot.isMine
        ? tap(`${pathOf(spot.id)}/buyer-absent`, t('spots.absent'), {
            look: 'quiet',
            disabled: Boolean(reservation.arrivedAt) || left(reservation.absentAfter) > 0,
          })
        : gone(spot),
      spot.isMine
        ? sure(`${pathOf(spot.id)}/cancel`, t('spots.takeBack'), t('spots.takeBack.reserved'), {
            look: 'quiet danger-text',
          })
        : button(t('spots.giveUp'), {
            look: 'quiet danger-text',
            wide: true,
            ...act.button('giveUp'),
            onclick: async () =>
              (await isSureToGiveUp(reservation)) &&
              act('giveUp', async () => void (await api.post(`${request}/cancel`))),
          }),
    ];
  }

  // MARK: Requests and bids

  /** The seller sees the buyer's distance; a request without it is accepted too. */
  const tellWhere = () =>
    freshFix()
      .then((here) => api.put('/v1/me/location', here))
      .catch(() => {});

  const ask = (spot) =>
    act('ask', async () => {
      await tellWhere();
      await once(`${pathOf(spot.id)}/requests`, {
        ...(spot.price.amount ? { paymentMethodId: cards.chosen(), price: spot.price.amount } : {}),
        vehicleId: vehicle.chosen(),
      });
    });

  async function sendBid(spot, maximum) {
    await tellWhere();
    const { leading, request } = await once(`${pathOf(spot.id)}/bids`, {
      maximum,
      paymentMethodId: cards.chosen(),
      vehicleId: vehicle.chosen(),
    });
    if (request.status !== 'authorising')
      toast(t(leading ? 'spots.leading' : 'spots.outbid'), leading ? 'success' : 'neutral');
    changed();
  }
  const bid = (spot) =>
    form.submit(({ maximum }) => sendBid(spot, Math.round(Number(maximum) * minorUnits(spot.price.currency))));

  function wanting(spot, request) {
    if (request?.status === 'pending' && !spot.auction) {
      return [
        h(
          'section',
          { class: 'card stack', key: 'asked', role: 'status' },
          h('h2', null, t('spots.asked', { name: sellerOf(spot) })),
          timeLeft(request.expiresAt, 'spots.answer.left'),
          h('p', { class: 'muted' }, t('spots.asked.lead')),
        ),
        button(t('spots.giveUp'), {
          look: 'quiet',
          wide: true,
          ...act.button('giveUp'),
          onclick: () =>
            act('giveUp', async () => void (await api.post(escaped`/v1/spot-requests/${request.id}/cancel`))),
        }),
      ];
    }
    // Repeats the request after the card's further step.
    const again = () => (spot.auction ? act('ask', () => sendBid(spot, request.maximum.amount)) : ask(spot));
    const action =
      request?.status === 'authorising'
        ? notice('warning', t('pay.action'), button(t('pay.action.check'), { ...act.button('ask'), onclick: again }))
        : null;
    const problem = refusal(
      state.problem,
      state.problem?.code === 'spot.unpaid' ? h('a', { class: 'button', href: '#/spots' }, t('spots.mine')) : null,
    );
    const isPossible = (!spot.price.amount && !spot.auction) || Boolean(cards.chosen());
    if (spot.auction) {
      const unit = minorUnits(spot.price.currency);
      const least = spot.auction.leading && request?.maximum ? request.maximum.amount + 1 : spot.auction.next.amount;
      return [
        auctionCard(spot),
        vehicle.view(),
        cards.view(),
        action,
        problem,
        left(spot.auction.closesAt) > 0
          ? form.view(
              { class: 'stack', key: 'bid', onsubmit: bid(spot) },
              field({
                id: 'maximum',
                label: t('spots.maximum', { currency: spot.price.currency }),
                type: 'number',
                inputmode: 'decimal',
                required: true,
                min: least / unit,
                step: 1 / unit,
                hint: t('spots.maximum.lead', { price: money({ ...spot.price, amount: least }) }),
                error: form.errors.maximum,
              }),
              button(t(spot.auction.leading ? 'spots.raise' : 'spots.bid'), {
                type: 'submit',
                look: 'primary',
                wide: true,
                isBusy: form.isBusy,
                disabled: !isPossible,
              }),
            )
          : null,
      ];
    }
    return [
      vehicle.view(),
      spot.price.amount ? cards.view() : null,
      action,
      problem,
      spot.price.amount
        ? h('p', { class: 'muted small', key: 'lead' }, t('spots.ask.lead', { price: money(spot.price) }))
        : null,
      h(
        'div',
        { class: 'screen-foot', key: 'foot' },
        button(t('spots.ask', { price: spot.price.amount ? money(spot.price) : t('spots.free') }), {
          look: 'primary',
          wide: true,
          ...act.button('ask', !isPossible),
          onclick: () => ask(spot),
        }),
      ),
    ];
  }

  // MARK: Finished

  /** An amount that the card failed to pay is paid by other means. */
  function owed(request) {
    const bill = request && owedFor(request);
    if (!bill) return null;
    const pay = () =>
      act('pay', async () => void (await once(escaped`/v1/bills/${bill.id}/pay`, { paymentMethodId: cards.chosen() })));
    return [
      notice('warning', t('spots.owed', { price: money(bill.total) })),
      cards.view(),
      refusal(state.problem),
      button(t('pay.button', { amount: money(bill.total) }), {
        look: 'primary',
        wide: true,
        ...act.button('pay', !cards.chosen()),
        onclick: pay,
      }),
    ];
  }

  const dispute = (spot) =>
    spot.dispute &&
    h(
      'section',
      { class: 'card stack', key: 'dispute' },
      h('h2', null, t('spots.dispute')),
      spot.dispute.note ? h('p', null, spot.dispute.note) : null,
      spot.dispute.photoURL
        ? picture(spot.dispute.photoURL, noPicture, { class: 'photo-large', alt: t('spots.dispute.photo') })
        : null,
      spot.dispute.answer
        ? h('p', { class: 'muted' }, t('spots.dispute.answered', { text: spot.dispute.answer }))
        : null,
      spot.dispute.outcome
        ? notice('neutral', t(`spots.dispute.${spot.dispute.outcome}`), h('p', null, spot.dispute.decision))
        : null,
      spot.isMine && !spot.dispute.answer && !spot.dispute.outcome
        ? form.view(
            {
              class: 'stack',
              onsubmit: form.submit(async ({ text }) => {
                keep(await api.post(`${pathOf(spot.id)}/answer`, { text: text.trim() }));
                changed();
              }),
            },
            field({
              id: 'text',
              label: t('spots.dispute.answer'),
              multiline: true,
              required: true,
              maxlength: 300,
              error: form.errors.text,
            }),
            button(t('spots.dispute.send'), { type: 'submit', wide: true, isBusy: form.isBusy }),
          )
        : null,
    );

  const rate = (spot) =>
    act('rate', async (mine) => {
      await api.put(`${pathOf(spot.id)}/rating`, { stars: mine.stars });
      remember(RATED, Object.fromEntries(Object.entries({ ...recall(RATED), [spot.id]: mine.stars }).slice(-KEPT)));
      mine.isRating = false;
    });

  function opinion(spot) {
    const given = recall(RATED)?.[spot.id];
    if (given && !state.isRating)
      return notice(
        'success',
        t('rate.thanks', { stars: t('rating.stars', { count: given }) }),
        button(t('rate.change'), {
          look: 'quiet',
          onclick: () => {
            Object.assign(state, { isRating: true, stars: given });
            redraw();
          },
        }),
      );
    return h(
      'section',
      { class: 'card stack', key: 'rate' },
      h('h2', null, t('spots.rate', { name: spot.reservation?.other?.firstName ?? '' })),
      starInput({
        value: state.stars,
        onchange: (stars) => {
          state.stars = stars;
          redraw();
        },
      }),
      button(t('spots.rate.send'), { wide: true, ...act.button('rate', !state.stars), onclick: () => rate(spot) }),
    );
  }

  async function conduct(spot, what) {
    const { reportPerson, blockPerson } = await import('../conduct.js');
    const { id, firstName } = spot.reservation.other;
    if (what === 'report') await reportPerson(api, { id, firstName }, { product: 'spots', id: spot.id });
    else await blockPerson(api, { id, firstName });
  }

  const over = (spot, request) => [
    notice(spot.status === 'handedOver' ? 'success' : 'neutral', t(`spots.over.${spot.status}`)),
    owed(request),
    dispute(spot),
    spot.status === 'handedOver' ? opinion(spot) : null,
    spot.reservation?.other
      ? h(
          'div',
          { class: 'actions', key: 'conduct' },
          button(t('spots.report'), { look: 'quiet', onclick: () => conduct(spot, 'report') }),
          button(t('spots.block'), { look: 'quiet', onclick: () => conduct(spot, 'block') }),
        )
      : null,
    owed(request) ? null : refusal(state.problem),
  ];

  // MARK: Drawing

  function content(spot, request) {
    const isOver = !['offered', 'reserved'].includes(spot.status);
    return [
      h('div', { class: 'card parked-map', key: 'map' }, slot.view('map-holder')),
      isReserved(spot) ? null : card(spot),
      earning(spot),
      // The spot's state tells its buyer how it ended. The request changes later, and its badge would move the buttons.
      request && !isWanted(request) && !spot.isMine && !(isOver && spot.reservation)
        ? h('p', { class: 'row', key: 'mine' }, requestBadge(request))
        : null,
      isReserved(spot)
        ? [...reserved(spot), refusal(state.problem)]
        : isOver
          ? over(spot, request)
          : spot.isMine
            ? [...offered(spot), refusal(state.problem)]
            : wanting(spot, request),
    ];
  }

  return {
    about,
    /** It ended while another screen was open. */
    hear: (one) => one.status !== 'reserved' && share(one),
    draw({ id }) {
      if (state.of !== id) {
        [state, form] = [{ of: id, busy: null, problem: null, stars: null, isRating: false }, createForm(redraw)];
        stop();
      }
      const { value, error, at } = resources.get(pathOf(id));
      const request = resources.list(WANTED).value?.items.find(({ spotId }) => spotId === id);
      follow(value);
      queueMicrotask(() => requestAnimationFrame(() => sync(value)));
      return {
        title: t('spots.spot'),
        view: screen(
          t('spots.spot'),
          { back: '/spots' },
          value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
          value
            ? content(value, request)
            : error
              ? problemNotice(error, () => resources.reload(pathOf(id)))
              : skeleton(6),
        ),
      };
    },
    leave() {
      stop();
      slot.leave();
      [fitted, ring, state] = [null, null, { of: null }];
    },
  };
}
