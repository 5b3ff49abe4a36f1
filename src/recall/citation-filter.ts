import { begunAt, hasDigit, markersIn, openingIn, withoutBrackets } from './marker-group.ts';
import { markerOf, type MarkerPrefix } from './source.ts';

/** Blanks in front of a bracket that go with a marker that is taken out. */
const HELD_BLANKS = 8;

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
 * until it is decided, so that nothing false is ever shown. Lists (`[1, 3]`), ranges (`[1-3]`), nested (`[[1]]`) and other brackets
 * (`【1†source】`) become single markers. What is none and could be taken for one, such as a date, is shown in the brackets of East
 * Asian type.
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
      const open = openingIn(this.held);
      const until = open < 0 ? this.held.length : open;
      const front = isLast && open < 0 ? until : frontOf(this.held, until);
      show(this.held.slice(0, front));
      this.held = this.held.slice(front);
      if (open < 0) return shown;
      const at = until - front;
      const begun = begunAt(this.held, at, isLast);
      if (begun.is === 'undecided' && !isLast) return shown;
      if (begun.is === 'closed' && hasDigit(this.held.slice(at, begun.end))) {
        const markers = this.markersOf(this.held.slice(at, begun.end));
        if (markers === null) show(withoutBrackets(this.held.slice(0, begun.end)));
        else show(markers === '' ? '' : this.held.slice(0, at).replace('\\', '') + markers, '');
        this.held = this.held.slice(begun.end);
      } else if (begun.is === 'undecided' && !begun.nested && hasDigit(this.held)) {
        this.held = '';
      } else {
        // What stands behind this bracket may be taken out; then it must not seem to begin a marker with what is left.
        const safe = begun.is === 'closed' || !begun.nested;
        show(this.held.slice(0, at) + (safe ? (this.held[at] ?? '') : '［'));
        this.held = this.held.slice(at + 1);
      }
    }
  }

  /** The good markers of what stood between brackets; null where it is something else. */
  private markersOf(group: string): string | null {
    const { prefix, known } = this.rules;
    const { ranges, hasOther } = markersIn(group);
    if (hasOther) return null;
    const found = new Set<number>();
    for (const { text, from, to } of ranges) {
      if (from >= 1 && from <= to && to <= known)
        for (let number = from; number <= to; number += 1) found.add(number);
      else this.false_.add(`[${prefix}${text}]`);
    }
    for (const number of found) this.cited.add(number);
    return [...found].map((number) => markerOf(number, prefix)).join('');
  }
}

/** Where the blanks, and the sign of an escape, in front of a place begin, as far as they are held. */
function frontOf(text: string, place: number): number {
  let at = text[place - 1] === '\\' ? place - 1 : place;
  const last = at;
  while (at > 0 && last - at < HELD_BLANKS && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at;
}
