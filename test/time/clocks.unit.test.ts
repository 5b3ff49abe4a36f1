import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { begunBy, Clocks, localRfc3339, minuteText } from '../../src/time/clocks.ts';
import fc from '../support/property.ts';

const AT = Date.parse('2026-06-13T01:00:00+08:00');
const HOUR_MS = 3_600_000;

describe('clocks', () => {
  it.each([
    ['of nobody', null, {}, 0],
    ['of Z', null, { observed_at: '2026-06-12T17:00:00Z' }, 0],
    ['of an offset', null, { observed_at: '2026-06-13T01:00:00+08:00' }, 8],
    ['of an offset behind', null, { observed_at: '2026-06-12T07:30:00-09:30' }, -9.5],
    ['of a zone of their own', null, { timezone: 'Europe/Berlin', observed_at: '2026-06-12T17:00:00Z' }, 2],
    [
      'of a zone before an offset',
      null,
      { timezone: 'Asia/Tokyo', observed_at: '2026-06-13T01:00:00+08:00' },
      9,
    ],
    ['of the reader before all', 'America/New_York', { timezone: 'Asia/Tokyo' }, -4],
  ])('%s', (_whose, zone, own, hours) => {
    expect(new Clocks(zone).offsetAt(AT, own)).toBe(hours * HOUR_MS);
  });

  it('tell the bounds of dates in UTC, which they were stated in', () => {
    const clocks = new Clocks('America/New_York');
    expect(clocks.offsetOfBound(Date.parse('2026-06-13'))).toBe(0);
    expect(clocks.offsetOfBound(AT)).toBe(-4 * HOUR_MS);
  });
});

describe('a local instant', () => {
  it.each([
    [0, '2026-06-12 17:00 UTC', '2026-06-12T17:00:00.000Z'],
    [8 * HOUR_MS, '2026-06-13 01:00 +08:00', '2026-06-13T01:00:00.000+08:00'],
    [-9.5 * HOUR_MS, '2026-06-12 07:30 -09:30', '2026-06-12T07:30:00.000-09:30'],
  ])('%d ahead of UTC', (offset, minute, text) => {
    expect([minuteText(AT, offset), localRfc3339(AT, offset)]).toEqual([minute, text]);
  });

  it('is the same instant, whatever the clocks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: FIRST_INSTANT, max: OPEN_END }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (at, minutes) => {
          const text = localRfc3339(at, minutes * 60_000);
          expect(Date.parse(text)).toBe(at);
          expect(text).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{2}:\d{2})$/);
          expect(minuteText(at, minutes * 60_000)).toMatch(
            /^\d{4}-\d{2}-\d{2} \d{2}:\d{2} (UTC|[+-]\d{2}:\d{2})$/,
          );
        },
      ),
    );
  });
});

describe('a day that had not begun in UTC', () => {
  const observed = '2026-06-13T01:00:00.000+08:00';

  it.each([
    ['2026-06-13', observed],
    ['2026-06-12', '2026-06-12'],
    ['2026-06-14', '2026-06-14'],
    ['2026-06-13T02:00:00+08:00', '2026-06-13T02:00:00+08:00'],
  ])('%s', (text, begun) => {
    expect(begunBy(text, { observed_at: observed, held_since: observed })).toBe(begun);
  });

  it('is left where it had begun', () => {
    const observed_at = '2026-06-12T23:00:00.000-05:00';
    expect(begunBy('2026-06-12', { observed_at, held_since: observed_at })).toBe('2026-06-12');
  });

  it('begins when it was recorded where that was before', () => {
    const clocks = { observed_at: '2026-06-13T00:02:00.000Z', held_since: '2026-06-12T23:57:00.000Z' };
    expect(begunBy('2026-06-13', clocks)).toBe(clocks.held_since);
  });
});
