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

/** English words that ask for whatever there is. Beside others they count as words do. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  'all am anything describe did everything happen happened happens know known list please recall remember show something summarise summarize tell things'.split(
    ' ',
  ),
);

/**
 * What of a query is looked for: its words, each once, in order, without those that only make it a question. Empty for one that only
 * asks: whose words all are such, or ask for whatever there is. Where a word counts, so does what asks for whatever there is.
 */
export function soughtWords<Word extends { readonly word: string | null }>(
  words: readonly Word[],
  most: number,
): Word[] {
  const telling = words.filter(({ word }) => word === null || !QUESTION_WORDS.has(word));
  if (telling.every(({ word }) => word !== null && ASKING_WORDS.has(word))) return [];
  const seen = new Set<string>();
  const once = telling.filter(({ word }) => {
    const known = word !== null && seen.has(word);
    if (word !== null) seen.add(word);
    return !known;
  });
  return once.slice(0, most);
}

/** Words of the longest name that is looked for. */
const LONGEST_NAME = 5;
/** Runs of words of a query that may be names, at most: those of its first 48 words. */
const MOST_RUNS = 240;

/** Code units of a word of a name, at most: what is longer is an address, a key or noise. */
const LONGEST_WORD = 256;

const PIECE = /\S+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** What a name may end with: a letter, a digit, or the signs of `C++` and `C#`. */
const END_OF_NAME = /[\p{L}\p{N}+#]/u;

/** The runs of one to five words of a query, the longest first, each once, but for those of question words alone: what in it may be the name of an entity. */
export function possibleNames(query: string): string[] {
  const words = firstWords(query, MOST_RUNS / LONGEST_NAME);
  const runs = new Set<string>();
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length -= 1)
    for (let from = 0; from + length <= words.length; from += 1) {
      const run = words.slice(from, from + length);
      if (run.some((word) => !QUESTION_WORDS.has(word.toLowerCase()))) runs.add(run.join(' '));
    }
  return [...runs];
}

/** The first words of a query, without signs around them and genitives. */
function firstWords(query: string, most: number): string[] {
  const words: string[] = [];
  for (const [piece] of query.matchAll(PIECE)) {
    if (words.length >= most) break;
    const word = piece.length > LONGEST_WORD ? '' : withoutSigns(piece).replace(/['’]s$/u, '');
    if (word !== '') words.push(word);
  }
  return words;
}

/** A piece from its first letter or digit to its last one, or to a `+` or `#` behind that. */
function withoutSigns(piece: string): string {
  const characters = Array.from(piece);
  const first = characters.findIndex((character) => LETTER_OR_DIGIT.test(character));
  const last = characters.findLastIndex((character) => END_OF_NAME.test(character));
  return first < 0 ? '' : characters.slice(first, last + 1).join('');
}
