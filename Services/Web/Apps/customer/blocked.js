// The profile's card of blocked people.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { dateTime, t, tProblem } from '/apps/shared/i18n.js';
import { button, problemNotice, skeleton, toast } from '/apps/shared/ui.js';

const PATH = '/v1/me/blocks';

export function createBlocked({ api, redraw, resources }) {
  let busy = null;

  const unblock =
    ({ person, firstName: name }) =>
    async () => {
      if (busy) return;
      busy = person;
      redraw();
      try {
        await api.delete(escaped`/v1/me/blocks/${person}`);
        const { value } = resources.list(PATH);
        value.items = value.items.filter((one) => one.person !== person);
        toast(t('blocked.undone', { name }), 'success');
      } catch (error) {
        toast(tProblem(error), 'danger');
      }
      busy = null;
      redraw();
    };

  const line = (one) =>
    h(
      'li',
      { class: 'list-item still', key: one.person },
      h(
        'div',
        { class: 'grow' },
        h('p', { class: 'strong' }, one.firstName),
        h('p', { class: 'muted small' }, t('blocked.since', { time: dateTime(one.createdAt) })),
      ),
      button(t('blocked.undo'), {
        look: 'quiet',
        isBusy: busy === one.person,
        onclick: unblock(one),
        'aria-label': t('blocked.undo.of', { name: one.firstName }),
      }),
    );

  function content(entry) {
    const { value, error, isLoading } = entry;
    if (!value) return error ? problemNotice(error, () => resources.reload(PATH)) : skeleton(2);
    return [
      value.items.length
        ? h('ul', { class: 'list lined', key: 'items' }, value.items.map(line))
        : h('p', { class: 'muted', key: 'none' }, t('blocked.none')),
      error ? problemNotice(error, () => resources.reload(PATH)) : null,
      value.next
        ? button(t('action.more'), { wide: true, isBusy: isLoading, onclick: () => resources.more(entry) })
        : null,
    ];
  }

  return {
    draw: () =>
      h(
        'section',
        { class: 'card stack', key: 'blocked' },
        h('h2', null, t('blocked.title')),
        h('p', { class: 'hint' }, t('blocked.lead')),
        content(resources.list(PATH)),
      ),
  };
}
