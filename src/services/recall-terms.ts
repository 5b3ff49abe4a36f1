import { LRUCache } from 'lru-cache';

import { indexTerms } from '../capture/search-words.ts';

/** Code units of the texts whose terms are remembered, together, which take some ten megabytes; and of one of them at most. */
const REMEMBERED_UNITS = 512 * 1024;
const REMEMBERED_TEXT = 4096;

/** The terms of texts that are ranked again and again: what is derived from a popular memory is looked at in many recalls. */
const remembered = new LRUCache<string, ReadonlySet<string>>({
  maxSize: REMEMBERED_UNITS,
  maxEntrySize: REMEMBERED_TEXT,
  sizeCalculation: (_terms, text) => text.length + 1,
});

/** The terms that the text of a derived record would be found by. */
export function recallTerms(text: string): ReadonlySet<string> {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const terms = new Set(indexTerms(text));
  remembered.set(text, terms);
  return terms;
}
