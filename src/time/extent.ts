import { contains, isEmpty, type Interval } from './interval.ts';

/** A row of a bi-temporal record: when it is true in the world, and when that was what the service knew. Never edited but for its closing. */
export interface Extent {
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
export function isVisible({ valid, recorded }: Extent, at: Instants): boolean {
  return contains(valid, at.valid) && contains(recorded, at.recorded);
}

/**
 * The rows of a record that is true in `valid` from the recorded instant `now` on (null: not true at all), after the rows that it
 * had. What was known for no time leaves no row.
 */
export function revised(
  rows: readonly Extent[],
  valid: Interval | null,
  { now, openEnd }: { now: number; openEnd: number },
): readonly Extent[] {
  const next = valid === null || isEmpty(valid) ? null : valid;
  const open = rows.find(({ recorded }) => recorded.to === openEnd);
  const same = open !== undefined && next?.from === open.valid.from && next.to === open.valid.to;
  if (same || (open === undefined && next === null)) return rows;
  const closed = rows.map((row) =>
    row === open ? { ...row, recorded: { from: row.recorded.from, to: now } } : row,
  );
  const opened = next === null ? [] : [{ valid: next, recorded: { from: now, to: openEnd } }];
  return [...closed.filter(({ recorded }) => !isEmpty(recorded)), ...opened];
}
