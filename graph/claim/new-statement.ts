import type { Reassignment } from '../../src/derive/claim/assignment.ts';
import type { Statement, Decision } from '../../src/derive/claim/statement.ts';

/** A statement to be stored. Instants are epoch milliseconds. */
export interface NewStatement {
  readonly id: string;
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly claim: string;
  readonly cardinality: string;
  /** That the cardinality is the default, because neither vocabulary, policy nor extractor knows the predicate; left out where one does. */
  readonly cardinality_assumed?: true;
  readonly position: number;
  readonly recorded_at: number;
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  readonly value: string;
  readonly valid_from: number;
  readonly valid_to: number;
  /** Whether it says itself since when it holds. */
  readonly has_explicit_valid_from: boolean;
  readonly confidence: number;
  readonly extractor: string;
  /** Where in the text of its event the words stand that it rests on, in characters; null where that is not known. */
  readonly span: { readonly start: number; readonly end: number } | null;
  readonly subject: NamedEntity;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
  /** The entity that the object is; null for a literal. */
  readonly object_entity: NamedEntity | null;
  /** Ids of what it was concluded from. */
  readonly premises: readonly string[];
  /** The statement of which this is a later stretch: a conclusion that holds, falls and holds again. */
  readonly continuation_of: string | null;
  /** True for the statement of an event that was taken out: its id still tells what it stood for. */
  readonly retracted: boolean;
  /** What picks where it contradicts what was stated before; left out: the latest. */
  readonly policy?: NonNullable<Statement['policy']>;
  /** The last layer that it counts in; left out: all. */
  readonly max_layer?: NonNullable<Statement['max_layer']>;
  /** Which of its entities it tells the concept nothing of; left out: neither. */
  readonly not_about?: NonNullable<Statement['not_about']>;
  /** Id of the conflict that it settles; left out where it settles none. */
  readonly settles?: string;
  /** What somebody decided about a conflict, and in which words; left out where nobody did. */
  readonly decision?: Decision;
  /** JSON text. */
  readonly resolution?: string;
  /** The entities that its event named, where these go by others; left out where all go by themselves. */
  readonly aliases?: readonly NamedEntity[];
  /** What links made of it; left out where it stays in its claim. */
  readonly moved?: Reassignment;
}

/** An entity that a statement names. */
export interface NamedEntity {
  readonly id: string;
  /** As the statement names it; null where it gives no name. */
  readonly name: string | null;
  /** The name, else the id, as names are compared. */
  readonly normalised_name: string;
  /** What kind of thing it is, `other` where nobody says. */
  readonly type: string;
}
