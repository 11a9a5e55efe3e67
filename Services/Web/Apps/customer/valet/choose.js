// The sheets for choosing a point: for the drop-off with its options and price, or for the return.

import { unverified } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { icon } from '/apps/shared/icons.js';
import { cityOf } from '/apps/shared/demo.js';
import { dateTime, distance, minutes, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { button, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { orderOptions, tariffText } from './order-options.js';
import { pointText } from './plan.js';

export function dropOffSheet(app, head) {
  const { api, plan, resources, store } = app;
  const { point, when } = plan.value;
  const { areas, areasProblem } = store.value;
  const area = plan.areaOf(point);
  const city = cityOf(areas);
  const { value: cars, error } = resources.get('/v1/me/vehicles');
  return [
    head(t('choose.title'), city ? t('demo.city', { area: city.properties.name }) : null),
    where(app),
    walkLine(app),
    areas ? null : areasProblem ? problemNotice(areasProblem, store.loadAreas) : skeleton(2),
    outside(app, area),
    area ? orderOptions(plan, cars, area.properties.tariff) : null,
    area ? h('p', { class: 'muted small' }, tariffText(area.properties.tariff)) : null,
    problem(plan),
    reminder(unverified(api.account)),
    foot(availability(plan), {
      label: when ? t('choose.dropOffAt', { time: dateTime(when) }) : t('choose.dropOff'),
      isBusy: plan.value.isBusy,
      disabled: !area || !(cars || error),
      onclick: () => dropOff(app, cars?.items ?? []),
    }),
  ];
}

export function returnSheet(app, head, order) {
  const { plan, goTo } = app;
  const area = plan.areaOf(plan.value.point);
  return [
    head(t('return.title'), t('return.lead')),
    where(app),
    walkLine(app),
    outside(app, area),
    problem(plan),
    foot(button(t('return.sameplace'), { look: 'quiet', icon: 'back', onclick: () => goTo(order.dropOff) }), {
      label: t('return.here'),
      isBusy: plan.value.isBusy,
      disabled: !area,
      onclick: () => bringBack(app, order),
    }),
  ];
}

async function dropOff({ plan, store }, vehicles) {
  plan.set({ isBusy: true, problem: null });
  try {
    store.setOrder(await plan.place(vehicles));
    plan.reset();
  } catch (error) {
    plan.set({ isBusy: false, problem: error });
    if (!error.code) store.refresh();
  }
}

async function bringBack({ plan, store }, order) {
  plan.set({ isBusy: true, problem: null });
  try {
    const { queued } = await store.act(order, 'recall', t('tap.recall'), { returnTo: plan.returnPlace() });
    if (queued) toast(t('state.queued'));
    plan.reset();
    go('/');
  } catch (error) {
    plan.set({ isBusy: false, problem: error });
  }
}

const foot = (above, { label, ...props }) =>
  h(
    'div',
    { class: 'sheet-foot', key: 'foot' },
    above,
    button(label, { look: 'primary', class: 'button primary wide big', ...props }),
  );

// MARK: The point

function where({ plan, position: { failure } }) {
  const { point, walk } = plan.value;
  return h(
    'div',
    { class: 'where', role: 'status' },
    icon('pin'),
    point
      ? h(
          'div',
          { class: 'grow' },
          h(
            'p',
            { class: 'strong' },
            walk ? t('walk.servicePoint', { area: walk.area.properties.name }) : pointText(point),
          ),
          h(
            'p',
            { class: 'muted small' },
            walk ? pointText(walk.to) : point.name && point.address !== point.name ? point.address : t('choose.hint'),
          ),
        )
      : h(
          'p',
          { class: 'grow muted' },
          t(failure === 'denied' ? 'choose.denied' : failure ? 'choose.noPosition' : 'choose.locating'),
        ),
  );
}

/** For a point outside all areas: the way to the service point of the nearest one. */
function outside(app, area) {
  const { plan, store } = app;
  const { point, problem: error } = plan.value;
  if (!store.value.areas || !point || (area && error?.code !== 'order.outside_service_area')) return null;
  const nearest = plan.nearestArea(point);
  const { isFar, meters } = nearest ? plan.wayTo(nearest) : {};
  return notice(
    'warning',
    isFar ? t('choose.outside.far', { distance: distance(meters) }) : t('choose.outside'),
    nearest
      ? h(
          'a',
          {
            class: 'button',
            href: '#/',
            onclick: (event) => {
              event.preventDefault();
              plan.walkTo(nearest);
              app.fitWalk();
            },
          },
          icon('route'),
          t('walk.go'),
        )
      : null,
  );
}

/** For use in a sentence, where "any moment" would not fit. */
const wholeMinutes = (seconds) => minutes(Math.max(60, seconds));

const walkText = ({ meters, seconds, isFar }) => {
  if (!meters) return t('walk.noPosition');
  return isFar
    ? t('walk.far', { distance: distance(meters) })
    : t('walk.line', { distance: distance(meters), time: wholeMinutes(seconds) });
};

const walkLine = ({ plan, goToMe }) =>
  plan.value.walk &&
  h(
    'div',
    { class: 'notice' },
    icon('route'),
    h(
      'div',
      null,
      h('p', null, walkText(plan.value.walk)),
      button(t('walk.other'), {
        look: 'quiet',
        onclick: () => {
          plan.endWalk();
          goToMe();
        },
      }),
    ),
  );

// MARK: Notes

function problem(plan) {
  const { problem: error } = plan.value;
  if (!error) return null;
  if (['payment.due', 'order.unfinished_exists'].includes(error.code)) {
    return notice(
      'warning',
      tProblem(error),
      h(
        'a',
        { class: 'button', href: `#/orders/${error.body.engagementId ?? error.body.orderId}` },
        t(error.code === 'payment.due' ? 'choose.toBill' : 'choose.toOrder'),
      ),
    );
  }
  if (error.code === 'order.outside_service_area') return null;
  return problemNotice(error);
}

/** How soon a valet could be there. */
function availability(plan) {
  const { nearby, hasNearby } = plan.value;
  // Reserve the line from the start, so that content above it doesn't move from under a finger.
  if (!hasNearby) return h('p', { class: 'muted small row', 'aria-hidden': 'true' }, '\u00a0');
  return h(
    'p',
    { class: 'muted small row' },
    icon('user'),
    nearby.length
      ? t('choose.nearby', { count: nearby.length, time: wholeMinutes(nearby[0].etaSeconds) })
      : t('choose.nobody'),
  );
}

/** `kind` is the contact that is not confirmed yet. */
const reminder = (kind) =>
  kind &&
  h(
    'a',
    { class: 'reminder', href: '#/code' },
    icon('phone'),
    h('span', { class: 'grow' }, t(`choose.verify.${kind}`)),
    icon('next'),
  );
