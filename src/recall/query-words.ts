/**
 * English words that say how a question is asked rather than what is asked for. On LoCoMo (recall@10 of turns, categories 1 to 4) it is
 * worth two points to leave them out of a question; the index keeps them, so that a query of nothing else still finds them.
 */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a about an and any are as at be been being but by can could did do does for from had has have he her him his how i if in into is it ' +
    'its me my no not of on or our she so that the their them there they this to was we were what when where which who whom whose why ' +
    'will with would you your'
  ).split(' '),
);

/** What of a query is looked for: its words, each once, in order, without those that only make it a question unless there are no others. */
export function soughtWords(words: readonly string[], most: number): string[] {
  const telling = words.filter((word) => !QUESTION_WORDS.has(word));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, most);
}

/** Words of the longest name that is looked for. */
const LONGEST_NAME = 5;
/** Runs of words of a query that may be names, at most: those of its first fifty words. */
const MOST_RUNS = 240;

/** The runs of one to five words of a query, the longest first, each once: what in it may be the name of an entity. */
export function possibleNames(query: string): string[] {
  const words = query
    .split(/\s+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, '').replace(/['’]s$/u, ''))
    .filter((word) => word !== '')
    .slice(0, MOST_RUNS / LONGEST_NAME);
  const runs = new Set<string>();
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length -= 1)
    for (let from = 0; from + length <= words.length; from += 1) {
      const run = words.slice(from, from + length);
      if (length > 1 || !QUESTION_WORDS.has((run[0] ?? '').toLowerCase())) runs.add(run.join(' '));
    }
  return [...runs];
}
