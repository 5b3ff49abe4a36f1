import { DAY_MS, HOUR_MS, modulo, wallOfDate, type Calendar } from '../calendar.ts';
import type { Interval } from '../interval.ts';
import { eachOf, sizeOf, tied, type Context, type Meaning, type Rule } from './meaning.ts';
import { monthsOf, type Walls } from './series.ts';
import { unitRunning } from './names.ts';

/** Which of the parts of a stretch: its number, and how many there are. */
interface Portion {
  readonly number: number;
  readonly of: 2 | 3;
}

/** Where the thirds of a month begin, counted in days. */
const MONTH_THIRDS = [0, 10, 20] as const;
const MONTH_HALVES = [0, 15] as const;
/** Where the thirds of a week begin, in days: two days, two days, three days. */
const WEEK_THIRDS = [0, 2, 4] as const;
/** Where the thirds of a decade begin, in months: four years, three years, three years. */
const DECADE_THIRDS = [0, 48, 84] as const;
const DECADE_MONTHS = 120;

/** From one of the places at which parts begin to the next, or to the end. */
function cut({ number }: Portion, begins: readonly number[], end: number): Walls {
  return [begins[number] ?? 0, begins[number + 1] ?? end];
}

function monthsCut(portion: Portion, count: number): Walls | null {
  if (count === DECADE_MONTHS && portion.of === 3) return cut(portion, DECADE_THIRDS, DECADE_MONTHS);
  const each = count / portion.of;
  return Number.isInteger(each) ? [portion.number * each, (portion.number + 1) * each] : null;
}

/** A part of whole months, of a week or of a part of day; null for stretches of another kind. */
function portionOf(calendar: Calendar, stretch: Interval, portion: Portion): Interval | null {
  const months = monthsOf(calendar, stretch);
  const [from, to] = [calendar.wallOf(stretch.from), calendar.wallOf(stretch.to)];
  if (months !== null && months.count > 1) {
    const walls = monthsCut(portion, months.count);
    const begin = (at: number): number => wallOfDate(0, months.first + at + 1, 1);
    return walls === null ? null : calendar.between(begin(walls[0]), begin(walls[1]));
  }
  const days = (to - from) / DAY_MS;
  const inDays = (begins: readonly number[]): Interval => {
    const [first, last] = cut(portion, begins, days);
    return calendar.between(from + first * DAY_MS, from + last * DAY_MS);
  };
  if (months !== null) return inDays(portion.of === 3 ? MONTH_THIRDS : MONTH_HALVES);
  if (days === 7 && portion.of === 3) return inDays(WEEK_THIRDS);
  if (to - from !== 6 * HOUR_MS || modulo(from, 6 * HOUR_MS) !== 0) return null;
  const each = (to - from) / portion.of;
  return calendar.between(from + portion.number * each, from + (portion.number + 1) * each);
}

const THIRDS: readonly (readonly [words: RegExp, number: number])[] = [
  [/^(?:the )?(?:early|start of|beginning of|early part of)(?: in)? (.+)$/, 0],
  [/^(?:the )?(?:mid|middle of)(?: in)? (.+)$/, 1],
  [/^(?:the )?(?:late|end of|late part of)(?: in)? (.+)$/, 2],
];
const HALF = /^(?:the )?(first|1st|second|2nd|last) half of (.+)$/;

function part(meaning: Meaning | null, { calendar, reference }: Context, portion: Portion): Meaning | null {
  if (meaning === null || meaning.kind === 'refused') return meaning;
  const of = (stretch: Interval): Interval | null => portionOf(calendar, stretch, portion);
  const whole = tied(meaning, { kind: 'past', reference });
  // Nobody speaks of such a part of a day or a weekend.
  if (whole.kind === 'fixed' && of(whole.interval) === null) return null;
  return eachOf(meaning, sizeOf(meaning) / portion.of, of);
}

/**
 * Parts of a stretch: `early 2021`, `mid may`, `the end of the 90s`, `the first half of march`, `mid month`. Years, quarters and seasons
 * have thirds of whole months, a month has those of the days 1 to 10, 11 to 20 and 21 to its end, a week Monday and Tuesday, Wednesday and
 * Thursday, Friday to Sunday, a decade four, three and three years, a part of day two hours each. `The end of the month` is of the month
 * that runs at the reference, though it may lie ahead.
 */
export const portionNamed: Rule = (text, context) => {
  const [, which, whole] = HALF.exec(text) ?? [];
  if (whole !== undefined)
    return part(context.read(whole) ?? unitRunning(whole, context), context, {
      number: /^(?:first|1st)$/.test(which ?? '') ? 0 : 1,
      of: 2,
    });
  for (const [words, number] of THIRDS) {
    const rest = words.exec(text)?.[1];
    if (rest !== undefined)
      return part(context.read(rest) ?? unitRunning(rest, context), context, { number, of: 3 });
  }
  return null;
};
