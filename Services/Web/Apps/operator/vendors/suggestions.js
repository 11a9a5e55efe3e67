// People's suggestions about vendors, to be accepted or declined.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, distance, hasText, t, tProblem } from '/apps/shared/i18n.js';
import { metersBetween } from '/apps/shared/position.js';
import { button, choices, empty, facts, toast } from '/apps/shared/ui.js';
import { api, redraw } from '../context.js';
import { createPages, shortID, shownPages, table } from '../parts.js';
import { kindText, yesNo } from './words.js';

const LABELS = {
  name: 'op.name',
  kind: 'places.suggest.kind',
  address: 'places.address',
  phone: 'places.phone',
  website: 'places.website',
  openingHours: 'places.hours',
  acceptsStamps: 'places.stamps',
  isGone: 'places.suggest.gone',
};

/** Vendors with suggestions, by id; undefined while one is loading, null if it was removed. */
const known = new Map();
function vendorOf(id) {
  if (!known.has(id)) {
    known.set(id, undefined);
    api
      .get(escaped`/v1/vendors/${id}`)
      .then(
        (vendor) => known.set(id, vendor),
        () => known.set(id, null),
      )
      .finally(redraw);
  }
  return known.get(id);
}

/** Distance from the vendor's current position; an accepted suggestion is there already. */
function moveText(position, { vendor, status }) {
  if (status === 'accepted') return t('op.suggestions.isMoved');
  const now = vendorOf(vendor);
  return now ? t('op.suggestions.moved', { distance: distance(metersBetween(now.position, position)) }) : '…';
}

function otherText(id) {
  const other = vendorOf(id);
  return other ? [other.name, other.address].filter(Boolean).join(', ') : other === null ? shortID(id) : '…';
}

function valueText(name, value, suggestion) {
  if (typeof value === 'boolean') return yesNo(value);
  if (name === 'kind') return kindText(value);
  if (name === 'acceptsStamps') return t(`places.stamps.${value}`);
  if (name === 'position') return moveText(value, suggestion);
  return name === 'duplicateOf' ? otherText(value) : String(value);
}

/** Each changed field with its suggested value. */
function changeList(suggestion) {
  const { accessibility = {}, ...change } = suggestion.change;
  const { measured, ...measures } = accessibility;
  const label = (name) => t(LABELS[name] ?? `op.suggestions.${name}`);
  return facts([
    ...Object.entries(change).map(([name, value]) => [label(name), valueText(name, value, suggestion)]),
    ...Object.entries(measures).map(([name, value]) => [
      hasText(`places.access.${name}`) ? t(`places.access.${name}`) : name,
      valueText(name, value),
    ]),
  ]);
}

export function createSuggestions(ondecided) {
  let status = 'open';
  let busy = null;
  const pages = createPages('/v1/admin/vendor-suggestions', { status });

  async function decide({ id }, verb) {
    if (busy) return;
    busy = id;
    redraw();
    try {
      await api.post(escaped`/v1/admin/vendor-suggestions/${id}/${verb}`);
      toast(t(verb === 'accept' ? 'op.suggestions.isAccepted' : 'op.suggestions.isDeclined'), 'success');
    } catch (error) {
      toast(tProblem(error), 'danger');
    }
    busy = null;
    known.clear();
    pages.reload();
    ondecided();
  }

  const columns = () => [
    {
      label: t('op.name'),
      isHead: true,
      cell: ({ vendorName, suggestedAt }) =>
        h('span', null, vendorName, h('span', { class: 'muted small block' }, dateTime(suggestedAt))),
    },
    { label: t('op.suggestions.change'), cell: changeList },
    {
      label: '',
      cell: (one) =>
        one.status === 'open'
          ? h(
              'div',
              { class: 'row wrap' },
              ['accept', 'decline'].map((verb) =>
                button(t(`op.suggestions.${verb}`), {
                  key: verb,
                  look: verb === 'accept' ? 'primary' : 'plain',
                  isBusy: busy === one.id,
                  'aria-label': t(`op.suggestions.${verb}.of`, { name: one.vendorName }),
                  onclick: () => decide(one, verb),
                }),
              ),
            )
          : t(`op.suggestions.${one.status}`),
    },
  ];

  return {
    reload() {
      known.clear();
      pages.reload();
    },
    get at() {
      return pages.at;
    },
    view: () => [
      choices({
        name: 'suggestions',
        label: t('op.suggestions.status'),
        hideLabel: true,
        value: status,
        options: ['open', 'accepted', 'declined'].map((one) => [one, t(`op.suggestions.${one}`)]),
        onchange: (one) => {
          status = one;
          pages.reload({ status });
        },
      }),
      shownPages(
        pages,
        (items) => table(t('op.vendors.view.suggestions'), columns(), items),
        empty('check', t('op.suggestions.none')),
      ),
    ],
  };
}
