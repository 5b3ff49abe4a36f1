import type { Rectangle } from './rectangles.ts';

/** How an instant is written so that it can be told from others: as much as it needs, and no more. */
export type Fineness = 'day' | 'minute' | 'second' | 'millisecond';

/** Parts of a day, the longest first. */
const PARTS = [
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The instants of valid time at which a value begins or ends, each once, earliest first. */
export function changesOf(rectangles: readonly Rectangle[]): readonly number[] {
  const changes = rectangles.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  return [...new Set(changes)].sort((a, b) => a - b);
}

/** How finely each of these has to be written: one that is alone on its day by the day, the others of a day by what tells all of them apart. */
export function finenessOf(instants: readonly number[]): ReadonlyMap<number, Fineness> {
  const days = new Map<string, number[]>();
  for (const instant of new Set(instants)) {
    const day = new Date(instant).toDateString();
    days.set(day, [...(days.get(day) ?? []), instant]);
  }
  return new Map([...days.values()].flatMap((day) => day.map((instant) => [instant, finenessIn(day)])));
}

/** What tells the instants of one day apart. */
function finenessIn(day: readonly number[]): Fineness {
  if (day.length === 1) return 'day';
  const isEnough = (ms: number): boolean =>
    new Set(day.map((instant) => Math.floor(instant / ms))).size === day.length;
  return PARTS.find(([, ms]) => isEnough(ms))?.[0] ?? 'millisecond';
}
