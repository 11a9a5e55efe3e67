// The screen for an invitation to share a vehicle: its plate and code, and the vehicle's other data if the person
// hasn't added it yet.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { createForm, plateCharacters, plateField, samePlate } from '/apps/shared/forms.js';
import { go, screen } from '/apps/shared/shell.js';
import { button, field, toast } from '/apps/shared/ui.js';
import { loaded } from './loaded.js';
import { codeField, enterCode, knownProof } from './plate-code.js';

const VEHICLES = '/v1/me/vehicles';
const MORE = ['make', 'model', 'colour'];

export const vehicleWith = (vehicles, plate) => vehicles.find((one) => samePlate(one.plate, plate)) ?? null;

export function createInvitation(park) {
  const form = createForm(park.redraw);
  /** The code of the link that was opened, and the plate in its field now. */
  const state = { of: null, plate: '' };
  return {
    draw({ plate = '', code = '' }) {
      if (state.of !== code) Object.assign(state, { of: code, plate });
      const title = t('invitation.title');
      return {
        title,
        view: screen(
          title,
          { back: '/vehicles' },
          h('p', { class: 'muted', key: 'lead' }, t('invitation.lead')),
          loaded(park, park.resources.get(VEHICLES), ({ items }) => content(park, form, state, items)),
        ),
      };
    },
  };
}

function content(park, form, state, vehicles) {
  const isNew = Boolean(plateCharacters(state.plate)) && !vehicleWith(vehicles, state.plate);
  const send = async (values) => {
    const id = await join(park, vehicles, values);
    state.of = null;
    go(`/vehicles/${id}`, true);
  };
  return form.view(
    { class: 'card stack', key: `invitation-${state.of}`, onsubmit: form.submit(send) },
    plateField({
      id: 'plate',
      label: t('plateCode.plate'),
      value: state.plate,
      required: true,
      class: 'input plate-input',
      error: form.errors.plate,
      oninput: ({ target }) => {
        state.plate = target.value;
        park.redraw();
      },
    }),
    codeField(form, { value: state.of }),
    isNew
      ? [
          h('p', { class: 'hint', key: 'new' }, t('invitation.new')),
          MORE.map((name) =>
            field({
              id: name,
              label: t(`vehicle.${name}`),
              required: true,
              autocomplete: 'off',
              maxlength: 40,
              error: form.errors[name],
            }),
          ),
        ]
      : null,
    button(t('invitation.join'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
  );
}

/** Adds the vehicle if it is new, and enters the code. Resolves with the vehicle's id. */
async function join(park, vehicles, values) {
  const { api, resources } = park;
  const { plate, code } = values;
  let vehicle = vehicleWith(vehicles, plate);
  if (!vehicle) {
    const body = Object.fromEntries(['plate', ...MORE].map((name) => [name, values[name].trim()]));
    vehicle = await api.post(VEHICLES, body);
    resources.keep(VEHICLES, { items: [...vehicles, vehicle] });
  }
  const { isProven } = await knownProof(api, vehicle.id);
  // The code still works for somebody else.
  if (isProven) toast(t('invitation.already'));
  else await enterCode(park, plate, code);
  return vehicle.id;
}
