// A person's own account; the same in all apps, loaded on demand.

import { h, render } from './dom.js';
import { escaped, unverified } from './api.js';
import { codeField, phoneNumber } from './auth-parts.js';
import { dateTime, format, fullName, language, loadTexts, t, tProblem } from './i18n.js';
import { icon } from './icons.js';
import { shrinkPicture } from '/apps/shared/shrink-picture.js';
import { pushState, turnPushOff, turnPushOn } from './push.js';
import { screen } from './shell.js';
import { createSecondFactors } from './second-factors.js';
import { recall } from './storage.js';
import {
  avatar,
  badge,
  button,
  confirm,
  createForm,
  dialog,
  field,
  languagePicker,
  pictureEvents,
  problemNotice,
  select,
  skeleton,
  toast,
  toggle,
} from './ui.js';

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
  const names = createForm(redraw);
  const address = createForm(redraw);
  const contacts = ['phone', 'email'].map((kind) => createContact(api, kind, redraw));
  const factors = createSecondFactors(api, redraw);
  const password = createForm(redraw, { 'account.wrong_password': 'currentPassword' });
  const busy = {};
  let push = { state: pushState(api), problem: null };
  let sessions = null;
  let problem = null;
  let isKnown = false;

  /** Runs one task at a time under a name, and shows its error. */
  const working = (name, task) => async () => {
    if (busy[name]) return;
    busy[name] = true;
    problem = null;
    redraw();
    try {
      await task();
    } catch (error) {
      problem = error;
      toast(tProblem(error), 'danger');
    }
    busy[name] = false;
    redraw();
  };

  /** Signed photo URLs expire, so the account is fetched again when it is shown. */
  function refresh() {
    if (isKnown) return;
    isKnown = true;
    api
      .get('/v1/me')
      .then(api.setAccount)
      .then(redraw, () => (isKnown = false));
  }

  pictureEvents.on('expired', () => {
    isKnown = false;
    redraw();
  });

  const saveName = async ({ firstName, lastName }) => {
    api.setAccount(await api.patch('/v1/me', { firstName: firstName.trim(), lastName: lastName.trim() }));
    toast(t('action.saved'), 'success');
  };

  const saveAddress = async ({ street, postalCode, city, country }) => {
    api.setAccount(await api.put('/v1/me/address', { street, postalCode: postalCode || null, city, country }));
    toast(t('action.saved'), 'success');
  };
  const removeAddress = working('address', async () => api.setAccount(await api.delete('/v1/me/address')));

  const changePassword = (event) => {
    const node = event.currentTarget;
    return password.submit(async ({ currentPassword, newPassword }) => {
      await api.post('/v1/me/password', { currentPassword, newPassword });
      node.reset();
      node.closest('details').open = false;
      sessions = null;
      toast(t('me.password.done'), 'success');
    })(event);
  };

  const setPhoto = (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    working('photo', async () => {
      // If the browser can't read it, the server reports the error.
      const picture = await shrinkPicture(file, PHOTO).catch(() => file);
      const { photoURL } = await api.call('PUT', '/v1/me/photo', { raw: picture, type: picture.type });
      api.setAccount({ ...api.account, photoURL });
    })();
  };

  const removePhoto = working('photo', async () => {
    await api.delete('/v1/me/photo');
    api.setAccount({ ...api.account, photoURL: null });
  });

  const setPush = (isOn) =>
    working('push', async () => {
      push.problem = null;
      try {
        push.state = isOn ? await turnPushOn(api) : await turnPushOff(api);
      } catch {
        push.problem = t('push.failed');
        push.state = pushState(api);
      }
    })();

  const loadSessions = (event) => {
    if (!event.target.open || sessions) return;
    working('sessions', async () => (sessions = (await api.get('/v1/me/sessions')).items))();
  };
  const endSession = (id) =>
    working('sessions', async () => {
      await api.delete(escaped`/v1/me/sessions/${id}`);
      sessions = sessions.filter((session) => session.id !== id);
    });
  const endOthers = working('sessions', async () => {
    for (const { id, isCurrent } of sessions) if (!isCurrent) await api.delete(escaped`/v1/me/sessions/${id}`);
    sessions = sessions.filter(({ isCurrent }) => isCurrent);
    toast(t('me.sessions.done'), 'success');
  });

  const exportAll = working('export', async () => {
    const data = await api.get('/v1/me/export', { timeout: 60_000 });
    save(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'openvalet.json');
  });

  async function remove() {
    let paint = () => {};
    const form = createForm(() => paint(), { 'account.wrong_password': 'password' });
    const isGone = await dialog(t('me.delete'), (close) => {
      const holder = h('div');
      const send = async (values) => {
        await api.post('/v1/me/deletion', { password: values.password });
        close(true);
      };
      paint = () =>
        render(
          holder,
          h('p', null, t('me.delete.lead')),
          form.view(
            { onsubmit: form.submit(send) },
            field({
              id: 'password',
              label: t('account.password'),
              type: 'password',
              autocomplete: 'current-password',
              required: true,
              error: form.errors.password,
            }),
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

  const head = (me) =>
    h(
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
          h('input', { type: 'file', class: 'visually-hidden', accept: 'image/jpeg,image/png', onchange: setPhoto }),
        ),
        me.photoURL ? button(t('me.photo.remove'), { look: 'quiet', onclick: removePhoto }) : null,
      ),
      h('p', { class: 'hint' }, t(`me.photo.hint.${api.app}`)),
    );

  const nameForm = (me) =>
    h(
      'section',
      { class: 'card stack', key: 'names' },
      h('h2', null, t('me.name')),
      names.view(
        { onsubmit: names.submit(saveName) },
        h(
          'div',
          { class: 'pair' },
          field({
            id: 'firstName',
            label: t('account.firstName'),
            value: me.firstName,
            autocomplete: 'given-name',
            required: true,
            maxlength: 60,
            error: names.errors.firstName,
          }),
          field({
            id: 'lastName',
            label: t('account.lastName'),
            value: me.lastName,
            autocomplete: 'family-name',
            required: true,
            maxlength: 60,
            error: names.errors.lastName,
          }),
        ),
        button(t('action.save'), { type: 'submit', isBusy: names.isBusy }),
      ),
    );

  const contactCard = () =>
    h(
      'section',
      { class: 'card stack', key: 'contacts' },
      h('h2', null, t('me.contacts')),
      contacts.map((contact) => contact.draw()),
    );

  const addressForm = (me) => {
    const known = me.address ?? {};
    const line = (id, token, maxlength, props = {}) =>
      field({
        id,
        label: t(`me.address.${id}`),
        value: known[id] ?? '',
        autocomplete: token,
        maxlength,
        error: address.errors[id],
        ...props,
      });
    return h(
      'section',
      { class: 'card stack', key: 'address' },
      h('h2', null, t('me.address')),
      address.view(
        { onsubmit: address.submit(saveAddress) },
        line('street', 'address-line1', 200, { required: true }),
        h(
          'div',
          { class: 'pair' },
          line('postalCode', 'postal-code', 16, { isOptional: true }),
          line('city', 'address-level2', 80, { required: true }),
        ),
        select({
          id: 'country',
          label: t('me.address.country'),
          options: countries(),
          value: known.country ?? here(),
          autocomplete: 'country',
          error: address.errors.country,
        }),
        h(
          'div',
          { class: 'row wrap' },
          button(t('action.save'), { type: 'submit', isBusy: address.isBusy }),
          me.address
            ? button(t('me.address.remove'), { look: 'quiet', onclick: removeAddress, isBusy: busy.address })
            : null,
        ),
      ),
    );
  };

  const choices = () =>
    h(
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
        onchange: setPush,
        hint:
          push.problem ?? t(push.state === 'denied' || push.state === 'unsupported' ? `push.${push.state}` : 'push.on'),
      }),
    );

  const security = () =>
    h(
      'section',
      { class: 'card stack', key: 'security' },
      h('h2', null, t('me.security')),
      folded(
        t('me.password'),
        password.view(
          { onsubmit: changePassword },
          h('input', {
            type: 'text',
            class: 'visually-hidden',
            autocomplete: 'username',
            value: api.account.phone || api.account.email,
            readonly: true,
            tabindex: '-1',
            'aria-hidden': 'true',
          }),
          field({
            id: 'currentPassword',
            label: t('me.password.current'),
            type: 'password',
            autocomplete: 'current-password',
            required: true,
            error: password.errors.currentPassword,
          }),
          field({
            id: 'newPassword',
            label: t('account.newPassword'),
            hint: t('account.password.hint'),
            type: 'password',
            autocomplete: 'new-password',
            required: true,
            error: password.errors.newPassword,
          }),
          button(t('me.password'), { type: 'submit', look: 'primary', isBusy: password.isBusy }),
        ),
      ),
      folded(t('factor.title'), factors.draw(), { ontoggle: ({ target }) => target.open && factors.load() }),
      folded(
        t('me.sessions'),
        sessions
          ? [
              h(
                'ul',
                { class: 'list lined' },
                sessions.map((session) =>
                  h(
                    'li',
                    { class: 'list-item still', key: session.id },
                    h(
                      'div',
                      { class: 'grow' },
                      h('p', { class: 'strong' }, deviceOf(session.userAgent) ?? t('me.session.unknown')),
                      h(
                        'p',
                        { class: 'muted small' },
                        session.isCurrent
                          ? t('me.session.this')
                          : t('me.session.used', { time: dateTime(session.lastUsedAt) }),
                      ),
                    ),
                    session.isCurrent
                      ? null
                      : button(t('me.session.end'), { look: 'quiet', onclick: endSession(session.id) }),
                  ),
                ),
              ),
              sessions.length > 1
                ? button(t('me.sessions.others'), { onclick: endOthers, isBusy: busy.sessions })
                : null,
            ]
          : problem
            ? problemNotice(problem)
            : skeleton(3),
        { ontoggle: loadSessions },
      ),
    );

  const data = () =>
    h(
      'section',
      { class: 'card stack', key: 'data' },
      h('h2', null, t('me.data')),
      h('p', { class: 'hint' }, t('me.export.hint')),
      h(
        'div',
        { class: 'row wrap' },
        button(busy.export ? t('me.export.preparing') : t('me.export'), { onclick: exportAll, isBusy: busy.export }),
        button(t('me.delete'), { look: 'quiet danger-text', onclick: remove }),
      ),
    );

  return {
    /** Clears loaded data, so that the screen fetches it again. */
    reset() {
      isKnown = false;
      sessions = null;
      factors.reset();
      push = { state: pushState(api), problem: null };
    },
    draw() {
      refresh();
      const me = api.account;
      return {
        title: t('me.title'),
        view: screen(
          t('me.title'),
          { back },
          head(me),
          nameForm(me),
          contactCard(),
          addressForm(me),
          choices(),
          sections(),
          security(),
          data(),
          button(t('auth.signOut'), { icon: 'exit', wide: true, onclick: () => signOut(api, unsent()) }),
        ),
      };
    },
  };
}

