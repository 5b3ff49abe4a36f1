import type { LifecycleReader } from '../../graph/lifecycle.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { Wakeup } from '../wakeup.ts';
import { withScopeRules, type Frame, type ScopeRulesSource } from './frame.ts';
import { nextPause, type Outage } from './outage.ts';

/** Least time between two readings of new frames, milliseconds: a trickle of commits is gathered, a lone one is not kept waiting. */
const STREAM_GATHER_MS = 10;

/** Frames that the tailer reads at once for all readers. */
const STREAM_TAIL_FRAMES = 1000;

/** Whoever wants every new frame. Called in commit order, with all frames up to a number; must neither wait nor throw. */
export interface Follower {
  offer(frames: readonly Frame[], upTo: number): void;
}

/** What a tailer needs. */
export interface TailerParts {
  readonly frames: LifecycleReader;
  readonly places: ScopeRulesSource;
  readonly head: VisibleHighWatermark;
  readonly outage: Outage;
  /** Milliseconds between looks for frames of other processes. */
  readonly pollMs: number;
}

/** Reads new frames once for all followers; without any it rests. */
export class Tailer {
  private readonly parts: TailerParts;
  private readonly followers = new Set<Follower>();
  private readonly wakeup = new Wakeup();
  private readonly closing = new Wakeup();
  private reached = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private lookedAt = 0;
  private readAt = 0;

  constructor(parts: TailerParts) {
    this.parts = parts;
  }

  /** Everything up to this number was offered. */
  get position(): number {
    return this.reached;
  }

  /** Adds a follower and answers the number behind which it is offered every frame. */
  attach(follower: Follower): number {
    this.followers.add(follower);
    if (this.running === null) {
      // Nobody was offered anything while it rested, so nothing is passed over.
      this.reached = Math.max(this.reached, this.parts.head.settled);
      this.running = this.run();
    }
    return this.reached;
  }

  /** Takes a follower away. */
  detach(follower: Follower): void {
    this.followers.delete(follower);
  }

  /** Says that the settled head may have moved. */
  wake(): void {
    if (this.running !== null) this.wakeup.raise();
  }

  /** Ends the loop; resolves when it has ended. */
  async close(): Promise<void> {
    this.closed = true;
    this.wakeup.raise();
    this.closing.raise();
    await this.running;
  }

  private async run(): Promise<void> {
    // The first turn belongs to whoever attached: it has to know where it stands before it is offered anything.
    await Promise.resolve();
    let pauseMs = 0;
    while (this.followers.size > 0 && !this.closed) {
      try {
        await (this.parts.head.settled > this.reached ? this.readOn() : this.look());
        this.parts.outage.over();
        pauseMs = 0;
      } catch (error) {
        this.parts.outage.began(error);
        pauseMs = nextPause(pauseMs);
        await this.closing.wait(pauseMs);
      }
    }
    // In the turn that saw nobody left: a follower that comes later has to start the loop anew.
    this.running = null;
  }

  private async readOn(): Promise<void> {
    const rest = this.readAt + STREAM_GATHER_MS - performance.now();
    // A trickle of commits is gathered; what comes after a rest, and what is behind by a page, is read at once.
    if (rest > 0 && this.parts.head.settled - this.reached < STREAM_TAIL_FRAMES)
      await this.closing.wait(rest);
    this.readAt = performance.now();
    const to = this.parts.head.settled;
    const stored = await this.parts.frames.tail(this.reached + 1, to, STREAM_TAIL_FRAMES);
    const last = stored.length === STREAM_TAIL_FRAMES ? stored.at(-1) : undefined;
    const frames = await withScopeRules(stored, this.parts.places);
    this.reached = last?.sequence ?? to;
    for (const follower of [...this.followers]) follower.offer(frames, this.reached);
  }

  /** Waits until somebody says that there may be something new, or asks the database when it is time to. */
  private async look(): Promise<void> {
    const rest = this.lookedAt + this.parts.pollMs - performance.now();
    if (rest > 0) {
      await this.wakeup.wait(rest);
      return;
    }
    this.lookedAt = performance.now();
    await this.parts.head.refresh();
  }
}
