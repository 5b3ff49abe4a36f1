import { median, percentiles, ratioOf, rounded, verdictOf } from './statistics.ts';

describe('percentiles', () => {
  it('are those of the durations, in milliseconds', () => {
    const durations = Array.from({ length: 1000 }, (_, i) => (i + 1) / 10);
    const { p50, p95, p99 } = percentiles(durations);
    expect(p50).toBeCloseTo(50, 0);
    expect(p95).toBeCloseTo(95, 0);
    expect(p99).toBeCloseTo(99, 0);
  });

  it('keep a thousandth of a millisecond of a short one, and a minute', () => {
    expect(percentiles([0.123]).p50).toBe(0.123);
    expect(percentiles([60_000]).p99).toBeCloseTo(60_000, -2);
  });

  it('count a negative duration as none', () => {
    expect(percentiles([-5, -4, -3]).p95).toBe(0);
  });

  it('refuse an empty list', () => {
    expect(() => percentiles([])).toThrow(RangeError);
  });
});

describe('the median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('does not change what it is given', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('refuses an empty list', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('a ratio', () => {
  it('is ours by theirs', () => {
    expect(ratioOf(2, 3)).toBe(0.667);
  });

  it.each([
    [1, 0],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
  ])('of %d by %d is none', (ours, theirs) => {
    expect(ratioOf(ours, theirs)).toBeNull();
  });
});

describe('a verdict', () => {
  const rate = { of: 'ratio', sense: 'at_least', floor: 0.4, aim: 0.6 } as const;
  const time = { of: 'p95', sense: 'at_most', floor: 100, aim: 50 } as const;

  it.each([
    [rate, 0.6, 'aim'],
    [rate, 0.59, 'floor'],
    [rate, 0.4, 'floor'],
    [rate, 0.39, 'missed'],
    [time, 50, 'aim'],
    [time, 51, 'floor'],
    [time, 100, 'floor'],
    [time, 101, 'missed'],
  ] as const)('%j: %d is %s', (goal, judged, verdict) => {
    expect(verdictOf(goal, judged)).toBe(verdict);
  });
});

it('rounds to four significant digits', () => {
  expect([0.00123456, 1234.56, 98_766].map(rounded)).toEqual([0.001235, 1235, 98_770]);
});
