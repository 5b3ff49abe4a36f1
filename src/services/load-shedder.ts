import { StrataError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';

/** The delay of the event loop is measured so often, milliseconds: a timer that does nothing, some four times a second. */
export const EVENT_LOOP_SAMPLE_MS = 250;

/** Measurements in a row beyond the bound that make an overload: one long stretch of work is one measurement, however long. */
export const EVENT_LOOP_LATE_SAMPLES = 3;

/** An overload ends with the first measurement at or below so much of the bound: at the bound itself it would begin again at once. */
const EVENT_LOOP_RECOVERED_SHARE = 0.5;

/** Measurements of which the longest is published: ten seconds of a process that is not held up. */
export const EVENT_LOOP_RECENT_SAMPLES = 40;

/** How new work arrives. */
export type WorkTransport = 'rest' | 'graphql' | 'websocket';

/** What a load shedder is built from. */
export interface LoadShedderParts {
  /** Delay of the event loop beyond which new work is refused when it lasts, milliseconds; 0: it never is. */
  readonly maxDelayMs: number;
  readonly metrics: Pick<Metrics, 'count'>;
  /** Milliseconds of a clock that only goes forward; default that of the process. */
  readonly now?: () => number;
}

/**
 * Measures by how much the event loop is behind, and refuses new work while that lasts: queued it would make everything
 * slower that was begun. A single long stretch of work, or a process that was stopped for a while, refuses nothing.
 */
export class LoadShedder {
  private readonly parts: LoadShedderParts;
  private readonly now: () => number;
  private readonly recentMs: number[] = [];
  private measuredAt: number;
  /** Measurements in a row beyond the bound. */
  private late = 0;
  private refusing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: LoadShedderParts) {
    this.parts = parts;
    this.now = parts.now ?? (() => performance.now());
    this.measuredAt = this.now();
  }

  /** Measures until {@link stop}; keeps no process alive. */
  start(): void {
    this.measuredAt = this.now();
    this.timer = setInterval(() => {
      this.measure();
    }, EVENT_LOOP_SAMPLE_MS);
    this.timer.unref();
  }

  /** Ends the measuring. May be repeated. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** The longest of the delays measured last, seconds; 0 before the first. */
  get delaySeconds(): number {
    return Math.max(0, ...this.recentMs) / 1000;
  }

  /** Takes a measurement, which was due {@link EVENT_LOOP_SAMPLE_MS} after the one before. */
  measure(): void {
    const now = this.now();
    const delayMs = Math.max(0, now - this.measuredAt - EVENT_LOOP_SAMPLE_MS);
    this.measuredAt = now;
    this.recentMs.push(delayMs);
    if (this.recentMs.length > EVENT_LOOP_RECENT_SAMPLES) this.recentMs.shift();
    this.judge(delayMs);
  }

  private judge(delayMs: number): void {
    const { maxDelayMs } = this.parts;
    this.late = delayMs > maxDelayMs ? this.late + 1 : 0;
    if (this.late >= EVENT_LOOP_LATE_SAMPLES) this.refusing = maxDelayMs > 0;
    else if (delayMs <= maxDelayMs * EVENT_LOOP_RECOVERED_SHARE) this.refusing = false;
  }

  /** Why new work is refused now, `SERVER_BUSY`, which is counted; null where it is not. */
  refusalOf(transport: WorkTransport): StrataError | null {
    if (!this.refusing) return null;
    this.parts.metrics.count('strata_shed_requests_total', transport);
    return new StrataError('SERVER_BUSY', 'the service is overloaded; nothing was done, send it again', {
      details: { reason: 'event_loop_delay', limit_ms: this.parts.maxDelayMs },
    });
  }

  /** Lets new work in, or throws its refusal. */
  admit(transport: WorkTransport): void {
    const refusal = this.refusalOf(transport);
    if (refusal !== null) throw refusal;
  }
}
