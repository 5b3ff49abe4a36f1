import {
  STAGE_BACKLOG_EVENTS,
  STAGE_BULK_RATE,
  STAGE_BURST_GAP_MS,
  STAGE_BURST_MS,
  STAGE_BURST_RESTS,
  STAGE_CAPTURE_PAUSE_MS,
  STAGE_CAPTURE_QUIET_MS,
  STAGE_EVENTS_BESIDE_CAPTURES,
  STAGE_RESTS,
  STAGE_STEADY_MS,
} from '../limits/pace.ts';

/** Milliseconds in which captured events are counted. */
const WINDOW_MS = 1_000;

/**
 * How captures come in, and how much of the processors stages leave to them. Beside a bulk they rest long at first, since they catch up
 * behind it; beside captures that come in steadily the less, the more events wait, so that what one process can derive is derived as it comes.
 */
export class CapturePace {
  private readonly now: () => number;
  private readonly backlog: () => number;
  private capturedAt = Number.NEGATIVE_INFINITY;
  private burstBegan = Number.NEGATIVE_INFINITY;
  private window = { began: Number.NEGATIVE_INFINITY, events: 0 };
  /** Events a second in the last whole window; unknown in the first one of a burst. */
  private rate = Number.POSITIVE_INFINITY;

  /**
   * @param backlog events that wait to be derived
   * @param now milliseconds of a clock that never runs backwards
   */
  constructor(backlog: () => number, now: () => number = () => performance.now()) {
    this.backlog = backlog;
    this.now = now;
  }

  /** Says that so many events were captured just now. */
  captured(events: number): void {
    const now = this.now();
    if (now - this.capturedAt > STAGE_BURST_GAP_MS) {
      this.burstBegan = now;
      this.rate = Number.POSITIVE_INFINITY;
      this.window = { began: now, events: 0 };
    }
    const lasted = now - this.window.began;
    if (lasted >= WINDOW_MS) {
      this.rate = (this.window.events * 1000) / lasted;
      this.window = { began: now, events: 0 };
    }
    this.window.events += events;
    this.capturedAt = now;
  }

  /** How long stages rest after a turn, in lengths of it. */
  rests(): number {
    if (this.now() - this.capturedAt >= STAGE_CAPTURE_QUIET_MS) return 0;
    if (this.isBulk()) return this.now() - this.burstBegan < STAGE_BURST_MS ? STAGE_BURST_RESTS : STAGE_RESTS;
    return STAGE_RESTS * Math.max(0, 1 - this.backlog() / STAGE_BACKLOG_EVENTS);
  }

  /** Events that a batch may have, of so many at most: fewer where captures were written a moment ago, unless too many events wait. */
  mostEvents(most: number): number {
    const beside = this.now() - this.capturedAt < STAGE_CAPTURE_PAUSE_MS;
    const urgent = !this.isBulk() && this.backlog() > STAGE_BACKLOG_EVENTS;
    return beside && !urgent ? Math.min(most, STAGE_EVENTS_BESIDE_CAPTURES) : most;
  }

  private isBulk(): boolean {
    return this.rate >= STAGE_BULK_RATE && this.now() - this.burstBegan < STAGE_STEADY_MS;
  }
}
