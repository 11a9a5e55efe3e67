// Fines: issued to a plate, with pictures; appeals are decided here.

import { h, uuid } from '/apps/shared/dom.js';
import { amountOf } from '/apps/shared/amounts.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, money, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import { plateField } from '/apps/shared/forms.js';
import { noPicture, picture } from '/apps/shared/people.js';
import { button, empty, facts, field, pictureEvents, select, toast } from '/apps/shared/ui.js';
import { MOST_PICTURES, pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { FINE_STATES, fineBadge } from '/apps/shared/car-parks.js';
import { api, redraw } from '../context.js';
import { createPages, createResource, dialogActions, formDialog, head, section, shownPages, table } from '../parts.js';
import { loaded } from '../detail-parts.js';
import { receiveButton } from '../receive.js';
import { noticeDialog } from './pay-code.js';
import { PAGE, createList, noFilter, parkFilter, parkLink, plateFilter, reloading } from './parts.js';

const FINES = '/v1/admin/fines';
const LONGEST = { reason: 500, decision: 1_000 };

const plateOf = ({ plate }) => h('span', { class: 'plate' }, plate);

// MARK: All fines

export function finesScreen() {
  const filter = { state: 'appealed', plate: '', carParkId: '' };
  const list = createList(createPages(FINES, { ...filter }, PAGE), filter);
  return {
    title: () => t('fines.title'),
    view: () => [
      head(t('fines.title'), {
        back: '/car-parks',
        age: list.pages.at,
        actions: list.parks.value?.length
          ? button(t('op.fine.new'), { look: 'primary', icon: 'plus', onclick: () => issue(list.parks.value) })
          : null,
      }),
      h(
        'div',
        { class: 'panel form-grid', role: 'search', 'aria-label': t('op.filter') },
        select({
          id: 'filter-state',
          label: t('op.state'),
          value: filter.state,
          options: [noFilter(), ...FINE_STATES.map((state) => [state, t(`fine.status.${state}`)])],
          onchange: ({ target }) => list.set({ state: target.value }),
        }),
        parkFilter(list, 'filter-park'),
        plateFilter(list, 'filter-plate'),
      ),
      shownPages(
        list.pages,
        (items) => table(t('fines.title'), columns(), items),
        empty('receipt', t('op.fines.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: list.stop,
  };
}

async function issue(parks) {
  const made = await issueDialog(parks);
  if (made) go(escaped`/car-parks/fines/${made.id}`);
}

const columns = () => [
  {
    label: t('op.booking.reference'),
    isHead: true,
    cell: ({ id, reference }) => h('a', { class: 'ticket', href: `#/car-parks/fines/${id}` }, reference),
  },
  { label: t('vehicle.plate'), cell: plateOf },
  { label: t('op.park'), cell: ({ carPark }) => parkLink(carPark) },
  { label: t('fine.reason'), cell: ({ reason }) => reason },
  { label: t('fine.at'), cell: ({ issuedAt }) => h('span', { class: 'nowrap' }, dateTime(issuedAt)) },
  { label: t('op.state'), cell: fineBadge },
  { label: t('fine.amount'), isAmount: true, cell: ({ amount }) => money(amount) },
];

/** Resolves with the issued fine. */
const issueDialog = (parks, key = uuid()) =>
  formDialog(t('op.fine.new'), (form, close) => {
    const send = async ({ plate, carParkId, amount, reason }) => {
      const { currency } = parks.find(({ id }) => id === carParkId);
      const minor = amountOf(amount, currency);
      if (!(minor > 0)) form.refuse({ amount: t('op.park.number') });
      close(await api.post(FINES, { plate: plate.trim(), carParkId, amount: minor, reason: reason.trim() }, { key }));
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.fine.new.text')),
      plateField({ id: 'plate', label: t('vehicle.plate'), required: true, error: form.errors.plate }),
      select({
        id: 'carParkId',
        label: t('op.park'),
        options: parks.map(({ id, name, currency }) => [id, `${name} (${currency})`]),
        error: form.errors.carParkId,
      }),
      field({
        id: 'amount',
        label: t('fine.amount'),
        hint: t('op.fine.amount.hint'),
        inputmode: 'decimal',
        autocomplete: 'off',
        required: true,
        error: form.errors.amount,
      }),
      field({
        id: 'reason',
        label: t('fine.reason'),
        multiline: true,
        required: true,
        maxlength: LONGEST.reason,
        error: form.errors.reason,
      }),
      dialogActions(form, close, t('op.fine.new')),
    );
  });

// MARK: One fine

export function fineScreen({ fine: id }) {
  const screen = { id, source: createResource(() => api.get(escaped`/v1/fines/${id}`)), isSending: false };
  const { source } = screen;
  const stop = reloading(source);
  const unlisten = pictureEvents.on('expired', () => source.reload());
  const titleOf = () => source.value?.reference ?? t('fine.one');
  return {
    title: titleOf,
    view: () => [
      head(titleOf(), { back: '/car-parks/fines', age: source.at }),
      loaded(source, (fine) => content(screen, fine), empty('receipt', t('op.fines.none')), 6),
    ],
    leave() {
      stop();
      unlisten();
    },
  };
}

async function addPicture(screen, blob) {
  if (screen.isSending) return;
  screen.isSending = true;
  redraw();
  try {
    screen.source.value = await sendPicture(api, escaped`/v1/admin/fines/${screen.id}/photos`, blob);
  } catch (error) {
    toast(tProblem(error), 'danger');
  }
  screen.isSending = false;
  redraw();
}

async function decide({ source }, fine, outcome) {
  const decided = await decideDialog(fine, outcome);
  if (!decided) return;
  source.value = decided;
  toast(t('action.saved'), 'success');
  redraw();
}

const content = (screen, fine) =>
  h(
    'div',
    { class: 'columns even', key: 'columns' },
    section(
      t('fine.one'),
      { id: 'fine', actions: fineBadge(fine) },
      facts([
        [t('vehicle.plate'), plateOf(fine)],
        [t('op.park'), parkLink(fine.carPark)],
        [t('fine.reason'), fine.reason],
        [t('fine.amount'), money(fine.amount)],
        [t('fine.at'), dateTime(fine.issuedAt)],
        [t('booking.paid'), fine.paidAt && dateTime(fine.paidAt)],
      ]),
      pictures(fine.photos, t('fine.pictures')),
      fine.status !== 'cancelled' && fine.photos.length < MOST_PICTURES
        ? pictureButton(t('fine.picture.add'), screen.isSending, (blob) => addPicture(screen, blob))
        : null,
    ),
    h('div', { class: 'stack' }, story(fine), actions(screen, fine)),
  );

const story = ({ appeal, decision }) =>
  section(
    t('op.fine.appeal'),
    { id: 'appeal' },
    appeal
      ? [
          h('p', { key: 'text' }, appeal.text),
          h('p', { key: 'at', class: 'muted small' }, dateTime(appeal.at)),
          pictures(appeal.photos, t('fine.appeal.pictures')),
        ]
      : h('p', { class: 'muted' }, t('op.fine.noAppeal')),
    decision
      ? facts([
          [t('fine.decision'), decision.text],
          [t('op.time'), dateTime(decision.at)],
        ])
      : null,
  );

/** Paid at the desk, in cash or by terminal. */
const receiveFor = ({ source }, { id, reference, amount }) =>
  receiveButton(
    reference,
    amount,
    (body, key) => api.post(escaped`/v1/admin/fines/${id}/receive`, body, { key }),
    source.reload,
  );

const actions = (screen, fine) =>
  h(
    'div',
    { class: 'actions' },
    fine.status === 'issued' || fine.status === 'upheld'
      ? [receiveFor(screen, fine), button(t('op.fine.notice'), { icon: 'receipt', onclick: () => noticeDialog(fine) })]
      : null,
    fine.status === 'appealed'
      ? button(t('op.fine.upheld'), { look: 'primary', onclick: () => decide(screen, fine, 'upheld') })
      : null,
    fine.status === 'cancelled'
      ? null
      : button(t('op.fine.cancelled'), { look: 'danger', onclick: () => decide(screen, fine, 'cancelled') }),
  );

const pictures = (photos, label) =>
  photos.length
    ? h(
        'ul',
        { class: 'photos', 'aria-label': label },
        photos.map((src, i) =>
          h(
            'li',
            { key: src.split('?')[0] },
            h(
              'a',
              { href: src, target: '_blank', rel: 'noopener' },
              picture(src, noPicture, { loading: 'lazy', alt: t('fine.picture', { number: i + 1 }) }),
            ),
          ),
        ),
      )
    : h('p', { class: 'muted' }, t('op.fine.noPictures'));

/** Resolves with the decided fine. */
const decideDialog = ({ id, status }, outcome) =>
  formDialog(t(`op.fine.${outcome}`), (form, close) => {
    const send = async ({ text }) =>
      close(await api.post(escaped`/v1/admin/fines/${id}/decision`, { outcome, text: text.trim() }));
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t(status === 'paid' ? 'op.fine.refund' : `op.fine.${outcome}.text`)),
      field({
        id: 'text',
        label: t('op.reason'),
        hint: t('op.fine.decision.hint'),
        multiline: true,
        required: true,
        maxlength: LONGEST.decision,
        error: form.errors.text,
      }),
      dialogActions(form, close, t(`op.fine.${outcome}`), outcome === 'cancelled' ? 'danger' : 'primary'),
    );
  });
