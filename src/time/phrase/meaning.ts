import type { TemporalPhrase } from '../../../schemas/temporal-phrase.ts';
import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import type { Calendar } from '../calendar.ts';
import { isEmpty, type Interval } from '../interval.ts';
import { earliestFrom, latestBegun, latestOver, mapped, type Series } from './series.ts';

/** Why a phrase has no interval. */
export type PhraseFault =
  /** Nothing in it, or not all of it, was understood. */
  | 'not_understood'
  /** It names instants that come again and again, and none of them. */
  | 'recurrence'
  /** Its end does not lie after its beginning. */
  | 'contradictory'
  /** It lies outside the years 1 to 9999. */
  | 'out_of_range'
  /** It names a day that the calendar does not have. */
  | 'no_such_date'
  /** It is longer than a phrase may be. */
  | 'too_long';

/** What a phrase, or a part of one, means before it is tied to one instant. */
export type Meaning =
  /** A stretch of time. Of a point, a clock time or an instant, a stretch that names it as its end ends at its beginning. */
  | { readonly kind: 'fixed'; readonly interval: Interval; readonly point: boolean }
  /** One of the members of a series, to be chosen by what is known of when. */
  | { readonly kind: 'series'; readonly series: Series; readonly point: boolean }
  /** It was understood, and there is no such time. */
  | { readonly kind: 'refused'; readonly fault: PhraseFault };

/** What the reading of a phrase goes by. */
export interface Context {
  /** Epoch milliseconds. */
  readonly reference: number;
  readonly calendar: Calendar;
  /** Phrases that somebody has given a meaning of his own, by folded name. */
  readonly own: ReadonlyMap<string, TemporalPhrase>;
  /** What a part of the phrase means; null for one that is not understood. */
  readonly read: (text: string) => Meaning | null;
}

/** A rule of reading: what a folded text means, null where the rule does not apply. */
export type Rule = (text: string, context: Context) => Meaning | null;

/** A refusal. */
export function refused(fault: PhraseFault): Meaning {
  return { kind: 'refused', fault };
}

/** A stretch of time; a refusal where there is none, or an empty one. */
export function fixed(interval: Interval | null, point = false): Meaning {
  if (interval === null || isEmpty(interval)) return refused('no_such_date');
  return { kind: 'fixed', interval, point };
}

/** A stretch that two other times make: a refusal where it lies outside the instants, or ends where it begins or before. */
export function spanning(interval: Interval, point = false): Meaning {
  if (interval.from >= OPEN_END || interval.to <= FIRST_INSTANT) return refused('out_of_range');
  return isEmpty(interval) ? refused('contradictory') : { kind: 'fixed', interval, point };
}

/** A member of a series. */
export function oneOf(series: Series, point = false): Meaning {
  return { kind: 'series', series, point };
}

/** A meaning with each of its stretches replaced; `size` is how long they are then, about, in milliseconds. */
export function eachOf(meaning: Meaning, size: number, of: (stretch: Interval) => Interval | null): Meaning {
  if (meaning.kind === 'refused') return meaning;
  if (meaning.kind === 'fixed') return fixed(of(meaning.interval));
  return oneOf(mapped(meaning.series, size, of));
}

/** How long a stretch that is meant is, about, in milliseconds; 0 for none. */
export function sizeOf(meaning: Meaning): number {
  if (meaning.kind === 'fixed') return meaning.interval.to - meaning.interval.from;
  return meaning.kind === 'series' ? meaning.series.size : 0;
}

/** Where a member of a series is looked for. */
export type SeriesPosition =
  /** Memory looks back: the latest that has begun at the reference, or is over where the bare name asks for that. */
  | { readonly kind: 'past'; readonly reference: number }
  /** The latest that has begun at an instant. */
  | { readonly kind: 'up_to'; readonly at: number }
  /** The earliest that begins at an instant or later. */
  | { readonly kind: 'from'; readonly at: number };

function memberAt(series: Series, place: SeriesPosition): Interval | null {
  if (place.kind === 'from') return earliestFrom(series, place.at);
  if (place.kind === 'up_to') return latestBegun(series, place.at);
  return series.settled ? latestOver(series, place.reference) : latestBegun(series, place.reference);
}

/** A meaning tied to one stretch of time; members of a series are chosen by the place. */
export function tied(meaning: Meaning, place: SeriesPosition): Exclude<Meaning, { kind: 'series' }> {
  if (meaning.kind !== 'series') return meaning;
  const interval = memberAt(meaning.series, place);
  return interval === null
    ? { kind: 'refused', fault: 'no_such_date' }
    : { kind: 'fixed', interval, point: meaning.point };
}
