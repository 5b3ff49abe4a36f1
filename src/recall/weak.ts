import { stretchesOf } from './cut-place.ts';
import { STEP_UNITS, type Steps } from './steps.ts';
import { shareOfWords } from './word-share.ts';

/** Share of the words of a query beyond which a record bears on it. */
const HALF = 0.5;

/** What the texts of a pack are held against. */
export interface WeakRequest {
  /** The words of the query, each by its forms with what these weigh. */
  readonly words: readonly ReadonlyMap<string, number>[];
  /** The terms that a text is found by. */
  readonly termsOf: (text: string) => readonly string[];
}

/**
 * Tells in steps whether of some texts none holds more than half of the words of a query, so that what was meant may stand in others. No
 * text is looked at behind the first one that does.
 */
export function* findingWeak(texts: Iterable<string>, { words, termsOf }: WeakRequest): Steps<boolean> {
  const sought = new Set(words.flatMap((word) => [...word.keys()]));
  for (const text of texts) {
    const held = new Set<string>();
    for (const { from, to } of stretchesOf(text, STEP_UNITS)) {
      for (const term of termsOf(text.slice(from, to))) if (sought.has(term)) held.add(term);
      yield to - from;
    }
    if (shareOfWords(words, held) > HALF) return false;
  }
  return true;
}
