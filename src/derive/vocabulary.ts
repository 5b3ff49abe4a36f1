import type { Cardinality } from '../../schemas/scope-policy.ts';

/** What is known of a predicate beforehand. */
export interface PredicateEntry {
  readonly cardinality: Cardinality;
  /** Other names that mean the same, in canonical spelling. */
  readonly synonyms?: readonly string[];
}

/**
 * Predicates whose cardinality is not the default `one`, or that go by several names. The vocabulary file of a deployment goes
 * before what stands here, and a scope's `policies.cardinality` before both.
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

/** Predicates with what is known of each, by their names in canonical spelling. */
export type Predicates = Readonly<Record<string, PredicateEntry>>;

/** A predicate as it is spelt when names are compared: compatibility form, lower case, blanks and hyphens as underscores. */
export function spelt(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/[\s_-]+/gu, '_');
}

/** Knows predicates by all of their names. */
export class Vocabulary {
  /** In the order of their names, synonyms too, so that equal vocabularies are equal texts. */
  readonly predicates: Predicates;
  private readonly entries: ReadonlyMap<string, PredicateEntry>;
  private readonly names = new Map<string, string>();

  constructor(predicates: Predicates) {
    const sorted = Object.entries(predicates)
      .map(
        ([name, { cardinality, synonyms = [] }]) =>
          [name, { cardinality, synonyms: [...synonyms].sort() }] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1));
    this.predicates = Object.fromEntries(sorted);
    this.entries = new Map(sorted);
    for (const [name, { synonyms }] of sorted)
      for (const spelling of [name, ...synonyms]) this.names.set(spelling, name);
  }

  /** A predicate in its one spelling, synonyms by their common name. */
  canonical(text: string): string {
    const spelling = spelt(text);
    return this.names.get(spelling) ?? spelling;
  }

  /** How many values a predicate in its canonical spelling has at once, where no scope says anything else; `one` when it is not known. */
  cardinality(predicate: string): Cardinality {
    return this.entries.get(predicate)?.cardinality ?? 'one';
  }

  /** Whether a predicate in its canonical spelling is known. */
  knows(predicate: string): boolean {
    return this.entries.has(predicate);
  }

  /**
   * This vocabulary with what another says before it: predicates of the other are as they stand there, and a name that both know
   * means what it means there, for all that went by it here too.
   */
  overruledBy(other: Vocabulary): Vocabulary {
    const cardinalities = new Map(
      [...this.entries, ...other.entries].map(([name, { cardinality }]) => [name, cardinality]),
    );
    const gathered = new Map([...other.entries.keys()].map((name) => [name, new Set<string>()]));
    for (const spelling of new Set([...this.names.keys(), ...other.names.keys()])) {
      const name = other.canonical(other.names.has(spelling) ? spelling : this.canonical(spelling));
      if (!gathered.has(name)) gathered.set(name, new Set());
      if (spelling !== name) gathered.get(name)?.add(spelling);
    }
    return new Vocabulary(
      Object.fromEntries(
        [...gathered].map(([name, synonyms]) => [
          name,
          { cardinality: cardinalities.get(name) ?? 'one', synonyms: [...synonyms] },
        ]),
      ),
    );
  }
}

/** What the service knows by itself. */
export const SHIPPED = new Vocabulary(VOCABULARY);

/** A predicate in its one spelling, as far as the service knows by itself. */
export function canonicalPredicate(text: string): string {
  return SHIPPED.canonical(text);
}

/** How many values a predicate in its canonical spelling has at once, as far as the service knows by itself. */
export function defaultCardinality(predicate: string): Cardinality {
  return SHIPPED.cardinality(predicate);
}
