import { STAGE_BACKLOG_EVENTS } from '../limits.ts';

/** Captures count as being written for so long after a commit, milliseconds: stages then rest between their batches. */
const STAGE_CAPTURE_QUIET_MS = 50;

/** Captured events a second up to which captures are a trickle: stages go on as if there were none. */
const STAGE_TRICKLE_RATE = 20;

/** Captured events a second from which on captures are a bulk: they need the processors, and derivation catches up behind it. What a burst begins with counts as one. */
const STAGE_BULK_RATE = 1_000;

/** Length of a rest beside captures, in lengths of the batch before it: stages take at most a third of one processor from them. */
export const STAGE_RESTS = 2;

/** The same where a burst or a bulk begins: at most a seventeenth. */
export const STAGE_BURST_RESTS = 16;

/** A burst, or a bulk, begins for so long, milliseconds. */
const STAGE_BURST_MS = 5_000;

/** A bulk that lasts for so long, milliseconds, is no burst that ends by itself: derivation takes its share of the processors. */
const STAGE_STEADY_MS = 20_000;

/** Captures that pause for so long, milliseconds, begin a burst anew. */
const STAGE_BURST_GAP_MS = 1_000;

/** Events in a batch of a stage, at most, beside captures of the same process that have the way: its commit holds the lock on the frame counter, and they wait for that. */
export const STAGE_EVENTS_BESIDE_CAPTURES = 200;

/** Captures that pause for so long, milliseconds, let stages take batches as large as they may be: larger ones cost less an event. */
const STAGE_CAPTURE_PAUSE_MS = 500;

/** Milliseconds in which captured events are counted. */
const WINDOW_MS = 1_000;

/**
 * How captures come in, and how much of the processors stages leave to them. Beside a bulk they rest long at first, since they catch up
 * behind it; beside captures that come in steadily the less, the more events wait, so that what one process can derive is derived as it comes.
 * A trickle needs no processors: whoever waits for what a single capture comes to is not kept waiting.
 */
export class Backpressure {
  private readonly now: () => number;
  private readonly backlog: () => number;
  private capturedAt = Number.NEGATIVE_INFINITY;
  private burstBegan = Number.NEGATIVE_INFINITY;
  /** Since when captures are a bulk; the first window of a burst counts as one. */
  private bulkSince: number | null = null;
  private window = { began: Number.NEGATIVE_INFINITY, events: 0 };
  /** Events a second in the window before. */
  private rate = 0;

  /**
   * @param backlog events that wait to be derived and can be
   * @param now milliseconds of a clock that never runs backwards
   */
  constructor(backlog: () => number, now: () => number = () => performance.now()) {
    this.backlog = backlog;
    this.now = now;
  }

  /** Says that so many events were captured just now. */
  captured(events: number): void {
    const now = this.now();
    const lasted = now - this.window.began;
    if (now - this.capturedAt > STAGE_BURST_GAP_MS) {
      this.burstBegan = this.bulkSince = now;
      this.rate = 0;
      this.window = { began: now, events: 0 };
    } else if (lasted >= WINDOW_MS) {
      this.rate = (this.window.events * 1000) / lasted;
      this.bulkSince = this.rate >= STAGE_BULK_RATE ? (this.bulkSince ?? this.window.began) : null;
      this.window = { began: now, events: 0 };
    }
    this.window.events += events;
    this.capturedAt = now;
  }

  /** How long stages rest after a turn, in lengths of it. */
  throttleFactor(): number {
    return this.since(this.capturedAt) < STAGE_CAPTURE_QUIET_MS ? this.way() : 0;
  }

  /** Whether stages hold back: captures were written a moment ago, and have the way. */
  isThrottling(): boolean {
    return this.since(this.capturedAt) < STAGE_CAPTURE_PAUSE_MS && this.way() > 0;
  }

  /** Events that a batch may have, of so many at most: fewer where stages hold back. */
  mostEvents(most: number): number {
    return this.isThrottling() ? Math.min(most, STAGE_EVENTS_BESIDE_CAPTURES) : most;
  }

  /** How much captures have the way: rests beside them, in lengths of a turn. */
  private way(): number {
    const { bulkSince } = this;
    if (Math.max(this.rate, this.window.events) < STAGE_TRICKLE_RATE) return 0;
    if (bulkSince !== null && this.since(bulkSince) < STAGE_STEADY_MS)
      return restsSince(this.since(bulkSince));
    return restsSince(this.since(this.burstBegan)) * Math.max(0, 1 - this.backlog() / STAGE_BACKLOG_EVENTS);
  }

  private since(instant: number): number {
    return this.now() - instant;
  }
}

function restsSince(milliseconds: number): number {
  return milliseconds < STAGE_BURST_MS ? STAGE_BURST_RESTS : STAGE_RESTS;
}
