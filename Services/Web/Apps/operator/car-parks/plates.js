// Vehicles with a plate: operators check the papers, and verify that one of them belongs to its owner.

import { escaped } from '/apps/shared/api.js';
import { vehicleNumber } from '/apps/shared/car-parks.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { confirm } from '/apps/shared/dialogs.js';
import { createForm, plateCharacters, plateField } from '/apps/shared/forms.js';
import { address } from '/apps/shared/shell.js';
import { badge, button, empty, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createPages, head, shownPages, table } from '../parts.js';
import { PAGE } from './parts.js';

const PROOFS = '/v1/admin/plate-proofs';

export function platesScreen() {
  const plate = address().query.get('plate') ?? '';
  /** `pages` is null until a plate is entered; `busy` is the vehicle that is being changed. */
  const screen = { form: createForm(redraw), pages: plate ? createPages(PROOFS, { plate }, PAGE) : null, busy: null };
  const search = screen.form.submit(async (values) => {
    const wanted = { plate: values.plate.trim() };
    if (!plateCharacters(wanted.plate)) screen.form.refuse({ plate: t('form.required') });
    if (screen.pages) await screen.pages.reload(wanted);
    else screen.pages = createPages(PROOFS, wanted, PAGE);
  });
  return {
    title: () => t('op.plates'),
    view: () => [
      head(t('op.plates'), { back: '/car-parks', lead: t('op.plates.lead'), age: screen.pages?.at }),
      screen.form.view(
        { class: 'panel inline-form', role: 'search', onsubmit: search },
        plateField({
          id: 'plate',
          label: t('vehicle.plate'),
          type: 'search',
          value: plate,
          required: true,
          error: screen.form.errors.plate,
        }),
        button(t('op.search'), { type: 'submit', icon: 'search', isBusy: screen.form.isBusy }),
      ),
      screen.pages
        ? shownPages(
            screen.pages,
            (items) => table(t('op.plates'), columns(screen), items, { key: ({ vehicleId }) => vehicleId }),
            empty('car', t('op.plates.none'), t('op.plates.none.text')),
          )
        : null,
    ],
  };
}

const columns = (screen) => [
  { label: t('vehicle.plate'), isHead: true, cell: ({ plate }) => h('span', { class: 'plate' }, plate) },
  {
    label: t('op.plates.id'),
    cell: (one) => h('code', { class: 'id', title: one.vehicleId }, vehicleNumber(one.vehicleId)),
  },
  { label: t('op.state'), cell: state },
  {
    label: '',
    cell: (one) =>
      button(t(one.isProven ? 'op.plates.withdraw' : 'op.plates.verify'), {
        isBusy: screen.busy === one.vehicleId,
        'aria-label': t(`op.plates.${one.isProven ? 'withdraw' : 'verify'}.of`, { id: vehicleNumber(one.vehicleId) }),
        onclick: () => (one.isProven ? withdraw(screen, one) : verify(screen, one)),
      }),
  },
];

const state = ({ isProven, source, provenAt }) =>
  isProven
    ? h(
        'span',
        null,
        badge(t('plateProof.proven'), 'success'),
        ' ',
        h('span', { class: 'small muted' }, `${t(`op.plates.source.${source}`)} · ${dateTime(provenAt)}`),
      )
    : badge(t('plateProof.unproven'), 'warning');

async function verify(screen, one) {
  const isSure = await confirm(
    t('op.plates.verify.sure', one),
    t('op.plates.verify.text', { id: vehicleNumber(one.vehicleId) }),
    { yes: t('op.plates.verify'), no: t('action.cancel') },
  );
  if (isSure) change(screen, one, () => api.put(escaped`/v1/admin/plate-proofs/${one.vehicleId}`));
}

async function withdraw(screen, one) {
  const isSure = await confirm(t('op.plates.withdraw.sure', one), t('op.plates.withdraw.text'), {
    yes: t('op.plates.withdraw'),
    no: t('action.keep'),
    look: 'danger',
  });
  if (isSure) change(screen, one, () => api.delete(escaped`/v1/admin/plate-proofs/${one.vehicleId}`));
}

async function change(screen, { vehicleId }, task) {
  if (screen.busy) return;
  screen.busy = vehicleId;
  redraw();
  try {
    await task();
    toast(t('action.saved'), 'success');
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  screen.busy = null;
  screen.pages.reload();
}
