import { stem } from 'porter2';

import { MAX_STEMMED_LETTERS } from '../limits/search.ts';

const ALONE = '[\\p{Script=Han}\\p{Script=Hiragana}]';
/** A character of a script without spaces stands alone, as the analyzer of the index takes it; others make runs. */
const WORD = new RegExp(`${ALONE}\\p{M}*|(?:(?!${ALONE})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/**
 * Marks on one letter beyond the first 32: two more than any language needs (UAX #15, Stream-Safe Text Format). Putting them into their
 * order takes time that grows with the square of their number.
 */
const TOO_MANY_MARKS = /(\p{M}{32})\p{M}+/gu;

/**
 * The words of a text, in order: runs of letters, marks and digits in compatibility form (NFKC) and lower case. What is
 * indexed and what is asked for go through here alike, so that how a database folds case, joins `3.14` or `don't`, or
 * composes letters makes no difference. Of a letter with more than 32 marks the rest of them is left out. None of them is search syntax: lower case keeps AND, OR and NOT words.
 */
export function searchWords(text: string): string[] {
  // The form of a sigma depends on what follows it, which a search may cut off.
  const bounded = text.replace(TOO_MANY_MARKS, '$1');
  return bounded.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').match(WORD) ?? [];
}

const STEMMED = new RegExp(`^[a-z]{1,${MAX_STEMMED_LETTERS}}$`);

/**
 * The words of a text in the form that the search index holds, in order: those of letters a to z by their English stem
 * (Porter2), so that `adopting` meets `adopted`; others as they are. What is indexed and what is asked for go through here alike.
 */
export function stemmedWords(text: string): string[] {
  return searchWords(text).map((word) => (STEMMED.test(word) ? stem(word) : word));
}
