import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { Calendar, dateOfWall, wallOfDate } from '../time/calendar.ts';
import { overlap, type Interval } from '../time/interval.ts';

/** A time that is spoken of: dates, local times or instants; `to` is part of it. */
export interface MentionedInterval {
  readonly from: string;
  readonly to?: string | undefined;
  readonly zone?: string | undefined;
}

/** Years, months and days: what stands for a whole stretch by itself. */
const CALENDAR_UNIT = /^\d{4}(-\d{2}(-\d{2})?)?$/;
const WITH_OFFSET = /(?:z|[+-]\d{2}:\d{2})$/i;

/** The half-open interval of a time that is spoken of; a date, month or year at its end is taken in whole. */
export function stretchOf({ from, to = from, zone }: MentionedInterval, timezone: string): Interval {
  const calendar = new Calendar(zone ?? timezone);
  return { from: beginOf(from, calendar), to: Math.min(endOf(to, calendar), OPEN_END) };
}

/** Whether something that is spoken of has an instant in common with an interval. */
export function refersWithin(
  spoken: MentionedInterval | readonly MentionedInterval[] | undefined,
  timezone: string,
  during: Interval,
): boolean {
  if (spoken === undefined) return false;
  const all = Array.isArray(spoken)
    ? (spoken as readonly MentionedInterval[])
    : [spoken as MentionedInterval];
  return all.some((one) => overlap(stretchOf(one, timezone), during));
}

function beginOf(text: string, calendar: Calendar): number {
  if (CALENDAR_UNIT.test(text)) return calendar.instantOf(wallOfDate(...dateParts(text)));
  return WITH_OFFSET.test(text) ? toEpochMs(text) : calendar.instantOf(toEpochMs(`${text}Z`));
}

function endOf(text: string, calendar: Calendar): number {
  if (!CALENDAR_UNIT.test(text)) return beginOf(text, calendar) + 1;
  const [year, month, day] = dateParts(text);
  if (text.length === 4) return calendar.instantOf(wallOfDate(year + 1, 1, 1));
  if (text.length === 7) return calendar.instantOf(wallOfDate(year, month + 1, 1));
  const next = dateOfWall(wallOfDate(year, month, day + 1));
  return calendar.instantOf(wallOfDate(next.year, next.month, next.day));
}

function dateParts(text: string): [number, number, number] {
  const [year = 1, month = 1, day = 1] = text.split('-').map(Number);
  return [year, month, day];
}
