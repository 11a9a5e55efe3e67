// The form of an offer: how it is sold, the price, the time of leaving, and details.

import { h } from '/apps/shared/dom.js';
import { minorUnits, minutes, money, t } from '/apps/shared/i18n.js';
import { icon } from '/apps/shared/icons.js';
import { pictureButton } from '/apps/shared/pictures.js';
import { button, choices, field, notice, problemNotice } from '/apps/shared/ui.js';
import { LEAVING, addPhoto, choose, closingsOf, send } from './sell-offer.js';
import { lessCommission } from './terms.js';

export function offerForm(page, terms) {
  const { choice, form, vehicle } = page;
  const canSell = terms.policy.sale === 'allowed';
  return form.view(
    { class: 'stack', key: 'sell', onsubmit: send(page, terms) },
    canSell
      ? choices({
          name: 'sale',
          label: t('spots.how'),
          value: choice.sale,
          options: ['fixed', 'auction'].map((sale) => [sale, t(`spots.how.${sale}`)]),
          onchange: (sale) => choose(page, { sale }),
        })
      : null,
    canSell ? pricing(page, terms) : notice('neutral', t('spots.informationOnly')),
    vehicle.view(),
    spans(page, 'leaving', LEAVING, t('spots.leaving')),
    canSell && choice.sale === 'auction' ? spans(page, 'closing', closingsOf(choice), t('spots.closing')) : null,
    details(page),
    h(
      'div',
      { class: 'screen-foot', key: 'foot' },
      button(t('spots.offer'), { type: 'submit', look: 'primary', wide: true, isBusy: form.isBusy }),
    ),
  );
}

function pricing(page, { currency, policy, suggestedPrice }) {
  const { choice, form } = page;
  const isAuction = choice.sale === 'auction';
  const unit = minorUnits(currency);
  const start = suggestedPrice?.amount ?? Math.round(policy.priceCap / 4);
  const get = lessCommission({ amount: Math.round(Number(choice.price ?? start / unit) * unit), currency }, policy);
  const cap = money({ amount: policy.priceCap, currency });
  return [
    field({
      id: 'price',
      type: 'number',
      inputmode: 'decimal',
      required: true,
      min: 0,
      max: policy.priceCap / unit,
      step: 1 / unit,
      value: String(start / unit),
      error: form.errors.price,
      oninput: ({ target }) => choose(page, { price: target.value }),
      label: t(isAuction ? 'spots.price.start' : 'spots.price', { currency }),
      hint: [
        suggestedPrice ? t('spots.suggested', { price: money(suggestedPrice) }) : null,
        t('spots.cap', { price: cap, percent: policy.commissionPercent }),
      ]
        .filter(Boolean)
        .join(' '),
    }),
    get.amount > 0
      ? h(
          'p',
          { class: 'strong', role: 'status', key: 'get' },
          t(isAuction ? 'spots.get.least' : 'spots.get', { price: money(get) }),
        )
      : null,
  ];
}

const spans = (page, name, values, label) =>
  choices({
    name,
    label,
    value: String(page.choice[name]),
    options: values.map((count) => [String(count), minutes(count * 60)]),
    onchange: (text) => choose(page, { [name]: Number(text) }),
  });

function details(page) {
  const { errors } = page.form;
  return h(
    'details',
    { class: 'fold', key: 'details' },
    h('summary', null, t('spots.details'), icon('next')),
    h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'pair' },
        field({
          id: 'size',
          label: t('spots.size'),
          type: 'number',
          inputmode: 'decimal',
          min: 1,
          max: 30,
          step: 0.1,
          isOptional: true,
          error: errors.sizeMeters,
        }),
        field({
          id: 'meter',
          label: t('spots.meter'),
          type: 'datetime-local',
          isOptional: true,
          error: errors.meterPaidUntil,
        }),
      ),
      ['permit', 'restrictions'].map((name) =>
        field({ id: name, label: t(`spots.${name}`), isOptional: true, maxlength: 60, error: errors[name] }),
      ),
      field({
        id: 'note',
        label: t('spots.note'),
        isOptional: true,
        multiline: true,
        maxlength: 300,
        error: errors.note,
      }),
      page.photo
        ? h('p', { class: 'muted', role: 'status' }, t('spots.photo.added'))
        : pictureButton(t('spots.photo'), page.isSending, (blob) => addPhoto(page, blob)),
      page.problem ? problemNotice(page.problem) : null,
    ),
  );
}
