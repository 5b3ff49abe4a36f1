/** How time is drawn: each change with the same room, or to scale. */
export type Pace = 'steps' | 'scale';

/** A place on an axis with what it says. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** An axis: where an instant lies on it, and what is written there. */
export interface Axis {
  /** Of null, the end that is open, the end of the axis. */
  readonly place: (instant: number | null) => number;
  readonly ticks: readonly Tick[];
}

/**
 * The axis of recorded time, downwards, with a tick for each instant at which something changes: in steps, so that what came within
 * one second can be seen, or to scale, so that it can be seen that it did.
 */
export function recordedAxis(
  instants: readonly number[],
  end: number,
  { pace, height }: { readonly pace: Pace; readonly height: number },
): Axis {
  const places = placesOf([...instants, end], pace, height);
  const known = new Map(instants.map((instant, i) => [instant, places[i] ?? 0]));
  const text = writerOf([...instants, end]);
  return {
    place: (instant) => (instant === null ? height : (known.get(instant) ?? height)),
    ticks: instants.map((instant, i) => ({ at: places[i] ?? 0, text: text(instant) })),
  };
}

/** Where instants lie on a length, the first at its beginning and the last at its end. */
export function placesOf(instants: readonly number[], pace: Pace, length: number): readonly number[] {
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  const steps = Math.max(1, instants.length - 1);
  return instants.map((instant, i) => {
    if (pace === 'steps' || last === first) return (i / steps) * length;
    return ((instant - first) / (last - first)) * length;
  });
}

const DAY_MS = 86_400_000;
const SECONDS_MS = 120_000;

/** How instants are written so that they can be told apart: by day, by minute, or, all of one moment, by its parts. */
export function writerOf(instants: readonly number[]): (instant: number) => string {
  const gaps = instants.slice(1).map((at, i) => at - (instants[i] ?? 0));
  const smallest = Math.min(...gaps.filter((gap) => gap > 0));
  const options: Intl.DateTimeFormatOptions =
    smallest >= DAY_MS
      ? { dateStyle: 'medium' }
      : smallest >= SECONDS_MS
        ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
        : { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 };
  const format = new Intl.DateTimeFormat(undefined, options);
  return (instant) => format.format(instant);
}

/** Ticks that do not stand on one another, `apart` at least; the last one stays. */
export function thinned(ticks: readonly Tick[], apart: number): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks.toReversed()) if (kept.every(({ at }) => at - tick.at >= apart)) kept.push(tick);
  return kept.reverse();
}
