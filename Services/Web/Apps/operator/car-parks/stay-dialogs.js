// Dialogs for a vehicle that can't leave: its payment at the desk, the end of its stay, a gate that opens once.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { duration, money, t, tProblem } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { choices, notice, toast } from '/apps/shared/ui.js';
import { plateField } from '/apps/shared/forms.js';
import { reasonField } from '../actions.js';
import { api } from '../context.js';
import { dialogActions, formDialog } from '../parts.js';
import { receive } from '../receive.js';

/** The amount due now, with tax; the list has only what a gate last said. */
const dueOf = ({ id }) => api.get(escaped`/v1/admin/parking-sessions/${id}/due`);

const tell = (error) => void toast(tProblem(error), 'danger');

/** Records that the driver has paid at the desk; the payment, or undefined. */
export const receiveForStay = oneAtATime(async (stay) => {
  const price = await dueOf(stay).catch(tell);
  if (!price) return;
  const { due } = price;
  if (!due) return void toast(t('op.stay.nothing', stay));
  const send = (body, key) => api.post(escaped`/v1/admin/parking-sessions/${stay.id}/receive`, body, { key });
  return receive(stay.plate, due, send);
});

/** How a stay ends unless the operator chooses otherwise: nothing is written off without being asked. */
export const settlementOf = (price) => (price && !price.due ? 'later' : 'paid');

/** Ends a stay: paid at the desk, billed later or written off. True when it happened. */
export const endStayDialog = oneAtATime(async (stay) => {
  const { id, plate } = stay;
  // The dialog asks also if the price can't be found out.
  const price = await dueOf(stay).catch(() => null);
  const draft = { how: settlementOf(price), isPaid: false };
  return formDialog(t('op.stay.end.of', { plate }), (form, close) => {
    const send = async ({ reason }) => {
      if (!reason.trim()) form.refuse({ reason: t('op.stay.reason.needed') });
      if (draft.how === 'paid') {
        if (!(await receiveForStay(stay))) return;
        // Nothing is due any more: if the next request fails, only that one is repeated.
        Object.assign(draft, { how: 'later', isPaid: true });
      }
      const settlement = draft.how === 'writeOff' ? 'writeOff' : 'later';
      await api.post(escaped`/v1/admin/parking-sessions/${id}/end`, { reason: reason.trim(), settlement });
      toast(t('op.stay.end.done', { plate }), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      draft.isPaid ? notice('success', t('op.stay.end.isPaid')) : h('p', null, endText(price)),
      draft.isPaid || (price && !price.due) ? null : settlements(draft, form),
      reasonField(form),
      dialogActions(form, close, t('op.stay.end'), 'danger'),
    );
  });
});

function endText(price) {
  if (!price) return t('op.stay.end.unclear');
  const time = duration(price.secondsToLeave);
  return price.due ? t('op.stay.end.due', { amount: money(price.due), time }) : t('op.stay.end.free', { time });
}

/** Records the payment of a driver who has lost their ticket; the payment, or undefined. */
export const lostTicketDialog = oneAtATime(async (carPark) => {
  const path = escaped`/v1/admin/car-parks/${carPark.id}/lost-tickets`;
  const price = await api.get(path).catch(tell);
  if (!price) return;
  const { due } = price;
  const plate = await formDialog(t('op.lostTicket.of', carPark), (form, close) => {
    const send = async (values) => {
      if (!values.plate.trim()) form.refuse({ plate: t('op.lostTicket.plate') });
      close(values.plate.trim());
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.lostTicket.text', { amount: money(due) })),
      plateField({
        id: 'plate',
        label: t('vehicle.plate'),
        required: true,
        error: form.errors.plate,
      }),
      dialogActions(form, close, t('op.receive')),
    );
  });
  if (!plate) return;
  return receive(plate, due, (body, key) => api.post(path, { ...body, plate }, { key }));
});

const settlements = (draft, form) =>
  choices({
    name: 'how',
    label: t('op.stay.end.how'),
    value: draft.how,
    options: ['paid', 'later', 'writeOff'].map((how) => [how, t(`op.stay.end.${how}`)]),
    onchange: (how) => {
      draft.how = how;
      form.draw();
    },
  });

/** Opens a gate for its next vehicle; true when it happened. */
export const openGateDialog = ({ id, name }) =>
  formDialog(t('op.gate.open.of', { name }), (form, close) => {
    const send = async ({ reason, plate }) => {
      if (!reason.trim()) form.refuse({ reason: t('op.stay.reason.needed') });
      await api.post(escaped`/v1/admin/gates/${id}/open`, {
        reason: reason.trim(),
        plate: plate.trim() || undefined,
      });
      toast(t('op.gate.open.done', { name }), 'success');
      close(true);
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.gate.open.text')),
      plateField({
        id: 'plate',
        label: t('vehicle.plate'),
        hint: t('op.gate.open.plate'),
        isOptional: true,
        error: form.errors.plate,
      }),
      reasonField(form),
      dialogActions(form, close, t('op.gate.open')),
    );
  });
