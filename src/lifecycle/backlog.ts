import type { FrameRange, LifecycleReader } from '../../graph/lifecycle.ts';
import { STREAM_PAGE_FRAMES } from '../limits.ts';
import { withScopeRules, type Frame, type ScopeRulesSource } from './frame.ts';
import { InFlight } from './in-flight.ts';

/** Pages of the past read at once by all readers together: a thousand readers that return must not take every connection. */
export const STREAM_PAGES_AT_ONCE = 8;

/** A page of the past. */
export interface BacklogPage {
  readonly frames: Frame[];
  /** Everything of the range up to this number was looked at. */
  readonly upTo: number;
  /** Whether the page was full before it reached the end it was given. */
  readonly early: boolean;
  /** The newest number that was removed before the page could be read; null when nothing behind `after` was. */
  readonly gone: number | null;
}

/** What a reader asks for. */
export interface PageRequest {
  readonly range: FrameRange;
  /** The number behind which the page begins. */
  readonly after: number;
  /** The number it ends with, a settled head. */
  readonly to: number;
  /** Whether the page is still wanted once it is its turn. */
  readonly wanted: () => boolean;
}

/** Reads the past for readers, a few at a time: those that return all at once must not take every connection. */
export class Backlog {
  private readonly frames: LifecycleReader;
  private readonly places: ScopeRulesSource;
  private free = STREAM_PAGES_AT_ONCE;
  private readonly queue: (() => void)[] = [];
  private readonly reading = new InFlight();

  constructor(frames: LifecycleReader, places: ScopeRulesSource) {
    this.frames = frames;
    this.places = places;
  }

  /** The oldest frames of a range; null when they are not wanted any more. Throws `DATABASE_UNAVAILABLE`. */
  async page(request: PageRequest): Promise<BacklogPage | null> {
    const { after, to, wanted } = request;
    if (after >= to) return { frames: [], upTo: after, early: false, gone: null };
    await this.enter();
    try {
      return wanted() ? await this.reading.track(this.read(request)) : null;
    } finally {
      this.leave();
    }
  }

  /** Resolves when no page is being read. */
  async close(): Promise<void> {
    await this.reading.over();
  }

  private async read({ range, after, to }: PageRequest): Promise<BacklogPage> {
    const stored = await this.frames.scan(range, after + 1, to, STREAM_PAGE_FRAMES);
    const frames = await withScopeRules(stored, this.places);
    const last = frames.length === STREAM_PAGE_FRAMES ? frames.at(-1) : undefined;
    const page = { frames, upTo: last?.sequence ?? to, early: last !== undefined, gone: null };
    // Asked after the page, so that what was removed up to the moment it was read is known.
    const oldest = await this.frames.oldest();
    const gone = oldest === null ? to : Math.min(oldest - 1, to);
    if (gone <= after) return page;
    const kept = frames.filter(({ sequence }) => sequence > gone);
    return { ...page, frames: kept, upTo: Math.max(page.upTo, gone), gone };
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
