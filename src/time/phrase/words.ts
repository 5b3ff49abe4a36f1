import type { CalendarStep } from '../../../schemas/temporal-phrase.ts';
import { DAY_MS } from '../calendar.ts';
import type { Unit } from './series.ts';

/** What texts stand for. A text is looked up as it was asked, so names that every object has must not be found. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

const COUNTS = tableOf({
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
  'a hundred': 100,
  'one hundred': 100,
  couple: 2,
  'couple of': 2,
  'a couple': 2,
  'a couple of': 2,
  // As chrono-node has them, so that both readers say the same.
  few: 3,
  'a few': 3,
  several: 7,
});

const ORDINALS: readonly string[] = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
  'twenty first',
  'twenty second',
  'twenty third',
  'twenty fourth',
  'twenty fifth',
  'twenty sixth',
  'twenty seventh',
  'twenty eighth',
  'twenty ninth',
  'thirtieth',
  'thirty first',
];

const UNITS = tableOf<readonly [unit: Unit, times: number]>({
  second: ['second', 1],
  sec: ['second', 1],
  minute: ['minute', 1],
  min: ['minute', 1],
  hour: ['hour', 1],
  hr: ['hour', 1],
  day: ['day', 1],
  week: ['week', 1],
  wk: ['week', 1],
  fortnight: ['week', 2],
  month: ['month', 1],
  quarter: ['quarter', 1],
  year: ['year', 1],
  yr: ['year', 1],
  decade: ['decade', 1],
});

const WEEKDAYS: readonly string[] = [
  'mon(?:day)?',
  'tue(?:s|sday)?',
  'wed(?:s|nesday)?',
  'thu(?:r|rs|rsday)?',
  'fri(?:day)?',
  'sat(?:urday)?',
  'sun(?:day)?',
];

const MONTHS: readonly string[] = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
];

const longestFirst = (words: readonly string[]): string =>
  [...words].sort((a, b) => b.length - a.length).join('|');

/** A count, as a part of a pattern. */
export const COUNT = String.raw`(?:\d{1,9}|${longestFirst([...COUNTS.keys()])})`;
/** A unit of time, one or more of it. */
export const UNIT = `(?:${longestFirst([...UNITS.keys()])})s?`;
/** A place in a row: `third`, `3rd`. */
export const ORDINAL = String.raw`(?:\d{1,2}(?:st|nd|rd|th)|${longestFirst(ORDINALS)})`;
/** The name of a month. */
export const MONTH = `(?:${MONTHS.join('|')})`;
/** The name of a day of the week. */
export const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;
/** So many units, one kind or several: `two weeks`, `1 hour and 30 minutes`. */
export const QUANTITY = `${COUNT} ${UNIT}(?: (?:and )?${COUNT} ${UNIT})*`;

/** The number of a count that matches {@link COUNT}. */
export function countOf(text: string): number {
  return COUNTS.get(text) ?? Number(text);
}

/** The place of an ordinal that matches {@link ORDINAL}, from 1. */
export function ordinalOf(text: string): number {
  const place = ORDINALS.indexOf(text);
  return place < 0 ? Number.parseInt(text, 10) : place + 1;
}

const whole = (patterns: readonly string[]): readonly RegExp[] =>
  patterns.map((pattern) => new RegExp(`^(?:${pattern})$`));
const WHOLE_MONTHS = whole(MONTHS);
const WHOLE_WEEKDAYS = whole(WEEKDAYS);

/** The number of a month by its name, from 1; 0 for a text that is none. */
export function monthOf(text: string): number {
  return WHOLE_MONTHS.findIndex((pattern) => pattern.test(text)) + 1;
}

/** The number of a day of the week by its name, Monday is 0; -1 for a text that is none. */
export function weekdayOf(text: string): number {
  return WHOLE_WEEKDAYS.findIndex((pattern) => pattern.test(text));
}

/** A unit by its name, and how many of it the name stands for; null for a text that is none. */
export function unitOf(text: string): { readonly unit: Unit; readonly times: number } | null {
  const found = UNITS.get(text) ?? UNITS.get(text.replace(/s$/, ''));
  return found === undefined ? null : { unit: found[0], times: found[1] };
}

const STEPS: Readonly<Record<Unit, CalendarStep>> = {
  second: { months: 0, days: 0, milliseconds: 1000 },
  minute: { months: 0, days: 0, milliseconds: 60_000 },
  hour: { months: 0, days: 0, milliseconds: 3_600_000 },
  day: { months: 0, days: 1, milliseconds: 0 },
  week: { months: 0, days: 7, milliseconds: 0 },
  month: { months: 1, days: 0, milliseconds: 0 },
  quarter: { months: 3, days: 0, milliseconds: 0 },
  year: { months: 12, days: 0, milliseconds: 0 },
  decade: { months: 120, days: 0, milliseconds: 0 },
};

/** A step so many times. */
export function times(step: CalendarStep, count: number): CalendarStep {
  return {
    months: step.months * count,
    days: step.days * count,
    milliseconds: step.milliseconds * count,
  };
}

/** The step of a unit. */
export function stepOf(unit: Unit): CalendarStep {
  return STEPS[unit];
}

/** How long a step is, about, in milliseconds. */
export function lengthOf({ months, days, milliseconds }: CalendarStep): number {
  return months * 30.436875 * DAY_MS + days * DAY_MS + milliseconds;
}

/** An amount of time, and the smallest unit that it is told in. */
export interface Quantity {
  readonly step: CalendarStep;
  readonly unit: Unit;
}

const PART = new RegExp(`(${COUNT}) (${UNIT})(?= |$)`, 'g');

/** The amount that a text which matches {@link QUANTITY} names. */
export function quantityOf(text: string): Quantity | null {
  const parts = [...text.matchAll(PART)].flatMap(([, count = '', name = '']) => {
    const found = unitOf(name);
    return found === null
      ? []
      : [{ unit: found.unit, step: times(stepOf(found.unit), found.times * countOf(count)) }];
  });
  return parts.reduce<Quantity | null>((sum, { step, unit }) => {
    if (sum === null) return { step, unit };
    const together: CalendarStep = {
      months: sum.step.months + step.months,
      days: sum.step.days + step.days,
      milliseconds: sum.step.milliseconds + step.milliseconds,
    };
    return { step: together, unit: lengthOf(stepOf(unit)) < lengthOf(stepOf(sum.unit)) ? unit : sum.unit };
  }, null);
}
