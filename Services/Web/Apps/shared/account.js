// A person's own account; the same in all apps, loaded on demand.

import { h, render } from './dom.js';
import { unverified } from './api.js';
import { addressCard } from './account-address.js';
import { contactCard, createContact } from './account-contacts.js';
import { run } from './account-parts.js';
import { securityCard } from './account-security.js';
import { nameFields, passwordField } from './auth-parts.js';
import { fullName, loadTexts, t, tProblem } from './i18n.js';
import { icon } from './icons.js';
import { shrinkPicture } from '/apps/shared/shrink-picture.js';
import { pushState, turnPushOff, turnPushOn } from './push.js';
import { screen } from './shell.js';
import { createSecondFactors } from './second-factors.js';
import { recall } from './storage.js';
import { confirm, dialog } from './dialogs.js';
import { createForm, languagePicker } from './forms.js';
import { avatar } from './people.js';
import { badge, button, pictureEvents, toast, toggle } from './ui.js';

await loadTexts('/apps/shared/texts/account');

/** Photos of people are shrunk to this size before they are sent. */
const PHOTO = { longest: 1024, quality: 0.88 };

/** Asks first if taps, or `more` items of the app, would be lost. */
export async function signOut(api, more = 0) {
  const count = (recall(`openvalet.${api.app}.outbox`) ?? []).length + more;
  const isSure =
    !count ||
    (await confirm(t('leave.title'), t('leave.text', { count }), {
      yes: t('auth.signOut'),
      no: t('action.cancel'),
      look: 'danger',
    }));
  if (isSure) await api.signOut();
}

/**
 * `back` is the target of the back button; `sections` are further cards of the app, drawn before "your data";
 * `unsent` counts unsent items of the app, besides taps.
 */
export function createAccount(api, { redraw, back = '/', sections = () => null, unsent = () => 0 }) {
  const account = {
    api,
    redraw,
    name: createForm(redraw),
    address: createForm(redraw),
    password: createForm(redraw, { 'account.wrong_password': 'currentPassword' }),
    contacts: ['phone', 'email'].map((kind) => createContact(api, kind, redraw)),
    factors: createSecondFactors(api, redraw),
    /** Names of tasks in progress, and why the last one failed. */
    busy: {},
    problem: null,
    push: { state: pushState(api), problem: null },
    sessions: null,
    isKnown: false,
  };
  pictureEvents.on('expired', () => {
    account.isKnown = false;
    redraw();
  });
  return {
    /** Clears loaded data, so that the screen fetches it again. */
    reset() {
      account.factors.reset();
      Object.assign(account, { isKnown: false, sessions: null, push: { state: pushState(api), problem: null } });
    },
    draw() {
      refresh(account);
      return {
        title: t('me.title'),
        view: screen(
          t('me.title'),
          { back },
          headCard(account),
          nameCard(account),
          contactCard(account.contacts),
          addressCard(account),
          choiceCard(account),
          sections(),
          securityCard(account),
          dataCard(account),
          button(t('auth.signOut'), { icon: 'exit', wide: true, onclick: () => signOut(api, unsent()) }),
        ),
      };
    },
  };
}

/** Signed photo URLs expire, so the account is fetched again when it is shown. */
function refresh(account) {
  const { api, redraw } = account;
  if (account.isKnown) return;
  account.isKnown = true;
  api
    .get('/v1/me')
    .then(api.setAccount)
    .then(redraw, () => (account.isKnown = false));
}

// MARK: The person

function headCard(account) {
  const { api, busy } = account;
  const { account: me } = api;
  return h(
    'section',
    { class: 'card stack', key: 'head' },
    h(
      'div',
      { class: 'row' },
      avatar(me, 'large'),
      h(
        'div',
        { class: 'grow stack tight' },
        h('p', { class: 'strong' }, fullName(me)),
        h('p', { class: 'muted numbers' }, me.phone || me.email),
        h(
          'div',
          { class: 'row wrap' },
          badge(t(unverified(me) ? 'me.unverified' : 'me.verified'), unverified(me) ? 'warning' : 'success'),
          unverified(me) ? h('a', { href: '#/code' }, t('me.verify')) : null,
        ),
      ),
    ),
    h(
      'div',
      { class: 'row wrap' },
      h(
        'label',
        { class: 'button', 'aria-busy': busy.photo ? 'true' : null },
        icon('camera'),
        t('me.photo'),
        h('input', {
          type: 'file',
          class: 'visually-hidden',
          accept: 'image/jpeg,image/png',
          onchange: ({ target }) => setPhoto(account, target),
        }),
      ),
      me.photoURL ? button(t('me.photo.remove'), { look: 'quiet', onclick: () => removePhoto(account) }) : null,
    ),
    h('p', { class: 'hint' }, t(`me.photo.hint.${api.app}`)),
  );
}

