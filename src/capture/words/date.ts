/** A date that a text names, and where in it. */
export interface NamedDate {
  readonly at: number;
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

/** How dates are written, and which of the parts is what. A pattern that could be read in two ways is none (`03/04/2026`). */
const WAYS: readonly (readonly [RegExp, (parts: readonly string[]) => Omit<NamedDate, 'at'>])[] = [
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
    ([first, second, year]) =>
      Number(first) > 12 ? dateOf(year, second, first) : dateOf(year, first, second),
  ],
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
/** Day and month in digits before the year, in the order of either side of the Atlantic. */
const NUMERIC = /^(\d{1,2})\/(\d{1,2})\//u;

/** The dates that a text names in numbers or in English, in order. */
export function datesIn(text: string): NamedDate[] {
  if (!/\d/u.test(text)) return [];
  return WAYS.flatMap(([way, read]) =>
    Array.from(text.matchAll(way)).flatMap((match): NamedDate[] => {
      const [whole, ...parts] = match;
      const date = read(parts);
      return isAmbiguous(whole) || !isDate(date) ? [] : [{ at: match.index, ...date }];
    }),
  ).sort((a, b) => a.at - b.at);
}

/** The words that a date is found by: as it is, in any year and as its month. */
export function wordsOfDate({ year, month, day }: Omit<NamedDate, 'at'>): string[] {
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

function isAmbiguous(text: string): boolean {
  const [, first = '', second = ''] = NUMERIC.exec(text) ?? [];
  return first !== second && Math.max(Number(first), Number(second)) <= 12;
}

function isDate({ month, day }: Omit<NamedDate, 'at'>): boolean {
  return month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31));
}

function dateOf(year: string | undefined, month = '', day?: string): Omit<NamedDate, 'at'> {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return {
    year: year === undefined ? null : Number(year),
    month: named > 0 ? named : Number(month),
    day: day === undefined ? null : Number(day),
  };
}
