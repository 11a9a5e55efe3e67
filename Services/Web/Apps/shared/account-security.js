// The security of an account: the password, two-step sign-in, and the devices that are signed in.

import { folded, run } from './account-parts.js';
import { passwordField } from './auth-parts.js';
import { escaped } from './api.js';
import { h } from './dom.js';
import { dateTime, t } from './i18n.js';
import { button, problemNotice, skeleton, toast } from './ui.js';

export const securityCard = (account) =>
  h(
    'section',
    { class: 'card stack', key: 'security' },
    h('h2', null, t('me.security')),
    folded(t('me.password'), passwordForm(account)),
    folded(t('factor.title'), account.factors.draw(), {
      ontoggle: ({ target }) => target.open && account.factors.load(),
    }),
    folded(t('me.sessions'), sessionList(account), {
      ontoggle: ({ target }) => target.open && !account.sessions && loadSessions(account),
    }),
  );

function passwordForm(account) {
  const { api, password: form } = account;
  const send = (event) => {
    const node = event.currentTarget;
    form.submit((values) => changePassword(account, node, values))(event);
  };
  return form.view(
    { onsubmit: send },
    // Tells password managers whose password it is.
    h('input', {
      type: 'text',
      class: 'visually-hidden',
      autocomplete: 'username',
      value: api.account.phone || api.account.email,
      readonly: true,
      tabindex: '-1',
      'aria-hidden': 'true',
    }),
    passwordField(form, { id: 'currentPassword', label: t('me.password.current') }),
    passwordField(form, { id: 'newPassword', isNew: true, label: t('account.newPassword') }),
    button(t('me.password'), { type: 'submit', look: 'primary', isBusy: form.isBusy }),
  );
}

async function changePassword(account, node, { currentPassword, newPassword }) {
  await account.api.post('/v1/me/password', { currentPassword, newPassword });
  node.reset();
  node.closest('details').open = false;
  account.sessions = null;
  toast(t('me.password.done'), 'success');
}

// MARK: Sessions

function sessionList(account) {
  const { sessions, problem, busy } = account;
  if (!sessions) return problem ? problemNotice(problem) : skeleton(3);
  return [
    h(
      'ul',
      { class: 'list lined' },
      sessions.map((session) => sessionRow(account, session)),
    ),
    sessions.length > 1
      ? button(t('me.sessions.others'), { onclick: () => endOthers(account), isBusy: busy.sessions })
      : null,
  ];
}

const sessionRow = (account, { id, userAgent, isCurrent, lastUsedAt }) =>
  h(
    'li',
    { class: 'list-item still', key: id },
    h(
      'div',
      { class: 'grow' },
      h('p', { class: 'strong' }, deviceOf(userAgent) ?? t('me.session.unknown')),
      h(
        'p',
        { class: 'muted small' },
        isCurrent ? t('me.session.this') : t('me.session.used', { time: dateTime(lastUsedAt) }),
      ),
    ),
    isCurrent ? null : button(t('me.session.end'), { look: 'quiet', onclick: () => endSession(account, id) }),
  );

const loadSessions = (account) =>
  run(account, 'sessions', async () => (account.sessions = (await account.api.get('/v1/me/sessions')).items));

const endSession = (account, id) =>
  run(account, 'sessions', async () => {
    await account.api.delete(escaped`/v1/me/sessions/${id}`);
    account.sessions = account.sessions.filter((session) => session.id !== id);
  });

const endOthers = (account) =>
  run(account, 'sessions', async () => {
    for (const { id, isCurrent } of account.sessions)
      if (!isCurrent) await account.api.delete(escaped`/v1/me/sessions/${id}`);
    account.sessions = account.sessions.filter(({ isCurrent }) => isCurrent);
    toast(t('me.sessions.done'), 'success');
  });

/** "Chrome · Android" from a user agent, as a best guess. */
export function deviceOf(userAgent) {
  if (!userAgent) return null;
  const find = (names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser/, 'Samsung Internet'],
    [/Firefox|FxiOS/, 'Firefox'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ]);
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS/, 'macOS'],
    [/Windows/, 'Windows'],
    [/Linux|X11/, 'Linux'],
  ]);
  return [browser, system].filter(Boolean).join(' · ') || userAgent.slice(0, 40);
}
