import { isQuestionWord } from './asking-words.ts';

/** A stretch of a query. */
export interface QuerySpan {
  readonly text: string;
  /** Whether its words are looked for whatever they are: it is quoted, or a name. */
  readonly counts: boolean;
}

/** What quotes begin with, each with what may end them. An apostrophe ends a quote only where no word goes on. */
const QUOTES: Readonly<Record<string, RegExp>> = {
  '"': /"/gu,
  '“': /[”“"]/gu,
  '„': /[“”"]/gu,
  '«': /»/gu,
  '‹': /›/gu,
  '`': /`/gu,
  '「': /」/gu,
  '『': /』/gu,
  "'": /'(?![\p{L}\p{M}\p{N}])/gu,
  '‘': /’(?![\p{L}\p{M}\p{N}])/gu,
};
const OPENING = /["“„«‹`「『]|(?<![\p{L}\p{M}\p{N}])['‘](?=\S)/gu;

/** Quoted parts of a query, and names in each part, that count: what comes behind them is taken as it is. */
const MOST_APART = 32;

/** The parts of a query in its order: what is quoted, names that are words that ask otherwise, and what stands between them, without contractions. */
export function stretchesOfQuery(query: string): QuerySpan[] {
  const stretches = quotedParts(query);
  const open = stretches.filter(({ counts }) => !counts);
  const title = isTitle(open.map(({ text }) => text));
  return stretches.flatMap((stretch) => {
    if (stretch.counts) return [stretch];
    const text = withoutContractions(stretch.text);
    return title ? [{ text, counts: false }] : namesApart(text);
  });
}

function quotedParts(query: string): QuerySpan[] {
  const stretches: QuerySpan[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  for (const { 0: sign, index } of query.matchAll(OPENING)) {
    const closing = QUOTES[sign];
    if (stretches.length >= 2 * MOST_APART) break;
    if (index < at || closing === undefined || unclosed.has(sign)) continue;
    closing.lastIndex = index + 1;
    const end = closing.exec(query)?.index;
    if (end === undefined) {
      unclosed.add(sign);
      continue;
    }
    stretches.push({ text: query.slice(at, index), counts: false });
    stretches.push({ text: query.slice(index + 1, end), counts: true });
    at = end + 1;
  }
  return [...stretches, { text: query.slice(at), counts: false }];
}

const CONTRACTION =
  /(?<![\p{L}\p{M}\p{N}_])(?<word>[a-z]{1,8})['’ʼ＇](?<end>s|t|m|re|ve|ll|d)(?![\p{L}\p{M}\p{N}_])/giu;
/** Verbs that change before `n't`. */
const NEGATED: Readonly<Record<string, string>> = { can: 'can', won: 'will', ain: 'is' };

/** A text in which the contractions of words that ask (`what's`, `didn't`, `I'm`) are those words. */
function withoutContractions(text: string): string {
  return text.replace(CONTRACTION, (whole, word: string, end: string) => {
    const verb = end.toLowerCase() === 't' ? (NEGATED[word.toLowerCase()] ?? word.replace(/n$/iu, '')) : word;
    return isQuestionWord(verb.toLowerCase()) ? verb : whole;
  });
}

/** A word of two letters and more that begins with a capital letter, in the middle of a sentence. */
const CAPITALISED = /(?<=[^\s.?!:;…¿¡([{–—-]\s{1,4})\p{Lu}[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}_])/gu;

/** A text with what would only ask, if it had no capital letter, in stretches of its own. */
function namesApart(text: string): QuerySpan[] {
  const stretches: QuerySpan[] = [];
  let at = 0;
  for (const { 0: name, index } of text.matchAll(CAPITALISED)) {
    if (stretches.length >= 2 * MOST_APART) break;
    if (!isQuestionWord(name.toLowerCase())) continue;
    stretches.push({ text: text.slice(at, index), counts: false }, { text: name, counts: true });
    at = index + name.length;
  }
  return [...stretches, { text: text.slice(at), counts: false }];
}

const SMALL_WORD = /(?<![\p{L}\p{M}\p{N}_])\p{Ll}[\p{L}\p{M}'’]*/gu;
/** What a title has in small letters too. */
const SMALL_IN_TITLES: ReadonlySet<string> = new Set(
  'a about an and as at but by for from if in into of on or so the to with'.split(' '),
);

/** Whether the words of texts begin with capital letters, as in a title, where that says nothing of names; one beside small words is a name. */
function isTitle(texts: readonly string[]): boolean {
  const small = texts.flatMap((text) => text.match(SMALL_WORD) ?? []);
  const capitals = texts.flatMap((text) => text.match(CAPITALISED) ?? []);
  return (small.length === 0 || capitals.length > 1) && small.every((word) => SMALL_IN_TITLES.has(word));
}
