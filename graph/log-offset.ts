import type { Integer } from 'neo4j-driver';

import { systemClock, type Clock } from '../src/clock.ts';
import { KNOWN_NOW } from '../src/time/as-of.ts';
import type { Reader } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

/** Places of the log that one statement looks at to find how far it reached at an instant: of a million events four statements do. */
const LOG_PLACE_PROBES = 32;

/** Such places that a process remembers, about: 32 bytes each. */
const LOG_PLACE_POINTS = 4096;

/** An instant so many milliseconds ago is one of the past, for which it is worth asking how far the log reached then. */
const LOG_PLACE_RECENT_MS = 1000;

/** When the first event at or behind a place of the log was recorded. */
interface Probe {
  readonly asked: number;
  /** Place of that event. */
  readonly wal_offset: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
}

const probe = statement<{ offsets: readonly Integer[] }, Probe>(
  'event.probe',
  'constraint event_wal_offset, one row for each place',
  `UNWIND $offsets AS asked
   CALL (asked) {
     MATCH (e:Event) USING INDEX SEEK e:Event(wal_offset) WHERE e.wal_offset >= asked
     WITH e ORDER BY e.wal_offset LIMIT 1
     RETURN e.wal_offset AS wal_offset, e.recorded_at.epochMillis AS recorded_at
   }
   RETURN asked, wal_offset, recorded_at`,
);

const newest = statement<Params, Omit<Probe, 'asked'>>(
  'event.newest_place',
  'constraint event_wal_offset, from its end',
  `MATCH (e:Event) USING INDEX SEEK e:Event(wal_offset) WHERE e.wal_offset >= 0
   WITH e ORDER BY e.wal_offset DESC LIMIT 1
   RETURN e.wal_offset AS wal_offset, e.recorded_at.epochMillis AS recorded_at`,
);

/** That whatever lies at or behind a place was recorded at an instant or later. */
interface Point {
  readonly offset: number;
  readonly recorded_at: number;
}

/**
 * Knows how far the log reached at recorded instants, so that a walk over what was known then need not begin with what came later.
 * What lies behind in the log was recorded later; so places are found by narrowing down, and since the past does not change, what was
 * found is kept: an instant that was asked for before costs no round trip, another one a few.
 */
export class LogOffsets {
  private readonly reader: Reader;
  private readonly clock: Clock;
  /** In the order of the log. */
  private points: Point[] = [];

  constructor(reader: Reader, clock: Clock = systemClock) {
    this.reader = reader;
    this.clock = clock;
  }

  /**
   * A place of the log such that whatever lies there or in front of it was recorded by an instant: the last of them, but for an instant
   * that has hardly passed, for which nobody asks the database; -1 where none is known.
   */
  async through(recorded: number): Promise<number> {
    if (this.indexAfter(recorded) < this.points.length || recorded < this.clock.now() - LOG_PLACE_RECENT_MS) {
      const after = await this.after(recorded);
      if (after !== null) return after - 1;
    }
    return this.points[this.indexAfter(recorded) - 1]?.offset ?? -1;
  }

  /** The smaller of `before` and the place of the first event that was recorded after an instant, epoch milliseconds. */
  async bound(before: number, recorded: number): Promise<number> {
    if (recorded >= KNOWN_NOW) return before;
    const after = await this.after(recorded);
    return after === null ? before : Math.min(before, after);
  }

  /** The first place of which it is known that whatever lies there or behind was recorded after an instant; null while there is none. */
  private async after(recorded: number): Promise<number | null> {
    if (this.indexAfter(recorded) === this.points.length) await this.lookAtNewest();
    for (;;) {
      const index = this.indexAfter(recorded);
      const high = this.points[index];
      if (high === undefined) return null;
      const low = this.points[index - 1]?.offset ?? -1;
      if (high.offset - low <= 1) return high.offset;
      await this.look(between(low, high.offset), high.recorded_at);
    }
  }

  /** Where in the points those begin that were recorded after an instant. */
  private indexAfter(recorded: number): number {
    let [low, high] = [0, this.points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.points[middle]?.recorded_at ?? Infinity) > recorded) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private async lookAtNewest(): Promise<void> {
    const [found] = await this.reader.read(newest, {});
    if (found !== undefined) this.note([{ offset: found.wal_offset, recorded_at: found.recorded_at }]);
  }

  /** Looks at places; `next` is when what follows them was recorded, should everything from one of them on be erased meanwhile. */
  private async look(offsets: readonly number[], next: number): Promise<void> {
    const found = await this.reader.read(probe, { offsets: offsets.map(int) });
    const events = found.map(({ wal_offset: offset, recorded_at }) => ({ offset, recorded_at }));
    const at = new Map(found.map(({ asked, recorded_at }) => [asked, recorded_at]));
    this.note([...events, ...offsets.map((offset) => ({ offset, recorded_at: at.get(offset) ?? next }))]);
  }

  private note(found: readonly Point[]): void {
    const known = new Map([...this.points, ...found].map((point) => [point.offset, point]));
    const points = [...known.values()].sort((a, b) => a.offset - b.offset);
    this.points =
      points.length > LOG_PLACE_POINTS ? points.filter((_, i) => i % 2 === (points.length - 1) % 2) : points;
  }
}

/** Places strictly between two, evenly spread. */
function between(low: number, high: number): number[] {
  const step = (high - low) / (LOG_PLACE_PROBES + 1);
  const places = Array.from({ length: LOG_PLACE_PROBES }, (_, i) => Math.ceil(low + step * (i + 1)));
  return [...new Set(places)].filter((place) => place > low && place < high);
}
