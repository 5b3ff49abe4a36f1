import { signedDuration } from '../../../schemas/temporal-phrase.ts';
import { DAY_MS, HOUR_MS, wallOfDate, wallOfExisting, type Calendar } from '../calendar.ts';
import type { Interval } from '../interval.ts';
import { fixed, refused, spanning, type Meaning, type Rule } from './meaning.ts';
import { weekNamed } from './names.ts';

const MINUTE_MS = 60_000;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$|^(\d{4})(\d{2})(\d{2})$/;
const MONTH = /^(\d{4})-(\d{2})$/;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(z|[+-]\d{2}(?::?\d{2})?)?$/;

function wallOfDay(text: string): number | null {
  const [, ...digits] = DATE.exec(text) ?? [];
  const [year, month, day] = digits.filter((part: string | undefined) => part !== undefined).map(Number);
  return year === undefined || month === undefined || day === undefined
    ? null
    : wallOfExisting({ year, month, day });
}

/** Milliseconds ahead of UTC of `z` or `±hh:mm`; null for an offset that no place has. */
function offsetOf(text: string): number | null {
  if (text === 'z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

function dateTime(calendar: Calendar, match: RegExpExecArray): Meaning {
  const [, date = '', hours, minutes, seconds, fraction, zone] = match;
  const day = wallOfDay(date);
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds ?? 0)];
  if (day === null || h > 23 || m > 59 || s > 60) return refused('no_such_date');
  const [leaps, parts] = [s === 60, Number((fraction ?? '').padEnd(3, '0').slice(0, 3))];
  // Clocks have no leap second: it is the last millisecond of its minute.
  const inMinute = leaps ? MINUTE_MS - 1 : s * 1000 + parts;
  const wall = day + h * HOUR_MS + m * MINUTE_MS + inMinute;
  const offset = zone === undefined ? undefined : offsetOf(zone);
  if (offset === null) return refused('no_such_date');
  const from = offset === undefined ? calendar.instantOf(wall) : wall - offset;
  const width = leaps || fraction !== undefined ? 1 : seconds !== undefined ? 1000 : MINUTE_MS;
  return fixed({ from, to: from + width }, true);
}

const isoInstant: Rule = (text, context) => {
  const { calendar } = context;
  if (DATE.test(text)) {
    const day = wallOfDay(text);
    return fixed(day === null ? null : calendar.between(day, day + DAY_MS));
  }
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year !== undefined) {
    const first = wallOfExisting({ year: Number(year), month: Number(month), day: 1 });
    const next = wallOfDate(Number(year), Number(month) + 1, 1);
    return fixed(first === null ? null : calendar.between(first, next));
  }
  const time = TIME.exec(text);
  if (time !== null) return dateTime(calendar, time);
  return /^\d/.test(text) ? weekNamed(text, context) : null;
};

/** From one meaning to another: a date as the end belongs to the interval, an instant does not. */
function joined(begin: Meaning, end: Meaning): Meaning | null {
  if (begin.kind !== 'fixed' || end.kind !== 'fixed') return begin.kind === 'refused' ? begin : end;
  const interval: Interval = {
    from: begin.interval.from,
    to: end.point ? end.interval.from : end.interval.to,
  };
  return spanning(interval);
}

/**
 * What ISO 8601 writes: `2024-05-20`, `20240520`, `2024-05`, `2024-w21`, `2024-05-20t14:30+02:00` (as wide as its last digits but one
 * millisecond at least), and two of them, or one and a duration, with a slash between them. A date that ends an interval belongs to it, an
 * instant does not.
 */
export const isoNamed: Rule = (text, context) => {
  const [left, right, ...more] = text.split('/');
  if (left === undefined || right === undefined) return isoInstant(text, context);
  const [begin, end] = [isoInstant(left, context), isoInstant(right, context)];
  if (more.length > 0) return null;
  if (begin !== null && end !== null) return joined(begin, end);
  const step = signedDuration(begin === null ? left : right);
  const known = begin ?? end;
  if (step === null || known === null) return null;
  if (known.kind !== 'fixed') return known;
  const { calendar } = context;
  const { from, to } = known.interval;
  const instant = (at: number): Meaning => fixed({ from: at, to: at + 1 }, true);
  if (begin !== null) return joined(begin, instant(calendar.plus(from, step)));
  const back = { months: -step.months, days: -step.days, milliseconds: -step.milliseconds };
  const last = known.point ? from : to;
  return joined(instant(calendar.plus(last, back)), instant(last));
};
