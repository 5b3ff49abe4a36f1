import { stem } from 'porter2';

import { datesIn, wordsOfDate, type NamedDate } from './words/date.ts';
import { foldedForms } from './words/fold.ts';
import { humpsOf, joined } from './words/identifier.ts';
import { withPlainNumbers } from './words/number.ts';
import { PAIRED_CHARACTER, pairsOf, type PairedRun } from './words/pairs.ts';
import { RUN, runsOf, type Run } from './words/runs.ts';

/** Letters of the longest word that is stemmed: no English word is longer, and what is no word need not be looked through. */
const MAX_STEMMED_LETTERS = 64;

/** A run, or a character of a script without blanks by itself, looking at the one behind it. */
const PLACE = new RegExp(
  String.raw`(?=(?<pair>(?:${PAIRED_CHARACTER}\p{M}*){1,2}))${PAIRED_CHARACTER}\p{M}*|${RUN}`,
  'gu',
);
/** What holds the words of a name in code together. */
const JOINS: ReadonlySet<string> = new Set(['_', '-', '‐']);

/**
 * Marks on one letter beyond the first 32: two more than any language needs (UAX #15, Stream-Safe Text Format). Putting them into their
 * order takes time that grows with the square of their number.
 */
const TOO_MANY_MARKS = /(\p{M}{32})\p{M}+/gu;

/** What a match of another form weighs beside one of the word itself, so that a text which has the word goes first. */
const OTHER_FORM_WEIGHT = 0.5;

/** A word of a text or a query. */
export interface SearchWord {
  /** In compatibility form (NFKC) and lower case, or a date (begins with `@`); null where only its other forms count. */
  readonly word: string | null;
  /** Without marks (`cafe`), its parts (`null`, `pointer`), the words around it in one (`userid`), a date in any year or as its month. */
  readonly others: readonly string[];
  /** The date that it is. */
  readonly date?: NamedDate;
  /** Whether it stands in a date, which is a word of its own: `March` in `March 2026`. Left out where it does not. */
  readonly inDate?: true;
}

/** What is asked of the index for one word: its terms, each with what it weighs, above 0 and at most 1. */
export type SoughtTerms = ReadonlyMap<string, number>;

/**
 * The words of a query, in order: runs of letters, marks and digits in compatibility form (NFKC) and lower case, of a script without blanks
 * or with particles its pairs of characters. A number is without its separators; `+` and `#` are of the word as in `C++`. Of a letter
 * with more than 32 marks the rest of them is left out. How a database folds case, joins `3.14` or composes letters makes no difference.
 */
export function searchWords(text: string): string[] {
  return queryWords(text).flatMap(({ word }) => word ?? []);
}

/** The same with the other forms of each. A whole date that the query names is one word. */
export function queryWords(text: string): SearchWord[] {
  const words = wordsIn(text, {
    run: ({ singles, pairs }) => (pairs.length > 0 ? pairs : singles),
    // A month is found by its days, a day not by its month.
    date: (date) => wordsOfDate(date).slice(0, isWhole(date) ? -1 : undefined),
  });
  let [whole, end] = [-1, -1];
  return words.flatMap((word): SearchWord[] => {
    const { at, date } = word;
    if (date === undefined) return at > end ? [word] : at > whole ? [{ ...word, inDate: true }] : [];
    // A day in words holds the name of its month, which is a date by itself: `February 2026` in `6th of February 2026`.
    if (!isWhole(date) && at < whole) return [{ ...word, inDate: true }];
    end = Math.max(end, date.to);
    if (isWhole(date)) whole = end;
    return [word];
  });
}

function isWhole({ year, day }: NamedDate): boolean {
  return year !== null && day !== null;
}

/**
 * What the index holds of a text, in order: its words, those of letters a to z by their English stem (Porter2), so that `adopting` meets
 * `adopted`; behind each the other forms of it, marked so that they weigh less than the same word in another text. None has a blank.
 */
export function indexTerms(text: string): string[] {
  const words = wordsIn(text, {
    run: ({ singles, pairs }) => singles.flatMap((single, i) => [single, ...pairs.slice(i, i + 1)]),
    date: wordsOfDate,
  });
  const terms: string[] = [];
  for (const { word, others } of words) {
    if (word !== null) terms.push(stemmed(word));
    for (const form of others) terms.push(otherTerm(stemmed(form)));
  }
  return terms;
}

