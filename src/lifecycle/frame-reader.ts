import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { LifecycleItem } from '../../schemas/lifecycle.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { STREAM_PAGE_FRAMES } from '../limits.ts';
import { Wakeup } from '../wakeup.ts';
import type { Backlog, BacklogPage } from './backlog.ts';
import { type Frame, goneItem, laggingItem, type LostRight, revokedItem } from './frame.ts';
import type { FrameFilter } from './frame-filter.ts';
import { FrameWindow } from './frame-window.ts';
import { nextPause, type Outage } from './outage.ts';
import type { Follower, Tailer } from './tailer.ts';

/** Live frames that wait for one reader at most; beyond it they are dropped and read from the database later. */
const STREAM_LIVE_FRAMES = 1000;

/** What a reader shares with all others of its process. */
export interface ReaderSources {
  readonly tailer: Tailer;
  readonly backlog: Backlog;
  readonly head: VisibleHighWatermark;
  readonly outage: Outage;
  readonly clock: Clock;
}

/** What one reader wants. */
export interface ReaderOptions {
  readonly filter: FrameFilter;
  /** The number after which it begins; not beyond the settled head. */
  readonly start: number;
  /** A frame to give before all others: that older ones are gone. */
  readonly notice: LifecycleItem | null;
  /** Called once, when it has ended. */
  readonly onEnd: (reader: FrameReader) => void;
}

type Result = IteratorResult<LifecycleItem, undefined>;

interface Waiter {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const END: Result = { done: true, value: undefined };

/**
 * The frames that one reader wants, in commit order, each once: first the past in pages, then live. It is an iterator rather
 * than a generator so that `return()` takes effect at once, whatever is being waited for.
 */
export class FrameReader implements AsyncIterableIterator<LifecycleItem, undefined>, Follower {
  private readonly sources: ReaderSources;
  private readonly options: ReaderOptions;
  private readonly window: FrameWindow<Frame>;
  private readonly waiters: Waiter[] = [];
  private readonly pause = new Wakeup();
  private readonly cut = new AbortController();
  private notice: LifecycleItem | null;
  private pumping = false;
  private ended = false;
  private stalled = false;
  /** What it may not follow any more: it is told so, and nothing else. */
  private revoked: LostRight | null = null;
  /** Since when nobody has asked for the next frame, milliseconds of the monotonic clock; null while somebody waits. */
  private idleSince: number | null = performance.now();

  constructor(sources: ReaderSources, options: ReaderOptions) {
    this.sources = sources;
    this.options = options;
    this.notice = options.notice;
    this.window = new FrameWindow<Frame>(options.start, STREAM_LIVE_FRAMES);
  }

  /** Fires when the reader did not even come for its `lagging` frame: its connection has to be cut. */
  get abandoned(): AbortSignal {
    return this.cut.signal;
  }

  /** Everything up to this number was given, or is not wanted. */
  get position(): number {
    return this.window.position;
  }

  /** Whether its frames were dropped because it did not take what it was given. */
  get hasStalled(): boolean {
    return this.stalled;
  }

  /** Frames that wait for the reader in memory. */
  get held(): number {
    return this.window.held;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.ended) return Promise.resolve(END);
    this.idleSince = null;
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
      void this.pump();
    });
  }

  return(): Promise<Result> {
    this.end();
    return Promise.resolve(END);
  }

  offer(frames: readonly Frame[], upTo: number): void {
    this.window.offer(frames.filter(this.options.filter.matches), upTo);
    if (!this.window.following) this.sources.tailer.detach(this);
    if (this.waiters.length > 0) void this.pump();
  }

  /** Looks whether the reader still takes what it is given: after `stallMs` its frames are dropped, after as long again it is cut off. */
  check(nowMs: number, stallMs: number): void {
    if (this.idleSince === null || nowMs - this.idleSince < stallMs) return;
    if (nowMs - this.idleSince >= 2 * stallMs) {
      this.cut.abort();
      this.end();
    } else if (!this.stalled) {
      this.stalled = true;
      this.sources.tailer.detach(this);
      this.window.drop();
    }
  }

  /** Drops what waits for the reader; the next thing it is given is a frame `policy_revoked`, and then its end. */
  revoke(lost: LostRight): void {
    if (this.ended) return;
    this.revoked = lost;
    this.sources.tailer.detach(this);
    this.window.drop();
    this.pause.raise();
    if (this.waiters.length > 0) void this.pump();
  }

  /** Whether no page is wanted any more. */
  private isOver(): boolean {
    return this.ended || this.revoked !== null;
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.sources.tailer.detach(this);
    this.window.drop();
    this.pause.raise();
    for (const { resolve } of this.waiters.splice(0)) resolve(END);
    this.options.onEnd(this);
  }

  /** Answers those who wait for as long as there is something to give. */
  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    try {
      while (this.waiters.length > 0) {
        const item = this.takeItem();
        if (item !== null) this.give(item);
        else if (this.window.needsPage) await this.readPage();
        else break;
      }
    } catch (error) {
      const [first] = this.waiters.splice(0, 1);
      first?.reject(error);
      this.end();
    } finally {
      this.pumping = false;
    }
  }

  private takeItem(): LifecycleItem | null {
    if (this.revoked !== null) return revokedItem(this.position, this.revoked, this.sources.clock.now());
    if (this.stalled) {
      const reason = 'the reader did not take what it was sent in time';
      return laggingItem(this.position, reason, this.sources.clock.now());
    }
    const { notice } = this;
    this.notice = null;
    return notice ?? this.window.take()?.item ?? null;
  }

  private give(item: LifecycleItem): void {
    this.waiters.shift()?.resolve({ done: false, value: item });
    if (this.stalled || this.revoked !== null) this.end();
    else if (this.waiters.length === 0) this.idleSince = performance.now();
  }

  private async readPage(): Promise<void> {
    const { tailer, backlog, head } = this.sources;
    const { range } = this.options.filter;
    // Only the last page of the past has to meet the live frames; those before it would gather them in vain.
    const last = head.settled - this.window.position < STREAM_PAGE_FRAMES;
    const after = this.window.startPage(last ? tailer.attach(this) : null);
    for (let pauseMs = 0; !this.isOver();) {
      try {
        const to = head.settled;
        const page = await backlog.page({ range, after, to, wanted: () => !this.isOver() });
        if (page === null) return;
        this.sources.outage.over();
        if (this.isOver()) return;
        this.takePage(page);
        return;
      } catch (error) {
        if (this.isOver()) return;
        if (!isAway(error)) throw error;
        this.sources.outage.began(error);
        pauseMs = nextPause(pauseMs);
        await this.pause.wait(pauseMs);
      }
    }
  }

  private takePage({ frames, upTo, early, gone }: BacklogPage): void {
    if (gone !== null) {
      this.notice = goneItem(gone, this.sources.clock.now());
      this.window.skipTo(gone);
    }
    const wanted = frames.filter(this.options.filter.matches);
    this.window.endPage(wanted, upTo, early);
    if (!this.window.following) this.sources.tailer.detach(this);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof StrataError && error.code === 'DATABASE_UNAVAILABLE';
}
