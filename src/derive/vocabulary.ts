import type { Cardinality } from '../../schemas/scope-policy.ts';
import { hasForm, isPattern } from './vocabulary/patterns.ts';
import { VOCABULARY, type PredicateEntry } from './vocabulary/shipped.ts';

/** Predicates with what is known of each, by their names in canonical spelling, or by their patterns. */
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
  /** In the order in which they go before one another. */
  private readonly patterns: readonly string[];

  constructor(predicates: Predicates) {
    const sorted = Object.entries(predicates)
      .map(
        ([name, { cardinality, synonyms = [] }]) =>
          [name, { cardinality, synonyms: [...synonyms].sort() }] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1));
    this.predicates = Object.fromEntries(sorted);
    this.entries = new Map(sorted);
    this.patterns = sorted
      .map(([name]) => name)
      .filter(isPattern)
      .sort((a, b) => b.length - a.length);
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
    return this.entryOf(predicate)?.cardinality ?? 'one';
  }

  /** Whether a predicate in its canonical spelling is known, by its name or by a pattern. */
  knows(predicate: string): boolean {
    return this.entryOf(predicate) !== undefined;
  }

  private entryOf(predicate: string): PredicateEntry | undefined {
    const named = this.entries.get(predicate);
    if (named !== undefined) return named;
    const pattern = this.patterns.find((form) => hasForm(predicate, form));
    return pattern === undefined ? undefined : this.entries.get(pattern);
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
