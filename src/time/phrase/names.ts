import { DAY_MS, HOUR_MS, modulo, wallOfDate, wallOfExisting, type Calendar } from '../calendar.ts';
import { holidayOf } from './holidays.ts';
import { fixed, oneOf, refused, type Context, type Meaning, type Rule } from './meaning.ts';
import {
  current,
  daily,
  dailyAt,
  monthly,
  unitSeries,
  weekly,
  wallOfWeek,
  yearlyDay,
  yearlyMonths,
  years,
} from './series.ts';
import { MONTH, monthOf, ORDINAL, ordinalOf, tableOf, unitOf, weekdayOf } from './words.ts';

const MINUTE_MS = 60_000;
/** Days of a week from Monday on. */
const SATURDAY = 5;

/** First month and number of months; those of the northern half of the earth, as meteorologists count them. */
const SEASONS = tableOf({ spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 });

/** Hours from midnight of the day that a part of it begins on. A night goes on until six. */
const PARTS = tableOf<readonly [from: number, to: number]>({
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [20, 30],
});

const DECADES: readonly string[] = [
  'twenties',
  'thirties',
  'forties',
  'fifties',
  'sixties',
  'seventies',
  'eighties',
  'nineties',
];

const CLOCK = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)? ?(am|pm)?$/;

/** Monday to Sunday, and weekends. A weekday that is today means that of last week. */
const weekday: Rule = (text, { calendar }) => {
  if (text === 'weekend') return oneOf(weekly(calendar, SATURDAY, 7, false));
  const day = weekdayOf(text);
  return day < 0 ? null : oneOf(weekly(calendar, day, day + 1, true));
};

/** A month by name. */
const month: Rule = (text, { calendar }) => {
  const number = monthOf(text);
  return number === 0 ? null : oneOf(yearlyMonths(calendar, number, 1));
};

const DAY = String.raw`(${ORDINAL}|\d{1,2})`;
const MONTH_DAY = new RegExp(`^(${MONTH}) (?:the )?${DAY}$`);
const DAY_MONTH = new RegExp(`^${DAY} (?:of )?(${MONTH})$`);

/** A day of a month by name: `may 5`, `the 5th of may`. */
const monthDay: Rule = (text, { calendar }) => {
  const [, first = '', last = ''] = MONTH_DAY.exec(text) ?? [];
  const [, other = '', name = first] = DAY_MONTH.exec(text) ?? [];
  const day = ordinalOf(first === '' ? other : last);
  const number = monthOf(name);
  if (number === 0 || day > 31) return null;
  return oneOf(yearlyDay(calendar, (year) => wallOfExisting({ year, month: number, day })));
};

const DAY_OF_MONTH = new RegExp(`^${ORDINAL}$`);

/** A day of any month: `the 21st`. */
const dayOfMonth: Rule = (text, { calendar }) => {
  if (!DAY_OF_MONTH.test(text)) return null;
  const day = ordinalOf(text);
  return oneOf(
    monthly(calendar, 1, DAY_MS, (year, number) => {
      const wall = wallOfExisting({ year, month: number, day });
      return wall === null ? null : [wall, wall + DAY_MS];
    }),
  );
};

/** Quarters and halves of the calendar year: `q3`, `the third quarter`, `h1`. */
const quarter: Rule = (text, { calendar }) => {
  const [, digit, word] =
    /^(?:q([1-4])|(first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) quarter)$/.exec(text) ?? [];
  const half = /^h([12])$/.exec(text)?.[1];
  if (half !== undefined) return oneOf(yearlyMonths(calendar, 6 * Number(half) - 5, 6));
  if (digit === undefined && word === undefined) return null;
  const number = digit !== undefined ? Number(digit) : word === 'last' ? 4 : ordinalOf(word ?? '');
  return oneOf(yearlyMonths(calendar, 3 * number - 2, 3));
};

/** Seasons; a winter belongs to the year in which it begins. */
const season: Rule = (text, { calendar }) => {
  const first = SEASONS.get(text);
  return first === undefined ? null : oneOf(yearlyMonths(calendar, first, 3));
};

const holiday: Rule = (text, { calendar }) => {
  const day = holidayOf(text);
  return day === null ? null : oneOf(yearlyDay(calendar, day));
};

const dayPart: Rule = (text, { calendar }) => {
  const hours = PARTS.get(text);
  return hours === undefined ? null : oneOf(daily(calendar, hours[0] * HOUR_MS, hours[1] * HOUR_MS));
};

