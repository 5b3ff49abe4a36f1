import type { Stance } from '../belief/weight.ts';
import type { ConceptRelation } from './relation.ts';

/** That a concept has something to do with another one. */
export interface ConceptEdge {
  /** Id of the other concept. */
  readonly to: string;
  readonly relation: ConceptRelation;
  /** How many of the cited facts say so. */
  readonly facts: number;
}

/** What a version of a concept says. Instants are epoch milliseconds. */
export interface ConceptContent {
  readonly name: string;
  readonly summary: string;
  /** How many facts it cites: the newest of those that support the concept. */
  readonly cited_count: number;
  /** How many facts support the concept, cited or not. */
  readonly fact_count: number;
  /** How many events speak of it independently, counted up to {@link INDEPENDENT_SUPPORTS}. */
  readonly independent: number;
  readonly stance: Stance;
  /** Mean over the cited facts, 0 to 1. */
  readonly confidence: number;
  /** When the newest of the cited facts was stated last; null where nothing is cited. */
  readonly newest_at: number | null;
}