function setPhoto(account, input) {
  const { api } = account;
  const [file] = input.files;
  input.value = '';
  if (!file) return;
  run(account, 'photo', async () => {
    // If the browser can't read it, the server reports the error.
    const picture = await shrinkPicture(file, PHOTO).catch(() => file);
    const { photoURL } = await api.call('PUT', '/v1/me/photo', { raw: picture, type: picture.type });
    api.setAccount({ ...api.account, photoURL });
  });
}

const removePhoto = (account) =>
  run(account, 'photo', async () => {
    const { api } = account;
    await api.delete('/v1/me/photo');
    api.setAccount({ ...api.account, photoURL: null });
  });

function nameCard({ api, name: form }) {
  const save = async ({ firstName, lastName }) => {
    api.setAccount(await api.patch('/v1/me', { firstName: firstName.trim(), lastName: lastName.trim() }));
    toast(t('action.saved'), 'success');
  };
  return h(
    'section',
    { class: 'card stack', key: 'names' },
    h('h2', null, t('me.name')),
    form.view(
      { onsubmit: form.submit(save) },
      nameFields(form, api.account),
      button(t('action.save'), { type: 'submit', isBusy: form.isBusy }),
    ),
  );
}

// MARK: Choices

function choiceCard(account) {
  const { api, busy, push } = account;
  return h(
    'section',
    { class: 'card stack', key: 'choices' },
    languagePicker((id) =>
      api.patch('/v1/me', { language: id }).then(api.setAccount, (error) => toast(tProblem(error), 'danger')),
    ),
    toggle({
      id: 'push',
      label: t('push.title'),
      isOn: push.state === 'on',
      isBusy: busy.push,
      onchange: (isOn) => setPush(account, isOn),
      hint:
        push.problem ?? t(push.state === 'denied' || push.state === 'unsupported' ? `push.${push.state}` : 'push.on'),
    }),
  );
}

const setPush = (account, isOn) =>
  run(account, 'push', async () => {
    const { api } = account;
    account.push.problem = null;
    try {
      account.push.state = isOn ? await turnPushOn(api) : await turnPushOff(api);
    } catch {
      account.push.problem = t('push.failed');
      account.push.state = pushState(api);
    }
  });

// MARK: The data

function dataCard(account) {
  const { busy } = account;
  return h(
    'section',
    { class: 'card stack', key: 'data' },
    h('h2', null, t('me.data')),
    h('p', { class: 'hint' }, t('me.export.hint')),
    h(
      'div',
      { class: 'row wrap' },
      button(t(busy.export ? 'me.export.preparing' : 'me.export'), {
        onclick: () => exportAll(account),
        isBusy: busy.export,
      }),
      button(t('me.delete'), { look: 'quiet danger-text', onclick: () => remove(account) }),
    ),
  );
}

const exportAll = (account) =>
  run(account, 'export', async () => {
    const data = await account.api.get('/v1/me/export', { timeout: 60_000 });
    save(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'openvalet.json');
  });

/** Downloads a file. */
export function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function remove({ api }) {
  let paint = () => {};
  const form = createForm(() => paint(), { 'account.wrong_password': 'password' });
  const isGone = await dialog(t('me.delete'), (close) => {
    const holder = h('div');
    const send = async ({ password }) => {
      await api.post('/v1/me/deletion', { password });
      close(true);
    };
    paint = () =>
      render(
        holder,
        h('p', null, t('me.delete.lead')),
        form.view(
          { onsubmit: form.submit(send) },
          passwordField(form),
          button(t('me.delete.confirm'), { type: 'submit', look: 'danger', wide: true, isBusy: form.isBusy }),
        ),
      );
    paint();
    return holder;
  });
  if (!isGone) return;
  await api.signOut();
  toast(t('me.delete.done'), 'success');
}
