// A customer's saved vehicles and cards.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, go, screen } from '/apps/shared/shell.js';
import {
  button,
  confirm,
  createForm,
  empty,
  field,
  plateField,
  problemNotice,
  skeleton,
  toast,
} from '/apps/shared/ui.js';
import { addCards, cardText } from './shared/payment.js';

const FIELDS = ['plate', 'make', 'model', 'colour'];
const VEHICLES = '/v1/me/vehicles';
const METHODS = '/v1/me/payment-methods';

export function create(app) {
  const { api, plan, redraw, resources } = app;
  const forms = new Map();
  let adding = null;

  const list = (path, none, item) => {
    const { value, error } = resources.get(path);
    if (!value) return error ? problemNotice(error, () => resources.reload(path)) : skeleton(4);
    return value.items.length ? h('ul', { class: 'list', key: 'items' }, value.items.map(item)) : none();
  };

  const vehicles = () => ({
    title: t('vehicles.title'),
    view: screen(
      t('vehicles.title'),
      { back: '/menu' },
      list(
        VEHICLES,
        () => empty('car', t('vehicles.none'), t('vehicles.none.lead')),
        (vehicle) =>
          h(
            'li',
            { key: vehicle.id },
            h(
              'a',
              { class: 'card row', href: `#/vehicles/${vehicle.id}` },
              icon('car'),
              h(
                'span',
                { class: 'grow' },
                h('span', { class: 'plate' }, vehicle.plate),
                h(
                  'span',
                  { class: 'muted block' },
                  [vehicle.make, vehicle.model, vehicle.colour].filter(Boolean).join(' · '),
                ),
              ),
              icon('next'),
            ),
          ),
      ),
      h('a', { class: 'button primary', href: '#/vehicles/new?back=list' }, icon('plus'), t('vehicles.add')),
    ),
  });

  function vehicle({ id }) {
    const isNew = id === 'new';
    const { value, error } = resources.get(VEHICLES);
    const known = value?.items.find((one) => one.id === id);
    const title = t(isNew ? 'vehicles.new' : 'vehicles.edit');
    const from = address().query.get('back');
    const back = !isNew || from === 'list' ? '/vehicles' : (from ?? '/');
    if (!isNew && !known)
      return {
        title,
        view: screen(
          title,
          { back: '/vehicles' },
          value ? empty('car', t('vehicles.gone')) : error ? problemNotice(error) : skeleton(4),
        ),
      };
    if (!forms.has(id)) forms.set(id, createForm(redraw));
    const form = forms.get(id);
    const send = async (values) => {
      const body = Object.fromEntries(FIELDS.map((name) => [name, values[name].trim()]));
      const saved = isNew ? await api.post(VEHICLES, body) : await api.patch(escaped`/v1/me/vehicles/${id}`, body);
      forms.delete(id);
      // The next drop-off is probably for the new vehicle.
      if (isNew) plan.chooseVehicle(saved.id);
      resources.reload(VEHICLES);
      toast(t('action.saved'), 'success');
      go(back, true);
    };
    const remove = async () => {
      if (
        !(await confirm(t('vehicles.delete'), t('vehicles.delete.lead', { plate: known.plate }), {
          yes: t('action.delete'),
          no: t('action.keep'),
          look: 'danger',
        }))
      )
        return;
      try {
        await api.delete(escaped`/v1/me/vehicles/${id}`);
        resources.reload(VEHICLES);
        go('/vehicles', true);
      } catch (problem) {
        toast(tProblem(problem), 'danger');
      }
    };
    return {
      title,
      view: screen(
        title,
        { back },
        form.view(
          { class: 'card', onsubmit: form.submit(send), key: id },
          FIELDS.map((name) =>
            (name === 'plate' ? plateField : field)({
              id: name,
              label: t(`vehicle.${name}`),
              value: known?.[name] ?? '',
              required: true,
              autocomplete: 'off',
              maxlength: name === 'plate' ? 16 : 40,
              ...(name === 'plate' ? { class: 'input plate-input' } : {}),
              error: form.errors[name],
            }),
          ),
          button(t('action.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
        ),
        isNew ? null : button(t('vehicles.delete'), { look: 'quiet danger-text', icon: 'trash', onclick: remove }),
      ),
    };
  }

  async function add(token) {
    adding = token;
    redraw();
    try {
      await api.post(METHODS, { token });
      toast(t('action.saved'), 'success');
    } catch (problem) {
      toast(tProblem(problem), 'danger');
    }
    adding = null;
    resources.reload(METHODS);
  }

  async function removeCard(card) {
    if (
      !(await confirm(t('cards.delete'), t('cards.delete.lead', { card: cardText(card) }), {
        yes: t('action.delete'),
        no: t('action.keep'),
        look: 'danger',
      }))
    )
      return;
    await api.delete(escaped`/v1/me/payment-methods/${card.id}`).catch((problem) => toast(tProblem(problem), 'danger'));
    resources.reload(METHODS);
  }

  const cards = () => ({
    title: t('cards.title'),
    view: screen(
      t('cards.title'),
      { back: '/menu' },
      list(
        METHODS,
        () => empty('card', t('cards.none'), t('cards.none.lead')),
        (card) =>
          h(
            'li',
            { key: card.id, class: 'card row' },
            icon('card'),
            h('span', { class: 'grow strong numbers' }, cardText(card)),
            h(
              'button',
              {
                type: 'button',
                class: 'icon-button',
                'aria-label': t('cards.deleteThis', { card: cardText(card) }),
                onclick: () => removeCard(card),
              },
              icon('trash'),
            ),
          ),
      ),
      addCards(resources.get('/v1/payment-provider', { anonymous: true }), { add, busy: adding, isFirst: false }),
    ),
  });

  return { vehicles, vehicle, cards };
}
