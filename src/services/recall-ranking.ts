import type { Signal } from '../../schemas/recall.ts';
import type { SoughtTerms } from '../capture/search-words.ts';
import type { byLayer } from '../derive/provenance.ts';
import { DERIVED_WEIGHTS } from '../recall/recipe.ts';
import { shareOfWords } from '../recall/word-share.ts';
import { recallTerms } from './recall-terms.ts';

/** A record of a layer, and how well it fits. */
export interface Ranked<Item> {
  readonly item: Item;
  readonly score: number;
  readonly matched_by: readonly Signal[];
  /** Of an event whose statement does not hold any more, or of an episode that is called by it: until when it did, RFC 3339. */
  readonly ended?: string;
  /** Of an event: the tokens of what its line says, as they were counted when it was indexed; null or left out where they were not. */
  readonly said_tokens?: number | null;
}

/** What derived records are reached from. */
export interface Sources {
  /** The score of the best event that leads to a record. */
  readonly scores: ReadonlyMap<string, number>;
  /** What that event was found by. */
  readonly matched: ReadonlyMap<string, readonly Signal[]>;
  readonly ids: Pick<ReturnType<typeof byLayer>, 'facts' | 'beliefs' | 'episodes'>;
}

/** The records by how well they fit; equals by id. */
export function ranking<Item extends { readonly id: string }>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  named: ReadonlySet<string>,
  { words }: { readonly words: readonly SoughtTerms[] },
  { scores, matched }: Sources,
): Ranked<Item>[] {
  const { source, words: own } = DERIVED_WEIGHTS;
  return items
    .map((item): Ranked<Item> => {
      const share = shareOfWords(words, recallTerms(textOf(item)));
      const led = scores.get(item.id) ?? 0;
      const score = (source.weight * led + own.weight * share) / (source.weight + own.weight);
      const signals = new Set<Signal>([
        ...(matched.get(item.id) ?? []),
        ...(named.has(item.id) ? ['graph' as const] : []),
      ]);
      return { item, score, matched_by: [...signals] };
    })
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}
