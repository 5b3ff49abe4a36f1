import { now } from '../clock.ts';

const FORMATS: Readonly<Record<Exclude<Precision, 'ago'>, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  second: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  millisecond: new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }),
};
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 30],
] as const;

/** How an instant is written: to the day, the minute, the second or the millisecond, or as how long ago it was. */
export type Precision = 'day' | 'minute' | 'second' | 'millisecond' | 'ago';

/** An instant in the reader's own time; the whole of it, as it was answered, is its title. */
export function Instant({
  at,
  precision = 'minute',
}: {
  readonly at: string;
  readonly precision?: Precision;
}) {
  return (
    <time class="instant" dateTime={at} title={at}>
      {written(at, precision)}
    </time>
  );
}

function written(at: string, precision: Precision): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return precision === 'ago' ? ago(date) : FORMATS[precision].format(date);
}

function ago(date: Date): string {
  const passed = now() - date.getTime();
  for (const [unit, ms, most] of UNITS) {
    if (Math.abs(passed) < ms * most) return RELATIVE.format(-Math.trunc(passed / ms), unit);
  }
  return FORMATS.day.format(date);
}

/** A length of time in the largest unit that says something. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const [unit, size] = [...UNITS].reverse().find(([, length]) => ms >= length) ?? UNITS[0];
  const amount = ms / size;
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit === 'second' ? 's' : unit === 'minute' ? 'min' : unit === 'hour' ? 'h' : 'd'}`;
}
