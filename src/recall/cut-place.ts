import type { Span } from './span.ts';

/** How far a cut moves to meet the edge of a word, code units: longer words are cut between two characters. */
const REACH = 40;

/** How far around a place it is looked for what a reader counts as one character, code units: a longer one is cut. */
const AROUND = 1024;

const GRAPHEMES = new Intl.Segmenter('und');
/**
 * A unit that is a character by itself unless something is added behind it: Latin, Greek, Cyrillic, kana, Han, Hangul
 * syllables, signs, blanks. Where a
 * character ends behind one does not depend on what stands before it.
 */
const PLAIN =
  /[\0-\u00A8\u00AA-\u00AD\u00AF-\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF9D]/;
const BLANK = /\s/u;
/** A word at the end of what lies before a place, and at the beginning of what lies behind; each Han or Hiragana is one by itself. */
const WORD_BEFORE = /(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}]$/u;
const WORD_BEHIND = /^(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}]/u;

/** Cuts one text where a reader would: behind a word, never within a character as a reader counts them. */
export class CutPlaces {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The stretch nearest to `wish` that begins and ends with whole words and no blanks. It has all of `core`, with what stands beside
   * it without a blank (quotes, brackets), and lies within `wish` but for that. A word of more than 40 code units is cut at the edge
   * of a character.
   */
  cut(wish: Span, core: Span): Span {
    const whole = this.#betweenBlanks(core);
    let from = Math.min(wish.from, whole.from);
    let to = Math.max(wish.to, whole.to);
    while (from < whole.from && this.#isBlank(from)) from += 1;
    while (to > whole.to && this.#isBlank(to - 1)) to -= 1;
    return { from: this.#start(from, whole.from), to: this.#end(to, whole.to) };
  }

  /** The stretch with what stands beside it up to the next blanks; on a side where there is none near, as it is. */
  #betweenBlanks({ from, to }: Span): Span {
    const places = Array.from({ length: REACH }, (_, i) => i);
    const before = places.find((i) => this.#isBlank(from - i - 1));
    const behind = places.find((i) => this.#isBlank(to + i));
    return { from: from - (before ?? 0), to: to + (behind ?? 0) };
  }

  #start(wish: number, last: number): number {
    const places = Array.from({ length: Math.min(REACH, last - wish) + 1 }, (_, i) => wish + i);
    return (
      places.find((i) => this.#isBlank(i - 1) && !this.#isBlank(i) && this.#isEdge(i)) ??
      places.find((i) => !this.#isBlank(i) && !this.#inWord(i) && this.#isEdge(i)) ??
      this.#edgeBefore(wish)
    );
  }

  #end(wish: number, first: number): number {
    const places = Array.from({ length: Math.min(REACH, wish - first) + 1 }, (_, i) => wish - i);
    return (
      places.find((i) => !this.#isBlank(i - 1) && this.#isBlank(i) && this.#isEdge(i)) ??
      places.find((i) => !this.#isBlank(i - 1) && !this.#inWord(i) && this.#isEdge(i)) ??
      this.#edgeBehind(wish)
    );
  }

  /** Whether the code unit at a place is a blank; what lies outside of the text is. */
  #isBlank(i: number): boolean {
    const unit = this.#text[i];
    return unit === undefined || BLANK.test(unit);
  }

  /** Whether a cut here goes through a word. */
  #inWord(i: number): boolean {
    const before = this.#text.slice(Math.max(0, i - 2), i);
    return WORD_BEFORE.test(before) && WORD_BEHIND.test(this.#text.slice(i, i + 2));
  }

  #isEdge(i: number): boolean {
    return this.#edgeBefore(i) === i;
  }

  #edgeBefore(i: number): number {
    if (i >= this.#text.length || (this.#isPlain(i - 1) && this.#isPlain(i) && !this.#isLineEnd(i))) return i;
    const from = this.#sureBefore(i);
    // What lies ahead of the place does not decide where the character begins.
    const around = GRAPHEMES.segment(this.#text.slice(from, i + 2));
    return from + (around.containing(i - from)?.index ?? i - from);
  }

  #edgeBehind(i: number): number {
    const begin = this.#edgeBefore(i);
    if (begin === i) return i;
    const rest = this.#text.slice(begin, i + AROUND);
    return begin + (GRAPHEMES.segment(rest).containing(0)?.segment.length ?? rest.length);
  }

  /** A place before another one from which on the edges of characters are found as in the whole text. */
  #sureBefore(i: number): number {
    let plain = 0;
    for (let at = i - 1; at > Math.max(0, i - AROUND); at -= 1) {
      if (this.#isPlain(at)) plain += 1;
      // At the first one a character may begin before it, with a sign that is written in front; at the second one that is over.
      if (plain === 2) return at;
    }
    const from = Math.max(0, i - AROUND);
    return isLowSurrogate(this.#text, from) ? from + 1 : from;
  }

  #isPlain(i: number): boolean {
    return PLAIN.test(this.#text[i] ?? '');
  }

  /** Whether a place lies within the end of a line of two characters. */
  #isLineEnd(i: number): boolean {
    return this.#text[i] === '\n' && this.#text[i - 1] === '\r';
  }
}

function isLowSurrogate(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * A text in stretches of about so many code units, in order, without gaps: each is cut where a reader would, and the last one may be a
 * quarter longer. None but the last is shorter than half of it.
 */
export function* stretchesOf(text: string, units: number): Generator<Span, void, void> {
  const places = new CutPlaces(text);
  for (let from = 0; from < text.length;) {
    const to = from + units;
    const last = text.length - to < units / 4;
    const cut = last ? text.length : places.cut({ from, to }, { from, to: from + 1 }).to;
    // Of a run of blanks that is this long nothing is left.
    const end = last || cut >= from + units / 2 ? cut : to;
    yield { from, to: end };
    from = end;
  }
}
