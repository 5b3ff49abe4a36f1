import { stretchesOfDates } from '../../src/recall/dated.ts';

const reference = Date.parse('2026-03-04T02:00:00Z');
const stretches = (dates: Parameters<typeof stretchesOfDates>[0], timezone = 'UTC'): string[][] =>
  stretchesOfDates(dates, { reference, timezone }).map(({ from, to }) =>
    [from, to].map((instant) => new Date(instant).toISOString().slice(0, 16)),
  );

describe('the dates of a query', () => {
  it.each<[[number | null, number, number | null], string, string[][]]>([
    [[2026, 3, 4], 'UTC', [['2026-03-04T00:00', '2026-03-05T00:00']]],
    [[2026, 3, 4], 'Asia/Singapore', [['2026-03-03T16:00', '2026-03-04T16:00']]],
    [[2026, 3, 29], 'Europe/Berlin', [['2026-03-28T23:00', '2026-03-29T22:00']]],
    [[2026, 12, null], 'UTC', [['2026-12-01T00:00', '2027-01-01T00:00']]],
    [[null, 3, 4], 'UTC', [['2026-03-04T00:00', '2026-03-05T00:00']]],
    [[null, 3, 4], 'America/New_York', [['2025-03-04T05:00', '2025-03-05T05:00']]],
    [[null, 2, 29], 'UTC', [['2024-02-29T00:00', '2024-03-01T00:00']]],
    [[2026, 2, 30], 'UTC', []],
    [[null, 4, 31], 'UTC', []],
  ])('%j in %s are %j', ([year, month, day], timezone, expected) => {
    expect(stretches([{ year, month, day }], timezone)).toEqual(expected);
  });

  it('are each there once, and none where there are none', () => {
    const day = { year: 2026, month: 3, day: 4 };
    expect(stretches([day, { ...day, year: null }, { ...day, day: null }])).toHaveLength(2);
    expect(stretches([])).toEqual([]);
  });
});
