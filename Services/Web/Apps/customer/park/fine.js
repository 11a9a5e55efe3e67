// One fine on the person's vehicle: the reason, with pictures; to pay or appeal.

import { escaped } from '/apps/shared/api.js';
import { fineBadge, sumOf } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { MOST_PICTURES, pictureButton, pictureRow, sendPicture } from '/apps/shared/pictures.js';
import { createForm } from '/apps/shared/forms.js';
import { button, facts, field, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createAct } from '../shared/actions.js';
import { taxRow } from '../shared/charge.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { totalLine } from './booking-parts.js';
import { loadedScreen } from './loaded.js';

const LONGEST_APPEAL = 2_000;
const pathOf = (id) => escaped`/v1/fines/${id}`;
const chargePath = (id) => `${pathOf(id)}/charge`;

export function createFine(park) {
  const { redraw, resources } = park;
  const screen = { park, once: createOnce(park.api), state: { of: null }, form: null };
  screen.cards = createCards(park, { onchange: () => (screen.state.payment = null) });
  /** Runs one action at a time, and shows the reason of a refusal. */
  screen.act = createAct(() => screen.state, {
    redraw,
    after: () => resources.reload(chargePath(screen.state.of)),
    // Its state has changed meanwhile.
    refused: ({ code }) => code === 'fine.not_possible' && resources.reload('/v1/fines/'),
  });
  return {
    draw({ id }) {
      if (screen.state.of !== id) {
        screen.state = { of: id, busy: null, problem: null, payment: null };
        screen.form = createForm(redraw);
      }
      const entry = resources.get(pathOf(id));
      return loadedScreen(park, entry, { title: t('fine.one'), back: '/fines', bars: 6 }, (fine) =>
        content(screen, fine),
      );
    },
  };
}

// MARK: Actions

function keep({ resources }, fine) {
  resources.keep(pathOf(fine.id), fine);
  resources.reload('/v1/me/fines');
}

const pay = ({ act, cards, park }, { id }) =>
  act('pay', async (state) => {
    const { fine, payment } = await cards.pay(`${pathOf(id)}/pay`);
    state.payment = payment;
    keep(park, fine);
    if (fine.status === 'paid') toast(t('pay.done'), 'success');
  });

/** Continues a payment that was begun elsewhere, with the card that it has. */
const goOn = ({ act, cards, park }, { bill }) =>
  act('pay', async (state) => {
    const payment = await cards.confirm({ bill });
    if (payment.status !== 'succeeded') return;
    state.payment = payment;
    for (const path of ['/v1/fines/', '/v1/me/fines']) park.resources.reload(path);
    toast(t('pay.done'), 'success');
  });

async function appeal({ once, park }, { id }, text) {
  keep(park, await once(`${pathOf(id)}/appeal`, { text: text.trim() }));
  toast(t('fine.appealed'), 'success');
}

const addPicture = ({ act, park }, { id }, blob) =>
  act('picture', async () => keep(park, await sendPicture(park.api, `${pathOf(id)}/photos`, blob)));

// MARK: Views

function content(screen, fine) {
  const { status } = fine;
  return [
    overview(fine),
    fine.appeal ? appealCard(screen, fine) : fine.decision ? decisionCard(fine) : null,
    status === 'issued' ? appealForm(screen, fine) : null,
    ['issued', 'upheld'].includes(status) ? payment(screen, fine) : refusal(screen.state.problem),
  ];
}

function overview(fine) {
  const { amount, carPark, issuedAt, paidAt, paidBill, photos, plate, reason, reference, refunded, refundedTax } = fine;
  return h(
    'section',
    { class: 'card stack', key: 'facts' },
    h('div', { class: 'row between' }, h('span', { class: 'ticket reference' }, reference), fineBadge(fine)),
    facts([
      [t('park.one'), carPark.name],
      [t('vehicle'), plate],
      [t('fine.reason'), reason],
      [t('fine.amount'), money(amount)],
      [t('fine.at'), dateTime(issuedAt)],
      [t('booking.paid'), paidAt && dateTime(paidAt)],
      [t('park.refunded'), refunded && money(sumOf(refunded, refundedTax))],
    ]),
    pictureRow(photos, t('fine.pictures')),
    paidBill
      ? h('a', { class: 'button', href: `#${escaped`/receipts/bill/${paidBill}`}` }, icon('receipt'), t('receipt.open'))
      : null,
  );
}

function appealCard(screen, fine) {
  const { appeal: mine, decision, status } = fine;
  return h(
    'section',
    { class: 'card stack', key: 'appeal' },
    h('h2', null, t('fine.appeal.mine')),
    h('p', { class: 'terms' }, mine.text),
    h('p', { class: 'muted small' }, dateTime(mine.at)),
    pictureRow(mine.photos, t('fine.appeal.pictures')),
    status === 'appealed' ? h('p', { class: 'muted' }, t('fine.waiting')) : null,
    status === 'appealed' && mine.photos.length < MOST_PICTURES
      ? pictureButton(t('fine.picture.add'), Boolean(screen.state.busy), (blob) => addPicture(screen, fine, blob))
      : null,
    decision ? decided(decision) : null,
  );
}

const decisionCard = ({ decision }) => h('section', { class: 'card stack', key: 'decision' }, decided(decision));

const decided = ({ text }) => [
  h('h2', { key: 'decided' }, t('fine.decision')),
  h('p', { class: 'terms', key: 'text' }, text),
];

function appealForm(screen, fine) {
  const { form } = screen;
  return h(
    'details',
    { class: 'fold', key: 'appealing' },
    h('summary', null, t('fine.appeal'), icon('next')),
    form.view(
      { class: 'stack', onsubmit: form.submit(({ text }) => appeal(screen, fine, text)) },
      h('p', { class: 'muted' }, t('fine.appeal.lead')),
      field({
        id: 'text',
        label: t('fine.appeal.text'),
        multiline: true,
        required: true,
        maxlength: LONGEST_APPEAL,
        error: form.errors.text,
      }),
      button(t('fine.appeal.send'), { type: 'submit', wide: true, isBusy: form.isBusy }),
    ),
  );
}

function payment(screen, fine) {
  const { act, cards, park, state } = screen;
  const path = chargePath(fine.id);
  const { value: price, error } = park.resources.get(path, { isBrief: true });
  if (!price) return error ? problemNotice(error, () => park.resources.reload(path)) : skeleton(3);
  const onclick = () => pay(screen, fine);
  const onward = state.payment ? onclick : () => goOn(screen, price.payment);
  return [
    price.tax?.amount
      ? h(
          'section',
          { class: 'card stack tight', key: 'bill' },
          facts([[t('fine.amount'), money(fine.amount)], taxRow(price)]),
          totalLine(t('bill.total'), money(price.charge)),
        )
      : null,
    cards.view(price.charge),
    cards.standing(state.payment ?? price.payment, { ...act.button('pay'), onclick: onward }, state.problem),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('pay.button', { amount: money(price.charge) }), {
        look: 'primary',
        wide: true,
        icon: 'card',
        ...act.button('pay', !cards.chosen()),
        onclick,
      }),
    ),
  ];
}
