import { OPEN_END } from '../../../schemas/time.ts';
import type { Interval } from '../../time/interval.ts';

/**
 * What one event says about a claim that has one value at a time: a subject and a predicate; of a many-valued predicate
 * the object too; of an exclusive one the predicate and the object, whose value is the subject.
 */
export interface Statement {
  /** Id of the fact that it begins, where it begins one. */
  readonly id: string;
  /** The event that says it. */
  readonly event_id: string;
  /** Its place in the log: of two that cannot both be, the later one counts. */
  readonly position: number;
  /** Epoch milliseconds; does not fall as positions rise. */
  readonly recorded_at: number;
  /** Canonical text of the value. */
  readonly value: string;
  /**
   * `denied`: the value ends at `valid.from`. `never`: it was never true, as far as the log says until here. `settled`: somebody
   * decided between values; of `decision` is what it says, and it has no value.
   */
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  /** When it holds, as stated; for `never` without meaning. */
  readonly valid: Interval;
  /** How sure the source is, 0 to 1. */
  readonly confidence: number;
  /** Whether it says itself since when it holds; else that is when it was observed. */
  readonly has_explicit_valid_from?: boolean;
  /** What picks where it contradicts what was stated before; left out: the latest. */
  readonly policy?: 'highest_confidence' | 'keep_both';
  /** The last layer that it counts in, where its event asks for no more: facts, or beliefs; left out: all that rest on facts. */
  readonly max_layer?: 'facts' | 'beliefs';
  /** Which of the entities that it is about it tells the concept nothing of, though it counts in all layers; left out: neither. */
  readonly not_about?: 'subject' | 'object';
  /** What somebody decided; of what is `settled` only. */
  readonly decision?: Decision;
  /** Of a declared belief, the reasons that it names; absent for what is stated as a fact. */
  readonly grounds?: readonly Ground[];
  /** The statement that this is a later stretch of: a conclusion holds, falls and holds again. */
  readonly continuation_of?: string;
  /** Of a conclusion: something it rests on makes it end, by being superseded or denied, and not where it or that says so itself. */
  readonly falls?: true;
}

/** Whether a statement says itself when its value ends; a conclusion that falls with what it rests on does not. */
export function hasStatedEnd({ valid, falls }: Statement): boolean {
  return valid.to !== OPEN_END && falls !== true;
}

/** What somebody decided about values that contradict one another. */
export interface Decision {
  readonly conflict_id: string;
  /** `dismissed`: there is no conflict. */
  readonly status: 'manually_resolved' | 'dismissed';
  /** What holds by it. */
  readonly holds: readonly { readonly value: string; readonly valid: Interval }[];
  /** Ids of the statements that do not count any more. */
  readonly displaces: readonly string[];
  /** Ids of the statements that it decided for: it counts while they are stated. */
  readonly rests_on: readonly string[];
}

/** A reason that a declared belief names, and when it holds as far as is known. */
export interface Ground {
  readonly type: 'fact' | 'event';
  readonly id: string;
  readonly holds: readonly Interval[];
}

/**
 * A fact as it stands over an unbroken interval of valid time, with the statements that carry it. A fact that others interrupt stands in
 * several: each has the same id and supports.
 */
export interface ActiveFact {
  /** The statement that began it. */
  readonly id: string;
  readonly value: string;
  readonly valid: Interval;
  /** Where the last interval of the fact ends; left out where this is the last. */
  readonly ends_at?: number;
  /** In the order of their valid times. */
  readonly supports: readonly Statement[];
}
