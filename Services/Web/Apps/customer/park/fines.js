// Fines on the person's vehicles: the reason, with pictures; to pay or appeal.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { button, createForm, empty, facts, field, notice, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { createOnce } from '../shared/once.js';
import { createCards, refusal } from '../shared/payment.js';
import { MOST_PICTURES, pictureButton, pictureRow, sendPicture } from '/apps/shared/pictures.js';
import { fineBadge } from '/apps/shared/car-parks.js';
import { createAct } from '../shared/actions.js';

const FINES = '/v1/me/fines';
const LONGEST_APPEAL = 2_000;

export function createFines(park) {
  const { api, redraw, resources } = park;
  const cards = createCards(park);
  const once = createOnce(api);
  let form = createForm(redraw);
  let state = { of: null };
  const pathOf = (id) => escaped`/v1/fines/${id}`;

  function keep(fine) {
    resources.keep(pathOf(fine.id), fine);
    resources.reload(FINES);
  }

  // MARK: The list

  const line = (fine) =>
    h(
      'li',
      { key: fine.id },
      h(
        'a',
        { class: 'card stack tight', href: `#${escaped`/fines/${fine.id}`}` },
        h('span', { class: 'row between' }, h('span', { class: 'strong' }, fine.carPark.name), fineBadge(fine)),
        h('span', null, fine.reason),
        h(
          'span',
          { class: 'row between small' },
          h(
            'span',
            null,
            h('span', { class: 'plate' }, fine.plate),
            ' ',
            h('span', { class: 'ticket muted' }, fine.reference),
          ),
          h('span', { class: 'strong numbers' }, money(fine.amount)),
        ),
      ),
    );

  function items() {
    const entry = resources.list(FINES);
    const { value, error, isLoading, at } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(entry.path)) : skeleton(5);
    return [
      error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
      value.items.length
        ? h('ul', { class: 'list', key: 'fines' }, value.items.map(line))
        : empty('receipt', t('fines.none'), t('fines.none.lead')),
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  const list = () => ({ title: t('fines.title'), view: screen(t('fines.title'), { back: '/bookings' }, items()) });

  // MARK: One fine

  /** Runs one action at a time, and shows the reason of a refusal. */
  const act = createAct(() => state, {
    redraw,
    // Its state has changed meanwhile.
    refused: ({ code }) => code === 'fine.not_possible' && resources.reload('/v1/fines/'),
  });

  const pay = ({ id }) =>
    act('pay', async (mine) => {
      const { fine, payment } = await once(`${pathOf(id)}/pay`, { paymentMethodId: cards.chosen() });
      mine.payment = payment;
      keep(fine);
      if (fine.status === 'paid') toast(t('pay.done'), 'success');
    });

  const appeal = (id) =>
    form.submit(async ({ text }) => {
      keep(await once(`${pathOf(id)}/appeal`, { text: text.trim() }));
      toast(t('fine.appealed'), 'success');
    });

  const addPicture =
    ({ id }) =>
    (blob) =>
      act('picture', async () => keep(await sendPicture(api, `${pathOf(id)}/photos`, blob)));

  const story = ({ appeal: mine, decision, status, ...fine }) =>
    mine
      ? h(
          'section',
          { class: 'card stack', key: 'appeal' },
          h('h2', null, t('fine.appeal.mine')),
          h('p', { class: 'terms' }, mine.text),
          h('p', { class: 'muted small' }, dateTime(mine.at)),
          pictureRow(mine.photos, t('fine.appeal.pictures')),
          status === 'appealed' ? h('p', { class: 'muted' }, t('fine.waiting')) : null,
          status === 'appealed' && mine.photos.length < MOST_PICTURES
            ? pictureButton(t('fine.picture.add'), Boolean(state.busy), addPicture(fine))
            : null,
          decision
            ? [h('h2', { key: 'decided' }, t('fine.decision')), h('p', { class: 'terms', key: 'text' }, decision.text)]
            : null,
        )
      : decision
        ? h(
            'section',
            { class: 'card stack', key: 'decision' },
            h('h2', null, t('fine.decision')),
            h('p', { class: 'terms' }, decision.text),
          )
        : null;

  const appealForm = ({ id }) =>
    h(
      'details',
      { class: 'fold', key: 'appealing' },
      h('summary', null, t('fine.appeal'), icon('next')),
      form.view(
        { class: 'stack', onsubmit: appeal(id) },
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

  const paying = (fine) => [
    cards.view(),
    state.payment?.status === 'requiresAction'
      ? notice(
          'warning',
          t('pay.action'),
          button(t('pay.action.check'), { ...act.button('pay'), onclick: () => pay(fine) }),
        )
      : null,
    refusal(state.problem),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('pay.button', { amount: money(fine.amount) }), {
        look: 'primary',
        wide: true,
        icon: 'card',
        ...act.button('pay', !cards.chosen()),
        onclick: () => pay(fine),
      }),
    ),
  ];

  function content(fine) {
    const { reference, plate, carPark, amount, reason, photos, issuedAt, paidAt, refunded, status } = fine;
    const isOpen = ['issued', 'upheld'].includes(status);
    return [
      h(
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
          [t('park.refunded'), refunded && money(refunded)],
        ]),
        pictureRow(photos, t('fine.pictures')),
      ),
      story(fine),
      status === 'issued' ? appealForm(fine) : null,
      isOpen ? paying(fine) : refusal(state.problem),
    ];
  }

  function detail({ id }) {
    if (state.of !== id) [state, form] = [{ of: id, busy: null, problem: null, payment: null }, createForm(redraw)];
    const path = pathOf(id);
    const { value, error, at } = resources.get(path);
    return {
      title: t('fine.one'),
      view: screen(
        t('fine.one'),
        { back: '/fines' },
        value && error ? notice('warning', t('state.asOf', { time: dateTime(at) })) : null,
        value ? content(value) : error ? problemNotice(error, () => resources.reload(path)) : skeleton(6),
      ),
    };
  }

  return { list, detail };
}
