import { z } from 'zod';

/** The open end of an interval, epoch milliseconds (9999-12-31T23:59:59.999Z); no instant lies beyond it. */
export const OPEN_END = 253_402_300_799_999;
/** The first instant that may be stored, epoch milliseconds (0001-01-01T00:00:00Z). */
export const FIRST_INSTANT = -62_135_596_800_000;

/** The second that is inserted at the end of a minute, with what of it is told. */
const LEAP_SECOND = /(?<=T\d{2}:\d{2}):60(?:\.\d+)?(?=Z|[+-]\d{2}:\d{2}$)/u;

/** An RFC 3339 text in capital letters, a leap second in it as the last millisecond of its minute: clocks here have none. */
const onClocks = (text: string): string => text.toUpperCase().replace(LEAP_SECOND, ':59.999');

const rfc3339 = z
  .string()
  .transform(onClocks)
  .pipe(z.iso.datetime({ offset: true }));
/** A calendar date `YYYY-MM-DD`. */
export const calendarDate = z.iso.date();

/** Epoch milliseconds of an RFC 3339 text; finer digits are cut, and a leap second is the last millisecond of its minute. */
export function toEpochMs(text: string): number {
  return Date.parse(onClocks(text));
}

/** RFC 3339 text, UTC with milliseconds, of epoch milliseconds. */
export function toRfc3339(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function withinRange(text: string): boolean {
  const at = toEpochMs(text);
  return at >= FIRST_INSTANT && at <= OPEN_END;
}

/** An instant in RFC 3339 with an offset or Z, from year 1 to year 9999; kept as the caller wrote it. A leap second is one. */
export const instant = z
  .string()
  .refine(
    (text) => rfc3339.safeParse(text).success,
    'is not an RFC 3339 instant such as 2026-01-31T12:00:00Z (in a query, write the + of an offset as %2B)',
  )
  .refine((text) => !rfc3339.safeParse(text).success || withinRange(text), 'lies outside the years 1 to 9999')
  .meta({ format: 'date-time' })
  .describe('RFC 3339 instant with an offset or Z, years 1 to 9999.');

/** An instant, or a calendar date that stands for its first instant in UTC. */
export const instantOrDate = z
  .string()
  .refine(
    (text) => (rfc3339.safeParse(text).success || calendarDate.safeParse(text).success) && withinRange(text),
    'is neither an RFC 3339 instant nor a date YYYY-MM-DD of the years 1 to 9999',
  )
  .meta({ anyOf: [{ format: 'date-time' }, { format: 'date' }] })
  .describe('RFC 3339 instant, or a date YYYY-MM-DD for its first instant in UTC.');

const PARTIAL = /^\d{4}(-\d{2})?$/;

/** The first instant of a year, a month or a day, or an instant: epoch milliseconds of its text. */
export function firstInstantOf(text: string): number {
  if (PARTIAL.test(text)) return toEpochMs(text.length === 4 ? `${text}-01-01` : `${text}-01`);
  return toEpochMs(text);
}

/** An instant, or a day, a month or a year that stands for its first instant in UTC. */
export const partialInstant = z
  .string()
  .refine(
    (text) => instantOrDate.safeParse(PARTIAL.test(text) ? `${text.padEnd(7, '-01')}-01` : text).success,
    'is neither an RFC 3339 instant nor a date YYYY-MM-DD, YYYY-MM or YYYY of the years 1 to 9999',
  )
  .describe('RFC 3339 instant, or YYYY-MM-DD, YYYY-MM or YYYY for its first instant in UTC.');

/** A half-open interval of two instants; a date stands for its first instant, 1970 and 9999 for open ends. `what` says what lies in it. */
export function interval(what: string) {
  return z
    .tuple([partialInstant, partialInstant])
    .refine(([from, to]) => firstInstantOf(from) < firstInstantOf(to), 'ends where it begins or before')
    .describe(`${what} Two RFC 3339 instants or dates, half open; 1970 and 9999 for open ends.`);
}

/** An instant that the service answers. */
export const answeredInstant = z.string().meta({ format: 'date-time' });

/** The text of a time zone that this runtime knows. */
export const timezone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      return /^[A-Za-z]/.test(name);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }, 'is not an IANA time zone such as Europe/Berlin')
  .meta({ format: 'iana-time-zone' })
  .describe('IANA time zone name.');
