// QR codes that lead people to the page for paying, to print: for an exit, and for a fine on a windscreen.

import { escaped, withQuery } from '/apps/shared/api.js';
import { dialog } from '/apps/shared/dialogs.js';
import { h } from '/apps/shared/dom.js';
import { day, money, t, tProblem, time } from '/apps/shared/i18n.js';
import { oneAtATime } from '/apps/shared/one-at-a-time.js';
import { button, facts, toast } from '/apps/shared/ui.js';
import { api } from '../context.js';

const show = async (path, title, above) => {
  let code;
  try {
    code = await api.get(withQuery(path, { origin: location.origin }));
  } catch (error) {
    return void toast(tProblem(error), 'danger');
  }
  const { size, path: drawn } = code.qrCode;
  return dialog(title, () => [
    above,
    h(
      'svg',
      { class: 'pay-code', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': code.url },
      h('rect', { width: size, height: size, fill: '#fff' }),
      h('path', { d: drawn, fill: '#000' }),
    ),
    h('p', { class: 'small' }, code.url),
    h('div', { class: 'actions' }, button(t('op.payCode.print'), { look: 'primary', onclick: () => print() })),
  ]);
};

export const payCodeDialog = oneAtATime(({ id, park }) =>
  show(
    escaped`/v1/admin/car-parks/${id}/pay-code`,
    t('op.payCode.of', { name: park?.value?.name ?? '' }),
    h('p', { class: 'muted no-print' }, t('op.payCode.text')),
  ),
);

/** With the date in full, since paper stays. */
const at = (moment, timeZone) => t('date.at', { date: day(moment, timeZone), time: time(moment, timeZone) });

/** What a notice on the windscreen says, by the car park's clock. */
export const noticeRows = ({ reference, plate, carPark, reason, amount, issuedAt }) => [
  [t('op.booking.reference'), reference],
  [t('vehicle.plate'), plate],
  [t('op.park'), carPark.name],
  [t('fine.at'), at(issuedAt, carPark.timeZone)],
  [t('fine.reason'), reason],
  [t('fine.amount'), money(amount)],
];

/** The notice of a fine, which anybody can pay by its code. */
export const noticeDialog = oneAtATime((fine) =>
  show(escaped`/v1/admin/fines/${fine.id}/pay-code`, t('op.fine.notice.title'), [
    facts(noticeRows(fine)),
    h('p', null, t('op.fine.notice.text')),
  ]),
);