/** What is asked of the index for a word: the word, which weighs 1, and less for other forms of it, whether here or there. */
export function soughtTerms({ word, others }: SearchWord): SoughtTerms {
  const terms = new Map<string, number>();
  if (word !== null) terms.set(stemmed(word), 1);
  const forms = [...(word === null ? [] : [otherTerm(stemmed(word))]), ...others.map(stemmed)];
  for (const form of forms)
    for (const term of [form, otherTerm(form)]) if (!terms.has(term)) terms.set(term, OTHER_FORM_WEIGHT);
  return terms;
}

/** Where a text has what the index may hold as a word, half open, in code units; pairs of characters overlap. */
export function* wordPlaces(text: string): Generator<{ readonly from: number; readonly to: number }> {
  for (const match of text.matchAll(PLACE)) {
    const word = match.groups?.pair ?? match[0];
    yield { from: match.index, to: match.index + word.length };
  }
}

const STEMMED = new RegExp(`^[a-z]{1,${MAX_STEMMED_LETTERS}}$`);

function stemmed(word: string): string {
  return STEMMED.test(word) ? stem(word) : word;
}

/** The term of another form. Nothing that is written is one: words have neither sign before them. */
function otherTerm(form: string): string {
  return form.startsWith('@') || form.startsWith('_') ? form : `_${form}`;
}

/** Which of the characters and pairs of a run count, and by what a date is found. */
interface Reading {
  readonly run: (run: PairedRun) => readonly string[];
  readonly date: (date: NamedDate) => string[];
}

type Placed = SearchWord & { readonly at: number };

function wordsIn(text: string, reading: Reading): Placed[] {
  const { text: plain, lists } = withPlainNumbers(text.replace(TOO_MANY_MARKS, '$1'));
  const folded = plain.normalize('NFKC');
  const words: Placed[] = [];
  const known = new Map<string, SearchWord>();
  const formsOf = ({ text: run, signs }: Run): SearchWord => {
    const whole = run + signs;
    const before = known.get(whole);
    const forms = before ?? wordOf(run, signs, lists.get(run));
    if (before === undefined) known.set(whole, forms);
    return forms;
  };
  /** The words of a name in code so far, and where they end. */
  let name: string[] = [];
  let end = -1;
  for (const run of runsOf(folded)) {
    const { at, text: characters, paired } = run;
    if (paired || at !== end + 1 || !JOINS.has(folded.charAt(end))) {
      if (name.length > 1) words.push(...wholeOf(name, end));
      name = [];
    }
    if (paired)
      for (const word of reading.run(pairsOf(characters)))
        words.push({ at, word: lower(word), others: NONE });
    else {
      const { word, others } = formsOf(run);
      name.push(lower(characters));
      words.push({ at, word, others });
    }
    end = at + characters.length + run.signs.length;
  }
  words.push(...wholeOf(name, end));
  const dates = datesIn(folded).map((date): Placed => {
    const [word = null, ...others] = reading.date(date);
    return { at: date.at, word, others, date };
  });
  return dates.length === 0 ? words : [...dates, ...words].sort((a, b) => a.at - b.at);
}

const NONE: readonly string[] = [];

function wholeOf(name: readonly string[], at: number): Placed[] {
  const whole = joined(name);
  return whole === null ? [] : [{ at, word: null, others: [whole] }];
}

/** A run and its other forms. One letter with a sign has none: `C` is neither `C++` nor `C#`. */
function wordOf(run: string, signs: string, list: readonly string[] = NONE): SearchWord {
  const plain = lower(run);
  const others = [
    ...(signs !== '' && plain.length > 1 ? [plain] : []),
    ...foldedForms(plain),
    ...humpsOf(run).map(lower),
    ...list,
  ];
  return { word: `${plain}${signs}`, others };
}

function lower(word: string): string {
  const small = word.toLowerCase();
  // The form of a sigma depends on what follows it, which a search may cut off.
  return small.includes('ς') ? small.replaceAll('ς', 'σ') : small;
}
