import { MAX_PHRASE_LENGTH, type TemporalPhrase } from '../../schemas/temporal-phrase.ts';
import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { Calendar } from './calendar.ts';
import { intersection, isEmpty, type Interval } from './interval.ts';
import { readByChrono } from './phrase/chrono.ts';
import { foldName, foldPhrase } from './phrase/fold.ts';
import { tied, type Meaning, type PhraseFault } from './phrase/meaning.ts';
import { ownInterval } from './phrase/own.ts';
import { contextOf } from './phrase/read.ts';
import { readWhole } from './phrase/span.ts';
import { COUNT } from './phrase/words.ts';

/** What a phrase is read against. */
export interface PhraseAnchoring {
  /** The instant that stands for now, epoch milliseconds, within the years 1 to 9999. */
  readonly reference: number;
  /** IANA name of the time zone in which days begin; default UTC. */
  readonly timezone?: string;
}

/** A phrase that has no interval, and why. */
export interface PhraseFailure {
  readonly fault: PhraseFault;
  /** The fault in words, to be put behind the name of the field. */
  readonly reason: string;
}

/** What a phrase stands for: a half-open interval, or why there is none. */
export type PhraseReading =
  | { readonly ok: true; readonly interval: Interval }
  | { readonly ok: false; readonly failure: PhraseFailure };

const REASONS: Readonly<Record<PhraseFault, string>> = {
  not_understood: 'is not a time phrase that is understood',
  recurrence: 'names something that comes again and again, and no time of it',
  contradictory: 'ends where it begins or before',
  out_of_range: 'lies outside the years 1 to 9999',
  no_such_date: 'names a date that the calendar does not have',
  too_long: `is longer than ${MAX_PHRASE_LENGTH} characters`,
};

const DEFAULT_TIMEZONE = 'UTC';

function failure(fault: PhraseFault): PhraseReading {
  return { ok: false, failure: { fault, reason: REASONS[fault] } };
}

function reading(meaning: Meaning, reference: number): PhraseReading {
  const found = tied(meaning, { kind: 'past', reference });
  if (found.kind === 'refused') return failure(found.fault);
  const interval = intersection(found.interval, { from: FIRST_INSTANT, to: OPEN_END });
  return isEmpty(interval) ? failure('out_of_range') : { ok: true, interval };
}

const AGAIN =
  /\b(?:every|each|daily|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|hourly|nightly)\b/;
const PLURALS =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends|mornings|afternoons|evenings|nights)';
const PLURAL = new RegExp(`\\b(?<!\\b${COUNT} )${PLURALS}\\b`);

/**
 * The interval of a time phrase in English, half open: `to` does not belong to it. A day is one of the time zone, 23 to 25 hours long where
 * clocks change; weeks begin on Monday. What is named without a year or a direction is the latest that has begun, since memory looks back:
 * `may 5`, `in march`, `on the 21st`; a weekday is the latest before today. `last x` is the latest that is over, `this x` the one that
 * runs or whose turn it is, `next x` the first to begin. `3 weeks ago` is the calendar week that far back, and so for other units; `the
 * last 3 weeks` end with the reference. A range takes in all of its end, `from may 5 to may 10` the tenth too, but for a clock time or an
 * instant: `2pm to 4pm` ends at four. The name of an own phrase, case and width of blanks apart, goes before all that. The same text with
 * the same anchoring has the same reading at any time. Throws `RangeError` for a time zone that the runtime does not know.
 */
export function readPhrase(
  text: string,
  {
    reference,
    timezone = DEFAULT_TIMEZONE,
    own = [],
  }: PhraseAnchoring & { readonly own?: readonly TemporalPhrase[] },
): PhraseReading {
  const calendar = new Calendar(timezone);
  if (text.length > MAX_PHRASE_LENGTH) return failure('too_long');
  const named = own.find(({ name }) => foldName(name) === foldName(text));
  if (named !== undefined) return reading(ownInterval(named, calendar, reference), reference);
  const names = new Map(own.map((phrase) => [foldPhrase(phrase.name), phrase]));
  const context = contextOf(reference, calendar, names);
  const folded = foldPhrase(text);
  const meaning = readWhole(folded, context);
  if (meaning !== null) return reading(meaning, reference);
  if (AGAIN.test(folded) || PLURAL.test(folded)) return failure('recurrence');
  const found = readByChrono(text, context);
  return found === null ? failure('not_understood') : reading(found, reference);
}

/** The interval of an own phrase that its schema accepts; throws as {@link readPhrase} does. */
export function phraseInterval(
  own: TemporalPhrase,
  { reference, timezone = DEFAULT_TIMEZONE }: PhraseAnchoring,
): PhraseReading {
  return reading(ownInterval(own, new Calendar(timezone), reference), reference);
}
