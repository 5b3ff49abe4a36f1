import { Vocabulary, type Predicates } from '../vocabulary.ts';
import { boundariesOf, definedAt, type Definition } from './definition.ts';

/** What one vocabulary of a tenant says of predicates. */
export interface VocabularyLayer {
  /** Name of the vocabulary. */
  readonly name: string;
  /** References of every level of its scope, root first; null: the whole tenant. */
  readonly levels: readonly string[] | null;
  readonly definitions: readonly Definition[];
}

/** Vocabularies that are put together at most, for one that they go before: of each scope and stretch of time one. */
const KEPT = 64;

/** What holds of a tenant's vocabularies at a place and an instant. */
export interface HeldVocabulary {
  /** The same text means the same. */
  readonly key: string;
  /** Another vocabulary with these before it. */
  over(base: Vocabulary): Vocabulary;
}

/** What all vocabularies of a tenant say of predicates: those of the nearest scope first, and of one scope the first by name. */
export class TenantVocabulary {
  /** In the order in which they are put over one another. */
  private readonly layers: readonly VocabularyLayer[];
  private readonly boundaries: readonly number[];
  private readonly kept = new WeakMap<Vocabulary, Map<string, Vocabulary>>();

  constructor(layers: readonly VocabularyLayer[]) {
    this.layers = [...layers].sort(
      (a, b) => (a.levels?.length ?? 0) - (b.levels?.length ?? 0) || (a.name < b.name ? 1 : -1),
    );
    this.boundaries = boundariesOf(layers.flatMap(({ definitions }) => definitions));
  }

  /** What holds in a scope, by the references of its levels, at an instant (epoch milliseconds); null for nothing. */
  at(levels: readonly string[], instant: number): HeldVocabulary | null {
    const held = this.layers.filter(
      (layer) => layer.levels === null || levels.includes(layer.levels.at(-1) ?? ''),
    );
    if (held.length === 0) return null;
    const passed = this.boundaries.filter((boundary) => boundary <= instant).length;
    const key = `${held.map(({ name }) => name).join(' ')} ${String(passed)}`;
    return { key, over: (base) => this.over(base, held, key, instant) };
  }

  /**
   * Every spelling that a predicate may have by those of these vocabularies that count, before another one: that of a place first (by the
   * references of its levels), then those of the scopes of what counts, and all names of what these stand for, since what was stated before
   * an alias was known has got its own.
   */
  spellings(
    text: string,
    base: Vocabulary,
    { place, counts }: { readonly place: readonly string[]; readonly counts: (name: string) => boolean },
    instant: number,
  ): string[] {
    const counting = this.layers.filter(({ name }) => counts(name));
    const places = [place, ...counting.map(({ levels }) => levels ?? [])];
    const found = new Set<string>();
    for (const levels of places) found.add((this.at(levels, instant)?.over(base) ?? base).canonical(text));
    for (const { definitions } of counting) {
      const meant = definedAt(definitions, instant);
      for (const one of definitions)
        if (found.has(meant.get(one.id)?.name ?? ''))
          for (const name of [one.name, ...one.synonyms]) found.add(name);
    }
    return [...found];
  }

  private over(base: Vocabulary, held: readonly VocabularyLayer[], key: string, instant: number): Vocabulary {
    const kept = this.kept.get(base) ?? new Map<string, Vocabulary>();
    this.kept.set(base, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = held.reduce(
      (under, { definitions }) => under.overruledBy(new Vocabulary(predicatesAt(definitions, instant))),
      base,
    );
    if (kept.size >= KEPT) kept.clear();
    kept.set(key, made);
    return made;
  }
}

/** What definitions say of predicates at an instant. */
export function predicatesAt(definitions: readonly Definition[], instant: number): Predicates {
  const meant = definedAt(definitions, instant);
  const names = new Map<string, Set<string>>();
  for (const one of definitions) {
    const name = meant.get(one.id)?.name;
    if (name === undefined) continue;
    const own = names.get(name) ?? new Set();
    for (const spelling of [one.name, ...one.synonyms]) if (spelling !== name) own.add(spelling);
    names.set(name, own);
  }
  const cardinalities = new Map([...meant.values()].map(({ name, cardinality }) => [name, cardinality]));
  return Object.fromEntries(
    [...names].map(([name, synonyms]) => {
      const cardinality = cardinalities.get(name);
      return [name, { ...(cardinality === undefined ? {} : { cardinality }), synonyms: [...synonyms] }];
    }),
  );
}
