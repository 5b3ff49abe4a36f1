import { contains, type Interval } from './interval.ts';

/** A row of a bi-temporal record: when it is true in the world, and when that was what the service knew. Never edited but for its closing. */
export interface BitemporalRange {
  readonly valid: Interval;
  /** Its end is open until something else is known. */
  readonly recorded: Interval;
}

/** The pair of instants that a reading is asked at, epoch milliseconds. */
export interface Instants {
  readonly valid: number;
  readonly recorded: number;
}

/**
 * The visibility rule: what is true at one instant as it was known at another. The predicate of statements that read extents
 * says the same.
 */
export function isVisible({ valid, recorded }: BitemporalRange, at: Instants): boolean {
  return contains(valid, at.valid) && contains(recorded, at.recorded);
}
