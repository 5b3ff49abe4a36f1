import { dateOfWall, DAY_MS, HOUR_MS, modulo, wallOfDate, type Calendar } from '../calendar.ts';
import { contains, isEmpty, type Interval } from '../interval.ts';

/** Begin and end of a stretch as clocks on the wall show them. */
export type Walls = readonly [from: number, to: number];

/** Things of one name that come again: Mondays, Christmases, months. They are numbered in the order of time. */
export interface Series {
  /** From one of them to the next, about; milliseconds. */
  readonly cycle: number;
  /** How long one of them is, about; milliseconds. */
  readonly size: number;
  /** Whether its bare name leaves out the one that still runs: who means today does not say Monday. */
  readonly settled: boolean;
  /** The number of the one whose turn it is at an instant, if need be one off. */
  readonly index: (at: number) => number;
  /** The one of a number; null where there is none. */
  readonly at: (index: number) => Interval | null;
}

/** Milliseconds of a mean month. */
const MONTH_MS = 30.436875 * DAY_MS;
/** 1970-01-01 was a Thursday: so many days after a Monday. */
const EPOCH_WEEKDAY = 3;
/** How far a series is searched, in elements: a 29 February of a given weekday comes within forty years. */
const REACH = 44;
/** A month, a year or a day of 25 hours is by so much longer than its mean, at most. */
const TOLERANCE = 1.1;

/** The units of time that phrases name. */
export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade';

const MONTHS_OF: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12, decade: 120 };
const CLOCK_MS: Partial<Record<Unit, number>> = { second: 1000, minute: 60_000, hour: HOUR_MS };

function stretch(calendar: Calendar, walls: Walls | null): Interval | null {
  if (walls === null) return null;
  const found = calendar.between(walls[0], walls[1]);
  return isEmpty(found) ? null : found;
}

/** A series with one member each day; `hours` are counted from midnight. */
export function daily(calendar: Calendar, from: number, to: number): Series {
  return {
    cycle: DAY_MS,
    size: to - from,
    settled: false,
    index: (at) => Math.floor(calendar.wallOf(at) / DAY_MS),
    at: (k) => stretch(calendar, [k * DAY_MS + from, k * DAY_MS + to]),
  };
}

/** A series with a clock time of each day; `time` is counted from midnight, and `width` passes whatever clocks show. */
export function dailyAt(calendar: Calendar, time: number, width: number): Series {
  return {
    ...daily(calendar, time, time + width),
    at: (k) => {
      const from = calendar.instantOf(k * DAY_MS + time);
      return { from, to: from + width };
    },
  };
}

/** A series with one member each week, from the beginning of one day to that of another; 0 is Monday. */
export function weekly(calendar: Calendar, from: number, to: number, settled: boolean): Series {
  const monday = (k: number): number => 7 * k - EPOCH_WEEKDAY;
  return {
    cycle: 7 * DAY_MS,
    size: (to - from) * DAY_MS,
    settled,
    index: (at) => Math.floor((Math.floor(calendar.wallOf(at) / DAY_MS) + EPOCH_WEEKDAY) / 7),
    at: (k) => stretch(calendar, [(monday(k) + from) * DAY_MS, (monday(k) + to) * DAY_MS]),
  };
}

/** A series with one member in so many months, which start with the months of year 0; `of` is given the first of them. */
export function monthly(
  calendar: Calendar,
  span: number,
  size: number,
  of: (year: number, month: number) => Walls | null,
): Series {
  return {
    cycle: span * MONTH_MS,
    size,
    settled: false,
    index: (at) => {
      const { year, month } = calendar.dateAt(at);
      return Math.floor((12 * year + month - 1) / span);
    },
    at: (k) => stretch(calendar, of(Math.floor((k * span) / 12), modulo(k * span, 12) + 1)),
  };
}

/** A series with one member each year, so many months long. */
export function yearlyMonths(calendar: Calendar, first: number, months: number): Series {
  return monthly(calendar, 12, months * MONTH_MS, (year) => [
    wallOfDate(year, first, 1),
    wallOfDate(year, first + months, 1),
  ]);
}

/** A series with a day of each year; `of` gives its beginning, null in a year without it. */
export function yearlyDay(calendar: Calendar, of: (year: number) => number | null): Series {
  return monthly(calendar, 12, DAY_MS, (year) => {
    const day = of(year);
    return day === null ? null : [day, day + DAY_MS];
  });
}

