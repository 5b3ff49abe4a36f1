import { askingRulesOf, isQuestionWord } from './asking-words.ts';
import type { AskedDate } from './dated.ts';
import { stretchesOfQuery } from './query-stretches.ts';

/** A word of a query. */
interface QueryWord {
  /** Null where only its other forms count. */
  readonly word: string | null;
  /** The date that it is. */
  readonly date?: AskedDate;
  /** Whether it stands in a date. */
  readonly inDate?: true;
  /** Whether it is looked for even if it is one that asks. */
  readonly counts?: boolean;
}

/**
 * What of a query is looked for: its words, each once, in order, without those that only make it a question. Empty for one that only
 * asks: whose words all are such, or ask for whatever there is. Where a word counts that is no date, so does what asks for whatever there
 * is.
 */
export function soughtWords<Word extends QueryWord>(words: readonly Word[], most: number): Word[] {
  const open = words.flatMap(({ word, counts }) => (counts === true ? [] : (word ?? [])));
  const { isQuestion, asks } = askingRulesOf(open);
  const telling = words.filter(({ word, counts }) => counts === true || !isQuestion(word));
  const counting = telling.filter(({ word, counts }) => counts === true || !asks(word));
  const said = counting.every(isOfDate) ? counting : telling;
  const seen = new Set<string>();
  const once = said.filter(({ word }) => {
    const known = word !== null && seen.has(word);
    if (word !== null) seen.add(word);
    return !known;
  });
  return once.slice(0, most);
}

/** The dates of what is looked for, where that is nothing but dates; none where it has another word. */
export function datesAlone(sought: readonly QueryWord[]): AskedDate[] {
  return sought.every(isOfDate)
    ? sought.flatMap(({ date, inDate }) => (inDate === true ? [] : (date ?? [])))
    : [];
}

function isOfDate({ date, inDate }: QueryWord): boolean {
  return date !== undefined || inDate === true;
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
      if (run.some(({ counts }) => counts)) runs.add(run.map(({ word }) => word).join(' '));
    }
  return [...runs];
}

/** A word as it may stand in a name. */
interface NamingWord {
  readonly word: string;
  /** Whether it may be a name by itself. */
  readonly counts: boolean;
}

/** The first words of a query, without signs around them and genitives. */
function firstWords(query: string, most: number): NamingWord[] {
  const words: NamingWord[] = [];
  for (const { text, counts } of stretchesOfQuery(query))
    for (const [piece] of text.matchAll(PIECE)) {
      if (words.length >= most) return words;
      const word = piece.length > LONGEST_WORD ? '' : withoutSigns(piece).replace(/['’]s$/u, '');
      if (word !== '') words.push({ word, counts: counts || !isQuestionWord(word.toLowerCase()) });
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
