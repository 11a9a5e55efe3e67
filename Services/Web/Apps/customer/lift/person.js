// A driver's or passenger's public page: stars and comments.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { day, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen } from '/apps/shared/shell.js';
import { avatar, button, empty, notice, problemNotice, rating, skeleton } from '/apps/shared/ui.js';
import { REQUESTS } from './paths.js';
import { nameOf, when } from './words.js';

export function createPerson({ api, redraw, resources, seen }) {
  const requests = () => resources.list(`${REQUESTS}?open=true`);
  /** The person as a driver or passenger of a shared ride, with the phone number if it is visible. */
  function known(id) {
    const seats = requests().value?.items ?? [];
    const others = seats.flatMap(({ driver, passenger }) => [driver, passenger]).filter((one) => one.id === id);
    return others.find(({ phone }) => phone) ?? others[0] ?? null;
  }
  async function conduct(one, what) {
    const { reportPerson, blockPerson } = await import('../conduct.js');
    if (what === 'report') await reportPerson(api, one);
    else if (await blockPerson(api, one)) redraw();
  }

  const comment = ({ stars, comment: text, updatedAt }, i) =>
    h(
      'li',
      { class: 'card stack tight', key: i },
      h('div', { class: 'row between' }, rating(stars), h('span', { class: 'muted small' }, day(updatedAt))),
      h('p', null, text),
    );

  return {
    draw({ id }) {
      const summary = resources.get(escaped`/v1/users/${id}/rating`);
      const comments = resources.list(escaped`/v1/users/${id}/comments`);
      const one = known(id) ?? seen.get(id) ?? { id, firstName: '' };
      const name = nameOf(one);
      const phone = known(id)?.phone;
      const { value, error } = comments;
      // Content that loads later above it would move it from under a finger.
      const isStill = [summary, comments, requests()].every((entry) => entry.value || entry.error);
      return {
        title: t('lift.person'),
        view: screen(
          t('lift.person'),
          { back: '/lift' },
          h(
            'section',
            { class: 'card stack', key: 'who' },
            h(
              'div',
              { class: 'row' },
              avatar(one, 'large'),
              h(
                'div',
                { class: 'grow' },
                h('h2', null, name),
                summary.value
                  ? h(
                      'p',
                      { class: 'row wrap' },
                      rating(summary.value.average),
                      summary.value.count
                        ? h('span', { class: 'muted small' }, t('lift.ratings', { count: summary.value.count }))
                        : null,
                    )
                  : null,
              ),
            ),
            phone
              ? h(
                  'div',
                  { class: 'actions' },
                  h('a', { class: 'button', href: `tel:${phone}` }, icon('phone'), t('action.call')),
                  h('a', { class: 'button', href: `sms:${phone}` }, icon('message'), t('lift.message.send')),
                )
              : h('p', { class: 'muted small' }, t('lift.contact.later')),
          ),
          summary.error ? problemNotice(summary.error, () => resources.reload('/v1/users/')) : null,
          h('h2', { key: 'said' }, t('lift.comments')),
          value && error ? notice('warning', t('state.asOf', { time: when(comments.at) })) : null,
          value
            ? value.items.length
              ? h('ul', { class: 'list', key: 'comments', 'aria-label': t('lift.comments') }, value.items.map(comment))
              : empty('message', t('lift.comments.none'))
            : error
              ? problemNotice(error, () => resources.reload('/v1/users/'))
              : skeleton(3),
          value?.next
            ? button(t('action.more'), {
                wide: true,
                isBusy: comments.isLoading,
                onclick: () => resources.more(comments),
              })
            : null,
          one.firstName && isStill
            ? h(
                'div',
                { class: 'actions', key: 'conduct' },
                button(t('lift.report'), { look: 'quiet', onclick: () => conduct(one, 'report') }),
                button(t('lift.block'), { look: 'quiet', onclick: () => conduct(one, 'block') }),
              )
            : null,
        ),
      };
    },
  };
}
