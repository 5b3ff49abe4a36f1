import type { Cardinality } from '../../schemas/scope-policy.ts';

/** What is known of a predicate beforehand. */
export interface PredicateEntry {
  readonly cardinality: Cardinality;
  /** Other names that mean the same, in canonical spelling. */
  readonly synonyms?: readonly string[];
}

/**
 * Predicates whose cardinality is not the default `one`, or that go by several names. A scope's `policies.cardinality` goes before
 * what stands here.
 */
export const VOCABULARY: Readonly<Record<string, PredicateEntry>> = {
  lives_in: { cardinality: 'one', synonyms: ['resides_in', 'living_in', 'home_is'] },
  works_at: { cardinality: 'one', synonyms: ['works_for', 'employed_by', 'employed_at'] },
  born_in: { cardinality: 'one', synonyms: ['birthplace', 'was_born_in'] },
  married_to: { cardinality: 'one', synonyms: ['spouse', 'spouse_of'] },
  reports_to: { cardinality: 'one', synonyms: ['managed_by'] },
  located_in: { cardinality: 'one', synonyms: ['located_at', 'situated_in'] },
  likes: { cardinality: 'many', synonyms: ['enjoys', 'is_fond_of'] },
  dislikes: { cardinality: 'many' },
  knows: { cardinality: 'many', synonyms: ['acquainted_with'] },
  friend_of: { cardinality: 'many', synonyms: ['friends_with'] },
  visited: { cardinality: 'many', synonyms: ['has_visited', 'travelled_to', 'traveled_to'] },
  speaks: { cardinality: 'many', synonyms: ['speaks_language'] },
  member_of: { cardinality: 'many', synonyms: ['belongs_to'] },
  parent_of: { cardinality: 'many' },
  child_of: { cardinality: 'many' },
  sibling_of: { cardinality: 'many' },
  owns: { cardinality: 'many', synonyms: ['has', 'possesses'] },
  uses: { cardinality: 'many' },
  depends_on: { cardinality: 'many', synonyms: ['requires'] },
  part_of: { cardinality: 'many' },
  tagged: { cardinality: 'many', synonyms: ['has_tag'] },
  worked_on: { cardinality: 'many', synonyms: ['works_on'] },
  attended: { cardinality: 'many' },
  allergic_to: { cardinality: 'many' },
  skilled_in: { cardinality: 'many', synonyms: ['has_skill'] },
  owner_of: { cardinality: 'exclusive' },
  capital_of: { cardinality: 'exclusive' },
  holder_of: { cardinality: 'exclusive' },
  head_of: { cardinality: 'exclusive', synonyms: ['leader_of', 'chief_of'] },
  assigned_to: { cardinality: 'one' },
};

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(VOCABULARY).flatMap(([name, { synonyms = [] }]) =>
    [name, ...synonyms].map((spelling) => [spelling, name] as const),
  ),
);

/** A predicate in its one spelling: compatibility form, lower case, blanks and hyphens as underscores, and synonyms by their common name. */
export function canonicalPredicate(text: string): string {
  const spelling = text
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/[\s_-]+/gu, '_');
  return CANONICAL.get(spelling) ?? spelling;
}

/** How many values a predicate in its canonical spelling has at once, where no scope says anything else. */
export function defaultCardinality(predicate: string): Cardinality {
  return Object.hasOwn(VOCABULARY, predicate) ? (VOCABULARY[predicate]?.cardinality ?? 'one') : 'one';
}
