// A car park now: free spaces, vehicles inside and expected, prices, gates; it is opened, closed and removed here.

import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { money, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { go } from '/apps/shared/shell.js';
import {
  badge,
  button,
  confirm,
  empty,
  facts,
  iconButton,
  noPicture,
  notice,
  picture,
  problemNotice,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { pictureButton, sendPicture } from '/apps/shared/pictures.js';
import { byUnit, hours, stateBadge, stateOf, unitPrice } from '/apps/shared/car-parks.js';
import { api, redraw } from '../context.js';
import { everyPage } from '../store.js';
import { createResource, every, head, section, shortID, shown, since, table } from '../parts.js';
import { closeDialog, gateDialog, occupancyDialog, productDialog, tokenDialog } from './dialogs.js';

const PACE = 10_000;
const MOST_PHOTOS = 10;

export function parkScreen({ id }) {
  const path = escaped`/v1/car-parks/${id}`;
  const admin = escaped`/v1/admin/car-parks/${id}`;
  const park = createResource(() => api.get(path));
  const bookings = createResource(() => everyPage('/v1/bookings', { carParkId: id, state: 'current' }));
  const gates = createResource(async () =>
    (await everyPage('/v1/admin/gates')).filter((gate) => gate.carParkId === id),
  );
  let busy = null;
  const stop = every(PACE, () => [park, bookings].forEach((one) => one.isBusy || one.reload()));

  /** Runs one action at a time, and shows why it failed. */
  async function act(name, task) {
    if (busy) return;
    busy = name;
    redraw();
    try {
      await task();
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    busy = null;
    redraw();
  }

  const open = () =>
    act('open', async () => {
      park.value = await api.put(`${admin}/status`, { status: 'open' });
      toast(t('op.park.opened'), 'success');
    });
  const close = async () => (await closeDialog(admin)) && park.reload();
  const remove = async () => {
    if (
      !(await confirm(t('op.park.remove.sure'), t('op.park.remove.text'), {
        yes: t('op.park.remove'),
        no: t('action.keep'),
        look: 'danger',
      }))
    )
      return;
    act('remove', async () => {
      await api.delete(admin);
      toast(t('op.park.removed'), 'success');
      go('/car-parks');
    });
  };
  const rotate = async (gate) => {
    if (
      !(await confirm(t('op.gate.rotate.sure', { name: gate.name }), t('op.gate.rotate.text'), {
        yes: t('op.gate.rotate'),
        no: t('action.cancel'),
        look: 'danger',
      }))
    )
      return;
    act(gate.id, async () => tokenDialog(gate.name, (await api.post(escaped`/v1/admin/gates/${gate.id}/token`)).token));
  };
  const addGate = async () => {
    const made = await gateDialog(id);
    if (!made) return;
    gates.reload();
    tokenDialog(made.name, made.token);
  };

  // Pictures
  const arrange = (name, { version }, photos) =>
    act(name, async () => {
      park.value = await api.put(`${admin}/photos`, { photos }, { headers: { 'If-Match': `"${version}"` } });
    });
  const addPhoto = (blob) =>
    act('photo', async () => {
      park.value = await sendPicture(api, `${admin}/photos`, blob);
    });
  const removePhoto = async (one, src, number) => {
    if (
      await confirm(t('op.park.photo.remove.sure', { number }), '', {
        yes: t('op.park.photo.remove', { number }),
        no: t('action.keep'),
        look: 'danger',
      })
    )
      arrange(
        src,
        one,
        one.photos.filter((other) => other !== src),
      );
  };
  const photos = (one) =>
    section(
      t('park.photos'),
      { id: 'photos' },
      one.photos.length
        ? h(
            'ol',
            { class: 'photos', 'aria-label': t('park.photos') },
            one.photos.map((src, i) => {
              const number = i + 1;
              return h(
                'li',
                { key: src },
                picture(src, noPicture, { loading: 'lazy', alt: t('park.photo', { number, name: one.name }) }),
                h(
                  'div',
                  { class: 'row between' },
                  i
                    ? button(t('op.park.photo.first', { number }), {
                        isBusy: busy === src,
                        onclick: () => arrange(src, one, [src, ...one.photos.filter((other) => other !== src)]),
                      })
                    : null,
                  iconButton('trash', t('op.park.photo.remove', { number }), () => removePhoto(one, src, number)),
                ),
              );
            }),
          )
        : h('p', { class: 'muted' }, t('op.park.photos.none')),
      one.photos.length < MOST_PHOTOS ? pictureButton(t('fine.picture.add'), busy === 'photo', addPhoto) : null,
    );

  const state = (one) => {
    const isClosed = one.status === 'closed';
    return section(
      t('op.state'),
      { id: 'state', actions: stateBadge(one) },
      isClosed
        ? notice('warning', one.statusReason ? t('park.closed.reason', { reason: one.statusReason }) : t('park.closed'))
        : null,
      stateOf(one) === 'shut' ? h('p', { class: 'muted' }, t('park.shut')) : null,
      facts([
        [t('op.address'), one.address],
        [t('park.hours'), hours(one.openingHours)],
        [t('op.park.zone'), one.timeZone],
        [t('park.phone'), one.phone],
      ]),
      h(
        'div',
        { class: 'actions' },
        isClosed
          ? button(t('op.park.open'), { look: 'primary', isBusy: busy === 'open', onclick: open })
          : button(t('op.park.close'), { look: 'danger', onclick: close }),
      ),
    );
  };

  /** Counts the current bookings inside and expected; the newest pages suffice. */
  const expected = (list) => {
    const isDue = ({ status, start }) => status === 'confirmed' && Date.parse(start) <= serverNow();
    return facts([
      [t('op.park.inside'), list.filter(({ status }) => status === 'active').length],
      [t('op.park.due'), list.filter(isDue).length],
      [t('op.park.coming'), list.filter((one) => one.status === 'confirmed' && !isDue(one)).length],
    ]);
  };

  const occupancy = (one) =>
    section(
      t('op.park.occupancy'),
      {
        id: 'occupancy',
        actions: button(t('op.park.count'), {
          icon: 'edit',
          onclick: async () => (await occupancyDialog(admin, one)) && park.reload(),
        }),
      },
      one.spaces.length
        ? table(
            t('op.park.occupancy'),
            [
              { label: t('park.class'), isHead: true, cell: (row) => t(`park.class.${row.class}`) },
              {
                label: t('op.parks.free'),
                isAmount: true,
                cell: (row) => h('strong', null, row.free === null || row.freshness === 'unknown' ? '–' : row.free),
              },
              { label: t('op.park.capacity'), isAmount: true, cell: (row) => row.capacity },
              { label: t('op.park.bookable'), isAmount: true, cell: (row) => one.bookable[row.class] ?? 0 },
              {
                label: t('op.park.counted'),
                cell: (row) =>
                  row.at
                    ? h(
                        'span',
                        null,
                        since(row.at, 'age'),
                        row.source
                          ? h('span', { class: 'muted small block' }, t(`op.park.source.${row.source}`))
                          : null,
                        row.freshness === 'live' ? null : badge(t('op.parks.old'), 'warning'),
                      )
                    : t('op.park.never'),
              },
            ],
            one.spaces,
            { key: (row) => row.class, isTight: true },
          )
        : h('p', { class: 'muted' }, t('op.park.noSpaces')),
      shown(bookings, expected, 2),
    );

  const products = ({ products: list, currency }) =>
    section(
      t('park.prices'),
      {
        id: 'products',
        actions: button(t('op.product.new'), {
          icon: 'plus',
          onclick: async () => (await productDialog(admin, currency)) && park.reload(),
        }),
      },
      list.length
        ? table(
            t('park.prices'),
            [
              {
                label: t('op.name'),
                isHead: true,
                cell: (one) =>
                  h(
                    'span',
                    null,
                    one.name,
                    h('span', { class: 'muted small block' }, t('op.product.version', { version: one.version })),
                  ),
              },
              {
                label: t('op.product.price'),
                isAmount: true,
                cell: (one) => unitPrice({ amount: one.price, currency }, one.kind),
              },
              { label: t('park.class'), cell: (one) => one.classes.map((kind) => t(`park.class.${kind}`)).join(', ') },
              { label: t('op.product.quantity'), cell: (one) => `${one.minQuantity}–${one.maxQuantity}` },
              {
                label: t('op.state'),
                cell: (one) => (one.isOffered ? badge(t('op.product.offered'), 'success') : badge(t('op.product.off'))),
              },
              {
                label: '',
                cell: (one) =>
                  iconButton(
                    'edit',
                    t('op.product.edit', { name: one.name }),
                    async () => (await productDialog(admin, currency, one)) && park.reload(),
                  ),
              },
            ],
            byUnit(list),
            { isTight: true },
          )
        : h('p', { class: 'muted' }, t('op.product.none')),
    );

  const gateList = (list) =>
    list.length
      ? table(
          t('op.gates'),
          [
            { label: t('op.name'), isHead: true, cell: (gate) => gate.name },
            { label: t('op.gate.id'), cell: (gate) => shortID(gate.id) },
            {
              label: '',
              cell: (gate) =>
                button(t('op.gate.rotate'), {
                  isBusy: busy === gate.id,
                  'aria-label': t('op.gate.rotate.of', { name: gate.name }),
                  onclick: () => rotate(gate),
                }),
            },
          ],
          list,
          { isTight: true },
        )
      : h('p', { class: 'muted' }, t('op.gates.none'));

  const content = (one) =>
    h(
      'div',
      { class: 'columns', key: 'columns' },
      h(
        'div',
        { class: 'stack' },
        occupancy(one),
        products(one),
        section(
          t('op.gates'),
          { id: 'gates', actions: button(t('op.gate.new'), { icon: 'plus', onclick: addGate }) },
          shown(gates, gateList, 2),
        ),
      ),
      h(
        'div',
        { class: 'stack' },
        state(one),
        section(
          t('park.about'),
          { id: 'about' },
          facts([
            [t('park.maxHeight'), one.maxHeightMeters && t('park.meters', { meters: one.maxHeightMeters })],
            [t('park.features'), one.features.map((feature) => t(`park.feature.${feature}`)).join(', ')],
            [t('op.park.overstayFee'), money({ amount: one.overstayFee, currency: one.currency })],
            [t('op.park.terms'), t('op.product.version', { version: one.terms.version })],
          ]),
          h(
            'p',
            { class: 'muted small' },
            t('park.cancellation', {
              count: one.cancellation.freeUntilHours,
              percent: one.cancellation.lateRefundPercent,
            }),
          ),
        ),
        photos(one),
        button(t('op.park.remove'), {
          look: 'quiet danger-text',
          icon: 'trash',
          isBusy: busy === 'remove',
          onclick: remove,
        }),
      ),
    );

  return {
    title: () => park.value?.name ?? t('op.park'),
    view() {
      const { value, error } = park;
      const link = (to, name, label, look = 'button') =>
        h('a', { class: look, href: `#/car-parks/${to}` }, icon(name), label);
      if (!value)
        return [
          head(t('op.park'), { back: '/car-parks' }),
          error
            ? error.status === 404
              ? empty('parking', t('op.park.gone'))
              : problemNotice(error, park.reload)
            : skeleton(8),
        ];
      return [
        head(value.name, {
          back: '/car-parks',
          age: park.at,
          actions: [
            link(`bookings?carPark=${id}`, 'list', t('op.parks.bookings')),
            link(`stays?carPark=${id}`, 'car', t('op.stays')),
            link(`${id}/report`, 'chart', t('op.report')),
            link(`${id}/edit`, 'edit', t('action.edit'), 'button primary'),
          ],
        }),
        error ? problemNotice(error, park.reload) : null,
        content(value),
      ];
    },
    leave: stop,
  };
}
