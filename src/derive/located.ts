/** Where words stand in a text, in code units. */
export interface TextSpan {
  readonly index: number;
  readonly length: number;
}

/** Longer words are looked for as they are only. */
const LONGEST_LOOSE = 2000;

/**
 * The first place where words stand in a text: as they are, else in whatever case, with other blanks between them, and with quotes,
 * apostrophes, dashes and ellipses of another kind or as entities of HTML, here or there; also without quotes around them. Null where
 * they do not stand there.
 */
export function spanOfWords(words: string, text: string): TextSpan | null {
  const exact = text.indexOf(words);
  if (exact >= 0) return { index: exact, length: words.length };
  if (words.length > LONGEST_LOOSE) return null;
  const { plain } = plainOf(words);
  const sought = [plain, plain.replace(/^'/u, '').replace(/'$/u, '')].map((one) => one.trim());
  const whole = plainOf(text);
  for (const one of sought.filter((some) => MORE_THAN_SIGNS.test(some))) {
    const at = whole.plain.indexOf(one);
    const [from, to] = [whole.from[at], whole.to[at + one.length - 1]];
    if (from !== undefined && to !== undefined) return { index: from, length: to - from };
  }
  return null;
}

/** Whether plain text has more than signs. */
const MORE_THAN_SIGNS = /[^ '.-]/u;

/** A text with one sign for all of a kind, and where each code unit of it begins and ends in what it was made of. */
interface PlainText {
  readonly plain: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lsquo: "'",
  rsquo: "'",
  sbquo: "'",
  ldquo: '"',
  rdquo: '"',
  bdquo: '"',
  laquo: '"',
  raquo: '"',
  ndash: '-',
  mdash: '-',
  hellip: '…',
};
const CHARACTER = new RegExp(
  String.raw`&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>${Object.keys(ENTITIES).join('|')}));|[a-z\d]+|[\s\S]`,
  'giu',
);

const PLAIN_RUN = /^[a-z\d]+$/iu;

/** Signs of one kind, each with the one that stands for all; of a run of them one is left. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\s/u, ' '],
  [/["'`´‘’‚‛“”„‟′″‹›«»ʼ＂＇]/u, "'"],
  [/[\p{Pd}−]/u, '-'],
];

function plainOf(text: string): PlainText {
  let plain = '';
  const [starts, ends]: [number[], number[]] = [[], []];
  for (const { 0: written, index, groups } of text.matchAll(CHARACTER)) {
    const end = index + written.length;
    if (PLAIN_RUN.test(written)) {
      plain += written.toLowerCase();
      for (let at = index; at < end; at += 1) {
        starts.push(at);
        ends.push(at + 1);
      }
      continue;
    }
    const character = meant(written, groups ?? {});
    const sign = KINDS.find(([kind]) => kind.test(character))?.[1];
    if (sign !== undefined && plain.endsWith(sign)) {
      ends[ends.length - 1] = end;
      continue;
    }
    const folded = sign ?? (character === '…' ? '...' : character.toLowerCase().replaceAll('ς', 'σ'));
    plain += folded;
    starts.push(...Array.from({ length: folded.length }, () => index));
    ends.push(...Array.from({ length: folded.length }, () => end));
  }
  return { plain, from: starts, to: ends };
}

/** The character that is meant by one, or by an entity. */
function meant(
  written: string,
  { decimal, hex, name }: Readonly<Record<string, string | undefined>>,
): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? written;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  if (Number.isNaN(code)) return written;
  return code <= 0x10ffff ? String.fromCodePoint(code) : '�';
}
