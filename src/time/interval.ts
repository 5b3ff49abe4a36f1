/** A stretch of time, half open: `from` belongs to it, `to` does not. Epoch milliseconds; `OPEN_END` for no end. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Whether nothing lies in an interval. */
export function isEmpty({ from, to }: Interval): boolean {
  return from >= to;
}

/** Whether an instant lies in an interval. */
export function contains({ from, to }: Interval, instant: number): boolean {
  return from <= instant && instant < to;
}

/** What two intervals have in common; empty where that is nothing. */
export function intersection(a: Interval, b: Interval): Interval {
  return { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
}

/** Whether two intervals have an instant in common. */
export function overlap(a: Interval, b: Interval): boolean {
  return !isEmpty(intersection(a, b));
}

/** Intervals that overlap or touch made one, in the order of time. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const whole: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last !== undefined && next.from <= last.to)
      whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else whole.push(next);
  }
  return whole;
}

/** What of an interval lies outside of others, in the order of time. */
export function outside(interval: Interval, others: readonly Interval[]): Interval[] {
  let left = [interval];
  for (const other of others) left = left.flatMap((one) => without(one, other));
  return left.filter((one) => !isEmpty(one));
}

function without(one: Interval, other: Interval): Interval[] {
  if (!overlap(one, other)) return [one];
  return [
    { from: one.from, to: other.from },
    { from: other.to, to: one.to },
  ].filter((piece) => !isEmpty(piece));
}
