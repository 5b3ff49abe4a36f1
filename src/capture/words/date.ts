/** A date that a text names, and where in it. */
export interface NamedDate {
  readonly at: number;
  /** Where it ends. */
  readonly to: number;
  /** Null where the text names a day of any year. */
  readonly year: number | null;
  readonly month: number;
  /** Null where it names a month. */
  readonly day: number | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`([12]\d{3})`;
const BLANK = String.raw`\s{1,4}`;
const BEFORE = String.raw`(?<![\p{L}\p{M}\p{N}_]|\d[-/.])`;
const AFTER = String.raw`(?![\p{L}\p{M}\p{N}_]|[-/]\d)`;

const pattern = (text: string): RegExp => new RegExp(`${BEFORE}${text}`, 'giu');

/** A date without its place. */
type Named = Pick<NamedDate, 'year' | 'month' | 'day'>;
/** A way to write dates, and which of its parts is what. */
type Way = readonly [RegExp, (parts: readonly string[]) => Named];

const IN_NUMBERS: readonly Way[] = [
  [
    pattern(String.raw`${YEAR}([-/])(\d{1,2})\2(\d{1,2})(?=t\d|${AFTER})`),
    ([year, , month, day]) => dateOf(year, month, day),
  ],
  [pattern(String.raw`${YEAR}-(\d{2})${AFTER}`), ([year, month]) => dateOf(year, month)],
  [
    pattern(String.raw`(\d{1,2})\.(\d{1,2})\.${YEAR}${AFTER}`),
    ([day, month, year]) => dateOf(year, month, day),
  ],
  [
    pattern(String.raw`(\d{1,2})/(\d{1,2})/${YEAR}${AFTER}`),
    ([month, day, year]) => dateOf(year, month, day),
  ],
];
/** The same with the day before the month. */
const DAY_FIRST: Way = [
  pattern(String.raw`(\d{1,2})/(\d{1,2})/${YEAR}${AFTER}`),
  ([day, month, year]) => dateOf(year, month, day),
];
const IN_WORDS: readonly Way[] = [
  [
    pattern(`${MONTH}\\.?${BLANK}(?:the${BLANK})?${DAY}(?:,?${BLANK}${YEAR})?${AFTER}`),
    ([month, day, year]) => dateOf(year, month, day),
  ],
  [
    pattern(`${DAY}${BLANK}(?:of${BLANK})?${MONTH}\\.?(?:,?${BLANK}${YEAR})?${AFTER}`),
    ([day, month, year]) => dateOf(year, month, day),
  ],
  [pattern(`${MONTH}\\.?,?${BLANK}(?:of${BLANK})?${YEAR}${AFTER}`), ([month, year]) => dateOf(year, month)],
];

const MONTH_NAMED = new RegExp(MONTHS.join('|'), 'iu');
/** Code units beside its digits that a date has at most, with what decides where it begins and ends. */
const BESIDE = 32;

/**
 * The dates that a text names in numbers or in English, in order. One that can be read in two ways (`03/04/2026`) is read in both, as long as
 * both are dates.
 */
export function datesIn(text: string): NamedDate[] {
  return aroundDigits(text)
    .flatMap(({ from, to }) => {
      const part = text.slice(from, to);
      const words = MONTH_NAMED.test(part) ? IN_WORDS : [];
      const usual = [...IN_NUMBERS, ...words].flatMap((way) => readBy(way, part));
      const days = new Map(usual.map(({ at, day }) => [at, day]));
      const others = readBy(DAY_FIRST, part).filter(({ at, day }) => days.get(at) !== day);
      return [...usual, ...others].map((date) => ({ ...date, at: from + date.at, to: from + date.to }));
    })
    .sort((a, b) => a.at - b.at);
}

function readBy([way, read]: Way, text: string): NamedDate[] {
  return Array.from(text.matchAll(way)).flatMap((match): NamedDate[] => {
    const [whole, ...parts] = match;
    const date = read(parts);
    return isDate(date) ? [{ at: match.index, to: match.index + whole.length, ...date }] : [];
  });
}

const DIGITS = /\d+/gu;

/** The stretches of a text that digits stand in: a date is not looked for elsewhere. */
function aroundDigits(text: string): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const [from, to] = [Math.max(0, index - BESIDE), index + digits.length + BESIDE];
    const last = stretches.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches;
}

/** The words that a date is found by: as it is, in any year and as its month. */
export function wordsOfDate({ year, month, day }: Named): string[] {
  const [y, m, d] = [
    year === null ? null : `@${year}`,
    twoDigits(month),
    day === null ? null : twoDigits(day),
  ];
  return [
    ...(y === null || d === null ? [] : [`${y}-${m}-${d}`]),
    ...(d === null ? [] : [`@${m}-${d}`]),
    ...(y === null ? [] : [`${y}-${m}`]),
  ];
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function isDate({ month, day }: Named): boolean {
  return month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31));
}

function dateOf(year: string | undefined, month = '', day?: string): Named {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return {
    year: year === undefined ? null : Number(year),
    month: named > 0 ? named : Number(month),
    day: day === undefined ? null : Number(day),
  };
}
