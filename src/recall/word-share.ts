/** What is looked for in place of one word: its terms, each with what it weighs, above 0 and at most 1. */
type Terms = ReadonlyMap<string, number>;

/** The share of the words of a query that a text with some terms has, each as the form that it has weighs: from 0 to 1. */
export function shareOfWords(words: readonly Terms[], terms: ReadonlySet<string>): number {
  if (words.length === 0) return 0;
  const held = words.map((word) =>
    Math.max(0, ...[...word].map(([term, weight]) => (terms.has(term) ? weight : 0))),
  );
  return held.reduce((sum, weight) => sum + weight, 0) / words.length;
}
