// A driver's or passenger's public page: stars and comments.

import { escaped } from '/apps/shared/api.js';
import { h } from '/apps/shared/dom.js';
import { day, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { screen as page } from '/apps/shared/shell.js';
import { avatar, rating } from '/apps/shared/people.js';
import { empty, problemNotice, skeleton } from '/apps/shared/ui.js';
import { conductButtons } from './contact.js';
import { moreButton } from '../shared/entries.js';
import { asOf } from './entries.js';
import { REQUESTS } from './paths.js';
import { nameOf } from './words.js';

export const createPerson = (app) => ({ draw: ({ id }) => draw(app, id) });

function draw(app, id) {
  const { api, redraw, resources, seen } = app;
  const summary = resources.get(escaped`/v1/users/${id}/rating`);
  const comments = resources.list(escaped`/v1/users/${id}/comments`);
  const requests = resources.list(`${REQUESTS}?open=true`);
  const known = companionOf(requests.value?.items ?? [], id);
  const person = known ?? seen.get(id) ?? { id, firstName: '' };
  // Content that loads later above it would move it from under a finger.
  const isStill = [summary, comments, requests].every((entry) => entry.value || entry.error);
  const reload = () => resources.reload('/v1/users/');
  return {
    title: t('lift.person'),
    view: page(
      t('lift.person'),
      { back: '/lift' },
      card(person, summary.value, known?.phone),
      summary.error ? problemNotice(summary.error, reload) : null,
      h('h2', { key: 'said' }, t('lift.comments')),
      asOf(comments),
      comments.value
        ? commentList(comments.value.items)
        : comments.error
          ? problemNotice(comments.error, reload)
          : skeleton(3),
      moreButton(resources, comments),
      person.firstName && isStill ? conductButtons(api, person, { blocked: redraw }) : null,
    ),
  };
}

/** The person as a driver or passenger of a shared ride, with the phone number if it is visible. */
export function companionOf(seats, id) {
  const known = seats.flatMap(({ driver, passenger }) => [driver, passenger]).filter((one) => one.id === id);
  return known.find(({ phone }) => phone) ?? known[0] ?? null;
}

const card = (person, summary, phone) =>
  h(
    'section',
    { class: 'card stack', key: 'who' },
    h(
      'div',
      { class: 'row' },
      avatar(person, 'large'),
      h('div', { class: 'grow' }, h('h2', null, nameOf(person)), summary ? stars(summary) : null),
    ),
    phone
      ? h(
          'div',
          { class: 'actions' },
          h('a', { class: 'button', href: `tel:${phone}` }, icon('phone'), t('action.call')),
          h('a', { class: 'button', href: `sms:${phone}` }, icon('message'), t('lift.message.send')),
        )
      : h('p', { class: 'muted small' }, t('lift.contact.later')),
  );

const stars = ({ average, count }) =>
  h(
    'p',
    { class: 'row wrap' },
    rating(average),
    count ? h('span', { class: 'muted small' }, t('lift.ratings', { count })) : null,
  );

const commentList = (comments) =>
  comments.length
    ? h('ul', { class: 'list', key: 'comments', 'aria-label': t('lift.comments') }, comments.map(comment))
    : empty('message', t('lift.comments.none'));

const comment = ({ stars: given, comment: text, updatedAt }, i) =>
  h(
    'li',
    { class: 'card stack tight', key: i },
    h('div', { class: 'row between' }, rating(given), h('span', { class: 'muted small' }, day(updatedAt))),
    h('p', null, text),
  );
