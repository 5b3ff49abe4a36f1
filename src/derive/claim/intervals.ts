import { OPEN_END } from '../../../schemas/time.ts';
import type { Interval } from '../../time/interval.ts';
import { ends } from './alive.ts';
import type { Statement } from './statement.ts';

/** An interval during which one assertion is in effect; it has several where others interrupt it. */
export interface EffectiveInterval {
  readonly statement: Statement;
  readonly valid: Interval;
}

/** The intervals during which each assertion is in effect, and since when each is, or would be. */
export interface EffectiveIntervals {
  /** In the order of valid times; of two that stand together, the one first that begins first. */
  readonly intervals: readonly EffectiveInterval[];
  readonly startOf: (statement: Statement) => number;
  /** The assertions that count at some time, in the order of the log. */
  readonly counting: readonly Statement[];
  /** The assertion with no stated end by which one that would go on does not, by the id of that one. */
  readonly endedBy: ReadonlyMap<string, Statement>;
}

/** The interval that a statement speaks of, as far as nobody denied it since. */
export function statedInterval(one: Statement, statements: readonly Statement[]): Interval {
  const { from, to } = one.valid;
  if (one.has_explicit_valid_from !== true && to === OPEN_END) return NOTHING;
  return { from, to: Math.min(to === OPEN_END ? from + 1 : to, endOf(one, statements)) };
}

const NOTHING: Interval = { from: 0, to: 0 };

/** Where a statement ends by itself or by a denial. */
export function endOf(one: Statement, statements: readonly Statement[]): number {
  const denials = statements.filter((other) => ends(other, one));
  return Math.min(one.valid.to, ...denials.map(({ valid }) => valid.from));
}
