import neo4j, { type DateTime } from 'neo4j-driver';

import { FIRST_INSTANT, OPEN_END } from '../schemas/time.ts';

/*
 * Instants are stored as zoned datetimes in UTC, which everybody can read, and are epoch milliseconds everywhere else. Those of rows
 * travel as integers both ways, for the driver takes ten times as long for its own objects. Comparing one with an integer is null in
 * Cypher, and null is a row less without a word: both sides have to be datetimes.
 */

/** An instant as the driver sends it. */
export type Instant = DateTime<number>;

/** An instant, epoch milliseconds, as one parameter of a statement; in rows see {@link storedInstant}. */
export function instant(epochMs: number): Instant {
  const at = new Date(epochMs);
  if (Number.isNaN(at.getTime())) throw new RangeError(`${epochMs} is no instant`);
  return new neo4j.types.DateTime(
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    at.getUTCMilliseconds() * 1e6,
    0,
  );
}

/** The same of where a walk begins: before all that there is, the first instant, and behind it the last. */
export function nearestInstant(epochMs: number): Instant {
  return instant(Math.min(Math.max(epochMs, FIRST_INSTANT), OPEN_END));
}

/** An instant as one parameter, or null. */
export function instantOrNull(epochMs: number | null): Instant | null {
  return epochMs === null ? null : instant(epochMs);
}

/** Cypher for the datetime of epoch milliseconds; fails on null. */
export const storedInstant = (epochMs: string): string => `datetime({epochMillis: ${epochMs}})`;

/** The same, and null of null. */
export const storedInstantOrNull = (epochMs: string): string =>
  `CASE WHEN ${epochMs} IS NOT NULL THEN ${storedInstant(epochMs)} END`;

/** Cypher for the epoch milliseconds of a datetime; null of null. */
export const readInstant = (stored: string): string => `${stored}.epochMillis`;

/** Cypher for the first instant that there is. */
export const FIRST = storedInstant(String(FIRST_INSTANT));

/** Cypher for the end of what has none. */
export const OPEN = storedInstant(String(OPEN_END));