/** A clock time, as wide as the finest unit that is said: `5pm` is an hour, `17:30` a minute. */
const clock: Rule = (text, { calendar }) => {
  if (/^(?:noon|midday)$/.test(text)) return oneOf(dailyAt(calendar, 12 * HOUR_MS, HOUR_MS), true);
  if (text === 'midnight') return oneOf(dailyAt(calendar, 0, HOUR_MS), true);
  const [, hours, minutes, seconds, half] = CLOCK.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const [h, m, s] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  if (m > 59 || s > 59 || (half === undefined ? h > 23 : h < 1 || h > 12)) return null;
  const hour = half === undefined ? h : (h % 12) + (half === 'pm' ? 12 : 0);
  const from = hour * HOUR_MS + m * MINUTE_MS + s * 1000;
  const width = seconds !== undefined ? 1000 : minutes !== undefined ? MINUTE_MS : HOUR_MS;
  return oneOf(dailyAt(calendar, from, width), true);
};

const NAMED: readonly Rule[] = [
  weekday,
  month,
  monthDay,
  dayOfMonth,
  quarter,
  season,
  holiday,
  dayPart,
  clock,
];

/** What comes again under a name of its own: weekdays, months and their days, quarters, seasons, holidays, parts of day, clock times. */
export const named: Rule = (text, context) => {
  for (const rule of NAMED) {
    const meaning = rule(text, context);
    if (meaning !== null) return meaning;
  }
  return null;
};

/** A unit of time as a series: its calendar weeks, months, years. */
export const unitNamed: Rule = (text, { calendar, reference }) => {
  const found = unitOf(text);
  return found?.times === 1 ? oneOf(unitSeries(calendar, found.unit, reference)) : null;
};

/** The one of a unit that runs at the reference. */
export const unitRunning: Rule = (text, context) => {
  const meaning = unitNamed(text, context);
  return meaning?.kind === 'series' ? fixed(current(meaning.series, context.reference)) : meaning;
};

function latestYearWith(digits: number, { calendar, reference }: Context): number {
  const { year } = calendar.dateAt(reference);
  return year - modulo(year - digits, 100);
}

function decadeOf(first: number, calendar: Calendar): Meaning {
  return fixed(calendar.between(wallOfDate(first, 1, 1), wallOfDate(first + 10, 1, 1)));
}

/** Years: `2023`, `the year 850`, `'23` (the latest such year that has begun). */
export const yearNamed: Rule = (text, context) => {
  const [, plain, any, short] = /^(?:([12]\d{3})|(?:the )?year (\d{1,6})|'(\d{2}))$/.exec(text) ?? [];
  const said = plain ?? any;
  if (said !== undefined) {
    const year = years(context.calendar).at(Number(said));
    return year === null ? refused('out_of_range') : fixed(year);
  }
  return short === undefined
    ? null
    : fixed(years(context.calendar).at(latestYearWith(Number(short), context)));
};

/** Decades: `the 1990s`, `the 90s`, `the nineties` (the latest such decade that has begun); `the 2000s` are ten years too. */
export const decadeNamed: Rule = (text, context) => {
  const [, full, short, word] =
    /^(?:the )?(?:([12]\d{2}0)s|'?(\d0)s|(?:nineteen )?([a-z]+ties))$/.exec(text) ?? [];
  if (full !== undefined) return decadeOf(Number(full), context.calendar);
  const tens =
    short !== undefined ? Number(short) : word === undefined ? -1 : 10 * (DECADES.indexOf(word) + 2);
  if (tens < 0 || (word !== undefined && tens < 20)) return null;
  return decadeOf(text.includes('nineteen ') ? 1900 + tens : latestYearWith(tens, context), context.calendar);
};

/** A week by its ISO number: `week 12`, `week 12 of 2024`, `2024-w12`. */
export const weekNamed: Rule = (text, { calendar }) => {
  const match = /^(?:(?:calendar )?week (\d{1,2})(?: (?:of |in )?(\d{4}))?|(\d{4})-?w(\d{2}))$/.exec(text);
  if (match === null) return null;
  const [number, year] = [Number(match[1] ?? match[4]), match[2] ?? match[3]];
  const series = monthly(calendar, 12, 7 * DAY_MS, (of) => {
    const [from, next] = [wallOfWeek(of, number), wallOfWeek(of + 1, 1)];
    return number >= 1 && from < next ? [from, from + 7 * DAY_MS] : null;
  });
  return year === undefined ? oneOf(series) : fixed(series.at(Number(year)));
};