/** The years of the calendar. */
export function years(calendar: Calendar): Series {
  return yearlyMonths(calendar, 1, 12);
}

/** The first day of an ISO week of a year: the first week is that of 4 January. */
export function wallOfWeek(year: number, week: number): number {
  const fourth = wallOfDate(year, 1, 4) / DAY_MS;
  return (fourth - modulo(fourth + EPOCH_WEEKDAY, 7) + 7 * (week - 1)) * DAY_MS;
}

/** The units of a calendar. Hours, minutes and seconds have the offset of UTC that holds at the reference. */
export function unitSeries(calendar: Calendar, unit: Unit, reference: number): Series {
  if (unit === 'day') return daily(calendar, 0, DAY_MS);
  if (unit === 'week') return weekly(calendar, 0, 7, false);
  const months = MONTHS_OF[unit];
  if (months !== undefined)
    return monthly(calendar, months, months * MONTH_MS, (year, month) => [
      wallOfDate(year, month, 1),
      wallOfDate(year, month + months, 1),
    ]);
  const size = CLOCK_MS[unit] ?? DAY_MS;
  const shift = modulo(calendar.offsetAt(reference), size);
  return {
    cycle: size,
    size,
    settled: false,
    index: (at) => Math.floor((at + shift) / size),
    at: (k) => ({ from: k * size - shift, to: (k + 1) * size - shift }),
  };
}

/** A series with each of its members replaced, `size` long then; each is made once. */
export function mapped(series: Series, size: number, of: (member: Interval) => Interval | null): Series {
  const made = new Map<number, Interval | null>();
  return {
    ...series,
    size,
    at: (k) => {
      const known = made.get(k);
      if (known !== undefined) return known;
      const member = series.at(k);
      const found = member === null ? null : of(member);
      made.set(k, found);
      return found;
    },
  };
}

function search(
  series: Series,
  start: number,
  step: 1 | -1,
  fits: (member: Interval) => boolean,
): Interval | null {
  for (let tried = 0; tried < REACH; tried++) {
    const member = series.at(start + step * tried);
    if (member !== null && fits(member)) return member;
  }
  return null;
}

/** The latest member that has begun at an instant. */
export function latestBegun(series: Series, at: number): Interval | null {
  return search(series, series.index(at) + 1, -1, ({ from }) => from <= at);
}

/** The latest member that is over at an instant. */
export function latestOver(series: Series, at: number): Interval | null {
  return search(series, series.index(at) + 1, -1, ({ to }) => to <= at);
}

/** The earliest member that begins at an instant or later. */
export function earliestFrom(series: Series, at: number): Interval | null {
  return search(series, series.index(at) - 1, 1, ({ from }) => from >= at);
}

/** The member that runs at an instant, or else the one whose turn it is. */
export function current(series: Series, at: number): Interval | null {
  const turn = series.index(at);
  const before = series.at(turn - 1);
  return before !== null && contains(before, at) ? before : series.at(turn);
}

/** Whether a stretch of some length has one member of a series in it: a month has one fifth, but several Mondays. */
export function isOneIn(series: Series, length: number): boolean {
  return length <= TOLERANCE * series.cycle && series.size <= TOLERANCE * length;
}

/** The member that belongs to a stretch which has one; null where the stretch misses it. */
export function memberIn(series: Series, outer: Interval): Interval | null {
  const turn = series.index((outer.from + outer.to) / 2);
  const whole = outer.to - outer.from >= series.cycle / TOLERANCE;
  if (whole) return series.at(turn);
  const near = [turn - 1, turn, turn + 1].map((k) => series.at(k));
  return near.find((member) => member !== null && contains(outer, member.from)) ?? null;
}

/** How long a stretch is by the clocks on the wall, as whole months where it begins and ends with one; else null. */
export function monthsOf(
  calendar: Calendar,
  { from, to }: Interval,
): { readonly first: number; readonly count: number } | null {
  const [begin, end] = [calendar.wallOf(from), calendar.wallOf(to)];
  const [first, last] = [dateOfWall(begin), dateOfWall(end)];
  const whole = first.day === 1 && last.day === 1 && modulo(begin, DAY_MS) === 0 && modulo(end, DAY_MS) === 0;
  const count = 12 * (last.year - first.year) + last.month - first.month;
  return whole && count > 0 ? { first: 12 * first.year + first.month - 1, count } : null;
}
