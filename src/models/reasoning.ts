/** What models write around what they reason; a backtick before it makes it a word like any other. */
const TAG = /(?<!`)(?:<\/?(?:think(?:ing)?|thought|reasoning)>|\[\/?THINK\])/u;
const TAGS = ['think', 'thinking', 'thought', 'reasoning']
  .flatMap((name) => [`<${name}>`, `</${name}>`])
  .concat('[THINK]', '[/THINK]');
const OPENING = /[<[][^<[]*$/u;

/** A text of a model, taken apart. */
export interface Reasoned {
  /** What it says, without what it reasoned. */
  readonly text: string;
  /** What stands behind a beginning of reasoning that has no end. */
  readonly unended: string;
  /** Whether the reasoning had an end and no beginning. */
  readonly omitsBeginning: boolean;
}

/** Takes a whole text apart. What stands before an end without a beginning is reasoning. */
export function reasonedIn(whole: string): Reasoned {
  const filter = new ReasoningFilter({ mayOmitBeginning: true });
  const text = filter.push(whole) + filter.end();
  const { omitsBeginning } = filter;
  return { text, unended: filter.unended, omitsBeginning };
}

/**
 * Takes what a model reasons out of a text that comes piece by piece, however its tags are cut. With `mayOmitBeginning` nothing is
 * handed on until it is known that it is no reasoning: until a tag comes, or the end. Then what is handed on, put together, is the
 * same however the text was cut.
 */
export class ReasoningFilter {
  private state: 'unsure' | 'text' | 'reasoning';
  /** Beginnings of reasoning that have had no end so far: some models speak of tags while they reason. */
  private depth = 0;
  /** The last tag; null before the first. */
  private last: 'beginning' | 'end' | null = null;
  /** What came since the last tag and is not handed on, up to where a tag may begin. */
  private kept: string[] = [];
  /** What may become a tag. */
  private held = '';
  private isBegun = false;
  /** Whether the reasoning had an end and no beginning. */
  omitsBeginning = false;
  /** Whether that was found only after a part of it had been handed on. */
  isTooLate = false;

  constructor({ mayOmitBeginning }: { readonly mayOmitBeginning: boolean }) {
    this.state = mayOmitBeginning ? 'unsure' : 'text';
  }

  /** What stands behind a beginning of reasoning that has had no end so far. */
  get unended(): string {
    return this.last === 'beginning' ? this.kept.join('') + this.held : '';
  }

  /** Takes the next piece; answers what is to be handed on. */
  push(piece: string): string {
    this.held += piece;
    let shown = '';
    for (let tag = TAG.exec(this.held); tag !== null; tag = TAG.exec(this.held)) {
      this.kept.push(this.held.slice(0, tag.index));
      shown += this.passed(this.kept.join(''), tag[0].includes('/'));
      this.kept = [];
      this.held = this.held.slice(tag.index + tag[0].length);
    }
    const keep = startOfTag(this.held);
    const passed = this.held.slice(0, keep);
    this.held = this.held.slice(keep);
    if (this.state === 'text') shown += passed;
    else this.kept.push(passed);
    return this.begun(shown);
  }

  /** Ends the text; answers what is to be handed on still. Of more beginnings than ends one was only spoken of, unless it is the last. */
  end(): string {
    return this.last === 'beginning' ? '' : this.begun(this.kept.join('') + this.held);
  }

  /** What of the text in front of a tag is to be handed on. */
  private passed(text: string, isEnd: boolean): string {
    const { state, last } = this;
    this.last = isEnd ? 'end' : 'beginning';
    if (!isEnd) {
      this.depth += 1;
      this.state = 'reasoning';
      return state === 'reasoning' ? '' : text;
    }
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth === 0) this.state = 'text';
    if (state === 'reasoning') return '';
    // An end behind reasoning that has ended belongs to nothing.
    if (last !== null) return text;
    this.omitsBeginning = true;
    this.isTooLate = this.isBegun;
    return '';
  }

  /** Leaves out the blanks that stand between reasoning and text. */
  private begun(shown: string): string {
    const text = this.isBegun ? shown : shown.trimStart();
    this.isBegun ||= text !== '';
    return text;
  }
}

/** Where the end of a text begins that may become a tag, or the backtick in front of one. */
function startOfTag(text: string): number {
  const at = text.search(OPENING);
  const isOpen = at >= 0 && TAGS.some((tag) => tag.startsWith(text.slice(at)));
  const start = isOpen ? at : text.length;
  return text[start - 1] === '`' ? start - 1 : start;
}
