/** An event or an episode on the line. */
export interface Item {
  readonly id: string;
  readonly kind: 'event' | 'episode';
  /** Epoch milliseconds. */
  readonly start: number;
  /** Of an episode that goes on, null. */
  readonly end: number | null;
  readonly text: string;
  /** Who performed it; null where that is not known here, and of episodes. */
  readonly actor: string | null;
}

/** A stretch of time, epoch milliseconds. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** From an instant to a distance from the left, and how far the right end is. */
export interface Ruler {
  readonly x: (ms: number) => number;
  readonly width: number;
}

/** Events that stand so near to each other that they are one mark. */
export interface Cluster {
  readonly x: number;
  readonly items: readonly Item[];
}

/** Events of one actor, or of all that have no lane of their own. */
export interface Lane {
  readonly name: string;
  readonly clusters: readonly Cluster[];
}

/** An episode as a bar. */
export interface Bar {
  readonly item: Item;
  readonly x: number;
  readonly width: number;
  readonly row: number;
}

/** So many actors have a lane of their own. */
const MOST_LANES = 5;
/** Rows of bars at most; what finds no room is counted. */
const MOST_ROWS = 6;
/** Marks that are nearer to each other than that are one. */
const NEAR_PX = 16;
const LEAST_BAR_PX = 6;
const BAR_GAP_PX = 3;
const MARGIN = 0.04;
const LEAST_MS = 60_000;
/** The instants that the service knows, epoch milliseconds; all of them can be written. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The stretch that holds everything, with a margin; an hour around now where there is nothing. */
export function extentOf(items: readonly Item[], now: number): Stretch {
  if (items.length === 0) return { from: now - 3_600_000, to: now };
  let from = Infinity;
  let to = -Infinity;
  for (const { start, end } of items) {
    from = Math.min(from, start);
    to = Math.max(to, end ?? start);
  }
  const margin = Math.max((to - from) * MARGIN, LEAST_MS);
  return { from: from - margin, to: to + margin };
}

/** The events within sight, by lane: those actors first that have most. */
export function lanesOf(events: readonly Item[], ruler: Ruler): Lane[] {
  const byActor = new Map<string, Item[]>();
  for (const event of events) {
    const name = event.actor ?? 'events';
    const known = byActor.get(name);
    if (known === undefined) byActor.set(name, [event]);
    else known.push(event);
  }
  const actors = [...byActor].sort(([, a], [, b]) => b.length - a.length);
  const own = actors.length <= MOST_LANES + 1 ? actors : actors.slice(0, MOST_LANES);
  const rest = actors.slice(own.length);
  const others = rest.flatMap(([, items]) => items);
  const lanes: [string, Item[]][] =
    rest.length === 0 ? own : [...own, [`${rest.length} other actors`, others]];
  return lanes.map(([name, items]) => ({ name, clusters: clustersOf(items, ruler) }));
}

/** Marks from left to right; each takes in what is near to its first. */
export function clustersOf(events: readonly Item[], { x, width }: Ruler): Cluster[] {
  const placed = events
    .map((item) => ({ item, at: x(item.start) }))
    .filter(({ at }) => at >= 0 && at <= width)
    .sort((a, b) => a.at - b.at);
  const clusters: { first: number; sum: number; items: Item[] }[] = [];
  for (const { item, at } of placed) {
    const last = clusters.at(-1);
    if (last !== undefined && at - last.first < NEAR_PX) {
      last.items.push(item);
      last.sum += at;
    } else clusters.push({ first: at, sum: at, items: [item] });
  }
  return clusters.map(({ sum, items }) => ({ x: sum / items.length, items }));
}

/** Episodes within sight as bars, each in the first row that is free; `hidden` counts those that found none. */
export function barsOf(
  episodes: readonly Item[],
  { x, width }: Ruler,
): { readonly bars: readonly Bar[]; readonly rows: number; readonly hidden: number } {
  const ends: number[] = [];
  const bars: Bar[] = [];
  let hidden = 0;
  for (const item of [...episodes].sort((a, b) => a.start - b.start)) {
    const left = Math.max(0, x(item.start));
    const right = Math.min(width, item.end === null ? width : x(item.end));
    if (right < 0 || left > width) continue;
    const free = ends.findIndex((end) => end + BAR_GAP_PX <= left);
    const row = free < 0 ? ends.length : free;
    if (row >= MOST_ROWS) {
      hidden += 1;
      continue;
    }
    const bar = { item, x: left, width: Math.max(right - left, LEAST_BAR_PX), row };
    ends[row] = bar.x + bar.width;
    bars.push(bar);
  }
  return { bars, rows: ends.length, hidden };
}

/** A stretch moved by a share of its length, and made shorter (below 1) or longer about its middle. */
export function moved({ from, to }: Stretch, by: number, factor: number): Stretch {
  const length = to - from;
  const middle = from + length / 2 + by * length;
  const half = Math.max((length * factor) / 2, 500);
  return { from: middle - half, to: middle + half };
}

/** A stretch moved, and where it is too long cut, so that it lies within the years 1 to 9999. */
export function clamped({ from, to }: Stretch): Stretch {
  const length = Math.min(to - from, LATEST - EARLIEST);
  const start = Math.min(Math.max(from, EARLIEST), LATEST - length);
  return { from: start, to: start + length };
}

/** The stretch that items fill, somewhat wider; null where they are of one instant. */
export function around(items: readonly Item[]): Stretch | null {
  const starts = items.map(({ start }) => start);
  const from = Math.min(...starts);
  const to = Math.max(...starts);
  return from === to ? null : { from: from - (to - from) / 2, to: to + (to - from) / 2 };
}
