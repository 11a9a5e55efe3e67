// One ride, as its driver or a passenger sees it: before, during and after it, when it is confirmed and rated.

import { escaped } from '/apps/shared/api.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { distance, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { createMapSlot } from '/apps/shared/map-slot.js';
import { screen } from '/apps/shared/shell.js';
import { button, confirm, facts, field, notice, problemNotice, skeleton, starInput, toast } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { answer } from './confirm.js';
import { ridePath } from './paths.js';
import { clockText, nameOf, person, rideBadge, seatBadge, wayText, when } from './words.js';

/** Interval for the driver's position, and for checking whether the ride may begin, in ms. */
const PACE = 3_000;
const TICK = 20_000;
/** How early a driver may start, in ms. */
const EARLY = 3_600_000;
const LONGEST = 1_000;

export function createRide(app) {
  const { api, changed, position, redraw, resources, seen } = app;
  const cards = createCards(app);
  const once = createOnce(api);
  let state = { of: null };
  let track = null;
  let timer = null;
  let fitted = null;
  let drawn = null;
  /** The ride for which this device shares its position, even while another screen is open. */
  let shared = null;
  const slot = createMapSlot('lift-ride-map', redraw, {
    label: () => t('lift.map'),
    onready: () => ([fitted, drawn] = [null, null]),
  });

  const act = createAct(() => state, { redraw, after: changed });
  const step = (path, text, { question, ...props } = {}) =>
    button(text, {
      wide: true,
      ...act.button(path),
      ...props,
      onclick: () =>
        act(path, async () => {
          if (
            question &&
            !(await confirm(question.title, question.text, { yes: text, no: t('action.keep'), look: 'danger' }))
          )
            return;
          await api.post(path);
        }),
    });
  const requestPath = ({ id }, what) => escaped`/v1/seat-requests/${id}/${what}`;
  const isOpen = ({ status }) => ['planned', 'underWay'].includes(status);
  const isShared = (ride) => isOpen(ride) && ride.sharedFrom && Date.parse(ride.sharedFrom) <= serverNow();

  // MARK: The map

  /** Passengers see the driver from a quarter of an hour before the first pick-up. */
  function share(ride) {
    const isDriving = ride?.role === 'driver' && isShared(ride);
    if (isDriving && shared !== ride.id) {
      shared = ride.id;
      position.start({ reports: true });
      position.setOnJob(true);
    } else if (shared && ride?.id === shared && !isDriving) {
      shared = null;
      position.start();
      position.setOnJob(false);
    }
  }

  const stop = () => {
    clearInterval(timer);
    [timer, track] = [null, null];
  };

  function follow(ride) {
    share(ride);
    if (!ride || !isOpen(ride)) return stop();
    if (timer) return undefined;
    let last = 0;
    const look = async () => {
      if (document.hidden) return;
      const now = resources.get(ridePath(ride.id)).value;
      if (now && isShared(now) && now.role === 'passenger') {
        track = await api.get(`${ridePath(ride.id)}/track`).catch(() => null);
        redraw();
      } else if (serverNow() - last > TICK) {
        // The possible actions depend on the time.
        last = serverNow();
        redraw();
      }
    };
    timer = setInterval(look, PACE);
    return look();
  }

  function sync(ride) {
    const view = slot.map;
    if (!view || view.isPlain || !ride) return;
    if (drawn !== ride.way) {
      drawn = ride.way;
      view.setRoute('way', { geometry: ride.way, source: ride.isStraightLine ? 'straightLine' : 'router' });
    }
    const here = position.last;
    view.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
    const driver = track?.driver;
    view.setMarker(
      'driver',
      driver && { ...driver, kind: 'valet', icon: 'car', isStale: driver.isStale, title: t('lift.driver') },
    );
    const seats = ride.passengers.filter(({ status }) => ['pending', 'accepted', 'rode'].includes(status));
    view.setMarkers(
      'stop-',
      seats.flatMap((one) =>
        ['pickUp', 'dropOff'].map((end) => ({
          ...one[end].point,
          id: `${one.id}-${end}`,
          kind: end === 'pickUp' ? 'place' : 'parked',
          icon: end === 'pickUp' ? 'user' : 'check',
          text: ride.role === 'driver' ? nameOf(one.passenger) : '',
          title: `${t(`lift.${end}`)}: ${nameOf(one.passenger)}`,
        })),
      ),
    );
    const what = `${ride.id} ${ride.version} ${Boolean(driver)}`;
    if (fitted === what) return;
    fitted = what;
    view.fit([...ride.way.coordinates.map(([longitude, latitude]) => ({ latitude, longitude })), driver], {
      maxZoom: 15,
    });
  }

  // MARK: People

  const contact = ({ phone, firstName }) =>
    phone &&
    h(
      'div',
      { class: 'row' },
      h(
        'a',
        { class: 'icon-button call', href: `tel:${phone}`, 'aria-label': t('action.callPerson', { name: firstName }) },
        icon('phone'),
      ),
      h(
        'a',
        { class: 'icon-button call', href: `sms:${phone}`, 'aria-label': t('lift.message.to', { name: firstName }) },
        icon('message'),
      ),
    );

  async function conduct(ride, one, what) {
    const { reportPerson, blockPerson } = await import('../conduct.js');
    if (what === 'report') await reportPerson(api, one, { product: 'carpool', id: ride.id });
    else await blockPerson(api, one);
  }
  const conducts = (ride, one) =>
    isStill(ride) &&
    h(
      'div',
      { class: 'actions', key: 'conduct' },
      button(t('lift.report'), { look: 'quiet', onclick: () => conduct(ride, one, 'report') }),
      button(t('lift.block'), { look: 'quiet', onclick: () => conduct(ride, one, 'block') }),
    );

  // MARK: After the ride

  const say = (one, inTheCar) => act(`confirm ${one.id}`, async () => void (await answer(api, one.id, inTheCar)));
  const yesNo = (one, question, why) =>
    h(
      'section',
      { class: 'card stack', key: `ask-${one.id}` },
      h('h2', null, question),
      h('p', { class: 'muted' }, why),
      h(
        'div',
        { class: 'actions' },
        button(t('action.no'), { ...act.button(`confirm ${one.id}`), onclick: () => say(one, false) }),
        button(t('action.yes'), { look: 'primary', ...act.button(`confirm ${one.id}`), onclick: () => say(one, true) }),
      ),
    );

  /** The question to this person, before all else. */
  function question(ride, one) {
    const { confirmation, status } = one;
    if (status === 'pending' && one.asks === 'passenger' && ride.role === 'passenger') {
      return h(
        'section',
        { class: 'card stack', key: `again-${one.id}` },
        h('h2', null, t('lift.asks.you')),
        h(
          'p',
          { class: 'muted' },
          t('lift.asks.again', { time: when(one.pickUp.at, one.timeZone), walk: distance(one.pickUp.walkMeters) }),
        ),
        h(
          'div',
          { class: 'actions' },
          step(requestPath(one, 'decline'), t('lift.decline'), { wide: false }),
          step(requestPath(one, 'accept'), t('lift.accept.change'), { wide: false, look: 'primary' }),
        ),
      );
    }
    if (status !== 'accepted' || ride.status !== 'ended' || confirmation?.isDisputed) return null;
    if (ride.role === 'driver')
      return (confirmation?.driver ?? null) === null
        ? yesNo(one, t('lift.confirm.question', { name: nameOf(one.passenger) }), t('lift.confirm.why'))
        : null;
    return confirmation?.driver === false && (confirmation.passenger ?? null) === null
      ? yesNo(one, t('lift.confirm.mine'), t('lift.confirm.driverSaysNo'))
      : null;
  }

  /** The answers on whether a passenger was in the car, and the result. */
  function settled(ride, one) {
    const { confirmation, status } = one;
    const isDriver = ride.role === 'driver';
    if (confirmation?.decided !== null && confirmation?.decided !== undefined)
      return notice('neutral', t(confirmation.decided ? 'lift.decided.yes' : 'lift.decided.no'));
    if (confirmation?.isDisputed) return notice('warning', t('lift.disputed'));
    if (status === 'accepted' && ride.status === 'ended') {
      if (question(ride, one)) return null;
      const mine = isDriver ? confirmation?.driver : confirmation?.passenger;
      return notice('neutral', t(mine === null || mine === undefined ? 'lift.confirm.waiting' : 'lift.confirm.other'));
    }
    // The driver confirmed a passenger who says that they weren't there.
    if (status === 'rode' && !isDriver && confirmation?.driver === true && confirmation.passenger === null) {
      return h(
        'details',
        { class: 'fold', key: `disagree-${one.id}` },
        h('summary', null, t('lift.confirm.disagree'), icon('next')),
        h(
          'div',
          { class: 'stack' },
          h('p', { class: 'muted' }, t('lift.confirm.disagree.text')),
          button(t('lift.confirm.notMe'), { ...act.button(`confirm ${one.id}`), onclick: () => say(one, false) }),
        ),
      );
    }
    return null;
  }

  const billOf = (one) => (one.isOwed ? resources.get(escaped`/v1/bills/${one.id}`) : null);
  function owed(one) {
    const bill = billOf(one)?.value;
    if (!['due', 'overdue'].includes(bill?.status)) return null;
    const pay = () =>
      act('pay', async () => void (await once(escaped`/v1/bills/${bill.id}/pay`, { paymentMethodId: cards.chosen() })));
    return [
      notice('warning', t('lift.owed', { price: money(bill.total) })),
      cards.view(),
      button(t('pay.button', { amount: money(bill.total) }), {
        look: 'primary',
        wide: true,
        ...act.button('pay', !cards.chosen()),
        onclick: pay,
      }),
    ];
  }

  const ratingPath = (ride) => `${ridePath(ride.id)}/rating`;
  const ratings = (ride) => resources.get(ratingPath(ride), { isBrief: true });
  const sendRating = (ride, to, mine) =>
    act(`rate ${to.id}`, async () => {
      mine.given = await api.put(ratingPath(ride), {
        stars: mine.stars,
        ...(mine.comment?.trim() ? { comment: mine.comment.trim() } : {}),
        to: to.id,
      });
      mine.isOpen = false;
      toast(t('lift.rated'), 'success');
    });

  function opinion(ride, to) {
    const { value, error } = ratings(ride);
    if (!value && !error) return null;
    const given = value?.items.find((one) => one.to === to.id);
    const mine = (state.opinions[to.id] ??= {
      given,
      stars: given?.stars ?? null,
      comment: given?.comment ?? '',
      isOpen: !given,
    });
    if (!mine.isOpen)
      return notice(
        'success',
        t('rate.thanks', { stars: t('rating.stars', { count: mine.given.stars }) }),
        button(t('rate.change'), {
          look: 'quiet',
          onclick: () => {
            mine.isOpen = true;
            redraw();
          },
        }),
      );
    return h(
      'section',
      { class: 'card stack rate', key: `rate-${to.id}` },
      h('h2', null, t('lift.rate', { name: nameOf(to) })),
      starInput({
        name: `stars-${to.id}`,
        value: mine.stars,
        onchange: (stars) => {
          mine.stars = stars;
          redraw();
        },
      }),
      field({
        id: `comment-${to.id}`,
        label: t('rate.comment'),
        isOptional: true,
        multiline: true,
        maxlength: LONGEST,
        value: mine.comment,
        oninput: ({ target }) => {
          mine.comment = target.value;
        },
      }),
      button(t('rate.send'), {
        wide: true,
        ...act.button(`rate ${to.id}`, !mine.stars),
        onclick: () => sendRating(ride, to, mine),
      }),
    );
  }
  const mayRate = (one) => one.status === 'rode' && !one.confirmation?.isDisputed;
  /** Whether content above the buttons has loaded: later it would move them from under a finger. */
  const isStill = (ride) =>
    ride.passengers
      .flatMap((one) => [ride.role === 'passenger' ? billOf(one) : null, mayRate(one) ? ratings(ride) : null])
      .every((entry) => !entry || entry.value || entry.error);

  // MARK: The driver

  function passenger(ride, one) {
    const isPending = one.status === 'pending';
    return h(
      'li',
      { class: 'card stack', key: one.id },
      h(
        'div',
        { class: 'row between' },
        person(one.passenger, escaped`/lift/people/${one.passenger.id}`),
        seatBadge(one, ride.role),
      ),
      facts([
        [t('lift.pickUp'), clockText(one.pickUp.at, one.timeZone)],
        [t('lift.dropOff'), clockText(one.dropOff.at, one.timeZone)],
        [t('lift.seats'), String(one.seats)],
        [t('lift.price'), one.price && `${money(one.price)} · ${t(`lift.payment.${one.payment}`)}`],
        [t('lift.message'), one.message],
      ]),
      isPending && one.asks === 'driver'
        ? h(
            'div',
            { class: 'actions' },
            step(requestPath(one, 'decline'), t('lift.decline'), { wide: false }),
            step(requestPath(one, 'accept'), t('lift.accept'), { wide: false, look: 'primary' }),
          )
        : isPending
          ? h('p', { class: 'muted small' }, t('lift.asks.passenger'))
          : null,
      one.status === 'accepted' && ride.status === 'planned'
        ? h(
            'div',
            { class: 'row between' },
            contact(one.passenger) || null,
            step(requestPath(one, 'cancel'), t('lift.notAlong'), {
              wide: false,
              look: 'quiet danger-text',
              question: { title: t('lift.notAlong.sure', { name: nameOf(one.passenger) }) },
            }),
          )
        : one.status === 'accepted'
          ? contact(one.passenger) || null
          : null,
      settled(ride, one),
      mayRate(one) ? opinion(ride, one.passenger) : null,
      isOpen(ride) && !isPending ? null : conducts(ride, one.passenger),
    );
  }

  function driving(ride) {
    const now = serverNow();
    const mayStart = ride.status === 'planned' && Date.parse(ride.departsAt) - EARLY <= now;
    const mayEnd = ride.status === 'underWay' || (ride.status === 'planned' && Date.parse(ride.departsAt) <= now);
    const shown = ride.passengers.filter(({ status }) => !['declined', 'expired', 'cancelled'].includes(status));
    return [
      isShared(ride)
        ? h('p', { class: 'signal', role: 'status', key: 'shared' }, icon('locate'), t('lift.shared'))
        : null,
      mayStart
        ? step(`${ridePath(ride.id)}/start`, t('lift.start'), { look: 'primary', icon: 'car' })
        : ride.status === 'planned' && !mayEnd
          ? h(
              'p',
              { class: 'muted', key: 'early' },
              t('lift.start.from', { time: when(Date.parse(ride.departsAt) - EARLY, ride.timeZone) }),
            )
          : null,
      mayEnd
        ? step(`${ridePath(ride.id)}/end`, t('lift.end.ride'), {
            look: ride.status === 'underWay' ? 'primary' : 'plain',
            icon: 'check',
          })
        : null,
      h('h2', { key: 'title' }, t('lift.passengers')),
      shown.length
        ? h(
            'ul',
            { class: 'list', key: 'passengers', 'aria-label': t('lift.passengers') },
            shown.map((one) => passenger(ride, one)),
          )
        : h('p', { class: 'muted', key: 'none' }, t('lift.passengers.none')),
      ride.status === 'planned'
        ? step(`${ridePath(ride.id)}/cancel`, t('lift.skip'), {
            look: 'quiet danger-text',
            question: {
              title: t('lift.skip.ride'),
              text: shown.length ? t('lift.skip.passengers', { count: shown.length }) : null,
            },
          })
        : null,
    ];
  }

  // MARK: A passenger

  function where(ride, seat) {
    const driver = track?.driver;
    if (!isOpen(ride) || seat.status !== 'accepted') return null;
    const text = driver
      ? t(driver.isStale ? 'lift.driver.stale' : 'lift.driver.live')
      : isShared(ride)
        ? t('lift.driver.unknown')
        : ride.sharedFrom
          ? t('lift.driver.from', { time: when(ride.sharedFrom, ride.timeZone) })
          : null;
    return text && h('p', { class: 'signal', role: 'status', key: 'where' }, icon('car'), text);
  }

  function riding(ride) {
    const seat = ride.passengers[0];
    if (!seat) return null;
    const isPending = seat.status === 'pending';
    return [
      h(
        'section',
        { class: 'card stack', key: 'mine' },
        h('div', { class: 'row between' }, h('h2', null, t('lift.yourSeat')), seatBadge(seat, ride.role)),
        facts([
          [t('lift.pickUp'), when(seat.pickUp.at, seat.timeZone)],
          [t('lift.walk.label'), distance(seat.pickUp.walkMeters)],
          [t('lift.dropOff'), when(seat.dropOff.at, seat.timeZone)],
          [t('lift.seats'), String(seat.seats)],
          [
            t('lift.price'),
            seat.price ? `${money(seat.price)} · ${t(`lift.payment.${seat.payment}`)}` : t('lift.free'),
          ],
          [t('lift.answer.until'), isPending && seat.expiresAt ? when(seat.expiresAt, seat.timeZone) : null],
        ]),
      ),
      where(ride, seat),
      h(
        'section',
        { class: 'card row between', key: 'driver' },
        person(ride.driver, escaped`/lift/people/${ride.driver.id}`),
        contact(ride.driver) || null,
      ),
      isPending && seat.asks === 'driver'
        ? h('p', { class: 'muted', role: 'status', key: 'waits' }, t('lift.asks.driver'))
        : null,
      settled(ride, seat),
      owed(seat),
      mayRate(seat) ? opinion(ride, ride.driver) : null,
      ['pending', 'accepted'].includes(seat.status) && ride.status === 'planned'
        ? step(requestPath(seat, 'cancel'), t('lift.cancel'), {
            look: 'quiet danger-text',
            question: { title: t('lift.cancel.sure'), text: t('lift.cancel.text') },
          })
        : null,
      conducts(ride, ride.driver),
    ];
  }

  // MARK: Drawing

  const card = (ride) =>
    h(
      'section',
      { class: 'card stack', key: 'facts' },
      h('div', { class: 'row between' }, h('h2', { class: 'grow' }, wayText(ride)), rideBadge(ride)),
      facts([
        [t('lift.departs'), when(ride.departsAt, ride.timeZone)],
        [t('lift.arrives'), when(ride.arrivesAt, ride.timeZone)],
        [
          t('vehicle'),
          ride.vehicle && [
            [ride.vehicle.colour, ride.vehicle.make, ride.vehicle.model].filter(Boolean).join(' '),
            ' ',
            ride.vehicle.plate ? h('span', { class: 'plate' }, ride.vehicle.plate) : null,
          ],
        ],
      ]),
      h(
        'a',
        { class: 'button quiet', href: `#${escaped`/lift/trips/${ride.tripId}`}` },
        icon('route'),
        t('lift.trip.show'),
      ),
    );

  return {
    draw({ id }) {
      if (state.of !== id) {
        state = { of: id, busy: null, problem: null, opinions: {} };
        stop();
      }
      const entry = resources.get(ridePath(id));
      const { value, error, at } = entry;
      for (const one of value ? [value.driver, ...value.passengers.map((seat) => seat.passenger)] : [])
        seen.set(one.id, one);
      const isGone = error?.status === 404;
      follow(isGone ? null : value);
      queueMicrotask(() => requestAnimationFrame(() => sync(value)));
      return {
        title: t('lift.ride'),
        hasMap: true,
        view: screen(
          t('lift.ride'),
          { back: '/lift/rides' },
          value && error && !isGone ? notice('warning', t('state.asOf', { time: when(at) })) : null,
          value && !isGone
            ? [
                value.passengers.map((one) => question(value, one)),
                h('div', { class: 'card parked-map lift-map', key: 'map' }, slot.view('map-holder')),
                card(value),
                refusal(state.problem),
                value.role === 'driver' ? driving(value) : riding(value),
              ]
            : error
              ? problemNotice(error, () => resources.reload(entry.path))
              : skeleton(6),
        ),
      };
    },
    leave() {
      stop();
      slot.leave();
      [fitted, drawn, state] = [null, null, { of: null }];
    },
  };
}