const folded = (title, content, props = {}) =>
  h(
    'details',
    { class: 'fold', key: title, ...props },
    h('summary', null, title, icon('next')),
    h('div', { class: 'stack' }, content),
  );

/** Sets a number or e-mail address: first the contact, then the code sent there and the password. */
function createContact(api, kind, redraw) {
  const form = createForm(redraw, {
    [kind]: 'contact',
    'account.code_too_soon': 'contact',
    'account.wrong_password': 'password',
    'account.wrong_code': 'code',
    [`account.${kind}_taken`]: 'contact',
  });
  const removal = createForm(redraw, { 'account.wrong_password': 'removalPassword' });
  let sent = null;
  let isOpen = false;

  const typed = (text) => (kind === 'phone' ? phoneNumber(text) : text.trim());
  const askForCode = async ({ contact }) => {
    await api.post('/v1/me/contacts/code', { [kind]: typed(contact) });
    sent = typed(contact);
  };
  const confirmCode = async ({ code, password }) => {
    api.setAccount(await api.put('/v1/me/contacts', { [kind]: sent, code: code.trim(), password }));
    sent = null;
    isOpen = false;
    toast(t('me.set.done'), 'success');
  };
  const remove = async ({ removalPassword }) => {
    api.setAccount(await api.post('/v1/me/contacts/removal', { [kind]: api.account[kind], password: removalPassword }));
    isOpen = false;
    toast(t('me.unset.done'), 'success');
  };

  const passwordField = (it, id) =>
    field({
      id,
      label: t('account.password'),
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      error: it.errors[id],
    });
  const setting = () =>
    sent
      ? form.view(
          { onsubmit: form.submit(confirmCode) },
          h('p', { class: 'hint', role: 'status' }, t('me.set.sent', { contact: sent })),
          codeField(form),
          passwordField(form, 'password'),
          h(
            'div',
            { class: 'row wrap' },
            button(t('me.set.save'), { type: 'submit', look: 'primary', isBusy: form.isBusy }),
            button(t('action.cancel'), {
              look: 'quiet',
              onclick: () => {
                sent = null;
                redraw();
              },
            }),
          ),
        )
      : form.view(
          { onsubmit: form.submit(askForCode) },
          field({
            id: 'contact',
            label: t(`account.${kind}`),
            hint: kind === 'phone' ? t('account.phone.hint') : null,
            type: kind === 'phone' ? 'tel' : 'email',
            autocomplete: kind === 'phone' ? 'tel' : 'email',
            required: true,
            error: form.errors.contact,
          }),
          button(t('me.set.send'), { type: 'submit', isBusy: form.isBusy }),
        );

  return {
    draw() {
      const [mine, other] = [api.account[kind], api.account[kind === 'phone' ? 'email' : 'phone']];
      return h(
        'div',
        { class: 'stack tight', key: kind },
        mine ? h('p', { class: 'numbers' }, mine) : null,
        folded(
          t(`me.set.${kind}`),
          isOpen
            ? [
                setting(),
                mine && other
                  ? removal.view(
                      { onsubmit: removal.submit(remove) },
                      h('p', { class: 'hint' }, t('me.unset.lead', { contact: mine })),
                      passwordField(removal, 'removalPassword'),
                      button(t(`me.unset.${kind}`), {
                        type: 'submit',
                        look: 'quiet danger-text',
                        isBusy: removal.isBusy,
                      }),
                    )
                  : null,
              ]
            : null,
          {
            open: isOpen,
            ontoggle: ({ target }) => {
              if (target.open !== isOpen) {
                isOpen = target.open;
                redraw();
              }
            },
          },
        ),
      );
    },
  };
}

/** `[code, name]` of each country (ISO 3166-1), sorted by name, if the browser has one. */
function countries() {
  const names = format('DisplayNames', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !notCountries.has(code));
  return codes
    .map((code) => [code, names.of(code)])
    .filter(([, name]) => name)
    .sort(([, one], [, other]) => one.localeCompare(other, language()));
}
/** The device's country, or the most likely one for its language. */
const here = () => new Intl.Locale(navigator.language).maximize().region;
/** CLDR codes that are not countries. */
const notCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** Downloads a file. */
export function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** "Chrome · Android" from a user agent, as a best guess. */
function deviceOf(userAgent) {
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
