import type { LifecycleReader } from '../../graph/lifecycle.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { LifecycleItem } from '../../schemas/lifecycle.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Log } from '../log.ts';
import { Backlog } from './backlog.ts';
import { FrameReader, type ReaderSources } from './frame-reader.ts';
import type { FrameFilter } from './frame-filter.ts';
import { goneItem, type ScopeRulesSource } from './frame.ts';
import { InFlight } from './in-flight.ts';
import { TENANT_SHARE } from '../limits.ts';
import { Outage } from './outage.ts';
import { Tailer } from './tailer.ts';

/** What an outbox needs. */
export interface OutboxParts {
  readonly frames: LifecycleReader;
  readonly places: ScopeRulesSource;
  readonly head: VisibleHighWatermark;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between looks for frames of other processes. */
  readonly pollMs: number;
  /** Readers at most; those of one tenant a quarter of them. */
  readonly maxReaders: number;
  /** Milliseconds for a reader to take what it was given. */
  readonly stallMs: number;
}

/** What a reader is opened with. */
export interface ReaderRequest {
  readonly filter: FrameFilter;
  /** The number of the frame after which it begins; `oldest`: with what is kept; `now`: with what is committed from here on. */
  readonly after: number | 'oldest' | 'now';
  /** Ends the reader when it fires. */
  readonly signal: AbortSignal;
}

/** Readers are looked at so often while they have as long to take what they were given. */
const CHECKS_PER_STALL = 10;

/** Everything that goes out of one process as lifecycle frames: one tailer, and the readers over it. */
export class Outbox {
  private readonly parts: OutboxParts;
  private readonly sources: ReaderSources;
  private readonly open = new Set<FrameReader>();
  private readonly openOfTenants = new Map<string, number>();
  private readonly starting = new InFlight();
  private checks: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(parts: OutboxParts) {
    this.parts = parts;
    const { frames, places, head, clock, pollMs } = parts;
    const outage = new Outage(parts.log);
    const tailer = new Tailer({ frames, places, head, outage, pollMs });
    this.sources = { tailer, backlog: new Backlog(frames, places), head, outage, clock };
  }

  /** Readers open now. */
  get readers(): number {
    return this.open.size;
  }

  /** Frames between the settled head and the reader that is farthest behind; 0 without readers. */
  get lagFrames(): number {
    const { settled } = this.parts.head;
    return [...this.open].reduce((most, { position }) => Math.max(most, settled - position), 0);
  }

  /** Open readers that did not take what they were given in time. */
  get stalledReaders(): number {
    return [...this.open].filter(({ hasStalled }) => hasStalled).length;
  }

  /** Frames that wait in memory for readers. */
  get heldFrames(): number {
    return [...this.open].reduce((sum, { held }) => sum + held, 0);
  }

  /** Says that a commit of this process was acknowledged whose newest frame has this number. */
  acknowledged(newestFrame: number): void {
    this.parts.head.acknowledged(newestFrame);
    this.sources.tailer.wake();
  }

  /**
   * Opens a reader that stays until `signal` fires, `return()` is called or it is told `lagging`. Where `after` lies before what
   * is kept, its first frame says so, and the oldest kept ones follow. Throws `SERVER_BUSY`, `SERVER_SHUTTING_DOWN`,
   * `DATABASE_UNAVAILABLE`.
   */
  async subscribe({ filter, after, signal }: ReaderRequest): Promise<FrameReader> {
    const { tenant } = filter.range;
    this.refuseMore(tenant);
    const { start, notice } = await this.starting.track(this.startOf(after));
    this.refuseMore(tenant);
    const onAbort = (): void => {
      void reader.return();
    };
    const reader = new FrameReader(this.sources, {
      filter,
      start,
      notice,
      onEnd: () => {
        signal.removeEventListener('abort', onAbort);
        this.open.delete(reader);
        this.count(tenant, -1);
        if (this.open.size === 0) clearInterval(this.checks);
      },
    });
    if (this.open.size === 0) this.startChecks();
    this.open.add(reader);
    this.count(tenant, 1);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return reader;
  }

  /** Ends every reader and the tailer; resolves when nothing is being read any more. */
  async close(): Promise<void> {
    this.closed = true;
    // All in one turn: one that still waits would be given the place of a page that comes meanwhile.
    await Promise.all([...this.open].map((reader) => reader.return()));
    await this.sources.tailer.close();
    await this.sources.backlog.close();
    await this.starting.over();
  }

  private refuseMore(tenant: string): void {
    if (this.closed) throw new StrataError('SERVER_SHUTTING_DOWN', 'The server is stopping.');
    const { maxReaders } = this.parts;
    const maxOfTenant = Math.ceil(maxReaders * TENANT_SHARE);
    if ((this.openOfTenants.get(tenant) ?? 0) >= maxOfTenant) {
      throw new StrataError(
        'SERVER_BUSY',
        'As many streams of the tenant are open as one tenant may have; try again.',
        { details: { reason: 'tenant_streams', limit: maxOfTenant } },
      );
    }
    if (this.open.size < maxReaders) return;
    throw new StrataError('SERVER_BUSY', 'As many streams are open as this server serves; try again.', {
      details: { reason: 'streams', limit: maxReaders },
    });
  }

  private count(tenant: string, more: 1 | -1): void {
    const open = (this.openOfTenants.get(tenant) ?? 0) + more;
    if (open > 0) this.openOfTenants.set(tenant, open);
    else this.openOfTenants.delete(tenant);
  }

  /** The number after which a reader begins, and what it has to be told first. */
  private async startOf(
    after: ReaderRequest['after'],
  ): Promise<{ start: number; notice: LifecycleItem | null }> {
    const { head, frames, clock } = this.parts;
    await head.refresh();
    if (after === 'now') return { start: head.settled, notice: null };
    // Taken before the question: what is committed meanwhile is not gone.
    const { settled } = head;
    const oldest = await frames.oldest();
    const gone = oldest === null ? settled : oldest - 1;
    if (after === 'oldest') return { start: gone, notice: null };
    if (gone <= after) return { start: after, notice: null };
    return { start: gone, notice: goneItem(gone, clock.now()) };
  }

  private startChecks(): void {
    const { stallMs } = this.parts;
    this.checks = setInterval(() => {
      for (const reader of [...this.open]) reader.check(performance.now(), stallMs);
    }, stallMs / CHECKS_PER_STALL);
    this.checks.unref();
  }
}
