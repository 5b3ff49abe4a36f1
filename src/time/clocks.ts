import { toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { Calendar, DAY_MS } from './calendar.ts';

const MINUTE_MS = 60_000;
const OFFSET = /([+-])(\d{2}):(\d{2})$/;

/** What is known of the clocks by which something was observed. */
export interface OwnClocks {
  /** IANA time zone of whoever observed it. */
  readonly timezone?: string | undefined;
  /** The instant as it was sent: RFC 3339 with an offset, or Z, which says nothing of clocks. */
  readonly observed_at?: string | undefined;
}

/** Says by which clocks instants are told, all in UTC where nothing is known of them. */
export class Clocks {
  private readonly zone: string | null;
  private readonly calendars = new Map<string, Calendar>();

  /** @param zone IANA time zone by which all is told; null: each by its own clocks */
  constructor(zone: string | null = null) {
    this.zone = zone;
  }

  /**
   * Milliseconds by which clocks are ahead of UTC at an instant (epoch milliseconds): those of the zone that was named for all, else of
   * the own time zone, else by the offset of the own text, else 0.
   */
  offsetAt(at: number, { timezone, observed_at = '' }: OwnClocks = {}): number {
    const zone = this.zone ?? timezone ?? null;
    return zone === null ? offsetOf(observed_at) : this.calendarOf(zone).offsetAt(at);
  }

  /** The same for when a record begins or ends to hold: the first instant of a day in UTC was stated as a date, and is told in UTC. */
  offsetOfBound(at: number): number {
    return at % DAY_MS === 0 ? 0 : this.offsetAt(at);
  }

  private calendarOf(zone: string): Calendar {
    const calendar = this.calendars.get(zone) ?? new Calendar(zone);
    this.calendars.set(zone, calendar);
    return calendar;
  }
}

/** Milliseconds of the offset that an RFC 3339 text ends with; 0 for Z. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? -size : size;
}

/** An instant to the minute as clocks show it, `YYYY-MM-DD HH:MM +08:00`; `UTC` stands for no offset. */
export function minuteText(at: number, offsetMs: number): string {
  const { text, offset } = local(at, offsetMs);
  return `${text.slice(0, 16).replace('T', ' ')} ${offset === '' ? 'UTC' : offset}`;
}

/** RFC 3339 text with milliseconds of an instant as clocks show it: with their offset, `Z` for none. */
export function localRfc3339(at: number, offsetMs: number): string {
  const { text, offset } = local(at, offsetMs);
  return `${text.slice(0, -1)}${offset === '' ? 'Z' : offset}`;
}

/** What clocks show as if it were UTC, and their offset to the minute; UTC where that leaves the years 1 to 9999. */
function local(at: number, offsetMs: number): { readonly text: string; readonly offset: string } {
  const minutes = Math.round(offsetMs / MINUTE_MS);
  const utc = toRfc3339(at);
  if (minutes === 0) return { text: utc, offset: '' };
  const text = toRfc3339(at + minutes * MINUTE_MS);
  if (!/^\d{4}-/.test(text) || text.startsWith('0000')) return { text: utc, offset: '' };
  const two = (count: number): string => String(count).padStart(2, '0');
  const size = Math.abs(minutes);
  return { text, offset: `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}` };
}

/**
 * An instant or date as a day of the clocks by which something was observed, where it is the day on which it was and had not begun in UTC
 * by when what was observed holds (`held_since`, the same or earlier): then it is that instant. Any other text stays as it is.
 */
export function begunBy(
  text: string,
  { observed_at, held_since }: { readonly observed_at: string; readonly held_since: string },
): string {
  const isThatDay = text.length === 10 && observed_at.startsWith(text);
  return isThatDay && toEpochMs(text) > toEpochMs(held_since) ? held_since : text;
}
