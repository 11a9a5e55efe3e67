import assert from 'node:assert/strict';
import test from 'node:test';
import { isPeriodWrong, newSearch, periodFrom, searchPath } from '/apps/customer/park/search.js';

const query = (path) => Object.fromEntries(new URL(path, 'https://valet.example').searchParams);
const wish = (change) => ({ ...newSearch().wanted, ...change });
const kamppi = { latitude: 60.17, longitude: 24.93 };

test('a search has the point, and a wide radius for a name', () => {
  assert.deepEqual(query(searchPath(wish({}), null)), { class: 'general', limit: '30' });
  assert.deepEqual(query(searchPath(wish({ openNow: true, height: '2.1', sort: 'price' }), kamppi)), {
    latitude: '60.17',
    longitude: '24.93',
    radiusMeters: '5000',
    class: 'general',
    openNow: 'true',
    maxHeightMeters: '2.1',
    sort: 'price',
    limit: '30',
  });
  const { q, radiusMeters } = query(searchPath(wish({ q: ' Kamppi ' }), kamppi));
  assert.deepEqual([q, radiusMeters], ['Kamppi', '50000']);
});

test('a search has a period only if its end is after its start', () => {
  const period = (from, until) => {
    const { from: start, until: end } = query(searchPath(wish({ from, until }), null));
    return [start, end];
  };
  assert.deepEqual(period('2026-12-01T09:00', '2026-12-01T11:00'), [
    '2026-12-01T07:00:00.000Z',
    '2026-12-01T09:00:00.000Z',
  ]);
  for (const wrong of [
    ['2026-12-01T09:00', '2026-12-01T09:00'],
    ['2026-12-01T09:00', ''],
    ['', '2026-12-01T09:00'],
  ])
    assert.deepEqual(period(...wrong), [undefined, undefined]);
  assert.ok(isPeriodWrong({ from: '2026-12-01T09:00', until: '2026-12-01T09:00' }));
  assert.ok(!isPeriodWrong({ from: '2026-12-01T09:00', until: '' }));
});

test('a start at or after the end moves the end', () => {
  assert.equal(periodFrom('2026-12-01T09:00', '').until, '2026-12-01T11:00');
  assert.equal(periodFrom('2026-12-01T09:00', '2026-12-01T09:00').until, '2026-12-01T11:00');
  assert.equal(periodFrom('2026-12-01T09:00', '2026-12-01T10:00').until, '2026-12-01T10:00');
  assert.deepEqual(periodFrom('', '2026-12-01T10:00'), { from: '', until: '2026-12-01T10:00' });
});
