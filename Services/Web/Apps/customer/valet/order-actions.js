// What may wait for the network: cancelling an order or its recall, with the price of it.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { clock, money, t, tProblem } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { button, toast } from '/apps/shared/ui.js';

/** Whether an action is in the outbox. */
export const isWaiting = ({ outbox }, order, name) =>
  outbox.items.some(({ path }) => path === escaped`/v1/orders/${order.id}/${name}`);

/** `running` has the names of requests in progress. */
async function act({ app, running }, order, name, label, body) {
  if (running.has(name)) return;
  running.add(name);
  app.redraw();
  try {
    const { queued } = await app.store.act(order, name, label, body);
    if (queued) toast(t('state.queued'));
  } catch (error) {
    toast(tProblem(error), 'danger');
    app.store.refresh();
  }
  running.delete(name);
  app.redraw();
}

/** The price of cancelling at a time: whether it is free, how long it stays so, and the fee, if the tariff is known. */
export function cancellation(order, tariff, now) {
  const secondsFree =
    order.assignedAt && tariff ? tariff.cancellationGraceSeconds - (now - Date.parse(order.assignedAt)) / 1000 : null;
  return {
    isFree: !order.assignedAt || (secondsFree !== null && secondsFree > 0) || tariff?.cancellationFee === 0,
    secondsFree,
    fee: tariff && { amount: tariff.cancellationFee, currency: tariff.currency },
  };
}

export function cancelling(screen, order) {
  const { store } = screen.app;
  const tariff = store.area(order.serviceArea)?.properties.tariff;
  const { isFree, secondsFree, fee } = cancellation(order, tariff, store.value.now);
  const price = isFree ? t('cancel.free') : fee && t('cancel.costs', { fee: money(fee) });
  const ask = async () => {
    const isSure = await confirm(t('cancel.title'), price, {
      yes: t('cancel.yes'),
      no: t('cancel.no'),
      look: 'danger',
    });
    if (isSure) act(screen, order, 'cancel', t('tap.cancel'), {});
  };
  return cancelRow(screen, order, {
    name: 'cancel',
    text: isFree && secondsFree > 0 ? t('cancel.freeFor', { time: clock(secondsFree) }) : (price ?? ''),
    isCounting: true,
    label: t('cancel.button'),
    onclick: ask,
  });
}

export const recallCancelling = (screen, order) =>
  cancelRow(screen, order, {
    name: 'cancel-recall',
    text: t('recall.free'),
    label: t('recall.cancel'),
    onclick: () => act(screen, order, 'cancel-recall', t('tap.cancelRecall'), {}),
  });

function cancelRow({ app, running }, order, { name, text, isCounting = false, label, onclick }) {
  const waits = isWaiting(app, order, name);
  return h(
    'div',
    { class: 'row between wrap', key: 'cancel' },
    h('p', { class: `muted small${isCounting ? ' numbers' : ''}` }, waits ? t('state.queued') : text),
    button(label, { look: 'quiet danger-text', isBusy: waits || running.has(name), onclick }),
  );
}
