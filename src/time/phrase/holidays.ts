import { DAY_MS, modulo, wallOfDate } from '../calendar.ts';

/** Easter Sunday of a year of the Gregorian calendar, by the method of Meeus, Jones and Butcher; a beginning of a day as walls count. */
export function easterOf(year: number): number {
  const golden = modulo(year, 19);
  const century = Math.floor(year / 100);
  const inCentury = modulo(year, 100);
  const correction = Math.floor((century + 8) / 25);
  const epact = modulo(
    19 * golden + century - Math.floor(century / 4) - Math.floor((century - correction + 1) / 3) + 15,
    30,
  );
  const weekday = modulo(
    32 + 2 * modulo(century, 4) + 2 * Math.floor(inCentury / 4) - epact - modulo(inCentury, 4),
    7,
  );
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * shift + 114;
  return wallOfDate(year, Math.floor(days / 31), modulo(days, 31) + 1);
}

/** The fourth Thursday of November. */
function thanksgivingOf(year: number): number {
  const first = wallOfDate(year, 11, 1);
  // 1970-01-01 was a Thursday.
  return first + (modulo(-(first / DAY_MS), 7) + 21) * DAY_MS;
}

const on =
  (month: number, day: number) =>
  (year: number): number =>
    wallOfDate(year, month, day);
const beside =
  (feast: (year: number) => number, days: number) =>
  (year: number): number =>
    feast(year) + days * DAY_MS;

/** Names as they are folded: in lower case, without apostrophes. Movable feasts are those of the western churches. */
const HOLIDAYS: readonly (readonly [name: RegExp, day: (year: number) => number])[] = [
  [/^(?:christmas|xmas)(?: day)?$/, on(12, 25)],
  [/^(?:christmas|xmas) eve$/, on(12, 24)],
  [/^boxing day$/, on(12, 26)],
  [/^new years?(?: day)?$/, on(1, 1)],
  [/^new years? eve$/, on(12, 31)],
  [/^epiphany$/, on(1, 6)],
  [/^valentines?(?: day)?$/, on(2, 14)],
  [/^(?:st|saint) patricks?(?: day)?$/, on(3, 17)],
  [/^april fools?(?: day)?$/, on(4, 1)],
  [/^halloween$/, on(10, 31)],
  [/^all saints(?: day)?$/, on(11, 1)],
  [/^ash wednesday$/, beside(easterOf, -46)],
  [/^palm sunday$/, beside(easterOf, -7)],
  [/^good friday$/, beside(easterOf, -2)],
  [/^easter(?: sunday)?$/, easterOf],
  [/^easter monday$/, beside(easterOf, 1)],
  [/^ascension(?: day)?$/, beside(easterOf, 39)],
  [/^(?:pentecost|whit sunday)$/, beside(easterOf, 49)],
  [/^thanksgiving(?: day)?$/, thanksgivingOf],
  [/^black friday$/, beside(thanksgivingOf, 1)],
];

/** The day of a holiday in a year by its folded name, as walls count; null for a name that is none. Thanksgiving is that of the USA. */
export function holidayOf(name: string): ((year: number) => number) | null {
  return HOLIDAYS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
