// Text messages and mails to a person, where the server keeps them.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { button, empty, field } from '/apps/shared/ui.js';
import { createPages, follow, head, moment, shownPages, table } from './parts.js';

const PACE = 10_000;

export function messagesScreen() {
  const screen = { contact: '', pages: createPages('/v1/admin/messages') };
  const { pages } = screen;
  const stop = follow(pages, PACE);
  const isNotKept = () => pages.error?.status === 404 || pages.error?.status === 409;
  return {
    title: () => t('op.nav.messages'),
    view: () => [
      head(t('op.nav.messages'), { lead: t('op.messages.lead'), age: pages.at }),
      isNotKept()
        ? empty('message', t('op.messages.notKept'), t('op.messages.notKept.text'))
        : [
            searchForm(screen),
            shownPages(pages, messagesTable, empty('message', t('op.messages.none'), t('op.messages.none.text'))),
          ],
    ],
    leave: stop,
  };
}

/** E.164 from a typed number: spaces, hyphens and brackets go, 00 becomes +. */
const phoneNumber = (text) => text.replace(/[\s()-]/g, '').replace(/^00/, '+');

const queryOf = (contact) => (contact.includes('@') ? { email: contact.trim() } : { phone: phoneNumber(contact) });

const searchForm = (screen) =>
  h(
    'form',
    {
      class: 'panel inline-form',
      role: 'search',
      onsubmit(event) {
        event.preventDefault();
        screen.pages.reload(queryOf(screen.contact));
      },
    },
    field({
      id: 'message-contact',
      label: t('op.messages.contact'),
      type: 'search',
      inputmode: 'email',
      value: screen.contact,
      autocomplete: 'off',
      placeholder: '+…',
      oninput: (event) => {
        screen.contact = event.target.value;
      },
    }),
    button(t('op.search'), { type: 'submit', icon: 'search' }),
  );

const messagesTable = (items) =>
  table(
    t('op.nav.messages'),
    [
      { label: t('op.time'), isHead: true, cell: (one) => moment(one.sentAt) },
      {
        label: t('op.messages.to'),
        cell: ({ email, phone }) =>
          h('a', { href: email ? `mailto:${email}` : `tel:${phone}`, class: 'nowrap' }, email ?? phone),
      },
      { label: t('op.messages.text'), cell: (one) => one.text },
    ],
    items,
    { key: (one, i) => `${one.sentAt}-${one.email ?? one.phone}-${i}` },
  );
