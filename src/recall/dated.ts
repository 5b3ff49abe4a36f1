import { Calendar, dateOfWall, DAY_MS, wallOfDate, wallOfExisting } from '../time/calendar.ts';
import type { Interval } from '../time/interval.ts';

/** A date that a query names. */
export interface AskedDate {
  /** Null for a day of any year. */
  readonly year: number | null;
  readonly month: number;
  /** Null for a month. */
  readonly day: number | null;
}

/** Years that are looked back through for a day without a year: two 29ths of February lie eight years apart at most. */
const YEARS_BACK = 8;

/**
 * The stretches of time that some dates stand for in a time zone, each once: a day, or a month. Of a day without a year it is the latest one
 * that has begun by the reference. Dates that the calendar does not have are left out. Throws `RangeError` for a time zone that the runtime
 * does not know.
 */
export function stretchesOfDates(
  dates: readonly AskedDate[],
  { reference, timezone }: { readonly reference: number; readonly timezone: string },
): Interval[] {
  if (dates.length === 0) return [];
  const calendar = new Calendar(timezone);
  const stretches = dates.flatMap((date) => {
    const walls = wallsOf(date, calendar.wallOf(reference));
    return walls === null ? [] : [calendar.between(walls.from, walls.to)];
  });
  return [...new Map(stretches.map((stretch) => [`${stretch.from} ${stretch.to}`, stretch])).values()];
}

function wallsOf({ year, month, day }: AskedDate, now: number): Interval | null {
  if (day !== null) {
    const wall = year === null ? latestBegun({ month, day }, now) : wallOfExisting({ year, month, day });
    return wall === null ? null : { from: wall, to: wall + DAY_MS };
  }
  return year === null ? null : { from: wallOfDate(year, month, 1), to: wallOfDate(year, month + 1, 1) };
}

function latestBegun(day: { readonly month: number; readonly day: number }, now: number): number | null {
  const { year } = dateOfWall(now);
  for (let back = 0; back <= YEARS_BACK; back += 1) {
    const wall = wallOfExisting({ year: year - back, ...day });
    if (wall !== null && wall <= now) return wall;
  }
  return null;
}
