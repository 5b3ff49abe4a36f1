import type { Cardinality } from '../../../schemas/scope-policy.ts';

/** Predicates by cardinality: one a line, its synonyms behind it, all in canonical spelling. */
export type PredicateTable = Readonly<Record<Cardinality, string>>;

/** What is known of a predicate beforehand. */
export interface PredicateEntry {
  /** Left out: nobody says it. */
  readonly cardinality?: Cardinality;
  /** Other names that mean the same, in canonical spelling. */
  readonly synonyms?: readonly string[];
  /** Of a pattern: what ends in a particle (`plays_for`) is none of it. Default false. */
  readonly before_objects?: true;
}
