import { PAIRED_CHARACTER } from './pairs.ts';

/** A run of letters, marks and digits of a text, or one of characters of a script without blanks. */
export interface Run {
  readonly at: number;
  readonly text: string;
  /** The signs of `C++`, `C#` and `Disney+` behind it; empty for most. */
  readonly signs: string;
  /** Whether its characters count by pairs. */
  readonly paired: boolean;
}

/** Pattern of a run of letters, marks and digits with the signs behind it. */
export const RUN = String.raw`(?<run>(?:(?!${PAIRED_CHARACTER})[\p{L}\p{M}\p{N}])+)(?<signs>(?<=\p{L})(?:\+{1,2}|#)(?![\p{L}\p{N}+#]))?`;
const HERE = new RegExp(String.raw`(?<paired>(?:${PAIRED_CHARACTER}\p{M}*)+)|${RUN}`, 'uy');
const OF_WORD = /[\p{L}\p{M}\p{N}\p{So}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const ASCII = 128;
const [OTHER, DIGIT, LETTER] = [0, 1, 2] as const;
/** What each ASCII character is. */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/iu.test(character)) return LETTER;
  return /\d/u.test(character) ? DIGIT : OTHER;
});

/** The runs of a text, in order. ASCII, which most texts are of, is walked over by its codes: patterns of scripts take many times as long. */
export function* runsOf(text: string): Generator<Run> {
  let at = 0;
  while (at < text.length) {
    const run = runAt(text, at);
    if (run === null) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    else {
      yield run;
      at += run.text.length + run.signs.length;
    }
  }
}

function runAt(text: string, at: number): Run | null {
  const end = endOfAscii(text, at);
  if (isOfWord(text, end)) return runOfAnyScript(text, at);
  return end === at ? null : { at, text: text.slice(at, end), signs: signsAt(text, end), paired: false };
}

/** Where the letters and digits of ASCII end that begin at a place. */
function endOfAscii(text: string, at: number): number {
  let end = at;
  while (end < text.length && (KINDS[text.charCodeAt(end)] ?? OTHER) !== OTHER) end += 1;
  return end;
}

/** Whether a character beyond ASCII stands at a place that a run may go on with. */
function isOfWord(text: string, at: number): boolean {
  return text.charCodeAt(at) >= ASCII && OF_WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

function runOfAnyScript(text: string, at: number): Run | null {
  HERE.lastIndex = at;
  const { paired, run = '', signs = '' } = HERE.exec(text)?.groups ?? {};
  if (paired !== undefined) return { at, text: paired, signs: '', paired: true };
  return run === '' ? null : { at, text: run, signs, paired: false };
}

/** The signs behind a run of ASCII. */
function signsAt(text: string, end: number): string {
  const sign = text[end];
  if ((sign !== '+' && sign !== '#') || KINDS[text.charCodeAt(end - 1)] !== LETTER) return '';
  const signs = sign === '+' && text[end + 1] === '+' ? '++' : sign;
  const behind = text.codePointAt(end + signs.length);
  if (behind === undefined) return signs;
  const character = String.fromCodePoint(behind);
  return character === '+' || character === '#' || LETTER_OR_DIGIT.test(character) ? '' : signs;
}
