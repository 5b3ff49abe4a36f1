import { markerOf, type MarkerPrefix } from './source.ts';

/** Characters between brackets that can still be a marker, or a list of markers. */
const LONGEST_MARKER = 64;
/** Blanks in front of a bracket that go with a marker that is taken out. */
const HELD_BLANKS = 8;

const OPENING = /[[【]/u;
const CLOSING = /[\]】]/u;
/** What may stand between the brackets of markers: numbers, lists and ranges of them. */
const MARKER_PART = /^[ \t\dsS^#,;–-]*$/u;
const RANGE = /^(\d+)\s*[–-]\s*(\d+)$/u;

/** What a text may cite, and how it is shown. */
export interface CitationRules {
  /** Markers 1 to this number exist. */
  readonly known: number;
  readonly prefix: MarkerPrefix;
  /** Whether the text that goes out carries markers. */
  readonly shown: boolean;
}

/**
 * Lets a text through piece by piece and takes out of it every marker that does not exist. Text is held back from an opening bracket on
 * until it is decided, so that nothing false is ever shown. Lists (`[1, 3]`), ranges (`[1-3]`) and other brackets (`【1】`) become
 * single markers.
 */
export class CitationFilter {
  private readonly rules: CitationRules;
  private readonly cited = new Set<number>();
  private readonly false_ = new Set<string>();
  private held = '';
  private written = '';

  constructor(rules: CitationRules) {
    this.rules = rules;
  }

  /** Numbers of the sources that were cited so far, in the order of the text. */
  get used(): number[] {
    return [...this.cited];
  }

  /** Markers that were taken out because nothing has them, each once. */
  get dropped(): string[] {
    return [...this.false_];
  }

  /** The text so far with all its good markers, shown or not. */
  get marked(): string {
    return this.written;
  }

  /** Takes the next piece; gives what may be shown by now. */
  push(piece: string): string {
    this.held += piece;
    return this.drain(false);
  }

  /** Gives what was still held back; a marker that was cut off is not shown. */
  end(): string {
    return this.drain(true);
  }

  private drain(isLast: boolean): string {
    let shown = '';
    const show = (text: string, bare = text): void => {
      this.written += text;
      shown += this.rules.shown ? text : bare;
    };
    for (;;) {
      const open = this.held.search(OPENING);
      const until = open < 0 ? this.held.length : open;
      const blanks = isLast && open < 0 ? until : blanksBefore(this.held, until);
      show(this.held.slice(0, blanks));
      this.held = this.held.slice(blanks);
      if (open < 0) return shown;
      const at = until - blanks;
      const inside = this.held.slice(at + 1, at + 1 + LONGEST_MARKER);
      const close = inside.search(CLOSING);
      const part = close < 0 ? inside : inside.slice(0, close);
      const couldBe = MARKER_PART.test(part) && (close >= 0 || inside.length < LONGEST_MARKER);
      if (couldBe && close < 0 && !isLast) return shown;
      if (couldBe && /\d/u.test(part)) {
        const markers = close < 0 ? '' : this.markersOf(part);
        show(markers === '' ? '' : this.held.slice(0, at) + markers, '');
        this.held = close < 0 ? '' : this.held.slice(at + close + 2);
      } else {
        show(this.held.slice(0, at + 1));
        this.held = this.held.slice(at + 1);
      }
    }
  }

  /** The good markers of what stood between brackets. */
  private markersOf(part: string): string {
    const { prefix } = this.rules;
    const found = new Set<number>();
    for (const item of part.split(/[,;]/u)) {
      const numbers = item.replace(/[sS^#]/gu, '').trim();
      if (!/\d/u.test(numbers)) continue;
      const [from, to] = boundsOf(numbers);
      if (from >= 1 && from <= to && to <= this.rules.known)
        for (let number = from; number <= to; number += 1) found.add(number);
      else this.false_.add(`[${prefix}${numbers}]`);
    }
    for (const number of found) this.cited.add(number);
    return [...found].map((number) => markerOf(number, prefix)).join('');
  }
}

/** A number, or a range of them; NaN for neither. */
function boundsOf(text: string): [number, number] {
  const range = RANGE.exec(text);
  if (range !== null) return [Number(range[1]), Number(range[2])];
  const number = /^\d+$/u.test(text) ? Number(text) : NaN;
  return [number, number];
}

/** Where the blanks in front of a place begin, as far as they are held. */
function blanksBefore(text: string, place: number): number {
  let at = place;
  while (at > 0 && place - at < HELD_BLANKS && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at;
}
