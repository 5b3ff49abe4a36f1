import type { RecallRequest } from '../../schemas/recall.ts';
import type { TemporalPhrase } from '../../schemas/temporal-phrase.ts';
import { FIRST_INSTANT, firstInstantOf, OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { intersection, isEmpty, type Interval } from '../time/interval.ts';
import { readPhrase, type PhraseFailure } from '../time/phrase.ts';
import { stretchOf } from './refers.ts';

/** What of time a recall asks for. */
export interface RecallWindow {
  /** The instants that are named; null where none is. */
  readonly valid: number | null;
  readonly recorded: number | null;
  /** When events were observed, and what else is recalled holds; null for any time. */
  readonly during: Interval | null;
  /** When what is recalled was recorded; null for any time. */
  readonly recorded_during: Interval | null;
  /** What time events speak of; null for any. */
  readonly refers_during: Interval | null;
  /** What the time phrase stands for; null without one, or where it was left out. */
  readonly phrase: Interval | null;
  /** Why a phrase was left out; null where none was. */
  readonly left_out: PhraseFailure | null;
}

type Temporal = NonNullable<RecallRequest['temporal']>;

/** Where an interval begins that is open to the past, as clients write it. */
const OPEN_START = '1970';
const LAST_YEAR = '9999';

/**
 * What a request says of time. A phrase that is not understood is left out and told; the caller decides what becomes of that. Throws
 * `RangeError` for a time zone that the runtime does not know.
 */
export function windowOf(
  temporal: Temporal | undefined,
  { now, own }: { readonly now: number; readonly own: readonly TemporalPhrase[] },
): RecallWindow {
  const { as_of: both, as_of_valid: valid = both, as_of_recorded: recorded = both } = temporal ?? {};
  const { timezone = 'UTC', reference_date: reference, natural, refers_during: refers } = temporal ?? {};
  const anchoring = { reference: reference === undefined ? now : toEpochMs(reference), timezone, own };
  const reading = natural === undefined ? null : readPhrase(natural, anchoring);
  const phrase = reading?.ok === true ? reading.interval : null;
  const stated = temporal?.valid_during === undefined ? null : halfOpen(temporal.valid_during);
  const during = phrase === null || stated === null ? (phrase ?? stated) : intersection(phrase, stated);
  return {
    valid: valid === undefined ? null : toEpochMs(valid),
    recorded: recorded === undefined ? null : Math.min(toEpochMs(recorded), OPEN_END - 1),
    during,
    recorded_during: temporal?.recorded_during === undefined ? null : halfOpen(temporal.recorded_during),
    refers_during: refers === undefined ? null : stretchOf(refers, timezone),
    phrase,
    left_out: reading?.ok === false ? reading.failure : null,
  };
}

/** Whether nothing can lie in a window. */
export function isNever({ during, recorded_during: recorded }: RecallWindow): boolean {
  return (during !== null && isEmpty(during)) || (recorded !== null && isEmpty(recorded));
}

/** Whether an instant is named that lies before now, so that something may have been said since. */
export function isPast({ valid, recorded }: Pick<RecallWindow, 'valid' | 'recorded'>, now: number): boolean {
  return (valid !== null && valid < now) || (recorded !== null && recorded < now);
}

/** An interval as clients write it: half open, 1970 and 9999 for open ends. */
export function halfOpen([from, to]: readonly [string, string]): Interval {
  const first =
    from.startsWith(OPEN_START) && firstInstantOf(from) === 0 ? FIRST_INSTANT : firstInstantOf(from);
  return { from: first, to: to.startsWith(LAST_YEAR) ? OPEN_END : firstInstantOf(to) };
}
