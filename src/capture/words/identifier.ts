/** Between a small letter or a digit and a capital letter, and before the last of several that begins a word: `render|Lines`, `HTTP|Server`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** What a word has that is put together by capitals, and few others have. */
const CAPITAL_INSIDE = /.\p{Lu}/su;

/** Letters and digits of a name in code, at most: what is longer is a list, a key or noise. */
const LONGEST_NAME = 64;
/** Digits that are one number though signs stand between them, at least: those of a telephone or a day; fewer are a range. */
const FEWEST_DIGITS = 7;

/** The words, of two letters or more, that a name in code is put together from by capitals; empty for other words. */
export function humpsOf(word: string): string[] {
  if (word.length > LONGEST_NAME || !CAPITAL_INSIDE.test(word)) return [];
  const parts = word.split(HUMP);
  return parts.length > 1 ? parts.filter((part) => part.length > 1) : [];
}

/** A name that is put together from words with signs between them, without these; null for what is none. */
export function joined(words: readonly string[]): string | null {
  const whole = words.join('');
  if (words.length < 2 || whole.length > LONGEST_NAME) return null;
  return whole.length < FEWEST_DIGITS && /^\p{N}+$/u.test(whole) ? null : whole;
}
