// A customer's saved vehicles and cards.

import { h } from '/apps/shared/dom.js';
import { escaped } from '/apps/shared/api.js';
import { cardText } from '/apps/shared/cards.js';
import { loadTexts, t, tProblem } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { address, go, screen } from '/apps/shared/shell.js';
import { confirm } from '/apps/shared/dialogs.js';
import { createForm, plateField } from '/apps/shared/forms.js';
import { badge, button, empty, field, problemNotice, skeleton, toast } from '/apps/shared/ui.js';
import { PROOFS } from './park/plate-code.js';
import { createPlateProof, proofBadge, proofOf } from './park/plate-proof.js';
import { METHODS, cardMore, createCardAdding, refusal } from './shared/payment.js';

await loadTexts('/apps/shared/texts/car-parks');

const FIELDS = ['plate', 'make', 'model', 'colour'];
const VEHICLES = '/v1/me/vehicles';

export function create(app) {
  /** The form of each vehicle, with what was typed; and why a card could not be added. */
  const garage = { app, forms: new Map(), proof: createPlateProof(app), problem: null };
  garage.adding = createCardAdding(app, {
    tell: (error) => (garage.problem = error),
    added() {
      toast(t('action.saved'), 'success');
      app.resources.reload(METHODS);
    },
  });
  return {
    vehicles: () => vehicles(app),
    vehicle: ({ id }) => vehicle(garage, id),
    cards: () => cards(garage),
  };
}

function list({ resources }, path, none, item) {
  const { value, error } = resources.get(path);
  if (!value) return error ? problemNotice(error, () => resources.reload(path)) : skeleton(4);
  return value.items.length ? h('ul', { class: 'list', key: 'items' }, value.items.map(item)) : none;
}

const isSureToDelete = (title, text) =>
  confirm(title, text, { yes: t('action.delete'), no: t('action.keep'), look: 'danger' });

// MARK: Vehicles

const vehicles = (app) => ({
  title: t('vehicles.title'),
  view: screen(
    t('vehicles.title'),
    { back: '/menu' },
    list(app, VEHICLES, empty('car', t('vehicles.none'), t('vehicles.none.lead')), (vehicle) =>
      vehicleLine(vehicle, proofOf(app, vehicle.id)),
    ),
    h('a', { class: 'button primary', href: '#/vehicles/new?back=list' }, icon('plus'), t('vehicles.add')),
    h('a', { class: 'button', href: '#/stays/invitation' }, t('invitation.open')),
  ),
});

const vehicleLine = ({ id, plate, make, model, colour }, proof) =>
  h(
    'li',
    { key: id },
    h(
      'a',
      { class: 'card row', href: `#/vehicles/${id}` },
      icon('car'),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'plate' }, plate),
        h('span', { class: 'muted block' }, [make, model, colour].filter(Boolean).join(' · ')),
      ),
      proof ? proofBadge(proof) : null,
      icon('next'),
    ),
  );

function vehicle(garage, id) {
  const isNew = id === 'new';
  const { value, error } = garage.app.resources.get(VEHICLES);
  const known = value?.items.find((one) => one.id === id);
  const title = t(isNew ? 'vehicles.new' : 'vehicles.edit');
  if (!isNew && !known)
    return {
      title,
      view: screen(
        title,
        { back: '/vehicles' },
        value ? empty('car', t('vehicles.gone')) : error ? problemNotice(error) : skeleton(4),
      ),
    };
  const from = address().query.get('back');
  const back = !isNew || from === 'list' ? '/vehicles' : (from ?? '/');
  return {
    title,
    view: screen(
      title,
      { back },
      vehicleForm(garage, id, known, back),
      isNew ? null : garage.proof(known),
      isNew
        ? null
        : button(t('vehicles.delete'), {
            look: 'quiet danger-text',
            icon: 'trash',
            onclick: () => removeVehicle(garage.app, known),
          }),
    ),
  };
}

function vehicleForm(garage, id, known, back) {
  const { app, forms } = garage;
  if (!forms.has(id)) forms.set(id, createForm(app.redraw));
  const form = forms.get(id);
  const send = async (values) => {
    await saveVehicle(app, id, values);
    forms.delete(id);
    toast(t('action.saved'), 'success');
    go(back, true);
  };
  return form.view(
    { class: 'card', onsubmit: form.submit(send), key: id },
    FIELDS.map((name) =>
      (name === 'plate' ? plateField : field)({
        id: name,
        label: t(`vehicle.${name}`),
        value: known?.[name] ?? '',
        required: true,
        autocomplete: 'off',
        ...(name === 'plate' ? { class: 'input plate-input' } : { maxlength: 40 }),
        error: form.errors[name],
      }),
    ),
    button(t('action.save'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
  );
}

async function saveVehicle({ api, plan, resources }, id, values) {
  const isNew = id === 'new';
  const body = Object.fromEntries(FIELDS.map((name) => [name, values[name].trim()]));
  const saved = isNew ? await api.post(VEHICLES, body) : await api.patch(escaped`/v1/me/vehicles/${id}`, body);
  // The next drop-off is probably for the new vehicle.
  if (isNew) plan.chooseVehicle(saved.id);
  [VEHICLES, PROOFS].forEach(resources.reload);
}

async function removeVehicle({ api, resources }, { id, plate }) {
  if (!(await isSureToDelete(t('vehicles.delete'), t('vehicles.delete.lead', { plate })))) return;
  try {
    await api.delete(escaped`/v1/me/vehicles/${id}`);
    resources.reload(VEHICLES);
    go('/vehicles', true);
  } catch (problem) {
    toast(tProblem(problem), 'danger');
  }
}

// MARK: Cards

const cards = (garage) => ({
  title: t('cards.title'),
  view: screen(
    t('cards.title'),
    { back: address().query.get('back') ?? '/menu' },
    list(garage.app, METHODS, empty('card', t('cards.none'), t('cards.none.lead')), (card) =>
      cardLine(garage.app, card),
    ),
    garage.adding.view(false),
    refusal(garage.problem),
  ),
});

const cardLine = (app, card) =>
  h(
    'li',
    { key: card.id, class: 'card stack tight' },
    h(
      'div',
      { class: 'row' },
      icon('card'),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'strong numbers block' }, cardText(card)),
        h('span', { class: card.isExpired ? 'danger-text small' : 'muted small' }, cardMore(card)),
      ),
      card.isDefault ? badge(t('cards.default'), 'accent') : null,
      h(
        'button',
        {
          type: 'button',
          class: 'icon-button',
          'aria-label': t('cards.deleteThis', { card: cardText(card) }),
          onclick: () => removeCard(app, card),
        },
        icon('trash'),
      ),
    ),
    card.isDefault ? null : defaultButton(app, card),
  );

/** Nothing for an only card, which is used anyway. */
const defaultButton = (app, card) =>
  app.resources.get(METHODS).value?.items.length > 1
    ? button(t('cards.makeDefault'), { look: 'quiet', onclick: () => makeDefault(app, card) })
    : null;

async function makeDefault({ api, resources }, { id }) {
  await api.put(escaped`/v1/me/payment-methods/${id}/default`).catch((problem) => toast(tProblem(problem), 'danger'));
  resources.reload(METHODS);
}

async function removeCard({ api, resources }, card) {
  if (!(await isSureToDelete(t('cards.delete'), t('cards.delete.lead', { card: cardText(card) })))) return;
  await api.delete(escaped`/v1/me/payment-methods/${card.id}`).catch((problem) => toast(tProblem(problem), 'danger'));
  resources.reload(METHODS);
}
