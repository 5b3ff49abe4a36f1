import { shareOfWords } from './word-share.ts';

/** Share of the words of a query beyond which a record bears on it. */
const HALF = 0.5;

/**
 * Whether of some records, given by the terms that they are found by, none holds more than half of the words of a query, so that what was
 * meant may stand in others. A word is given by its forms, each with what it weighs.
 */
export function isWeak(
  words: readonly ReadonlyMap<string, number>[],
  records: readonly (readonly string[])[],
): boolean {
  return !records.some((record) => shareOfWords(words, new Set(record)) > HALF);
}
