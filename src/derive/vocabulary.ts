import type { Cardinality } from '../../schemas/scope-policy.ts';
import { hasForm, isPattern } from './vocabulary/patterns.ts';
import { VOCABULARY } from './vocabulary/shipped.ts';
import type { PredicateEntry } from './vocabulary/table.ts';

/** Predicates with what is known of each, by their names in canonical spelling, or by their patterns. */
export type Predicates = Readonly<Record<string, PredicateEntry>>;

/** The beginning of predicates that say that one has something. */
const HAVING = 'has_';

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
  private readonly patterns: readonly (readonly [string, PredicateEntry])[];

  constructor(predicates: Predicates) {
    const sorted = Object.entries(predicates)
      .map(
        ([name, { synonyms = [], ...entry }]) =>
          [name, { ...entry, synonyms: [...synonyms].sort() }] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1));
    this.predicates = Object.fromEntries(sorted);
    this.entries = new Map(sorted);
    this.patterns = sorted
      .filter(([name, { cardinality }]) => isPattern(name) && cardinality !== undefined)
      .sort(([a], [b]) => b.length - a.length);
    for (const [name, { synonyms }] of sorted)
      for (const spelling of [name, ...synonyms]) this.names.set(spelling, name);
  }

  /**
   * A predicate in its one spelling: synonyms by their common name, and `has_x`, where nothing is known of it, by that of `x` where that
   * has one value.
   */
  canonical(text: string): string {
    const spelling = spelt(text);
    const name = this.named(spelling);
    if (this.entries.has(name)) return name;
    return this.hadBy(spelling)?.name ?? spelling;
  }

  /** How many values a predicate in its canonical spelling has at once, where no scope says anything else; `one` when it is not known. */
  cardinality(predicate: string): Cardinality {
    return this.entryOf(predicate)?.cardinality ?? 'one';
  }

  /** Whether a predicate in its canonical spelling is known, by its name or by a pattern. */
  knows(predicate: string): boolean {
    return this.entryOf(predicate) !== undefined;
  }

  /** What says how many values a predicate has. */
  private entryOf(predicate: string): PredicateEntry | undefined {
    return this.countingEntry(predicate) ?? this.hadBy(predicate)?.entry ?? this.formOf(predicate);
  }

  private countingEntry(name: string): PredicateEntry | undefined {
    const entry = this.entries.get(name);
    return entry?.cardinality === undefined ? undefined : entry;
  }

  /** The thing with one value that a predicate is the having of (`has_opening_hours`). */
  private hadBy(predicate: string): { readonly name: string; readonly entry: PredicateEntry } | undefined {
    if (!predicate.startsWith(HAVING)) return undefined;
    const name = this.named(predicate.slice(HAVING.length));
    const entry = this.countingEntry(name) ?? this.formOf(name);
    return entry?.cardinality === 'one' ? { name, entry } : undefined;
  }

  private formOf(predicate: string): PredicateEntry | undefined {
    return this.patterns.find(([pattern, entry]) => hasForm(predicate, pattern, entry))?.[1];
  }

  private named(spelling: string): string {
    return this.names.get(spelling) ?? spelling;
  }

  /**
   * This vocabulary with what another says before it: predicates of the other are as they stand there, and a name that both know
   * means what it means there, for all that went by it here too. One that does not say there how many values it has, has as many as it,
   * or the first of its synonyms that is known here, has here.
   */
  overruledBy(other: Vocabulary): Vocabulary {
    const entries = new Map([...this.entries, ...other.entries]);
    const gathered = new Map([...other.entries.keys()].map((name) => [name, new Set<string>()]));
    for (const spelling of new Set([...this.names.keys(), ...other.names.keys()])) {
      const name = other.named(other.names.has(spelling) ? spelling : this.named(spelling));
      if (!gathered.has(name)) gathered.set(name, new Set());
      if (spelling !== name) gathered.get(name)?.add(spelling);
    }
    return new Vocabulary(
      Object.fromEntries(
        [...gathered].map(([name, synonyms]) => [
          name,
          { ...this.countedHere(name, entries.get(name)), synonyms: [...synonyms] },
        ]),
      ),
    );
  }

  private countedHere(name: string, entry: PredicateEntry = {}): PredicateEntry {
    if (entry.cardinality !== undefined) return entry;
    const known = [name, ...(entry.synonyms ?? [])]
      .map((spelling) => this.canonical(spelling))
      .find((predicate) => this.knows(predicate));
    return known === undefined ? entry : { ...entry, cardinality: this.cardinality(known) };
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
