// Fines: issued to a plate, with pictures; appeals are decided here.

import { h, uuid } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, minorUnits, money, t, tProblem } from '/apps/shared/i18n.js';
import { go } from '/apps/shared/shell.js';
import {
  button,
  empty,
  facts,
  field,
  noPicture,
  picture,
  pictureEvents,
  plateField,
  problemNotice,
  select,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { MOST_PICTURES, pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { FINE_STATES, fineBadge } from '/apps/shared/car-parks.js';
import { api, redraw } from '../context.js';
import { everyPage } from '../store.js';
import {
  createPages,
  createResource,
  dialogActions,
  every,
  formDialog,
  head,
  section,
  shownPages,
  table,
} from '../parts.js';
import { read } from './dialogs.js';

const FINES = '/v1/admin/fines';
const PACE = 15_000;
const PAGE = 50;
const LONGEST = { reason: 500, decision: 1_000 };

const plateOf = ({ plate }) => h('span', { class: 'plate' }, plate);
const parkLink = ({ carPark: { id, name } }) => h('a', { href: `#/car-parks/${id}` }, name);

/** Resolves with the issued fine. */
const issueDialog = (parks, key = uuid()) =>
  formDialog(t('op.fine.new'), (form, close) => {
    const send = async ({ plate, carParkId, amount, reason }) => {
      const { currency } = parks.find(({ id }) => id === carParkId);
      const minor = Math.round(read(amount) * minorUnits(currency));
      if (!(minor > 0)) form.refuse({ amount: t('op.park.number') });
      close(await api.post(FINES, { plate: plate.trim(), carParkId, amount: minor, reason: reason.trim() }, { key }));
    };
    return form.view(
      { onsubmit: form.submit(send) },
      h('p', null, t('op.fine.new.text')),
      plateField({ id: 'plate', label: t('vehicle.plate'), required: true, maxlength: 20, error: form.errors.plate }),
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

export function finesScreen() {
  const filter = { state: 'appealed', plate: '', carParkId: '' };
  const pages = createPages(FINES, { ...filter }, PAGE);
  const parks = createResource(() => everyPage('/v1/car-parks'));
  const stop = every(PACE, () => pages.items.length <= PAGE && !pages.isBusy && pages.reload());
  const set = (change) => {
    Object.assign(filter, change);
    pages.reload({ ...filter });
  };
  const issue = async () => {
    const made = await issueDialog(parks.value);
    if (made) go(escaped`/car-parks/fines/${made.id}`);
  };
  const columns = [
    {
      label: t('op.booking.reference'),
      isHead: true,
      cell: ({ id, reference }) => h('a', { class: 'ticket', href: `#/car-parks/fines/${id}` }, reference),
    },
    { label: t('vehicle.plate'), cell: plateOf },
    { label: t('op.park'), cell: parkLink },
    { label: t('fine.reason'), cell: ({ reason }) => reason },
    { label: t('fine.at'), cell: ({ issuedAt }) => h('span', { class: 'nowrap' }, dateTime(issuedAt)) },
    { label: t('op.state'), cell: fineBadge },
    { label: t('fine.amount'), isAmount: true, cell: ({ amount }) => money(amount) },
  ];
  const all = () => [['', t('op.state.all')]];
  return {
    title: () => t('fines.title'),
    view: () => [
      head(t('fines.title'), {
        back: '/car-parks',
        age: pages.at,
        actions: parks.value?.length
          ? button(t('op.fine.new'), { look: 'primary', icon: 'plus', onclick: issue })
          : null,
      }),
      h(
        'div',
        { class: 'panel form-grid', role: 'search', 'aria-label': t('op.filter') },
        select({
          id: 'filter-state',
          label: t('op.state'),
          value: filter.state,
          options: [...all(), ...FINE_STATES.map((state) => [state, t(`fine.status.${state}`)])],
          onchange: ({ target }) => set({ state: target.value }),
        }),
        select({
          id: 'filter-park',
          label: t('op.park'),
          value: filter.carParkId,
          options: [...all(), ...(parks.value ?? []).map(({ id, name }) => [id, name])],
          onchange: ({ target }) => set({ carParkId: target.value }),
        }),
        field({
          id: 'filter-plate',
          label: t('vehicle.plate'),
          type: 'search',
          value: filter.plate,
          maxlength: 20,
          autocomplete: 'off',
          spellcheck: 'false',
          onchange: ({ target }) => set({ plate: target.value.trim() }),
        }),
      ),
      shownPages(
        pages,
        (items) => table(t('fines.title'), columns, items),
        empty('receipt', t('op.fines.none'), t('op.bookings.none.text')),
      ),
    ],
    leave: stop,
  };
}

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

export function fineScreen({ fine: id }) {
  const source = createResource(() => api.get(escaped`/v1/fines/${id}`));
  const stop = every(PACE, () => source.isBusy || source.reload());
  const unlisten = pictureEvents.on('expired', () => source.reload());
  let isSending = false;

  async function add(blob) {
    if (isSending) return;
    isSending = true;
    redraw();
    try {
      source.value = await sendPicture(api, escaped`/v1/admin/fines/${id}/photos`, blob);
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    isSending = false;
    redraw();
  }

  const decide = (one, outcome) => async () => {
    const decided = await decideDialog(one, outcome);
    if (!decided) return;
    source.value = decided;
    toast(t('action.saved'), 'success');
    redraw();
  };

  const actions = (one) =>
    h(
      'div',
      { class: 'actions' },
      one.status === 'appealed'
        ? button(t('op.fine.upheld'), { look: 'primary', onclick: decide(one, 'upheld') })
        : null,
      one.status === 'cancelled'
        ? null
        : button(t('op.fine.cancelled'), { look: 'danger', onclick: decide(one, 'cancelled') }),
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

  const content = (one) =>
    h(
      'div',
      { class: 'columns even', key: 'columns' },
      section(
        t('fine.one'),
        { id: 'fine', actions: fineBadge(one) },
        facts([
          [t('vehicle.plate'), plateOf(one)],
          [t('op.park'), parkLink(one)],
          [t('fine.reason'), one.reason],
          [t('fine.amount'), money(one.amount)],
          [t('fine.at'), dateTime(one.issuedAt)],
          [t('booking.paid'), one.paidAt && dateTime(one.paidAt)],
        ]),
        pictures(one.photos, t('fine.pictures')),
        one.status !== 'cancelled' && one.photos.length < MOST_PICTURES
          ? pictureButton(t('fine.picture.add'), isSending, add)
          : null,
      ),
      h('div', { class: 'stack' }, story(one), actions(one)),
    );

  return {
    title: () => source.value?.reference ?? t('fine.one'),
    view() {
      const { value, error } = source;
      return [
        head(value?.reference ?? t('fine.one'), { back: '/car-parks/fines', age: source.at }),
        value
          ? [error ? problemNotice(error, source.reload) : null, content(value)]
          : error
            ? error.status === 404
              ? empty('receipt', t('op.fines.none'))
              : problemNotice(error, source.reload)
            : skeleton(6),
      ];
    },
    leave() {
      stop();
      unlisten();
    },
  };
}
