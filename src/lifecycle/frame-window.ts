/** Anything with a number of its own, ascending in commit order. */
export interface Numbered {
  readonly sequence: number;
}

/**
 * What one reader still has to be given: pure bookkeeping, without I/O. Frames come in two ways, as pages of the past and
 * live, and leave in order, each once.
 *
 * Past: a page says up to where it was looked. Cut-over: live frames are kept from before the last page is read, and those
 * that the page has already shown are dropped. Live: frames are kept as they come; when there are too many they are dropped and the
 * window is back in the past.
 */
export class FrameWindow<F extends Numbered> {
  private readonly maxLive: number;
  private past: F[] = [];
  private live: F[] = [];
  /** Everything up to here was given or looked at in pages. */
  private done: number;
  /** Where `done` is once the page is taken. */
  private pastUpTo: number;
  private liveUpTo = 0;
  private reading = false;
  private follows = false;

  /** @param start the number after which the reader begins; @param maxLive live frames kept at most */
  constructor(start: number, maxLive: number) {
    this.done = start;
    this.pastUpTo = start;
    this.maxLive = maxLive;
  }

  /** Everything up to this number was given, or is not wanted. */
  get position(): number {
    if (this.past.length > 0 || this.reading) return this.done;
    const seen = this.follows && this.live.length === 0 ? this.liveUpTo : 0;
    return Math.max(this.done, this.pastUpTo, seen);
  }

  /** Whether live frames are wanted: the page that is being read is the last one, or everything past is known. */
  get following(): boolean {
    return this.follows;
  }

  /** Whether nothing can be given before another page was read. */
  get needsPage(): boolean {
    return !this.reading && this.past.length === 0 && !this.follows;
  }

  /** Frames that wait here. */
  get held(): number {
    return this.past.length + this.live.length;
  }

  /**
   * Begins a page and answers the number after which it has to look. With a number for `liveFrom`, live frames behind it will
   * be offered from now on, and the page has to reach at least that far.
   */
  startPage(liveFrom: number | null): number {
    const from = this.position;
    this.done = from;
    this.reading = true;
    this.follows = liveFrom !== null;
    this.liveUpTo = liveFrom ?? 0;
    this.live = [];
    return from;
  }

  /** Takes a page: the wanted frames of it, up to where it looked, and whether it ended early. */
  endPage(wanted: F[], upTo: number, early: boolean): void {
    this.reading = false;
    this.past = wanted;
    this.pastUpTo = upTo;
    if (early) this.leave();
    else this.live = this.live.filter(({ sequence }) => sequence > upTo);
  }

  /** Says, while a page is being read, that up to this number there is nothing to be given any more. */
  skipTo(sequence: number): void {
    this.done = Math.max(this.done, sequence);
  }

  /** Takes live frames: the wanted ones of what was committed up to a number. */
  offer(wanted: readonly F[], upTo: number): void {
    if (!this.follows) return;
    // With nothing held, everything offered before was given or is not wanted; what comes now must not hide that.
    if (!this.reading && this.held === 0) this.done = this.position;
    this.liveUpTo = upTo;
    for (const frame of wanted) {
      if (this.reading || frame.sequence > this.pastUpTo) this.live.push(frame);
    }
    if (this.live.length > this.maxLive) this.leave();
  }

  /** The next frame to give, if there is one. */
  take(): F | undefined {
    if (this.reading) return undefined;
    const frame = this.past.shift() ?? this.live.shift();
    if (frame !== undefined) this.done = frame.sequence;
    return frame;
  }

  /** Drops everything that waits; the position stays where it is. */
  drop(): void {
    const { position } = this;
    this.past = [];
    this.reading = false;
    this.leave();
    this.done = position;
    this.pastUpTo = position;
  }

  private leave(): void {
    this.follows = false;
    this.live = [];
  }
}
