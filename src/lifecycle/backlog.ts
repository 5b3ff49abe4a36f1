import type { FrameRange, LifecycleReader, StoredFrame } from '../../graph/lifecycle.ts';
import { STREAM_PAGE_FRAMES, STREAM_PAGES_AT_ONCE } from '../limits.ts';

/** A page of the past. */
export interface BacklogPage {
  readonly frames: StoredFrame[];
  /** Everything of the range up to this number was looked at. */
  readonly upTo: number;
  /** Whether the page was full before it reached the end it was given. */
  readonly early: boolean;
}

/** Reads the past for readers, a few at a time: those that return all at once must not take every connection. */
export class Backlog {
  private readonly frames: LifecycleReader;
  private free = STREAM_PAGES_AT_ONCE;
  private readonly queue: (() => void)[] = [];

  constructor(frames: LifecycleReader) {
    this.frames = frames;
  }

  /** The oldest frames of a range behind `after` up to `to`, a settled head. Throws `DATABASE_UNAVAILABLE`. */
  async page(range: FrameRange, after: number, to: number): Promise<BacklogPage> {
    if (after >= to) return { frames: [], upTo: after, early: false };
    await this.enter();
    try {
      const frames = await this.frames.scan(range, after + 1, to, STREAM_PAGE_FRAMES);
      const last = frames.length === STREAM_PAGE_FRAMES ? frames.at(-1) : undefined;
      return { frames, upTo: last?.sequence ?? to, early: last !== undefined };
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
