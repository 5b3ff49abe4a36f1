import { casual, type Component, type ParsedComponents } from 'chrono-node';

import { DAY_MS, HOUR_MS, wallOfDate, wallOfExisting } from '../calendar.ts';
import type { Interval } from '../interval.ts';
import { fixed, oneOf, refused, spanning, type Context, type Meaning, type Rule } from './meaning.ts';
import { dailyAt, monthly, type Walls } from './series.ts';

const MINUTE_MS = 60_000;
/** Words that may stand beside what was understood, as they say nothing of when. */
const SAYS_NOTHING = /^(?:\s|[.,;:!?"'()[\]-]|\b(?:in|on|at|during|the|around|about|of|from|sometime)\b)*$/;

/** The finest part that the phrase itself says. */
function finest(parts: ParsedComponents): Component | null {
  // A relative time is told to the millisecond, and meant to the minute.
  if (parts.tags().has('result/relativeDateAndTime')) return 'minute';
  const order: readonly Component[] = ['millisecond', 'second', 'minute', 'hour', 'day', 'month', 'year'];
  return order.find((part) => parts.isCertain(part)) ?? null;
}

const WIDTHS: Partial<Record<Component, number>> = {
  millisecond: 1,
  second: 1000,
  minute: MINUTE_MS,
  hour: HOUR_MS,
};

function timeOf(parts: ParsedComponents, finestPart: Component): number {
  const value = (part: Component): number => parts.get(part) ?? 0;
  const upTo = WIDTHS[finestPart] ?? DAY_MS;
  const all =
    value('hour') * HOUR_MS + value('minute') * MINUTE_MS + value('second') * 1000 + value('millisecond');
  return upTo >= DAY_MS ? 0 : all - (all % upTo);
}

/** The walls of what was understood in a year; null for a day that it does not have. */
function wallsIn(year: number, parts: ParsedComponents, last: Component): Walls | null {
  const [month, day] = [parts.get('month') ?? 1, parts.get('day') ?? 1];
  if (last === 'year') return [wallOfDate(year, 1, 1), wallOfDate(year + 1, 1, 1)];
  if (last === 'month') return [wallOfDate(year, month, 1), wallOfDate(year, month + 1, 1)];
  const begin = wallOfExisting({ year, month, day });
  if (begin === null) return null;
  const from = begin + timeOf(parts, last);
  return [from, from + (WIDTHS[last] ?? DAY_MS)];
}

/** A stretch with year, month and what else was said; an offset of UTC that was named decides over the time zone. */
function stretchOf(parts: ParsedComponents, last: Component, { calendar }: Context): Interval | null {
  const walls = wallsIn(parts.get('year') ?? 0, parts, last);
  if (walls === null) return null;
  const width = WIDTHS[last];
  if (width === undefined) return calendar.between(walls[0], walls[1]);
  const offset = parts.isCertain('timezoneOffset') ? parts.get('timezoneOffset') : null;
  const from = offset === null ? calendar.instantOf(walls[0]) : walls[0] - offset * MINUTE_MS;
  return { from, to: from + width };
}

function isDated(parts: ParsedComponents): boolean {
  // What lacks a part above, or between a time and a month, was filled in as the nearest to the reference.
  if (parts.isCertain('day')) return parts.isCertain('month') && parts.isCertain('year');
  return parts.isCertain('year') && !parts.isCertain('weekday') && !parts.isCertain('hour');
}

/** What lies between two ends, the later one null or left out where there is one only: copies that chrono-node makes have null there. */
function meaningOf(
  start: ParsedComponents,
  end: ParsedComponents | null | undefined,
  context: Context,
): Meaning | null {
  const last = finest(start);
  if (last === null) return null;
  const point = WIDTHS[last] !== undefined;
  if (isDated(start)) {
    const from = stretchOf(start, last, context);
    if (end === undefined || end === null) return fixed(from, point);
    if (!isDated(end)) return null;
    const endsWith = finest(end);
    const to = endsWith === null ? null : stretchOf(end, endsWith, context);
    if (from === null || to === null || endsWith === null) return refused('no_such_date');
    const until = WIDTHS[endsWith] === undefined ? to.to : to.from;
    return spanning({ from: from.from, to: until });
  }
  if (end !== undefined && end !== null) return null;
  const { calendar } = context;
  if (start.isCertain('weekday') || start.isCertain('timezoneOffset')) return null;
  if (start.isCertain('month') && !start.isCertain('year'))
    return oneOf(
      monthly(calendar, 12, WIDTHS[last] ?? DAY_MS, (year) => wallsIn(year, start, last)),
      point,
    );
  if (!point || start.isCertain('day')) return null;
  return oneOf(dailyAt(calendar, timeOf(start, last), WIDTHS[last] ?? HOUR_MS), true);
}

/**
 * What chrono-node makes of a text, if that is one time and nothing is left of the text that matters. What it would take to be the
 * nearest to the reference is not taken over: a day without its year is one of a series, a weekday alone is not understood here.
 */
export const readByChrono: Rule = (said, context) => {
  // Several blanks can be shared out between the parts of its patterns: of ten, each has six ways, and it tries them all.
  const text = said.replace(/\s+/gu, ' ').trim();
  const { reference, calendar } = context;
  const timezone = Math.round(calendar.offsetAt(reference) / MINUTE_MS);
  const [result, ...more] = casual.parse(text, { instant: new Date(reference), timezone });
  // `for 3 days` says how long, and not when.
  if (result === undefined || more.length > 0 || /^(?:for|within)\b/i.test(result.text)) return null;
  const rest = [text.slice(0, result.index), text.slice(result.index + result.text.length)];
  return rest.every((part) => SAYS_NOTHING.test(part)) ? meaningOf(result.start, result.end, context) : null;
};
