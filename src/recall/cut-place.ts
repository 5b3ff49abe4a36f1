import type { Span } from './word-match.ts';

/** How far a cut moves to meet the edge of a word, code units: longer words are cut between two characters. */
const REACH = 40;

const GRAPHEMES = new Intl.Segmenter('und');
const BLANK = /\s/u;
/** A word at the end of what lies before a place, and at the beginning of what lies behind; each Han or Hiragana is one by itself. */
const WORD_BEFORE = /(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}]$/u;
const WORD_BEHIND = /^(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}]/u;

/** Cuts one text where a reader would: behind a word, never within a character as a reader counts them. */
export class CutPlaces {
  readonly #text: string;
  readonly #graphemes: Intl.Segments;

  constructor(text: string) {
    this.#text = text;
    this.#graphemes = GRAPHEMES.segment(text);
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
    return this.#graphemes.containing(i)?.index ?? i;
  }

  #edgeBehind(i: number): number {
    const grapheme = this.#graphemes.containing(i);
    return grapheme === undefined || grapheme.index === i ? i : grapheme.index + grapheme.segment.length;
  }
}
