import type { CalendarStep } from '../../../schemas/temporal-phrase.ts';
import { contains, type Interval } from '../interval.ts';
import { eachOf, type Context, type Meaning, type Rule } from './meaning.ts';
import { named } from './names.ts';
import { earliestFrom, latestBegun, type Series } from './series.ts';
import { COUNT, countOf, lengthOf, ORDINAL, ordinalOf, stepOf, times, unitOf } from './words.ts';

const PLACED = new RegExp(`^(?:the )?(${ORDINAL}|last|final) (?:(${COUNT}) )?([a-z]+) (?:of|in) (.+)$`);

/** So many units at the beginning or end of a stretch, or those of a later place; null where they do not fit. */
function unitsIn(
  stretch: Interval,
  place: number | 'last',
  step: CalendarStep,
  { calendar }: Context,
): Interval | null {
  const walk = (at: number, many: number): number => calendar.plus(at, times(step, many));
  const part =
    place === 'last'
      ? { from: walk(stretch.to, -1), to: stretch.to }
      : { from: walk(stretch.from, place - 1), to: walk(stretch.from, place) };
  return part.from >= stretch.from && part.to <= stretch.to ? part : null;
}

/** The member of a series at a place among those that begin in a stretch; null where it has not so many. */
function memberAtPlace(series: Series, stretch: Interval, place: number | 'last'): Interval | null {
  const first = earliestFrom(series, stretch.from);
  const last = latestBegun(series, stretch.to - 1);
  if (first === null || last === null) return null;
  const found = place === 'last' ? last : series.at(series.index(first.from) + place - 1);
  return found !== null && contains(stretch, found.from) ? found : null;
}

/**
 * `the last sunday of october`, `the first weekend of april` (its Saturday lies in the month), `the first three days of may`, `the second
 * week of june` (days 8 to 14), `the third quarter of 2023`.
 */
export const placed: Rule = (text, context): Meaning | null => {
  const [, word, many, name = '', rest] = PLACED.exec(text) ?? [];
  if (word === undefined || rest === undefined) return null;
  const place = word === 'last' || word === 'final' ? 'last' : ordinalOf(word);
  const unit = unitOf(name);
  const meaning = many === undefined ? named(name, context) : null;
  if (unit === null && meaning?.kind !== 'series') return null;
  const whole = context.read(rest);
  if (whole === null || whole.kind === 'refused') return whole;
  if (unit !== null) {
    const step = times(stepOf(unit.unit), unit.times * (many === undefined ? 1 : countOf(many)));
    return eachOf(whole, lengthOf(step), (stretch) => unitsIn(stretch, place, step, context));
  }
  if (meaning?.kind !== 'series') return null;
  const { series } = meaning;
  return eachOf(whole, series.size, (stretch) => memberAtPlace(series, stretch, place));
};
