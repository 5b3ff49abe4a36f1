import {
  queryWords,
  searchWords,
  soughtTerms,
  type SearchWord,
  type SoughtTerms,
} from '../capture/search-words.ts';
import { MAX_SEARCH_WORDS } from '../limits.ts';
import { soughtWords } from '../recall/query-words.ts';
import type { RecallWindow } from '../recall/window.ts';

/** What a query is read beside. */
export interface QueryBeside {
  /** The time phrase of the request; left out where it has none. */
  readonly natural?: string | undefined;
  readonly window: Pick<RecallWindow, 'phrase'>;
}

/**
 * The words of a query as the index has them, each once; none where it only asks. The words of a time phrase are not among them where the
 * phrase has become the time that is asked for.
 */
export function readQuery(text: string, { natural = '', window }: QueryBeside): SoughtTerms[] {
  const words = queryWords(text);
  const others = window.phrase === null ? words : withoutTime(words, searchWords(natural));
  const terms = soughtWords(others, MAX_SEARCH_WORDS).map(soughtTerms);
  return [...new Map(terms.map((term) => [[...term.keys()].join(' '), term])).values()];
}

/** The words of a query without a time phrase: without that as it is where it stands in it, else without each of its words. */
function withoutTime(words: readonly SearchWord[], time: readonly string[]): readonly SearchWord[] {
  const others = words.filter((_, i) => !time.some((_word, before) => standsAt(words, i - before, time)));
  if (others.length < words.length) return others;
  return words.filter(({ word }) => word === null || !time.includes(word));
}

function standsAt(words: readonly SearchWord[], from: number, run: readonly string[]): boolean {
  return run.every((word, i) => words[from + i]?.word === word);
}
