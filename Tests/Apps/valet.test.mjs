import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyOf, keepDraft, openDraft, propose } from '/apps/valet/park-draft.js';
import { daysOf, sumText, workByDay } from '/apps/valet/work.js';

const at = (text) => new Date(`2026-11-${text}`);

test('work is counted by day, without breaks, and from the first day on', () => {
  const shifts = [
    {
      startedAt: at('02T22:00'),
      endedAt: at('03T02:00'),
      breaks: [{ startedAt: at('03T00:30'), endedAt: at('03T01:00') }],
    },
    { startedAt: at('03T08:00'), endedAt: null, breaks: [] },
    { startedAt: at('01T08:00'), endedAt: at('01T09:00'), breaks: [] },
  ];
  const work = workByDay(shifts, at('02T00:00'), at('03T09:00'));
  assert.deepEqual(
    [...work],
    [
      [at('02').toDateString(), 2 * 3_600],
      [at('03').toDateString(), 2.5 * 3_600],
    ],
  );
});

test('days with work, jobs or tips are listed, newest first', () => {
  const tip = { amount: 100, currency: 'EUR' };
  const days = daysOf({
    done: [{ doneAt: at('02T10:00') }, { doneAt: at('02T11:00') }],
    items: [{ tip, givenAt: at('03T10:00') }],
    work: new Map([
      [at('02').toDateString(), 60],
      [at('01').toDateString(), 0.5],
    ]),
  });
  assert.deepEqual(days, [
    [at('03').toDateString(), { jobs: 0, tips: [tip], seconds: 0 }],
    [at('02').toDateString(), { jobs: 2, tips: [], seconds: 60 }],
  ]);
});

test('tips are summed up by currency', () => {
  const tips = [
    { amount: 150, currency: 'EUR' },
    { amount: 200, currency: 'HKD' },
    { amount: 50, currency: 'EUR' },
  ];
  assert.match(sumText(tips), /^\D*2\.00\D*\+\D*2\.00\D*$/);
});

test('a draft of parking outlives its screen, but not a place that the phone found', () => {
  const order = { id: 'a', vehicle: { plate: 'ABC-123' } };
  const draft = { id: 'a', ...openDraft(order) };
  assert.equal(draft.values.plate, 'ABC-123');
  draft.values.bay = '7';
  draft.place = { latitude: 1, longitude: 2 };
  keepDraft(draft);
  assert.deepEqual([openDraft(order).values.bay, openDraft(order).place], ['7', null]);
  keepDraft({ ...draft, isMoved: true });
  assert.deepEqual([openDraft(order).place, openDraft(order).isMoved], [draft.place, true]);
});

test('proposals fill empty fields, and replace others only if the customer did not give them', () => {
  const answer = { plate: 'XYZ-9', confidence: 0.9, colour: 'Red', colourConfidence: 0.5, make: null };
  const proposed = (values, isGiven) => {
    const draft = { values: { plate: '', make: '', model: '', colour: '', ...values }, confidence: {} };
    propose(draft, answer, isGiven);
    return [draft.values.plate, draft.values.colour, draft.confidence];
  };
  assert.deepEqual(proposed({}, false), ['XYZ-9', 'Red', { plate: 0.9, colour: 0.5 }]);
  assert.deepEqual(proposed({ plate: 'ABC-1' }, true), ['ABC-1', 'Red', { colour: 0.5 }]);
  assert.deepEqual(proposed({ plate: 'ABC-1' }, false), ['XYZ-9', 'Red', { plate: 0.9, colour: 0.5 }]);
  assert.deepEqual(proposed({ plate: 'xyz 9', colour: 'red' }, true), ['xyz 9', 'red', { plate: 0.9, colour: 0.5 }]);
});

test('the body of parking has no empty fields', () => {
  const values = { plate: ' A-1 ', make: '', model: '', colour: '', lot: '', level: '2', bay: ' ', keyTag: '' };
  const body = bodyOf({ values, place: { latitude: 1, longitude: 2, accuracyMeters: 5 }, carPark: null });
  assert.deepEqual(JSON.parse(JSON.stringify(body)), {
    latitude: 1,
    longitude: 2,
    level: '2',
    vehicle: { plate: 'A-1' },
  });
});
