// The end of an order: the bill, the tip, the card; the receipt; the rating. Loaded on demand.

import { Offline, escaped } from '/apps/shared/api.js';
import { h, uuid } from '/apps/shared/dom.js';
import { dateTime, fullName, minorUnits, money, reasonText, t, tProblem } from '/apps/shared/i18n.js';
import { save } from '/apps/shared/account.js';
import { screen } from '/apps/shared/shell.js';
import {
  avatar,
  button,
  choices,
  facts,
  field,
  notice,
  problemNotice,
  skeleton,
  starInput,
  toast,
} from '/apps/shared/ui.js';
import { addCards, cardText, declined } from '../shared/payment.js';

/** Offered tips in percent of the bill. */
const TIPS = [5, 10, 15];
/** The largest tip that can be typed, in major units of the currency. */
const LARGEST_TIP = 10_000;

export function create(app) {
  const { api, outbox, redraw, resources, store } = app;
  const pay = {
    order: null,
    method: null,
    tip: '0',
    own: '',
    isBusy: false,
    problem: null,
    payment: null,
    isAdding: null,
  };
  const opinion = { order: null, stars: null, comment: '', isBusy: false, problem: null };
  let wish = { text: null, key: null };

  const methods = () => resources.get('/v1/me/payment-methods');
  const provider = () => resources.get('/v1/payment-provider', { anonymous: true });

  function begin(order) {
    if (pay.order === order.id) return;
    Object.assign(pay, {
      order: order.id,
      method: null,
      tip: '0',
      own: '',
      isBusy: false,
      problem: null,
      payment: null,
      isAdding: null,
    });
    resources.reload('/v1/me/payment-methods');
  }

  const tipAmount = (charge) => {
    if (pay.tip !== 'own')
      return (
        Math.round((charge.amount * Number(pay.tip)) / 100 / minorUnits(charge.currency)) * minorUnits(charge.currency)
      );
    const typed = Number(pay.own.replace(',', '.'));
    return Number.isFinite(typed) && typed > 0
      ? Math.round(Math.min(typed, LARGEST_TIP) * minorUnits(charge.currency))
      : 0;
  };

  /** Repeats a request whose answer was lost with the same key, so that nobody pays twice. */
  async function send(order, tip) {
    pay.isBusy = true;
    pay.problem = null;
    redraw();
    const body = { paymentMethodId: chosen(), ...(tip ? { tip } : {}) };
    const text = JSON.stringify([order.id, body]);
    if (wish.text !== text) wish = { text, key: uuid() };
    try {
      const { payment } = await api.post(escaped`/v1/orders/${order.id}/pay`, body, { key: wish.key, timeout: 40_000 });
      pay.payment = payment;
      wish = { text: null, key: null };
      if (payment.status === 'succeeded') done(order);
    } catch (error) {
      if (!(error instanceof Offline) && !error.isPassing) wish = { text: null, key: null };
      if (error.code === 'payment.already_paid') done(order);
      else pay.problem = error;
    }
    pay.isBusy = false;
    redraw();
  }

  function done(order) {
    store.setPaid(order.id);
    toast(t('pay.done'), 'success');
    store.refresh();
  }

  async function addCard(token) {
    pay.isAdding = token;
    pay.problem = null;
    redraw();
    try {
      const method = await api.post('/v1/me/payment-methods', { token });
      const entry = methods();
      if (entry.value && !entry.value.items.some(({ id }) => id === method.id)) entry.value.items.push(method);
      Object.assign(pay, { method: method.id, payment: null });
    } catch (error) {
      pay.problem = error;
    }
    pay.isAdding = null;
    redraw();
  }

  const chosen = () => {
    const items = methods().value?.items ?? [];
    return items.some(({ id }) => id === pay.method) ? pay.method : (items[0]?.id ?? null);
  };

  // MARK: The sheet

  const cards = () => {
    const { value, error } = methods();
    if (!value) return error ? problemNotice(error, () => resources.reload('/v1/me/payment-methods')) : skeleton(2);
    return h(
      'div',
      { class: 'stack tight', key: 'cards' },
      value.items.length
        ? choices({
            name: 'method',
            label: t('pay.card'),
            value: chosen(),
            options: value.items.map(({ id, brand, last4 }) => [id, cardText({ brand, last4 })]),
            onchange: (id) => {
              Object.assign(pay, { method: id, payment: null, problem: null });
              redraw();
            },
          })
        : h('p', { class: 'muted' }, t('pay.noCard')),
      addCards(provider(), { add: addCard, busy: pay.isAdding, isFirst: !value.items.length }),
    );
  };

  const tips = (charge) =>
    h(
      'div',
      { class: 'stack tight', key: 'tips' },
      choices({
        name: 'tip',
        label: t('pay.tip'),
        value: pay.tip,
        onchange: (value) => {
          pay.tip = value;
          redraw();
        },
        options: [
          ['0', t('pay.tip.none')],
          ...TIPS.map((share) => [String(share), `${share}%`]),
          ['own', t('pay.tip.own')],
        ],
      }),
      pay.tip === 'own'
        ? field({
            id: 'own',
            label: t('pay.tip.amount', { currency: charge.currency }),
            inputmode: 'decimal',
            value: pay.own,
            autocomplete: 'off',
            oninput: (event) => {
              pay.own = event.target.value;
              redraw();
            },
          })
        : null,
    );

  const bill = (order) => {
    const { quote } = store.value;
    return quote
      ? facts(quote.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)]))
      : facts([[t('bill.total'), money(order.charge)]]);
  };

  function body(order, canTip) {
    begin(order);
    const { charge } = order;
    const tip = canTip ? tipAmount(charge) : 0;
    const total = { amount: charge.amount + tip, currency: charge.currency };
    const { payment, problem } = pay;
    return [
      bill(order),
      canTip ? tips(charge) : null,
      cards(),
      payment?.status === 'requiresAction'
        ? notice(
            'warning',
            t('pay.action'),
            button(t('pay.action.check'), { isBusy: pay.isBusy, onclick: () => send(order, tip) }),
          )
        : null,
      h(
        'div',
        { class: 'sheet-foot', key: 'foot' },
        problem ? notice('danger', problem.code === 'payment.declined' ? declined(problem) : tProblem(problem)) : null,
        h(
          'p',
          { class: 'row between strong total' },
          h('span', null, t('bill.total')),
          h('span', { class: 'numbers' }, money(total)),
        ),
        button(t('pay.button', { amount: money(total) }), {
          look: 'primary',
          class: 'button primary wide big',
          icon: 'card',
          isBusy: pay.isBusy,
          disabled: !chosen(),
          onclick: () => send(order, tip),
        }),
      ),
    ];
  }

  const billSheet = (order, head) => [
    head(t('pay.title'), t('pay.lead', { time: dateTime(order.returnedAt ?? order.createdAt) })),
    ...body(order, true),
  ];
  const feeSheet = (order, head) => [
    head(t('pay.fee.title'), order.reason ? reasonText(order) : t('pay.fee.lead')),
    ...body(order, false),
  ];

  function endSheet(order, head) {
    return [
      head(t('end.title'), t('end.lead')),
      h('p', { key: 'receipt' }, h('a', { class: 'button', href: `#/orders/${order.id}/receipt` }, t('receipt.open'))),
      rate(order),
      h(
        'div',
        { class: 'sheet-foot', key: 'foot' },
        button(t(store.value.rated[order.id] ? 'action.done' : 'end.skip'), {
          wide: true,
          look: store.value.rated[order.id] ? 'primary' : 'quiet',
          onclick: () => app.leave(),
        }),
      ),
    ];
  }

  // MARK: Rating

  /** One rating for everyone who served the order. */
  function rate(order) {
    const valets = [order.dropOffValet, order.returnValet].filter(
      (valet, i, all) => valet && all.findIndex((other) => other?.id === valet.id) === i,
    );
    if (!valets.length || order.status !== 'finished') return null;
    const given = store.value.rated[order.id];
    if (opinion.order !== order.id)
      Object.assign(opinion, {
        order: order.id,
        stars: given?.stars ?? null,
        comment: given?.comment ?? '',
        isBusy: false,
        problem: null,
        isOpen: !given,
      });
    if (given && !opinion.isOpen) {
      return notice(
        'success',
        t('rate.thanks', { stars: t('rating.stars', { count: given.stars }) }),
        button(t('rate.change'), {
          look: 'quiet',
          onclick: () => {
            opinion.isOpen = true;
            redraw();
          },
        }),
      );
    }
    const submit = async (event) => {
      event.preventDefault();
      if (!opinion.stars) {
        opinion.problem = t('rate.missing');
        redraw();
        return;
      }
      Object.assign(opinion, { isBusy: true, problem: null });
      redraw();
      try {
        const wanted = { stars: opinion.stars, ...(opinion.comment.trim() ? { comment: opinion.comment.trim() } : {}) };
        const { queued } = await outbox.perform({
          method: 'PUT',
          path: escaped`/v1/orders/${order.id}/rating`,
          body: wanted,
          label: t('tap.rate'),
          subject: order.id,
        });
        store.setRated(order.id, wanted);
        opinion.isOpen = false;
        if (queued) toast(t('state.queued'));
      } catch (error) {
        opinion.problem = tProblem(error);
      }
      opinion.isBusy = false;
      redraw();
    };
    return h(
      'form',
      { class: 'card rate', key: 'rate', onsubmit: submit, novalidate: true },
      h(
        'div',
        { class: 'row' },
        valets.map((valet) => avatar(valet)),
        h('h2', { class: 'grow' }, t('rate.title', { names: valets.map(fullName).join(t('rate.and')) })),
      ),
      starInput({
        value: opinion.stars,
        onchange: (stars) => {
          opinion.stars = stars;
          opinion.problem = null;
          redraw();
        },
      }),
      opinion.stars
        ? field({
            id: 'comment',
            label: t('rate.comment'),
            isOptional: true,
            multiline: true,
            maxlength: 1000,
            value: opinion.comment,
            oninput: (event) => (opinion.comment = event.target.value),
          })
        : null,
      opinion.problem ? h('p', { class: 'error', role: 'alert' }, opinion.problem) : null,
      button(t('rate.send'), { type: 'submit', look: 'primary', wide: true, isBusy: opinion.isBusy }),
    );
  }

  // MARK: Receipt

  async function download(id, ticket) {
    try {
      save(
        await api.get(escaped`/v1/orders/${id}/receipt`, { headers: { accept: 'text/html' } }),
        `openvalet-${ticket}.html`,
      );
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
  }

  function receipt({ id }) {
    const { value, error } = resources.get(escaped`/v1/orders/${id}/receipt`);
    const back = store.value.order?.id === id ? '/' : `/orders/${id}`;
    const content = () => [
      h(
        'section',
        { class: 'card stack receipt', key: 'receipt' },
        h(
          'div',
          { class: 'row between' },
          h('span', { class: 'ticket' }, value.ticket),
          h('span', { class: 'muted numbers' }, value.paidAt ? dateTime(value.paidAt) : ''),
        ),
        facts([
          [
            t('vehicle'),
            value.vehicle
              ? [value.vehicle.plate, value.vehicle.make, value.vehicle.model].filter(Boolean).join(' · ')
              : null,
          ],
          [t('receipt.collected'), value.collectedAt && dateTime(value.collectedAt)],
          [t('receipt.returned'), value.returnedAt && dateTime(value.returnedAt)],
        ]),
        h('hr', null),
        facts([
          ...value.lines.map(({ kind, amount }) => [t(`bill.${kind}`), money(amount)]),
          [t('bill.tip'), value.tip && money(value.tip)],
        ]),
        h(
          'p',
          { class: 'row between strong total' },
          h('span', null, t('receipt.paid')),
          h('span', { class: 'numbers' }, money(value.paid)),
        ),
        facts([
          [t('pay.card'), value.brand && cardText(value)],
          [t('receipt.refunded'), value.refunded.amount ? money(value.refunded) : null],
        ]),
      ),
      h(
        'div',
        { class: 'row wrap no-print' },
        button(t('receipt.print'), { onclick: () => print() }),
        button(t('receipt.save'), { onclick: () => download(id, value.ticket) }),
      ),
    ];
    return {
      title: t('receipt.title'),
      view: screen(
        t('receipt.title'),
        { back },
        value
          ? content()
          : error
            ? problemNotice(error, () => resources.reload(escaped`/v1/orders/${id}/receipt`))
            : skeleton(6),
      ),
    };
  }

  return { billSheet, feeSheet, endSheet, rate, receipt };
}
