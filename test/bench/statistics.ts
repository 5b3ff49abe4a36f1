import { build } from 'hdr-histogram-js';

/** Percentiles of durations, milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Which way a figure is good. */
export type Sense = 'at_least' | 'at_most';
/** What became of a figure that has a floor. */
export type Verdict = 'aim' | 'floor' | 'missed';

/** A floor that has to be kept and an aim that is worked for, of one number of a figure. */
export interface Goal {
  /** The number that is judged. */
  readonly of: 'ratio' | 'p95' | 'value';
  readonly sense: Sense;
  readonly floor: number;
  readonly aim: number;
}

const HOUR_US = 3_600_000_000;

/** Percentiles of durations given in milliseconds, to three digits; a negative one counts as none. Throws on an empty list. */
export function percentiles(durations: readonly number[]): Percentiles {
  if (durations.length === 0) throw new RangeError('percentiles of nothing');
  const histogram = build({ highestTrackableValue: HOUR_US, numberOfSignificantValueDigits: 3 });
  for (const ms of durations) histogram.recordValue(Math.max(0, Math.round(ms * 1000)));
  const at = (share: number): number => rounded(histogram.getValueAtPercentile(share) / 1000);
  return { p50: at(50), p95: at(95), p99: at(99) };
}

/** The middle one, or the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('the median of nothing');
  return (low + high) / 2;
}

/** Ours divided by theirs, to three decimals; null when there is nothing to divide by. */
export function ratioOf(ours: number, theirs: number): number | null {
  return theirs > 0 && Number.isFinite(ours) ? Math.round((ours / theirs) * 1000) / 1000 : null;
}

/** Whether a number keeps its floor, or even reaches its aim. */
export function verdictOf(goal: Goal, judged: number): Verdict {
  const keeps = (bound: number): boolean => (goal.sense === 'at_least' ? judged >= bound : judged <= bound);
  if (keeps(goal.aim)) return 'aim';
  return keeps(goal.floor) ? 'floor' : 'missed';
}

/** Four significant digits, so that lines stay readable. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
