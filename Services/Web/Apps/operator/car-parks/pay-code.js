// The QR code that leads drivers to the page for paying, to print for an exit.

import { escaped, withQuery } from '/apps/shared/api.js';
import { dialog } from '/apps/shared/dialogs.js';
import { h } from '/apps/shared/dom.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { button, toast } from '/apps/shared/ui.js';
import { api } from '../context.js';
import { oneAtATime } from '../receive.js';

export const payCodeDialog = oneAtATime(async ({ id, park }) => {
  let code;
  try {
    code = await api.get(withQuery(escaped`/v1/admin/car-parks/${id}/pay-code`, { origin: location.origin }));
  } catch (error) {
    return void toast(tProblem(error), 'danger');
  }
  const { size, path } = code.qrCode;
  const title = t('op.payCode.of', { name: park?.value?.name ?? '' });
  return dialog(title, () => [
    h('p', { class: 'muted' }, t('op.payCode.text')),
    h(
      'svg',
      { class: 'pay-code', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': code.url },
      h('rect', { width: size, height: size, fill: '#fff' }),
      h('path', { d: path, fill: '#000' }),
    ),
    h('p', { class: 'small' }, code.url),
    h('div', { class: 'actions' }, button(t('op.payCode.print'), { look: 'primary', onclick: () => print() })),
  ]);
});
