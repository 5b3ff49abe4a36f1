import type { CalendarStep } from '../../schemas/temporal-phrase.ts';
import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import type { Interval } from './interval.ts';

/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000;
/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** Calendar days beyond the range of instants that are still computed; what lies further out is taken for its edge. */
const MARGIN_MS = 400 * DAY_MS;
const FIRST_YEAR = -10;
const LAST_YEAR = 10_010;

/** A day of the Gregorian calendar; months and days count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The rest of a division that is never negative. */
export function modulo(value: number, by: number): number {
  return value - by * Math.floor(value / by);
}

/**
 * What a clock on the wall shows at the beginning of a day, as milliseconds that it would be in UTC. Months and days beyond the end of
 * a year or month count on into the next one; years are cut to those around the range of instants.
 */
export function wallOfDate(year: number, month: number, day: number): number {
  const monthsBefore = 12 * year + month - 1;
  const date = new Date(0);
  date.setUTCFullYear(
    Math.min(Math.max(Math.floor(monthsBefore / 12), FIRST_YEAR), LAST_YEAR),
    modulo(monthsBefore, 12),
    1,
  );
  return date.getTime() + (day - 1) * DAY_MS;
}

/** The day on which a clock shows what {@link wallOfDate} counts. */
export function dateOfWall(wall: number): CalendarDate {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Days of a month. */
export function daysOfMonth(year: number, month: number): number {
  return (wallOfDate(year, month + 1, 1) - wallOfDate(year, month, 1)) / DAY_MS;
}

/** The beginning of a day as {@link wallOfDate} counts; null for a day that the calendar does not have. */
export function wallOfExisting({ year, month, day }: CalendarDate): number | null {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
  return exists ? wallOfDate(year, month, day) : null;
}

function within(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, FIRST_INSTANT - MARGIN_MS), OPEN_END + MARGIN_MS);
}

/**
 * The civil time of a time zone. Instants are epoch milliseconds, walls are what its clocks show, counted as if they were in UTC. Throws
 * `RangeError` for the name of a zone that the runtime does not know.
 */
export class Calendar {
  private readonly format: Intl.DateTimeFormat;

  constructor(timezone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** What clocks show at an instant. */
  wallOf(instant: number): number {
    const at = within(instant);
    const fraction = modulo(at, 1000);
    const parts = new Map(this.format.formatToParts(at - fraction).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const seconds = part('hour') * 3600 + part('minute') * 60 + part('second');
    return wallOfDate(year, part('month'), part('day')) + seconds * 1000 + fraction;
  }

  /** Milliseconds by which clocks are ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    const at = within(instant);
    return this.wallOf(at) - at;
  }

  /** The first instant at which clocks show a wall or, where they leap over it, something later. */
  instantOf(wall: number): number {
    const wanted = within(wall);
    const offsets = [this.offsetAt(wanted - DAY_MS), this.offsetAt(wanted + DAY_MS)];
    let before = wanted - Math.max(...offsets);
    let after = wanted - Math.min(...offsets);
    if (this.wallOf(before) >= wanted) return before;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.wallOf(middle) >= wanted) after = middle;
      else before = middle;
    }
    return after;
  }

  /** The stretch between two walls. */
  between(from: number, to: number): Interval {
    return { from: this.instantOf(from), to: this.instantOf(to) };
  }

  /** The day on which an instant lies. */
  dateAt(instant: number): CalendarDate {
    return dateOfWall(this.wallOf(instant));
  }

  /**
   * An instant moved by months and days of the calendar, at the same time of day, then by elapsed time. A day that the month does not
   * have becomes its last one.
   */
  plus(instant: number, { months, days, milliseconds }: CalendarStep): number {
    if (months === 0 && days === 0) return instant + milliseconds;
    const wall = this.wallOf(instant);
    const { year, month, day } = dateOfWall(wall);
    const first = dateOfWall(wallOfDate(year, month + months, 1));
    const kept = Math.min(day, daysOfMonth(first.year, first.month));
    const moved = wallOfDate(first.year, first.month, kept) + days * DAY_MS + modulo(wall, DAY_MS);
    return this.instantOf(moved) + milliseconds;
  }
}
