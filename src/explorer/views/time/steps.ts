import type { AxisTimes } from './queries.ts';

/** A place of a slider: an instant at which something changes, or now. */
export interface Step {
  /** Null for now, which goes on. */
  readonly at: string | null;
  readonly ms: number;
  /** How many nodes and edges begin or end there. */
  readonly count: number;
}

/**
 * The places of a slider, oldest first, with now among them. A stretch in which several changes lie is looked at from its end, so that
 * all of them have happened.
 */
export function stepsOf(pages: readonly AxisTimes[], nowMs: number): Step[] {
  const counts = new Map<number, number>();
  for (const { changes, bucketMs } of pages)
    for (const { at, count } of changes) {
      const ms = Date.parse(at) + (bucketMs ?? 0);
      counts.set(ms, (counts.get(ms) ?? 0) + count);
    }
  const steps: Step[] = [...counts].map(([ms, count]) => ({ at: new Date(ms).toISOString(), ms, count }));
  steps.push({ at: null, ms: nowMs, count: 0 });
  return steps.sort((a, b) => a.ms - b.ms);
}

/** The step that holds at an instant, the last one not after it; now for null. Before all of them the first. */
export function indexAt(steps: readonly Step[], at: string | null): number {
  if (at === null) return steps.findIndex((step) => step.at === null);
  const ms = Date.parse(at);
  return Math.max(
    0,
    steps.findLastIndex((step) => step.ms <= ms && step.at !== null),
  );
}

/** The nearest step before an instant, null where there is none. */
export function stepBefore(steps: readonly Step[], at: string | null): Step | null {
  const ms = msOf(steps, at);
  return steps.findLast((step) => step.ms < ms) ?? null;
}

/** The nearest step after an instant, null where there is none. */
export function stepAfter(steps: readonly Step[], at: string | null): Step | null {
  const ms = msOf(steps, at);
  return steps.find((step) => step.ms > ms) ?? null;
}

function msOf(steps: readonly Step[], at: string | null): number {
  return at === null ? (steps.find((step) => step.at === null)?.ms ?? 0) : Date.parse(at);
}

/** The most bars that are drawn above a slider; of more steps several share one. */
const MOST_BARS = 240;

/** Bars that show where most changes, as a path in a box of `width` by `height`; each as high as the logarithm of its count. */
export function barsOf(steps: readonly Step[], width: number, height: number): string {
  if (steps.length < 2) return '';
  const bars = Math.min(steps.length, MOST_BARS);
  const counts = Array.from({ length: bars }, () => 0);
  for (const [i, { count }] of steps.entries()) {
    const bar = Math.round((i / (steps.length - 1)) * (bars - 1));
    counts[bar] = (counts[bar] ?? 0) + count;
  }
  const most = Math.log1p(Math.max(1, ...counts));
  return counts
    .map((count, bar) => {
      if (count === 0) return '';
      const x = ((bar / (bars - 1)) * width).toFixed(1);
      return `M${x} ${height}V${(height - Math.max(1.5, (Math.log1p(count) / most) * height)).toFixed(1)}`;
    })
    .join('');
}
