// When to go: now, or at a local time of the place.

import { momentOf, nextQuarter, wallTime, zoneHint } from '/apps/shared/car-parks.js';
import { serverNow } from '/apps/shared/clock.js';
import { h } from '/apps/shared/dom.js';
import { dateTime, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { choices, field } from '/apps/shared/ui.js';

/** A time within the last minute still counts; in ms. */
const MINUTE = 60_000;
/** A past time counts as none. */
export const isToCome = (at) => Date.parse(at) >= serverNow() - MINUTE;

/**
 * `when` is `{}` for now, or one of `names` with a time, as in `{ departAt }`; `word` explains a time other than the
 * chosen one. Times are those of `zone`, or of this device.
 */
export function whenView({ when, names, zone, word = null, onchange }) {
  const [chosen, at] = Object.entries(when)[0] ?? ['now', null];
  const said = at && !isToCome(at) ? t('places.when.past') : word;
  return [
    h(
      'details',
      { class: 'fold', key: 'when' },
      h(
        'summary',
        null,
        at && !said ? t(`places.when.${chosen}.time`, { time: dateTime(at, zone) }) : t('places.when.now'),
        icon('next'),
      ),
      h(
        'div',
        { class: 'stack' },
        choices({
          name: 'when',
          label: t('places.when'),
          hideLabel: true,
          value: chosen,
          options: ['now', ...names].map((name) => [name, t(`places.when.${name}`)]),
          onchange: (name) => onchange(name === 'now' ? {} : { [name]: at ?? new Date(nextQuarter()).toISOString() }),
        }),
        at
          ? field({
              id: 'when-at',
              label: t('places.when.at'),
              type: 'datetime-local',
              value: wallTime(at, zone),
              min: wallTime(serverNow(), zone),
              hint: zoneHint(zone),
              onchange: ({ target }) => target.value && onchange({ [chosen]: momentOf(target.value, zone) }),
            })
          : null,
      ),
    ),
    h('p', { class: said ? 'hint' : 'visually-hidden', role: 'status', key: 'when-word' }, said),
  ];
}
