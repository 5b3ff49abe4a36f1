import type { ListHit } from './fusion.ts';
import { shareOfWords } from './word-share.ts';

/** An event with the words that it is found by. */
export interface WordedHit {
  readonly id: string;
  readonly words: ReadonlySet<string>;
}

/** What an event that has all words gets more than the best of the index, which may have only some of them. */
const WHOLE = 1.01;

/**
 * How well events that no index ranks fit the words of a query: the share of the words that an event has, other forms of them counting less, of the best score that the
 * index gave. So one that has them all stands just before the best, and one that has half of them at half of that. Events without any of
 * the words, and those that the index found by itself, are left out.
 */
export function rankedUnindexed(
  words: readonly ReadonlyMap<string, number>[],
  events: readonly WordedHit[],
  indexed: readonly ListHit[],
): ListHit[] {
  const known = new Set(indexed.map(({ id }) => id));
  const best = indexed.length === 0 ? 1 : Math.max(...indexed.map(({ score }) => score));
  return events.flatMap(({ id, words: own }) => {
    const share = shareOfWords(words, own);
    if (share === 0 || known.has(id)) return [];
    return [{ id, score: share === 1 ? best * WHOLE : best * share }];
  });
}
